"""Rates and counts as lengths: what the small drawings of the report are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from assay.models.result import Tally
from assay.reporting.numbers import exact, interval, percent


def length(share: float | Decimal) -> str:
    """A share (0 to 1) as a length in percent: ``52.54%``."""
    return f"{(exact(share) * 100).quantize(Decimal('0.01'))}%"


@dataclass(frozen=True)
class RateBar:
    """A rate with its interval, on a scale from 0 to 100 %."""

    rate: str
    """The rate as printed, in percent."""
    interval: str
    """The interval as printed."""
    at: str
    """Where the rate is."""
    low: str
    """Where the interval begins."""
    span: str
    """How long it is."""
    worst: str
    """Where the bounds of an incomplete rate begin; empty where it is complete."""
    bounds: str
    """How far apart they are."""
    words: str
    """The same for a screen reader."""


def rate_bar(tally: Tally) -> RateBar | None:
    """The bar of a tally; none where nothing was evaluated."""
    if tally.pass_rate is None:
        return None
    low = tally.wilson_low if tally.wilson_low is not None else tally.pass_rate
    high = tally.wilson_high if tally.wilson_high is not None else tally.pass_rate
    worst = bounds = ""
    words = f"{percent(tally.pass_rate)} percent, 95 percent interval {interval(low, high)}"
    if tally.incomplete and tally.worst is not None and tally.best is not None:
        worst, bounds = length(tally.worst), length(exact(tally.best) - exact(tally.worst))
        words += f", incomplete, between {percent(tally.worst)} and {percent(tally.best)}"
    return RateBar(
        rate=percent(tally.pass_rate),
        interval=interval(low, high),
        at=length(tally.pass_rate),
        low=length(low),
        span=length(exact(high) - exact(low)),
        worst=worst,
        bounds=bounds,
        words=words,
    )


@dataclass(frozen=True)
class Segment:
    """One part of a bar that is divided."""

    name: str
    """What it counts; also its style."""
    number: int
    """How many."""
    at: str
    """Where it begins."""
    span: str
    """How long it is."""


def divided(counts: Mapping[str, int], order: Sequence[str]) -> list[Segment]:
    """Counts as parts of one bar, in the order given; parts of zero are left out."""
    whole = sum(counts.get(name, 0) for name in order)
    segments = []
    before = 0
    for name in order:
        number = counts.get(name, 0)
        if number:
            at, span = Decimal(before) / whole, Decimal(number) / whole
            segments.append(Segment(name, number, length(at), length(span)))
        before += number
    return segments
