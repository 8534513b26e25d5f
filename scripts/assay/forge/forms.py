"""Issue forms: what a body says, field by field. Its text is carried along and never interpreted.

The forge renders a form as one heading of three hashes for each field, in the order of the form.
A body is taken only when its headings are exactly those of one form; ids must fit their pattern,
and text must be free of what could act on a reader's screen.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from assay.errors import InputError
from assay.models.base import CASE_ID_PATTERN

Kind = Literal["dispute", "answer", "case"]
"""Which form it is."""

MOST_BODY = 30_000
"""Longest body that is read, in characters."""
MOST_TEXT = 4_000
"""Longest text of one field."""

_HEADING = re.compile(r"^### (.*)$", re.MULTILINE)
_EMPTY = "_No response_"
_ACTS = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe"
    r"\uffff\ud800-\udfff]"
)
_CASE = re.compile(CASE_ID_PATTERN)
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


@dataclass(frozen=True)
class Field:
    """One field of a form."""

    name: str
    """What it is called here."""
    label: str
    """What the form calls it."""
    pattern: re.Pattern[str] | None = None
    """What it must be; free text where absent."""
    lines: bool = True
    """Whether it may have several lines."""
    needed: bool = True
    """Whether it must be filled in."""


FORMS: dict[Kind, tuple[Field, ...]] = {
    "dispute": (
        Field("case", "Case", _CASE, lines=False),
        Field("why", "What is wrong, and how do you know?"),
    ),
    "answer": (
        Field("case", "Case", _CASE, lines=False),
        Field("answer", "Answer that should be accepted", lines=False),
        Field("fact", "Name of the fact, where the record has several", _NAME,
              lines=False, needed=False),
        Field("why", "Why is it right?"),
    ),
    "case": (
        Field("suite", "Suite", _NAME, lines=False),
        Field("case", "Id of the new case", _CASE, lines=False),
        Field("slice", "Slice", _NAME, lines=False),
        Field("text", "What the user says"),
        Field("why", "What should happen, and why?"),
    ),
}  # fmt: skip
"""Kind to its fields, in the order of the form."""


@dataclass(frozen=True)
class Form:
    """A form that was filled in."""

    kind: Kind
    """Which one."""
    values: dict[str, str]
    """Field to text; what was left empty is absent."""

    def paragraphs(self, name: str) -> list[str]:
        """A text in paragraphs, each on one line."""
        parts = re.split(r"\n[ \t]*\n", self.values.get(name, ""))
        return [" ".join(part.split()) for part in parts if part.strip()]


def read_form(body: str) -> Form:
    """The form in the body of an issue.

    Raises:
        InputError: it is none of ours, a field is missing or not what it must be. The message
            repeats nothing of the body.
    """
    if len(body) > MOST_BODY:
        raise InputError(f"The text is longer than {MOST_BODY:,} characters.", hint="shorten it")
    text = body.replace("\r\n", "\n")
    if _ACTS.search(text):
        raise InputError(
            "The text holds control characters or marks that change the direction of writing.",
            hint="type it anew, without copying",
        )
    parts = _HEADING.split(text)
    labels, values = [label.strip() for label in parts[1::2]], parts[2::2]
    for kind, fields in FORMS.items():
        if parts[0].strip() == "" and labels == [field.label for field in fields]:
            found = {
                field.name: value
                for field, raw in zip(fields, values, strict=True)
                if (value := _value(field, raw.strip()))
            }
            return Form(kind, found)
    raise InputError(
        "The text is not one of the forms as they are sent.",
        hint="use the form as it is, and begin no line of yours with ###",
    )


def _value(field: Field, text: str) -> str:
    if text in ("", _EMPTY):
        if field.needed:
            raise InputError(f"“{field.label}” is empty.", hint="fill it in")
        return ""
    if len(text) > MOST_TEXT:
        raise InputError(f"“{field.label}” is longer than {MOST_TEXT:,} characters.")
    if not field.lines and "\n" in text:
        raise InputError(f"“{field.label}” must stand on one line.")
    if field.pattern is not None and not field.pattern.fullmatch(text):
        raise InputError(
            f"“{field.label}” is no such name.",
            hint="lower-case letters, digits, dots, hyphens and underscores, as refund-0142",
        )
    return text
