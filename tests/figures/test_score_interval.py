"""The score interval of paired rates: laws, and the test that it turns around."""

from __future__ import annotations

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assay.statistics.score_interval import score_interval

COUNTS = st.integers(0, 60)


@given(COUNTS, COUNTS, COUNTS)
@example(0, 0, 1)
@example(1, 0, 0)
@example(7, 0, 0)
def test_it_holds_the_difference_and_mirrors(lower: int, higher: int, level: int) -> None:
    pairs = lower + higher + level
    if not pairs:
        with pytest.raises(ValueError, match="no more pairs"):
            score_interval(lower, higher, pairs)
        return
    low, high = score_interval(lower, higher, pairs)
    assert -1 <= low <= (higher - lower) / pairs <= high <= 1
    assert low < high
    assert score_interval(higher, lower, pairs) == (-high, -low)


def most_likely(lower: int, higher: int, level: int, delta: float) -> float:
    """Share of pairs that only the first side passes if `delta` is true, by trying."""

    def at(share: float) -> float:
        shares = (share, lower), (share + delta, higher), (1 - 2 * share - delta, level)
        if any(part < -1e-12 for part, _ in shares):
            return -math.inf
        return sum(n * math.log(max(part, 1e-300)) for part, n in shares if n)

    low, high = max(0.0, -delta), (1 - delta) / 2
    for _ in range(200):
        one, two = low + (high - low) / 3, high - (high - low) / 3
        low, high = (one, high) if at(one) < at(two) else (low, two)
    return (low + high) / 2


@pytest.mark.parametrize("counts", [(2, 9, 25), (8, 8, 4), (1, 4, 30)])
def test_the_ends_are_where_the_score_test_turns(counts: tuple[int, int, int]) -> None:
    lower, higher, level = counts
    pairs = sum(counts)
    for end in score_interval(lower, higher, pairs):
        share = most_likely(lower, higher, level, end)
        spread = math.sqrt(pairs * (2 * share + end * (1 - end)))
        assert abs(higher - lower - pairs * end) / spread == pytest.approx(1.959964, abs=1e-4)


def test_no_difference_in_few_cases_proves_little() -> None:
    low, high = score_interval(0, 0, 20)
    assert (low, high) == (pytest.approx(-0.1611, abs=1e-4), pytest.approx(0.1611, abs=1e-4))


def test_no_more_pairs_differ_than_there_are() -> None:
    with pytest.raises(ValueError, match="no more pairs"):
        score_interval(3, 3, 5)
