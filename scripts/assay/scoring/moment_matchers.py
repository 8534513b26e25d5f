"""Matchers of days and instants."""

from __future__ import annotations

from decimal import Decimal
from zoneinfo import ZoneInfo

from assay.models.base import JsonValue
from assay.scoring.matchers import Answer, Sight
from assay.scoring.moments import Moment, day_in, instants_in, parse_moment, relative


class OnDay:
    """``$date``: a calendar day, or a moment that falls on it."""

    __slots__ = ("day", "zone")

    def __init__(self, day: Moment, zone: ZoneInfo | None) -> None:
        self.day = day
        self.zone = zone

    def test(self, observed: JsonValue, sight: Sight) -> Answer:
        """The day as written, or the day in the zone where the label names one."""
        moment = parse_moment(observed) if isinstance(observed, str) else None
        if moment is None:
            return False
        return (day_in(moment, self.zone) if self.zone else moment.day) == self.day.day


class AtInstant:
    """``$instant``: a point in time, however its offset is written."""

    __slots__ = ("instants", "tolerance", "zone")

    def __init__(
        self, instants: tuple[Decimal, ...], zone: ZoneInfo | None, tolerance: Decimal
    ) -> None:
        self.instants = instants
        self.zone = zone
        self.tolerance = tolerance

    def test(self, observed: JsonValue, sight: Sight) -> Answer:
        """Equal instants; a local time counts only where the label names its zone."""
        moment = parse_moment(observed) if isinstance(observed, str) else None
        if moment is None or moment.seconds is None:
            return False
        found = _instants(moment, self.zone)
        return any(abs(one - other) <= self.tolerance for one in self.instants for other in found)


def _instants(moment: Moment, zone: ZoneInfo | None) -> tuple[Decimal, ...]:
    if moment.instant is not None:
        return (moment.instant,)
    return instants_in(moment, zone) if zone else ()


class Relative:
    """``$relative``: a day, or a day with a time, counted from the case's reference date."""

    __slots__ = ("words", "zone")

    def __init__(self, words: str, zone: ZoneInfo | None) -> None:
        self.words = words
        self.zone = zone

    def test(self, observed: JsonValue, sight: Sight) -> Answer:
        """As written, or as an instant where the label names a zone and the value an offset."""
        if sight.reference_date is None:
            return sight.unknown("the case has no reference date")
        wanted = relative(self.words, sight.reference_date)
        if wanted is None:
            return sight.unknown(f"`{self.words}` is no relative day")
        moment = parse_moment(observed) if isinstance(observed, str) else None
        if moment is None:
            return False
        if wanted.seconds is None:
            return (day_in(moment, self.zone) if self.zone else moment.day) == wanted.day
        if self.zone and moment.instant is not None:
            return moment.instant in instants_in(wanted, self.zone)
        return moment.seconds is not None and moment.local == wanted.local
