"""A review as text, as JSON, and as the comment of a pull request."""

from __future__ import annotations

from typing import Literal

from assay.models.review import Review

Format = Literal["text", "json", "markdown"]


def render(fmt: str, review: Review, *, color: bool = False, width: int = 80) -> str:
    """The review in a format.

    Args:
        fmt: ``text``, ``json`` or ``markdown``.
        review: the review.
        color: whether ANSI colours are used in text.
        width: columns of text.
    """
    if fmt == "json":
        from assay.reporting.json_out import all_fields, json_document

        return json_document(all_fields(review))
    if fmt == "markdown":
        from assay.reporting.review.as_markdown import markdown

        return markdown(review)
    from assay.reporting.review.as_text import text

    return text(review, color=color, width=width)
