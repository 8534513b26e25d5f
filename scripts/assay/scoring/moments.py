"""Days and instants in labels and arguments: ISO 8601, zones, and words such as *next monday*.

Time zones come from the package tzdata and never from the machine, so that a verdict is the
same everywhere.
"""

from __future__ import annotations

import calendar
import datetime
import re
from decimal import Decimal
from functools import lru_cache
from importlib import resources
from typing import NamedTuple
from zoneinfo import ZoneInfo

DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_MOMENT = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?"
    r"\s?(Z|z|[+-](?:[01][0-9]|2[0-3])(?::?[0-5][0-9])?)?"
)
_ZONE = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+){0,2}")
_WEEKDAYS = tuple(name.lower() for name in calendar.day_name)
_CLOCK = (
    r"(?:\s+(?:at\s+)?(?P<hour>[01][0-9]|2[0-3]|[0-9]):(?P<minute>[0-5][0-9])"
    r"(?::(?P<second>[0-5][0-9]))?)?"
)
_WORDS = re.compile(
    r"(?:(?P<plain>today|tomorrow|yesterday)"
    r"|(?P<which>next|last)\s+(?P<weekday>" + "|".join(_WEEKDAYS) + ")"
    r"|in\s+(?P<ahead>[0-9]{1,4})\s+(?P<unit>day|week|month|year)s?"
    r"|(?P<behind>[0-9]{1,4})\s+(?P<back>day|week|month|year)s?\s+ago)" + _CLOCK
)


class Moment(NamedTuple):
    """A day with or without a time, with or without an offset."""

    day: datetime.date
    """The day as written."""
    seconds: Decimal | None
    """Seconds since midnight, as written; none where only the day is given."""
    offset: int | None
    """Offset from UTC in seconds; none where none is written."""

    @property
    def local(self) -> Decimal:
        """Seconds since the first day of the calendar, in the moment's own zone."""
        return self.day.toordinal() * 86_400 + (self.seconds or Decimal(0))

    @property
    def instant(self) -> Decimal | None:
        """Seconds since the first day of the calendar in UTC; none without an offset."""
        return None if self.offset is None else self.local - self.offset


def day_of(text: str) -> datetime.date | None:
    """The calendar day that a text writes as YYYY-MM-DD; none for anything else."""
    if not DAY.fullmatch(text):
        return None
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        return None


def parse_moment(text: str) -> Moment | None:
    """A day or a day with a time, in ISO 8601; none for anything else."""
    text = text.strip()
    day = day_of(text)
    if day is not None:
        return Moment(day, None, None)
    match = _MOMENT.fullmatch(text)
    day = day_of(match[1]) if match else None
    if match is None or day is None:
        return None
    hour, minute, second = int(match[2]), int(match[3]), int(match[4] or 0)
    if hour > 23 or minute > 59 or second > 60:
        return None
    seconds = Decimal(hour * 3600 + minute * 60 + second)
    if match[5]:
        seconds += Decimal(f"0.{match[5]}")
    return Moment(day, seconds, _offset(match[6]))


def _offset(text: str | None) -> int | None:
    if text is None:
        return None
    if text in "Zz":
        return 0
    digits = text[1:].replace(":", "").ljust(4, "0")  # "+02" is "+02:00"
    seconds = int(digits[:2]) * 3600 + int(digits[2:]) * 60
    return -seconds if text[0] == "-" else seconds


@lru_cache(maxsize=256)
def zone(name: str) -> ZoneInfo | None:
    """The time zone of a name, ``Europe/Berlin``; none where there is no such zone."""
    if not _ZONE.fullmatch(name):
        return None
    *folders, leaf = name.split("/")
    package = ".".join(("tzdata", "zoneinfo", *(f.replace("-", "_") for f in folders)))
    try:
        with (resources.files(package) / leaf).open("rb") as stream:
            return ZoneInfo.from_file(stream, key=name)
    except (OSError, ValueError, ModuleNotFoundError):
        return None


def instants_in(moment: Moment, where: ZoneInfo) -> tuple[Decimal, ...]:
    """The instants that a local time can be: one; two in a doubled hour; none in a skipped one."""
    whole = int(moment.seconds or 0)
    at = datetime.datetime.combine(moment.day, datetime.time()) + datetime.timedelta(seconds=whole)
    found: list[Decimal] = []
    for fold in (0, 1):
        aware = at.replace(tzinfo=where, fold=fold)
        offset = aware.utcoffset()
        assert offset is not None
        back = (aware - offset).replace(tzinfo=datetime.UTC).astimezone(where)
        if back.replace(tzinfo=None) == at:
            found.append(moment.local - int(offset.total_seconds()))
    return tuple(dict.fromkeys(found))


def day_in(moment: Moment, where: ZoneInfo) -> datetime.date:
    """The calendar day of a moment in a zone; a moment without offset is local already."""
    if moment.offset is None:
        return moment.day
    midnight = datetime.datetime.combine(moment.day, datetime.time(), tzinfo=datetime.UTC)
    shift = datetime.timedelta(seconds=int(moment.seconds or 0) - moment.offset)
    try:
        return (midnight + shift).astimezone(where).date()
    except OverflowError:
        return moment.day  # the first or last day that the calendar has


def relative(words: str, reference: str) -> Moment | None:
    """The day, and time where one is given, that words mean on a reference day.

    ``today``, ``tomorrow``, ``yesterday``, ``next monday`` (strictly after), ``last monday``
    (strictly before), ``in 3 weeks``, ``2 months ago``, each with an optional ``09:30``. Months
    and years are calendar ones, clamped to the month's end.
    """
    match = _WORDS.fullmatch(" ".join(words.lower().split()))
    if match is None:
        return None
    day = datetime.date.fromisoformat(reference)
    try:
        if match["plain"]:
            day += datetime.timedelta(days={"today": 0, "tomorrow": 1}.get(match["plain"], -1))
        elif match["weekday"]:
            ahead = (_WEEKDAYS.index(match["weekday"]) - day.weekday()) % 7
            if match["which"] == "next":
                day += datetime.timedelta(days=ahead or 7)
            else:
                day -= datetime.timedelta(days=(7 - ahead) or 7)
        elif match["ahead"]:
            day = _shifted(day, int(match["ahead"]), match["unit"])
        else:
            day = _shifted(day, -int(match["behind"]), match["back"])
    except (OverflowError, ValueError):
        return None
    if match["hour"] is None:
        return Moment(day, None, None)
    seconds = int(match["hour"]) * 3600 + int(match["minute"]) * 60 + int(match["second"] or 0)
    return Moment(day, Decimal(seconds), None)


def _shifted(day: datetime.date, count: int, unit: str) -> datetime.date:
    if unit in ("day", "week"):
        return day + datetime.timedelta(days=count * (7 if unit == "week" else 1))
    months = day.year * 12 + day.month - 1 + count * (12 if unit == "year" else 1)
    year, month = divmod(months, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return datetime.date(year, month + 1, min(day.day, last))


def iso(moment: Moment) -> str:
    """A moment without offset in ISO 8601; seconds only where there are some."""
    if moment.seconds is None:
        return moment.day.isoformat()
    minutes, seconds = divmod(moment.seconds, 60)
    text = f"{moment.day.isoformat()}T{int(minutes) // 60:02d}:{int(minutes) % 60:02d}"
    if not seconds:
        return text
    whole, fraction = divmod(seconds, 1)
    return f"{text}:{int(whole):02d}" + (f"{fraction.normalize():f}"[1:] if fraction else "")
