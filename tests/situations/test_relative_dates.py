"""H20: the expected date follows the case's reference date."""

from __future__ import annotations

from typing import Any

import pytest

from tests.scoring.making import call, run, score
from tests.situations.given import label, load

BOOK: dict[str, Any] = {
    "required_tools": [{"tool": "book", "args": {"at": {"$relative": "next tuesday 14:15"}}}]
}


@pytest.mark.parametrize(
    ("today", "at"),
    [
        ("2026-10-05", "2026-10-06T14:15"),  # a Monday
        ("2026-10-06", "2026-10-13T14:15"),  # a Tuesday: strictly after
        ("2026-10-07", "2026-10-13T14:15"),
        ("2026-12-30", "2027-01-05T14:15"),
        ("2028-02-28", "2028-02-29T14:15"),
    ],
)
def test_next_is_strictly_after_the_reference_date(today: str, at: str) -> None:
    for made, outcome in ((at, "passed"), (f"{at}:00", "passed"), (at[:-1] + "0", "failed")):
        assert score(BOOK, run([call("book", at=made)]), reference_date=today).outcome == outcome


@pytest.mark.data
def test_given_reference_dates() -> None:
    truth = label(load("20", "truth.json"))
    days, starts = load("20", "reference_dates.json"), load("20", "expected.json")["starts"]
    for today, start in zip(days, starts, strict=True):
        for made in starts:
            result = score(truth, run([call("create_event", start=made)]), reference_date=today)
            assert (result.outcome == "passed") is (made == start)
