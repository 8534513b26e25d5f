"""Markdown that shows foreign text as it is: nothing in it becomes a link, a tag or a mention."""

from __future__ import annotations

import re

from assay.reporting.words import safe

_ACTIVE = re.compile(r"[\\`*_{}\[\]<>|~&#$]|(?<=\w):(?=//)|(?<![\w.])(?=www\.)")
_MENTION = re.compile(r"@(?=\w)")
_REFERENCE = re.compile(
    r"(?<![\w])(?:[!%](?=[\w\"])|:(?=[\w+-]+:)|GH(?=-[0-9])|(?=[0-9a-f]*[a-f])(?=[0-9a-f]*[0-9])"
    r"[0-9a-f](?=[0-9a-f]{6,39}(?![\w])))",
    re.IGNORECASE,
)
"""What forges read after Markdown: ``!12``, ``%12``, ``:name:``, ``GH-12``, a commit."""


def plain_markdown(text: str) -> str:
    """Foreign text for a paragraph or a table cell.

    Punctuation that Markdown reads is escaped; an ``@name`` calls nobody, a ``#12`` and an
    address link nowhere.
    """
    marked = _REFERENCE.sub(lambda match: f"{match.group()}\u200b", safe(text))
    escaped = _ACTIVE.sub(_escape, marked).replace("\u200b", "&#8203;")
    return _MENTION.sub("@&#8203;", escaped)


def _escape(match: re.Match[str]) -> str:
    found = match.group()
    if found in ("<", ">", "&"):
        return {"<": "&lt;", ">": "&gt;", "&": "&amp;"}[found]
    if found in ("", ":", "#"):
        return f"{found}&#8203;"
    return f"\\{found}"


def code_span(text: str, *, in_table: bool = False) -> str:
    """Foreign text as code: the fence is longer than any run of backticks inside."""
    shown = " ".join(safe(text).split())
    longest = max((len(run) for run in re.findall(r"`+", shown)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    if in_table:
        shown = shown.replace("|", "\\|")
    return f"{fence}{pad}{shown}{pad}{fence}" if shown else ""
