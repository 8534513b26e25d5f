"""What the gate decided, as text, JSON, JUnit and Markdown."""

from __future__ import annotations

from assay.models.gate import GateReport


def render(fmt: str, report: GateReport, *, color: bool = False) -> str:
    """The decision in one of the formats.

    Args:
        fmt: ``text``, ``json``, ``junit`` or ``markdown``.
        report: what was decided.
        color: whether ANSI colours are used.
    """
    if fmt == "json":
        from assay.files.model_text import plain, value_text

        return value_text(plain(report)) + "\n"
    if fmt == "junit":
        from assay.reporting.gate.as_junit import junit

        return junit(report)
    if fmt == "markdown":
        from assay.reporting.gate.as_markdown import markdown

        return markdown(report)
    from assay.reporting.gate.as_text import text

    return text(report, color=color)
