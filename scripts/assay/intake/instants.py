"""Instants of traces to ISO 8601 in UTC, exact to the microsecond."""

from __future__ import annotations

import datetime
from decimal import Decimal

_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
_LAST = 253_402_300_799


def of_epoch(seconds: int | Decimal) -> str | None:
    """Seconds since 1970 as ``2026-11-30T18:24:14.482840Z``; None where no calendar has them.

    Zero means that nobody wrote the time down.
    """
    if not 0 < seconds <= _LAST:
        return None
    instant = _EPOCH + datetime.timedelta(microseconds=int(seconds * 1_000_000))
    text = instant.isoformat(timespec="auto")
    return text.replace("+00:00", "Z")
