"""Exact tests of pairs, the difference, and the bootstrap."""

from __future__ import annotations

import itertools
import random
import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.statistics.paired import Pair, cluster_sums, difference, mcnemar, sign_flip
from assay.statistics.resampling import cluster_bootstrap

SUMS = st.lists(st.integers(-4, 4), max_size=9)


def pair(a: int | Fraction, b: int | Fraction, cluster: str = "") -> Pair:
    return Pair(cluster or f"{a}{b}", Fraction(a), Fraction(b))


def alone(*verdicts: tuple[int, int]) -> list[Pair]:
    """Pairs that are each a cluster of their own."""
    return [pair(a, b, f"c{index:04d}") for index, (a, b) in enumerate(verdicts)]


@pytest.mark.parametrize(
    ("only_a", "only_b", "p"),
    [
        (9, 3, Fraction(299, 2048)),
        (3, 9, Fraction(299, 2048)),
        (5, 0, Fraction(1, 16)),
        (6, 0, Fraction(1, 32)),
        (0, 0, Fraction(1)),
        (4, 4, Fraction(1)),
        (1, 0, Fraction(1)),
    ],
)
def test_mcnemar(only_a: int, only_b: int, p: Fraction) -> None:
    assert mcnemar(only_a, only_b) == p


def test_nine_to_three_is_no_regression() -> None:
    assert float(mcnemar(9, 3)) == pytest.approx(0.146, abs=5e-4)
    with pytest.raises(ValueError, match="below 0"):
        mcnemar(-1, 3)


@pytest.mark.conformance
def test_mcnemar_against_scipy_and_statsmodels() -> None:
    stats = pytest.importorskip("scipy.stats")
    tables = pytest.importorskip("statsmodels.stats.contingency_tables")
    generator = random.Random(4)
    for _ in range(200):
        b, c = generator.randrange(60), generator.randrange(60)
        ours = float(mcnemar(b, c))
        theirs = tables.mcnemar([[7, b], [c, 9]], exact=True).pvalue if b + c else 1.0
        assert ours == pytest.approx(theirs, rel=1e-9)
        if b + c:
            assert ours == pytest.approx(stats.binomtest(b, b + c, 0.5).pvalue, rel=1e-9)


def test_thousands_of_disagreements_take_no_time() -> None:
    start = time.process_time()
    assert 0 < float(mcnemar(5100, 4900)) < 0.05
    found = sign_flip([1, -1, 2] * 700)
    assert found is not None
    assert float(found) < 1e-9
    assert time.process_time() - start < 2


@given(SUMS)
def test_sign_flip_by_counting(sums: list[int]) -> None:
    seen = abs(sum(sums))
    ways = list(itertools.product((1, -1), repeat=len(sums)))
    far = sum(
        abs(sum(sign * value for sign, value in zip(way, sums, strict=True))) >= seen
        for way in ways
    )
    assert sign_flip(sums) == Fraction(far, len(ways))


@given(st.integers(0, 40), st.integers(0, 40), st.integers(1, 5))
def test_sign_flip_is_mcnemar_where_each_case_stands_alone(b: int, c: int, unit: int) -> None:
    assert sign_flip([-unit] * b + [unit] * c + [0, 0]) == mcnemar(b, c)


def test_sign_flip_gives_up_where_counting_takes_too_long() -> None:
    assert sign_flip([10**9 + index for index in range(50)]) is None


@pytest.mark.conformance
def test_sign_flip_against_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    generator = random.Random(8)
    for _ in range(5):
        sums = [generator.randrange(-3, 4) for _ in range(11)]
        theirs = stats.permutation_test(
            (sums,), sum, permutation_type="samples", n_resamples=10**5, alternative="two-sided"
        )
        assert float(sign_flip(sums) or 0) == pytest.approx(theirs.pvalue, abs=1e-9)


def test_difference_by_hand() -> None:
    found = difference([pair(1, 0, "t"), pair(1, 1, "t"), pair(0, 1, "u"), pair(0, 1, "v")])
    # d = -1, 0, 1, 1; mean 1/4; cluster sums of d - mean: -1.5, 0.75, 0.75.
    assert (found.value, found.cases, found.clusters) == (Fraction(1, 4), 4, 3)
    assert found.standard_error == pytest.approx((3 / 2 * (2.25 + 0.5625 * 2) / 16) ** 0.5)
    assert difference([pair(1, 0, "t"), pair(0, 0, "t")]).standard_error is None
    with pytest.raises(ValueError, match="pairs"):
        difference([])


def test_trials_share_one_unit() -> None:
    pairs = [pair(Fraction(1, 2), Fraction(1, 3), "t"), pair(0, 1, "u")]
    assert cluster_sums(pairs) == ([-1, 6], [1, 1], 6)


@pytest.mark.conformance
def test_standard_error_against_statsmodels() -> None:
    regression = pytest.importorskip("statsmodels.api")
    generator = random.Random(15)
    for _ in range(10):
        pairs = [
            Pair(
                str(generator.randrange(12)),
                Fraction(generator.randrange(5), 4),
                Fraction(generator.randrange(4), 3),
            )
            for _ in range(40)
        ]
        model = regression.OLS([float(p.b - p.a) for p in pairs], [1.0] * 40)
        fitted = model.fit(cov_type="cluster", cov_kwds={"groups": [int(p.cluster) for p in pairs]})
        assert difference(pairs).standard_error == pytest.approx(float(fitted.bse[0]), rel=1e-9)


@given(st.permutations(range(12)))
def test_the_order_of_pairs_does_not_matter(order: list[int]) -> None:
    pairs = [pair(index % 2, index % 3 == 0, f"t{index % 5}") for index in range(12)]
    expected = cluster_bootstrap(pairs, resamples=50), difference(pairs)
    pairs = [pairs[index] for index in order]
    assert (cluster_bootstrap(pairs, resamples=50), difference(pairs)) == expected


def null_pairs(generator: random.Random, cases: int, siblings: int) -> list[Pair]:
    """Two agents that are alike: each case is as hard for both, siblings more alike still."""
    pairs: list[Pair] = []
    for index in range(cases):
        if index % siblings == 0:
            ease = generator.random()
            leaning = generator.choice((0, 0, 0.3, -0.3)) if siblings > 1 else 0
        a = Fraction(generator.random() < ease)
        b = Fraction(generator.random() < min(1, max(0, ease + leaning)))
        pairs.append(Pair(f"t{index // siblings:03d}", a, b))
    return pairs


@pytest.mark.parametrize("siblings", [1, 4])
def test_alike_agents_are_told_apart_in_at_most_six_of_a_hundred(siblings: int) -> None:
    generator = random.Random(1000 + siblings)
    rejected = 0
    for _ in range(1000):
        p = sign_flip(cluster_sums(null_pairs(generator, 120, siblings))[0])
        assert p is not None
        rejected += p < Fraction(5, 100)
    assert rejected <= 60
