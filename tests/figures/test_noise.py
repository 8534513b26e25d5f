"""What wrong labels do to a rate."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.statistics.intervals import wilson
from assay.statistics.noise import error_rate, measured, rogan_gladen, slope, slope_of_labels

FIVE = Fraction(5, 100)
SHARE = st.fractions(0, 1, max_denominator=1000)


def test_the_audit_of_120() -> None:
    found = error_rate(8, 120)
    assert found.value == Fraction(1, 15)
    assert found.low == pytest.approx(0.034, abs=5e-4)
    assert found.high == pytest.approx(0.126, abs=5e-4)
    assert [round(100 * end) for end in found.ceiling] == [87, 97]
    for wrong in ((0, 0), (-1, 5), (6, 5)):
        with pytest.raises(ValueError, match="audited"):
            error_rate(*wrong)


@pytest.mark.parametrize(("labels", "expected"), [(None, 0.95), (2, 0.9), (4, 0.933), (10, 0.944)])
def test_slopes(labels: int | None, expected: float) -> None:
    assert float(slope_of_labels(FIVE, labels)) == pytest.approx(expected, abs=5e-4)


def test_one_label_is_no_choice() -> None:
    with pytest.raises(ValueError, match="two or more"):
        slope_of_labels(FIVE, 1)


@pytest.mark.parametrize(("true", "seen"), [("0.90", "0.855"), ("0.93", "0.8835")])
def test_open_answers(true: str, seen: str) -> None:
    assert measured(Fraction(true), 1 - FIVE, Fraction(1)) == Fraction(seen)


@given(SHARE, st.fractions("0.6", 1), st.fractions("0.6", 1))
def test_rogan_gladen_takes_the_noise_out(a: Fraction, se: Fraction, sp: Fraction) -> None:
    rate = measured(a, se, sp)
    low, high = wilson(rate, 100)
    assert low is not None
    assert high is not None
    found = rogan_gladen(rate, low, high, se, sp)
    assert found is not None
    assert found.value == a
    if found.low > 0 and found.high < 1:
        wider = (high - low) / float(slope(se, sp))
        assert found.high - found.low == pytest.approx(wider)


def test_labels_that_say_nothing() -> None:
    assert rogan_gladen(Fraction(1, 2), 0.4, 0.6, Fraction(1, 2), Fraction(1, 2)) is None
    found = rogan_gladen(Fraction(99, 100), 0.95, 1.0, Fraction(9, 10), Fraction(1))
    assert found is not None
    assert (found.value, found.high) == (Fraction(1), 1.0)
