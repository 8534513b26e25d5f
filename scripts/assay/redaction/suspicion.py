"""Whether a text can hold anything that must go: a quick look that never says no wrongly."""

from __future__ import annotations

from assay.redaction.shapes import MARKS

_WORDS = (
    # Fields, headers and parameters that name a secret end in one of these.
    "auth",
    "cookie",
    "credential",
    "jwt",
    "key",
    "pass",
    "pwd",
    "secret",
    "sig",
    "token",
    # Schemes, addresses, credentials in addresses, and the same written in other ways.
    "basic",
    "bearer",
    "@",
    "%40",
    "\\u00",
    *sorted({mark.lower() for mark in MARKS}),
)


def suspicious(text: str) -> bool:
    """Whether the text is worth a closer look. Most runs are not, and most time is saved here."""
    low = text.lower()
    return any(word in low for word in _WORDS)
