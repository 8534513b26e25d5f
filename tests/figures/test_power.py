from __future__ import annotations

import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.statistics.power import needed_cases, smallest_visible_gap


@pytest.mark.parametrize(
    ("cases", "points"),
    [(150, "7.2"), (300, "5.1"), (532, "3.9"), (118, "8.1"), (40, None), (50, None), (0, None)],
)
def test_reference_values(cases: int, points: str | None) -> None:
    expected = None if points is None else Decimal(points)
    assert smallest_visible_gap(cases) == expected


@pytest.mark.parametrize(("cases", "points"), [(150, "7.6"), (300, "5.4"), (532, "4.1")])
def test_label_errors_widen_the_gap(cases: int, points: str) -> None:
    assert smallest_visible_gap(cases, label_errors=Decimal("0.05")) == Decimal(points)


@pytest.mark.parametrize(("errors", "cases"), [("0", 870), ("0.05", 964), ("0.10", 1075)])
def test_needed_cases_for_three_points(errors: str, cases: int) -> None:
    needed = needed_cases(Decimal("0.03"), label_errors=Decimal(errors))
    assert math.ceil(needed) == cases


def test_no_gap_needs_no_cases() -> None:
    with pytest.raises(ValueError, match="above 0"):
        needed_cases(Decimal(0))
    with pytest.raises(ValueError, match="above 0"):
        needed_cases(Decimal("0.03"), label_errors=Decimal(1))


def test_the_limit_of_six_pairs() -> None:
    assert smallest_visible_gap(59) is None
    assert smallest_visible_gap(60) is not None
    assert smallest_visible_gap(600, label_errors=Decimal(1)) is None


@given(st.integers(60, 20000))
def test_the_gap_is_the_first_on_the_grid(cases: int) -> None:
    gap = smallest_visible_gap(cases)
    assert gap is not None
    assert needed_cases(gap / 100) <= cases
    if gap > Decimal("0.1"):
        assert needed_cases((gap - Decimal("0.1")) / 100) > cases
