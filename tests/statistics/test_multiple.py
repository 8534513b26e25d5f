"""Holm and Benjamini–Hochberg; statsmodels is the oracle."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.statistics.multiple import benjamini_hochberg, holm

VALUES = st.lists(st.fractions(0, 1, max_denominator=50), max_size=8)


def test_by_hand() -> None:
    values = [Fraction(n, 100) for n in (1, 4, 3, 20)]
    assert holm(values) == tuple(Fraction(n, 100) for n in (4, 9, 9, 20))
    assert benjamini_hochberg(values) == (
        Fraction(4, 100), Fraction(16, 300), Fraction(16, 300), Fraction(20, 100)
    )  # fmt: skip
    assert holm([]) == benjamini_hochberg([]) == ()
    assert holm([0.03]) == benjamini_hochberg([0.03]) == (0.03,)
    with pytest.raises(ValueError, match="between 0 and 1"):
        holm([1.5])


@given(VALUES, st.randoms())
def test_laws(values: list[Fraction], chance: Any) -> None:
    strict, loose = holm(values), benjamini_hochberg(values)
    for value, high, low in zip(values, strict, loose, strict=True):
        assert value <= low <= high <= 1
    order = sorted(range(len(values)), key=values.__getitem__)
    for found in (strict, loose):
        assert [found[i] for i in order] == sorted(found)
    mixed = list(range(len(values)))
    chance.shuffle(mixed)
    assert holm([values[i] for i in mixed]) == tuple(strict[i] for i in mixed)
    assert benjamini_hochberg([values[i] for i in mixed]) == tuple(loose[i] for i in mixed)


@pytest.mark.conformance
def test_against_statsmodels() -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    chance = random.Random(3)
    for size in (1, 2, 5, 30):
        values = [round(chance.random() ** 3, 3) for _ in range(size)]
        theirs = multitest.multipletests(values, method="holm")[1]
        assert holm(values) == pytest.approx(tuple(theirs))
        theirs = multitest.multipletests(values, method="fdr_bh")[1]
        assert benjamini_hochberg(values) == pytest.approx(tuple(theirs))
