"""Trials: averaged within a case first, counted by combinations, variance split in two."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.statistics.trials import OfK, mean, pass_at_k, pass_hat_k, spread

CASES = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 4)).map(lambda pair: (min(pair), max(pair))),
    max_size=5,
)


def test_the_mean_is_over_cases_not_over_trials() -> None:
    assert mean([(3, 4), (0, 1)]) == Fraction(3, 8)
    assert mean([]) is None


@given(CASES, st.integers(1, 5))
def test_by_counting_every_choice(cases: list[tuple[int, int]], k: int) -> None:
    every, some = [], []
    for c, n in cases:
        picks = list(itertools.combinations([True] * c + [False] * (n - c), k))
        if picks:
            every.append(Fraction(sum(map(all, picks)), len(picks)))
            some.append(Fraction(sum(map(any, picks)), len(picks)))
    for found, expected in ((pass_hat_k(cases, k), every), (pass_at_k(cases, k), some)):
        assert found.cases == len(expected)
        rate = sum(expected, Fraction(0)) / len(expected) if expected else None
        assert found.rate == rate


@given(CASES)
def test_one_trial_is_the_pass_rate_and_more_go_apart(cases: list[tuple[int, int]]) -> None:
    rated = [(c, n) for c, n in cases if n == 4]
    rates = [(pass_hat_k(rated, k).rate, pass_at_k(rated, k).rate) for k in range(1, 5)]
    if not rated:
        assert pass_hat_k(rated, 1) == OfK(None, 0)
        return
    assert rates[0] == (mean(rated), mean(rated))
    for (down, up), (lower, higher) in itertools.pairwise(rates):
        assert lower <= down  # type: ignore[operator]
        assert higher >= up  # type: ignore[operator]


def test_spread_by_hand() -> None:
    found = spread([(4, 4), (0, 4), (2, 4)])
    assert found is not None
    assert found.total == Fraction(1, 4)
    assert found.within == Fraction(1, 12) / 3
    assert found.between == Fraction(1, 4) - Fraction(1, 36)


@given(CASES)
def test_the_parts_of_the_variance_sum(cases: list[tuple[int, int]]) -> None:
    found = spread(cases)
    if len(cases) < 2 or any(n < 2 for _, n in cases):
        assert found is None
        return
    assert found is not None
    assert found.between + found.within == found.total
    assert min(found.between, found.within) >= 0


@pytest.mark.parametrize("cases", [[(1, 2), (1, 2)], [(0, 3), (3, 3)]])
def test_all_noise_and_none(cases: list[tuple[int, int]]) -> None:
    found = spread(cases)
    assert found is not None
    assert found.total in {found.between, found.within}
