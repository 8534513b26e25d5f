"""What is found, and what stands in its place afterwards."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Kind = Literal[
    "e-mail address",
    "API key",
    "authorization",
    "cookie",
    "password",
    "private key",
    "secret",
    "token",
]
"""What kind of thing was found."""

ADDRESS: Kind = "e-mail address"
"""The one kind that is no secret but a person's."""


class Hit(NamedTuple):
    """A part of a text that must not be stored."""

    start: int
    """Where it begins."""
    end: int
    """Where it ends."""
    kind: Kind
    """What it is."""
    name: str = ""
    """Field, header or parameter that named it; empty where its own shape did."""


class Found(NamedTuple):
    """Something that was found, and never what it was."""

    kind: Kind
    """What it is."""
    pointer: str
    """JSON pointer to the text that holds it; keys that hold one stand there as placeholders."""
    name: str = ""
    """Field, header or parameter that named it; empty where its own shape did."""


_PLACEHOLDER = re.compile(
    r"REDACTED-(?:api-key|authorization|cookie|password|private-key|secret|token)-([1-9][0-9]{0,8})"
    r"|person-([1-9][0-9]{0,8})@redacted\.invalid"
)


def placeholder(kind: Kind, number: int) -> str:
    """What stands for the `number`-th thing of a kind.

    An address stays one, under a domain that nobody can own; everything else is a word of letters,
    digits and hyphens, so that it can stand in a URL, a header or a form.
    """
    if kind == ADDRESS:
        return f"person-{number}@redacted.invalid"
    return f"REDACTED-{kind.lower().replace(' ', '-')}-{number}"


def placeholders_in(text: str) -> list[str]:
    """Placeholders that stand in a text already."""
    if "REDACTED-" not in text and "@redacted.invalid" not in text:
        return []
    return [match[0] for match in _PLACEHOLDER.finditer(text)]
