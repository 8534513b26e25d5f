"""Calendar arithmetic, clamped and without a clock."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import UsageError
from assay.ledger.days import add_days, add_months, later

DAYS = st.dates(datetime.date(1900, 1, 1), datetime.date(2200, 12, 31)).map(str)


@pytest.mark.parametrize(
    ("day", "months", "wanted"),
    [
        ("2026-09-18", 6, "2027-03-18"),
        ("2026-08-31", 6, "2027-02-28"),
        ("2027-08-31", 6, "2028-02-29"),
        ("2026-12-31", 2, "2027-02-28"),
        ("2026-01-31", 1, "2026-02-28"),
        ("2024-02-29", 12, "2025-02-28"),
        ("2026-03-31", -1, "2026-02-28"),
        ("2026-01-15", 0, "2026-01-15"),
        ("2026-12-01", 1, "2027-01-01"),
    ],
)
def test_add_months(day: str, months: int, wanted: str) -> None:
    assert add_months(day, months) == wanted


@given(DAYS, st.integers(-600, 600))
def test_months_move_the_month_and_never_the_day_forward(day: str, months: int) -> None:
    moved = datetime.date.fromisoformat(add_months(day, months))
    start = datetime.date.fromisoformat(day)
    assert (moved.year * 12 + moved.month) - (start.year * 12 + start.month) == months
    assert moved.day <= start.day
    assert moved.day == start.day or (moved + datetime.timedelta(days=1)).day == 1


@given(DAYS, st.integers(-5000, 5000))
def test_days_there_and_back(day: str, days: int) -> None:
    assert add_days(add_days(day, days), -days) == day


@pytest.mark.parametrize(
    ("span", "wanted"),
    [
        ("6m", "2027-03-18"),
        ("1y", "2027-09-18"),
        ("2w", "2026-10-02"),
        ("90d", "2026-12-17"),
        ("2027-01-01", "2027-01-01"),
    ],
)
def test_later(span: str, wanted: str) -> None:
    assert later("2026-09-18", span) == wanted


@pytest.mark.parametrize("span", ["6", "m", "20270101", "2027-W11-4", "2027-02-29", "6 m", ""])
def test_what_is_neither_day_nor_span(span: str) -> None:
    with pytest.raises(UsageError, match="neither a day nor a span"):
        later("2026-09-18", span)
