"""Wilson intervals and clustered errors; statsmodels is the oracle."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.statistics.intervals import standard_error, wilson, wilson_clustered, wilson_count

ROWS = st.lists(
    st.tuples(st.sampled_from("abcd"), st.integers(0, 3)).map(lambda row: (row[0], row[1], 3)),
    max_size=12,
)


@pytest.mark.parametrize(
    ("passed", "count", "low", "high"),
    [(79, 89, 0.805, 0.938), (71, 89, 0.703, 0.868), (8, 120, 0.034, 0.126)],
)
def test_published_intervals(passed: int, count: int, low: float, high: float) -> None:
    found = wilson_count(passed, count)
    assert found == (pytest.approx(low, abs=5e-4), pytest.approx(high, abs=5e-4))


def test_nothing_has_no_interval() -> None:
    assert wilson_count(0, 0) == wilson(None, 3) == wilson_clustered([]) == (None, None)
    assert standard_error([]) is None
    assert standard_error([("a", 1, 1), ("a", 0, 1)]) is None


@pytest.mark.parametrize(("count", "among"), [(-1, 3), (4, 3), (1, 0)])
def test_no_share(count: int, among: int) -> None:
    with pytest.raises(ValueError, match="no share"):
        wilson_count(count, among)


@given(st.integers(0, 400), st.integers(1, 400))
def test_wilson_holds_the_rate_and_mirrors(passed: int, among: int) -> None:
    passed = min(passed, among)
    low, high = wilson_count(passed, among)
    assert low is not None
    assert high is not None
    assert 0 <= low <= passed / among <= high <= 1
    other = wilson_count(among - passed, among)
    assert other == (pytest.approx(1 - high), pytest.approx(1 - low))
    if 0 < passed < among:
        wider = wilson(Fraction(passed, among), among)
        narrower = wilson(Fraction(passed, among), 4 * among)
        assert wider[0] < narrower[0] < narrower[1] < wider[1]  # type: ignore[operator]


@given(ROWS, st.randoms())
def test_order_means_nothing(rows: list[tuple[str, int, int]], chance: object) -> None:
    shuffled = list(rows)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert standard_error(shuffled) == standard_error(rows)
    assert wilson_clustered(shuffled) == wilson_clustered(rows)


@given(ROWS)
def test_clusters_never_narrow_the_interval(rows: list[tuple[str, int, int]]) -> None:
    if not rows:
        return
    rate = sum((Fraction(a, b) for _, a, b in rows), Fraction(0)) / len(rows)
    plain, clustered = wilson(rate, len(rows)), wilson_clustered(rows)
    assert clustered[0] <= plain[0] + 1e-12  # type: ignore[operator]
    assert clustered[1] >= plain[1] - 1e-12  # type: ignore[operator]


def test_four_copies_of_a_case_are_one() -> None:
    rows = [(str(i), int(i < 6), 1) for i in range(9)]
    once = standard_error(rows)
    assert standard_error(rows * 4) == pytest.approx(once)
    found = wilson_clustered(rows * 4)
    assert found == pytest.approx(wilson(Fraction(6, 9), 8), abs=1e-9)


@pytest.mark.conformance
def test_wilson_against_statsmodels() -> None:
    proportion = pytest.importorskip("statsmodels.stats.proportion")
    for count in (1, 2, 7, 40, 118):
        for passed in range(0, count + 1, max(1, count // 7)):
            expected = proportion.proportion_confint(passed, count, method="wilson")
            assert wilson_count(passed, count) == pytest.approx(expected, abs=1e-12)


@pytest.mark.conformance
def test_standard_error_against_statsmodels() -> None:
    regression = pytest.importorskip("statsmodels.api")
    shares = [(3, 4), (0, 1), (1, 1), (2, 3), (0, 2), (1, 1), (1, 2), (4, 4)]
    clusters = [0, 0, 1, 1, 1, 2, 3, 3]
    rows = [(f"t{cluster}", c, n) for (c, n), cluster in zip(shares, clusters, strict=True)]
    model = regression.OLS([c / n for c, n in shares], [1.0] * len(shares))
    fitted = model.fit(cov_type="cluster", cov_kwds={"groups": clusters})
    assert standard_error(rows) == pytest.approx(float(fitted.bse[0]), rel=1e-12)


def test_without_clusters_it_is_that_of_a_mean() -> None:
    scores = [1, 0, 1, 1, 0, 1, 0]
    mean = sum(scores) / len(scores)
    variance = sum((s - mean) ** 2 for s in scores) / (len(scores) - 1)
    rows = [(str(i), score, 1) for i, score in enumerate(scores)]
    assert standard_error(rows) == pytest.approx(math.sqrt(variance / len(scores)))
    assert standard_error(rows[:1]) is None
