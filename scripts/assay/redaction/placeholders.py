"""What stands where a secret stood: ``redacted-token-1``, ``redacted-1@mail.invalid``.

Numbered by first appearance: a digest of an address or of a short password could be guessed by
trying, a number tells nothing. An address stays shaped like one, at a name that nobody can own
(RFC 2606), so that a run reads as before.
"""

from __future__ import annotations

import re
from typing import Literal

Kind = Literal["address", "api-key", "authorization", "cookie", "login", "password", "private-key",
               "secret", "token"]  # fmt: skip
"""What a secret is, as far as its name or shape tells."""

MADE = re.compile(
    r"redacted-(?:([0-9]{1,9})@mail\.invalid|(?:api-key|authorization|cookie|login|password"
    r"|private-key|secret|token)-([0-9]{1,9}))"
)
"""A placeholder of ours."""

_MASKED = re.compile(
    r"""[\s"'<\[({]*(?:
        [*.•xX#_-]*                                     # ****, xxxx
      | \$?\{+[^{}]*\}+ | \$[A-Z_]+ | %[A-Z_]+%         # ${TOKEN}, {{token}}, $TOKEN
      | <[^<>]*> | \[[^\[\]]*\]                         # <your key>, [filtered]
      | (?:(?:bearer|basic|token)\s+)?
        (?:redacted(?:-[a-z-]+-\d+)?|filtered|masked|hidden|removed|scrubbed|omitted
          |none|null|true|false|undefined|string|str)
    )[\s"'>\])}]*""",
    re.VERBOSE | re.IGNORECASE,
)
_MASK_LENGTH = 100


def is_masked(text: str) -> bool:
    """Whether a text stands where a secret was, or where one goes: nothing is left to replace."""
    if len(text) > _MASK_LENGTH:
        return not text.strip("*xX•. ")
    return _MASKED.fullmatch(text) is not None or MADE.search(text) is not None


class Placeholders:
    """Secret to placeholder, for one import: the same secret gets the same one everywhere."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, str], str] = {}
        self._last: dict[str, int] = {}
        self._taken: set[str] = set()
        self.spread: dict[str, str] = {}
        """Secrets that can be told apart from other text, to their placeholders: wherever they
        stand, they are replaced."""

    def of(self, kind: Kind, secret: str) -> str:
        """The placeholder of a secret."""
        key = (kind, secret.casefold() if kind == "address" else secret)
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = self._next(kind)
            if kind != "address" and _distinct(secret):
                self.spread[secret] = found
        return found

    def reserve(self, text: str) -> None:
        """Give out none of the placeholders that a text has already."""
        self._taken.update(match.group() for match in MADE.finditer(text))

    def _next(self, kind: Kind) -> str:
        while True:
            number = self._last[kind] = self._last.get(kind, 0) + 1
            name = (
                f"redacted-{number}@mail.invalid"
                if kind == "address"
                else f"redacted-{kind}-{number}"
            )
            if name not in self._taken:
                return name


def _distinct(secret: str) -> bool:
    """Whether a text is nothing that stands in other text by chance."""
    if len(secret) < 8 or secret.isdecimal():
        return False
    return len(secret) >= 24 or (
        any(char.isdigit() for char in secret) and any(char.isalpha() for char in secret)
    )
