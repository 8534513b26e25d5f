"""Adjusted p-values."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.statistics.multiple import benjamini_hochberg, holm

SHARES = st.lists(st.fractions(0, 1), max_size=8)


def test_by_hand() -> None:
    values = [Fraction(n, 100) for n in (4, 1, 3, 50)]
    assert holm(values) == [Fraction(n, 100) for n in (9, 4, 9, 50)]
    expected = [Fraction(16, 300), Fraction(4, 100), Fraction(16, 300), Fraction(50, 100)]
    assert benjamini_hochberg(values) == expected
    assert holm([]) == benjamini_hochberg([]) == []


@given(SHARES)
def test_adjusting_keeps_the_order_and_lowers_nothing(values: list[Fraction]) -> None:
    careful, loose = holm(values), benjamini_hochberg(values)
    for value, low, high in zip(values, loose, careful, strict=True):
        assert value <= low <= high <= 1
    ranked = sorted(range(len(values)), key=lambda i: (values[i], careful[i]))
    assert [careful[i] for i in ranked] == sorted(careful)


@pytest.mark.conformance
def test_against_statsmodels() -> None:
    theirs = pytest.importorskip("statsmodels.stats.multitest")
    generator = random.Random(12)
    for count in (1, 2, 9, 30):
        values = [generator.random() ** 3 for _ in range(count)]
        values[-1] = values[0]
        assert holm(values) == pytest.approx(theirs.multipletests(values, method="holm")[1])
        found = theirs.multipletests(values, method="fdr_bh")[1]
        assert benjamini_hochberg(values) == pytest.approx(found)
