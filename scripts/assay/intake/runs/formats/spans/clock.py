"""Times of spans: nanoseconds since 1970 as the one form in which they are compared."""

from __future__ import annotations

import datetime
import re
from decimal import Decimal

from assay.intake.instants import of_epoch
from assay.models.base import JsonValue

_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
_FRACTION = re.compile(r"[.,](\d+)")
_NANO = 10**9
_LATEST = 253_402_300_799 * _NANO


def nanos(value: JsonValue) -> int | None:
    """An instant in nanoseconds since 1970; None where there is none.

    Text is ISO 8601, in UTC where it names no zone, or a whole number; a number is nanoseconds,
    microseconds, milliseconds or seconds, whichever puts it between 2001 and 2286.
    """
    if isinstance(value, str):
        text = value.strip()
        if text.isdecimal() and len(text) <= 30:
            return _scaled(int(text))
        return _iso(text)
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    return _scaled(value)


def _scaled(value: int | Decimal) -> int | None:
    if not 0 < value < 10**30:
        return None
    for unit in (1, 10**3, 10**6, _NANO):
        if 10**18 <= value * unit < 10**19:
            return int(value * unit)
    found = int(value)
    return found if found <= _LATEST else None


def _iso(text: str) -> int | None:
    """ISO 8601 with any number of digits after the second."""
    found = _FRACTION.search(text)
    digits = found.group(1) if found else ""
    plain = text[: found.start()] + text[found.end() :] if found else text
    if plain.endswith((" UTC", "Z", "z")):
        plain = plain.rstrip("CTUZz ").rstrip() + "+00:00"
    try:
        instant = datetime.datetime.fromisoformat(plain)
    except ValueError:
        return None
    if instant.tzinfo is None:
        instant = instant.replace(tzinfo=datetime.UTC)
    try:
        passed = instant - _EPOCH
    except OverflowError:
        return None
    seconds = passed.days * 86_400 + passed.seconds
    result = seconds * _NANO + int(digits[:9].ljust(9, "0") or "0")
    return result if result > 0 else None


def instant(value: int | None) -> str | None:
    """Nanoseconds since 1970 in ISO 8601, exact to the microsecond."""
    return None if value is None else of_epoch(Decimal(value) / _NANO)


def milliseconds(start: int | None, end: int | None) -> int | None:
    """Time between two instants, rounded down; None where one is missing or they run backwards."""
    if start is None or end is None or end < start:
        return None
    return (end - start) // 10**6
