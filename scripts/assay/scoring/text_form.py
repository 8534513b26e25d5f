"""The form in which two texts are compared, and where one token ends and the next begins.

A text is folded twice. `cased` keeps what later steps need and what the form drops: capital
letters (``MW`` is not ``mW``), line feeds and long dashes (both end a clause). `form` is what is
compared. The two have the same length, so that a place in one is a place in the other.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

LONG_DASH: Final = "\u2014"
"""Stands for every long dash in `cased`: it separates, where a hyphen joins."""

_HYPHENS = "\u2010\u2011\u2012\u2013\u2212\ufe58\ufe63\u2796"
_LONG_DASHES = "\u2014\u2015\u2e3a\u2e3b\ufe31"
_SINGLE_QUOTES = "\u2018\u2019\u201a\u201b\u02bc\u2032\uff07"
_DOUBLE_QUOTES = "\u201c\u201d\u201e\u201f\u2033"
_ZERO_WIDTH = (
    "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufe0e\ufe0f\ufeff"
)

_FOLD: Final[dict[int, str]] = {
    **{ord(c): "-" for c in _HYPHENS},
    **{ord(c): LONG_DASH for c in _LONG_DASHES},
    **{ord(c): "'" for c in _SINGLE_QUOTES},
    **{ord(c): '"' for c in _DOUBLE_QUOTES},
    **{ord(c): "" for c in _ZERO_WIDTH},
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
}

_FULL_STOPS = (".", "\u3002", "\uff61")

# Scripts that are written without blanks between words: every character is a token of its own.
_UNSPACED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007"
    "\u3021-\u30ff\u3100-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff"
    "\uf900-\ufaff\U00020000-\U0003ffff]"
)


def fold(text: str) -> tuple[str, str]:
    """`cased` and `form` of a text, of equal length.

    NFC; case folded (`form` only); full-width ASCII, curly quotes and dashes to ASCII; zero-width
    characters removed; blanks to one space; one final full stop ignored. Accents, superscripts
    and digits of other scripts stay as they are.
    """
    if text.isascii():
        cased = _blanks(text)
        cased = _without_full_stop(cased)
        form = cased.lower()
    else:
        cased = unicodedata.normalize("NFC", text).translate(_FOLD)
        cased = _without_full_stop(_blanks(unicodedata.normalize("NFC", cased)))
        form = unicodedata.normalize("NFC", cased.casefold())
        if len(form) != len(cased):
            # A letter such as sharp s folds to two; capitals are given up to keep places equal.
            cased = form
        form = form.replace(LONG_DASH, "-")
    return cased, form.replace("\n", " ")


def _blanks(text: str) -> str:
    """Runs of blanks become one space, or one line feed where the run holds a line end."""
    lines = text.splitlines()
    if len(lines) == 1:
        return " ".join(text.split())
    kept = [" ".join(line.split()) for line in lines]
    return "\n".join(line for line in kept if line)


def _without_full_stop(text: str) -> str:
    return text[:-1].rstrip() if text.endswith(_FULL_STOPS) else text


# `glued` for ASCII as one pattern: a word and whatever is joined to it.
_TOKEN: Final = re.compile(
    r"[A-Za-z0-9_]+"
    r"(?:(?:[-@]|(?<![a-z])\.|\.(?![A-Z])|(?<=[0-9])[,:/'](?=[0-9])|(?<=[nN])'(?=[tT](?![A-Za-z0-9_])))"
    r"[A-Za-z0-9_]+)*(?:[+#]+(?![A-Za-z0-9_+#]))?"
)


def token_at(cased: str, place: int) -> tuple[int, int]:
    """Start and end of the token to which the word character at `place` belongs."""
    if cased.isascii():
        left = max(cased.rfind(" ", 0, place), cased.rfind("\n", 0, place)) + 1
        for token in _TOKEN.finditer(cased, left):
            if token.end() > place:
                return token.span()
    start, end = place, place + 1
    while glued(cased, start):
        start -= 1
    while glued(cased, end):
        end += 1
    return start, end


def is_word(char: str) -> bool:
    """Whether the character is part of a word: letter, digit, combining mark, underscore."""
    return char.isalnum() or char == "_" or (char > "\x7f" and unicodedata.category(char)[0] == "M")


def glued(cased: str, place: int) -> bool:
    """Whether the characters on both sides of a place belong to one token.

    Letters and digits hold together, and so do a hyphen, full stop or ``@`` between them
    (``AHU-1``, ``example.org``, ``non-refundable``), a comma, colon, slash or apostrophe between
    digits (``1,234``, ``09:30``), the apostrophe of ``n't``, and the signs of ``C++`` and ``C#``.
    """
    if place <= 0 or place >= len(cased):
        return False
    before, after = cased[place - 1], cased[place]
    if is_word(before):
        if is_word(after):
            return not _splits(before, after)
        return _joins(cased, place) or _trails(cased, place)
    if is_word(after):
        return _joins(cased, place - 1)
    return before in "+#" and place >= 2 and _trails(cased, place - 1) and after in "+#"


def _splits(before: str, after: str) -> bool:
    if before.isascii() and after.isascii():
        return False
    if unicodedata.category(after)[0] == "M":
        return False
    return bool(_UNSPACED.match(before) or _UNSPACED.match(after))


def _joins(cased: str, at: int) -> bool:
    """Whether the character at a place joins the word characters on its two sides."""
    joiner = cased[at]
    if joiner not in "-.@,:/'" or at == 0 or at + 1 >= len(cased):
        return False
    before, after = cased[at - 1], cased[at + 1]
    if not (is_word(before) and is_word(after)):
        return False
    if joiner == "." and before.islower() and after.isupper():
        return False  # "done.The": a blank is missing between two sentences
    if joiner in "-.@":
        return not (_UNSPACED.match(before) or _UNSPACED.match(after))
    if joiner == "'" and before in "nN" and after in "tT":
        return not is_word(cased[at + 2]) if at + 2 < len(cased) else True
    return before.isdigit() and after.isdigit()


def _trails(cased: str, at: int) -> bool:
    """Whether a plus or number sign at a place closes the word before it: ``C++``, ``C#``."""
    end = at
    while end < len(cased) and cased[end] in "+#":
        end += 1
    if end == at or (end < len(cased) and is_word(cased[end])):
        return False
    start = at
    while cased[start - 1] in "+#":
        start -= 1
    return is_word(cased[start - 1])
