"""McNemar by whole numbers, the score interval, the paired error; scipy and statsmodels agree."""

from __future__ import annotations

import math
import random
import time
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assay.statistics.paired import Table, mcnemar_exact, paired_error, score_interval

COUNTS = st.integers(0, 60)
TABLES = st.builds(Table, COUNTS, COUNTS, COUNTS, COUNTS)


def test_nine_against_three_is_no_regression() -> None:
    assert mcnemar_exact(9, 3) == Fraction(299, 2048)
    assert round(float(mcnemar_exact(9, 3)), 3) == 0.146


def test_five_to_none_is_not_significant_and_six_is() -> None:
    assert mcnemar_exact(5, 0) == Fraction(1, 16)
    assert mcnemar_exact(0, 6) == Fraction(1, 32)
    assert mcnemar_exact(0, 0) == mcnemar_exact(1, 0) == mcnemar_exact(4, 5) == 1
    with pytest.raises(ValueError, match="negative"):
        mcnemar_exact(-1, 2)


@given(COUNTS, COUNTS)
def test_it_is_the_binomial_sum(lost: int, gained: int) -> None:
    count, fewer = lost + gained, min(lost, gained)
    by_hand = Fraction(2 * sum(math.comb(count, i) for i in range(fewer + 1)), 2**count)
    assert mcnemar_exact(lost, gained) == min(Fraction(1), by_hand)
    assert mcnemar_exact(gained, lost) == mcnemar_exact(lost, gained)


@given(COUNTS, COUNTS)
def test_the_more_uneven_the_smaller(lost: int, gained: int) -> None:
    if min(lost, gained) > 0:
        moved = mcnemar_exact(max(lost, gained) + 1, min(lost, gained) - 1)
        assert moved < mcnemar_exact(lost, gained) or moved == 1


def test_thousands_of_pairs_are_exact_and_quick() -> None:
    start = time.process_time()
    found = mcnemar_exact(5_300, 4_700)
    assert time.process_time() - start < 2
    assert found.denominator.bit_count() == 1
    assert float(found) == pytest.approx(math.erfc(599 / 100 / math.sqrt(2)), rel=0.05)


def test_table() -> None:
    table = Table(40, 9, 3, 8)
    assert (table.pairs, table.discordant, table.difference) == (60, 12, Fraction(-1, 10))
    assert Table(0, 0, 0, 0).difference is None
    assert score_interval(Table(0, 0, 0, 0)) == (None, None)


@given(TABLES)
@example(Table(10, 0, 0, 0))
@example(Table(0, 0, 1, 0))
@example(Table(0, 7, 0, 0))
def test_the_score_interval_holds_the_difference_and_mirrors(table: Table) -> None:
    low, high = score_interval(table)
    if not table.pairs:
        return
    assert low is not None
    assert high is not None
    assert table.difference is not None
    assert -1 <= low <= table.difference <= high <= 1
    assert low < high
    other = score_interval(Table(table.both, table.gained, table.lost, table.neither))
    assert other == (-high, -low)


def best_likelihood(table: Table, delta: float) -> float:
    """Log-likelihood of the discordant shares under a difference, maximised by trying."""

    def at(share: float) -> float:
        shares = ((share, table.lost), (share + delta, table.gained),
                  (1 - 2 * share - delta, table.both + table.neither))  # fmt: skip
        if any(part < -1e-12 for part, _ in shares):
            return -math.inf
        return sum(n * math.log(max(part, 1e-300)) for part, n in shares if n)

    low, high = max(0.0, -delta), (1 - delta) / 2
    for _ in range(200):
        one, two = low + (high - low) / 3, high - (high - low) / 3
        low, high = (one, high) if at(one) < at(two) else (low, two)
    return (low + high) / 2


@pytest.mark.parametrize("table", [Table(20, 2, 9, 5), Table(3, 8, 8, 1), Table(30, 1, 4, 0)])
def test_the_ends_are_where_the_score_test_turns(table: Table) -> None:
    n = table.pairs
    for end in score_interval(table):
        assert end is not None
        share = best_likelihood(table, end)
        score = (table.gained - table.lost - n * end) / math.sqrt(n * (2 * share + end * (1 - end)))
        assert abs(score) == pytest.approx(1.959964, abs=1e-4)


def test_no_discordance_in_few_cases_proves_little() -> None:
    low, high = score_interval(Table(10, 0, 0, 10))
    assert (low, high) == (pytest.approx(-0.1611, abs=1e-4), pytest.approx(0.1611, abs=1e-4))


def test_paired_error_of_singles_is_that_of_a_mean() -> None:
    values = [Fraction(1, 2), Fraction(-1), Fraction(0), Fraction(1, 4)]
    mean = sum(values) / 4
    expected = math.sqrt(sum((v - mean) ** 2 for v in values) / 3 / 4)
    assert paired_error((str(i), v) for i, v in enumerate(values)) == pytest.approx(expected)
    assert paired_error([("a", Fraction(1)), ("a", Fraction(0))]) is None


@pytest.mark.conformance
def test_against_scipy_and_statsmodels() -> None:
    stats = pytest.importorskip("scipy.stats")
    tables = pytest.importorskip("statsmodels.stats.contingency_tables")
    chance = random.Random(7)
    for _ in range(200):
        lost, gained = chance.randrange(80), chance.randrange(80)
        ours = float(mcnemar_exact(lost, gained))
        if lost + gained:
            assert ours == pytest.approx(stats.binomtest(lost, lost + gained).pvalue, rel=1e-9)
        theirs = tables.mcnemar([[5, lost], [gained, 5]], exact=True).pvalue
        assert ours == pytest.approx(min(1.0, theirs), rel=1e-9)


def test_a_true_null_is_refused_at_most_six_times_in_a_hundred() -> None:
    chance = random.Random(20_261)
    refused = 0
    for _ in range(1_000):
        pairs = [(chance.random() < 0.7, chance.random() < 0.7) for _ in range(150)]
        lost = sum(a and not b for a, b in pairs)
        gained = sum(b and not a for a, b in pairs)
        refused += mcnemar_exact(lost, gained) < Fraction(1, 20)
    assert refused <= 60
