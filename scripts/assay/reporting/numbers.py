"""Rates as a person reads them: rounded exactly, and never rounded up to a perfect score."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal

NONE = "none"
"""What stands in place of a rate that nothing was evaluated for: neither 0 nor 100."""


def exact(rate: float | Decimal) -> Decimal:
    """The decimal that Python prints for a float, so that rounding depends on no machine."""
    return rate if isinstance(rate, Decimal) else Decimal(repr(rate))


def percent(rate: float | Decimal | None, digits: int = 1) -> str:
    """A rate from 0 to 1 in percent, without the sign.

    Only a rate of exactly 1 is written ``100.0`` and only one of exactly 0 is ``0.0``: 9,999 of
    10,000 are ``99.9``.
    """
    if rate is None:
        return NONE
    value = exact(rate) * 100
    step = Decimal(1).scaleb(-digits)
    rounded = value.quantize(step, ROUND_HALF_EVEN)
    if rounded >= 100 and value < 100:
        rounded = 100 - step
    if rounded <= 0 and value > 0:
        rounded = step
    return str(rounded)


def interval(low: float | None, high: float | None) -> str:
    """An interval of rates in whole percent: ``44–61``; empty where there is none."""
    if low is None or high is None:
        return ""
    ends = [(exact(end) * 100).quantize(Decimal(1), ROUND_HALF_EVEN) for end in (low, high)]
    return f"{ends[0]}–{ends[1]}"


def trimmed(value: Decimal) -> str:
    """A decimal without needless zeros: ``85``, ``89.4``."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
