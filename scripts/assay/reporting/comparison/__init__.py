"""A comparison for a terminal, for a pull request, and for programs."""

from __future__ import annotations

from assay.models.comparison import Comparison


def render(fmt: str, made: Comparison, *, color: bool = False) -> str:
    """A comparison in one of the formats ``text``, ``markdown`` and ``json``."""
    if fmt == "json":
        from assay.reporting.comparison.as_json import json_text

        return json_text(made)
    if fmt == "markdown":
        from assay.reporting.comparison.as_markdown import markdown

        return markdown(made)
    from assay.reporting.comparison.as_text import text

    return text(made, color=color)


__all__ = ["render"]
