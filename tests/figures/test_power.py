from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.statistics.paired import mcnemar
from assay.statistics.power import LEVEL, fewest_pairs, needed_cases, smallest_visible_gap


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


@pytest.mark.parametrize(("alpha", "pairs"), [("0.05", 6), ("0.01", 8), ("0.1", 5), ("0.0625", 6)])
def test_the_fewest_pairs_of_a_level(alpha: str, pairs: int) -> None:
    """So many to nothing are significant, and one fewer is not."""
    level = Decimal(alpha)
    assert fewest_pairs(level) == pairs
    assert mcnemar(pairs, 0) < Fraction(level) <= mcnemar(pairs - 1, 0)
    with pytest.raises(ValueError, match="above 0"):
        fewest_pairs(Decimal(0))


def test_a_stricter_level_shows_less() -> None:
    strict, usual = (smallest_visible_gap(300, alpha=Decimal(a)) for a in ("0.01", "0.05"))
    assert usual == Decimal("5.1") == smallest_visible_gap(300)
    assert strict is not None
    assert strict > usual
    assert smallest_visible_gap(79, alpha=Decimal("0.01")) is None
    assert smallest_visible_gap(80, alpha=Decimal("0.01")) is not None


@pytest.mark.conformance
@pytest.mark.parametrize("alpha", ["0.01", "0.05", "0.1"])
def test_quantiles_against_scipy(alpha: str) -> None:
    norm = pytest.importorskip("scipy.stats").norm
    z, power = norm.ppf(1 - float(alpha) / 2), norm.ppf(0.8)
    gap, discordant = 0.04, 0.1
    root = z * math.sqrt(discordant) + power * math.sqrt(discordant - gap**2)
    ours = needed_cases(Decimal("0.04"), alpha=Decimal(alpha))
    assert float(ours) == pytest.approx((root / gap) ** 2, rel=1e-9)
    assert Decimal("0.05") == LEVEL
