"""Days, instants, zones and relative words."""

from __future__ import annotations

import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.scoring.moments import instants_in, iso, parse_moment, relative, zone


@pytest.mark.parametrize(
    ("words", "day", "expected"),
    [
        ("today", "2026-08-19", "2026-08-19"),
        ("Tomorrow at 9:05", "2026-08-31", "2026-09-01T09:05"),
        ("yesterday", "2026-03-01", "2026-02-28"),
        ("next friday", "2026-08-21", "2026-08-28"),
        ("next friday", "2026-08-20", "2026-08-21"),
        ("last friday", "2026-08-21", "2026-08-14"),
        ("last friday", "2026-08-22", "2026-08-21"),
        ("next sunday 23:59:30", "2026-12-31", "2027-01-03T23:59:30"),
        ("in 3 days", "2026-08-30", "2026-09-02"),
        ("in 1 week", "2026-08-30", "2026-09-06"),
        ("in 6 months", "2026-08-31", "2027-02-28"),
        ("1 year ago", "2028-02-29", "2027-02-28"),
        ("2  weeks   ago", "2026-01-01", "2025-12-18"),
    ],
)
def test_relative(words: str, day: str, expected: str) -> None:
    moment = relative(words, day)
    assert moment is not None
    assert iso(moment) == expected


@pytest.mark.parametrize(
    "words", ["", "monday", "next", "in two days", "next monday 25:00", "in 9999 years", "soon"]
)
def test_what_is_no_relative_day(words: str) -> None:
    assert relative(words, "2026-08-19") is None


@given(st.dates(datetime.date(1900, 1, 1), datetime.date(2200, 1, 1)), st.integers(0, 6))
def test_next_is_strictly_after_and_last_strictly_before(day: datetime.date, which: int) -> None:
    name = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")[which]
    following, before = relative(f"next {name}", str(day)), relative(f"last {name}", str(day))
    assert following is not None
    assert before is not None
    assert 1 <= (following.day - day).days <= 7
    assert 1 <= (day - before.day).days <= 7
    assert following.day.weekday() == before.day.weekday() == which


@pytest.mark.parametrize(
    "text",
    [
        "2026-02-29",
        "2026-8-4",
        "20260804",
        "2026-W31-4",
        "2026-08-04T24:00",
        "2026-08-04T10:60",
        "2026-08-04T10:00+99:00",
        "0000-01-01",
        "today",
        "",
    ],
)
def test_what_is_no_moment(text: str) -> None:
    assert parse_moment(text) is None


def test_one_instant_in_many_spellings() -> None:
    spellings = [
        "2026-08-24T09:30:00+02:00",
        "2026-08-24 07:30Z",
        "2026-08-24t07:30:00.000z",
        "2026-08-24T09:30+0200",
        "2026-08-24T09:30+02",
        "2026-08-23T23:30:00-08:00",
    ]
    moments = [parse_moment(text) for text in spellings]
    assert {moment.instant for moment in moments if moment} == {moments[0].instant}  # type: ignore[union-attr]
    assert None not in moments


@given(
    st.datetimes(datetime.datetime(1980, 1, 1), datetime.datetime(2030, 1, 1)),  # noqa: DTZ001
    st.sampled_from(["Europe/Berlin", "America/New_York", "Asia/Kolkata", "UTC"]),
)
def test_zones_agree_with_the_standard_library(at: datetime.datetime, name: str) -> None:
    at = at.replace(microsecond=0)
    where = zone(name)
    moment = parse_moment(at.isoformat(sep="T", timespec="seconds"))
    assert where is not None
    assert moment is not None
    known = ZoneInfo(name)
    start = datetime.datetime(1, 1, 1, tzinfo=datetime.UTC)
    expected = set()
    for fold in (0, 1):
        aware = at.replace(tzinfo=known, fold=fold)
        utc = aware.astimezone(datetime.UTC)
        if utc.astimezone(known).replace(tzinfo=None) == at:
            expected.add(int((utc - start).total_seconds()) + 86_400)
    assert set(instants_in(moment, where)) == expected


@pytest.mark.parametrize("name", ["Nowhere/At_All", "", "../etc/passwd", "/etc/x", "Europe"])
def test_what_is_no_zone(name: str) -> None:
    assert zone(name) is None
