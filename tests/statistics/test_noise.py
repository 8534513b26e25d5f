"""Label noise: reference values, and laws of the correction."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.statistics.noise import (
    enrichment,
    error_rate,
    observed_rate,
    rogan_gladen,
    slope,
    slope_closed,
    slope_open,
)

E5 = Decimal("0.05")
SHARES = st.fractions(0, 1, max_denominator=200)


def test_eight_of_a_hundred_and_twenty() -> None:
    found = error_rate(8, 120)
    assert found is not None
    assert (round(found.low, 3), round(found.high, 3)) == (0.034, 0.126)
    assert tuple(round(end, 2) for end in found.ceiling) == (0.87, 0.97)
    assert error_rate(0, 0) is None
    with pytest.raises(ValueError, match="no share"):
        error_rate(3, 2)


@pytest.mark.parametrize(("labels", "left"), [(2, 0.900), (4, 0.933), (10, 0.944)])
def test_slopes_of_closed_labels(labels: int, left: float) -> None:
    assert round(float(slope_closed(E5, labels)), 3) == left
    with pytest.raises(ValueError, match="two labels"):
        slope_closed(E5, 1)


@pytest.mark.parametrize(("true", "seen"), [("0.90", "0.855"), ("0.93", "0.8835")])
def test_open_answers(true: str, seen: str) -> None:
    assert slope_open(E5) == Fraction(19, 20)
    assert observed_rate(Decimal(true), 1 - E5, 1) == Fraction(Decimal(seen))


@given(SHARES, SHARES, SHARES)
def test_the_correction_undoes_the_noise(rate: Fraction, se: Fraction, sp: Fraction) -> None:
    seen = observed_rate(rate, se, sp)
    assert 0 <= seen <= 1
    found = rogan_gladen(seen, (float(seen), float(seen)), se, sp)
    if slope(se, sp) <= 0:
        assert found is None
        return
    assert found is not None
    assert found.rate == rate
    assert 0 <= found.low <= found.high <= 1


def test_the_interval_is_widened_by_the_slope() -> None:
    found = rogan_gladen(Fraction(1, 2), (0.4, 0.6), Decimal("0.9"), Decimal("0.9"))
    assert found is not None
    assert found.high - found.low == pytest.approx(0.2 / 0.8)
    clipped = rogan_gladen(Fraction(99, 100), (0.9, 1.0), Decimal("0.9"), 1)
    assert clipped is not None
    assert (clipped.rate, clipped.high) == (1, 1.0)


def test_enrichment() -> None:
    assert enrichment((30, 100), (5, 100)) == 6
    assert enrichment((3, 10), (0, 10)) is enrichment((0, 0), (1, 2)) is None


@pytest.mark.parametrize("value", [-1, Decimal("1.2"), 2])
def test_no_share(value: Decimal) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        slope_open(value)
