"""Exact comparison of JSON values, and places in them.

Numbers compare by exact value at any depth (40 = 40.0); truth values, texts and null never equal
a number; the order of keys means nothing, the order of a list does.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Final

from assay.files.locate import unescape
from assay.models.base import JsonValue
from assay.scoring.canonical_text import canonical_text


class _Missing:
    """Nothing stands there; unlike null, which is a value."""

    def __repr__(self) -> str:
        return "nothing"


MISSING: Final = _Missing()

_INDEX = re.compile("0|[1-9][0-9]{0,9}")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,4})?")


def is_number(value: object) -> bool:
    """Whether a value is a JSON number; a truth value is none."""
    return isinstance(value, int | Decimal | float) and not isinstance(value, bool)


def exact(value: int | Decimal | float) -> int | Decimal:
    """The number as it is written; a float stands for the decimal that is printed for it."""
    return Decimal(repr(value)) if isinstance(value, float) else value


def same(one: JsonValue, other: JsonValue) -> bool:
    """Whether two JSON values are equal. Texts compare in NFC, else character by character."""
    if isinstance(one, str):
        if not isinstance(other, str):
            return False
        if one == other:
            return True
        if one.isascii() or other.isascii():
            return False
        return unicodedata.normalize("NFC", one) == unicodedata.normalize("NFC", other)
    if one is None or isinstance(one, bool) or other is None or isinstance(other, bool):
        return one is other
    if isinstance(one, int | Decimal | float):
        return isinstance(other, int | Decimal | float) and exact(one) == exact(other)
    if isinstance(one, Mapping):
        if not isinstance(other, Mapping) or len(one) != len(other):
            return False
        return all(key in other and same(value, other[key]) for key, value in one.items())
    if isinstance(other, str | int | Decimal | float | Mapping):
        return False
    return len(one) == len(other) and all(map(same, one, other))


def unordered_text(value: JsonValue) -> str:
    """A text that two values share exactly when they are equal with all lists as multisets."""
    if isinstance(value, Mapping):
        fields = sorted(f"{canonical_text(k)}:{unordered_text(v)}" for k, v in value.items())
        return "{" + ",".join(fields) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ",".join(sorted(map(unordered_text, value))) + "]"
    return canonical_text(value)


def number_of_text(text: str) -> Decimal | None:
    """The number that a text is when it is written as JSON writes numbers."""
    return Decimal(text) if _NUMBER.fullmatch(text.strip()) else None


def resolve(value: JsonValue, pointer: str) -> JsonValue | _Missing:
    """What stands at a JSON pointer (RFC 6901); `MISSING` when nothing does."""
    if not pointer:
        return value
    for token in pointer.split("/")[1:]:
        step = unescape(token)
        if isinstance(value, Mapping):
            if step not in value:
                return MISSING
            value = value[step]
        elif isinstance(value, Sequence) and not isinstance(value, str):
            if not _INDEX.fullmatch(step) or int(step) >= len(value):
                return MISSING
            value = value[int(step)]
        else:
            return MISSING
    return value


def shown(value: JsonValue | _Missing, limit: int = 120) -> str:
    """Canonical JSON of a value for a message, cut to a readable length."""
    if isinstance(value, _Missing):
        return "nothing"
    text = canonical_text(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"
