"""Counts that add up, intervals and errors; the statistics libraries are the oracle."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.models.result import OUTCOMES, Outcome
from assay.scoring.tally import CaseTrials, standard_error, tally, trial_rates, wilson

P, F, N, E = OUTCOMES


def trials(name: str, *outcomes: Outcome, cluster: str = "", unmatched: int = 0) -> CaseTrials:
    return CaseTrials(name, cluster or name, outcomes, unmatched)


CASES = st.lists(
    st.builds(
        CaseTrials,
        st.uuids().map(str),
        st.sampled_from(["t1", "t2", "t3", "t4"]),
        st.lists(st.sampled_from(OUTCOMES), max_size=4).map(tuple),
        st.integers(0, 2),
        st.just(False),
    )
    | st.builds(lambda name: CaseTrials(name, name, (), 0, True), st.uuids().map(str)),
    max_size=12,
)


@given(CASES, st.randoms())
def test_counts_add_up_and_order_means_nothing(cases: list[CaseTrials], chance: Any) -> None:
    found = tally(cases)
    parts = (found.passed, found.failed, found.not_evaluated, found.errored, found.excluded,
             found.unmatched)  # fmt: skip
    assert found.expected == sum(parts)
    assert found.evaluated == found.passed + found.failed
    assert found.incomplete == bool(found.not_evaluated or found.errored or found.unmatched)
    shuffled = list(cases)
    chance.shuffle(shuffled)
    assert tally(shuffled) == found
    assert trial_rates(shuffled) == trial_rates(cases)
    for low, middle, high in (
        (found.worst, found.pass_rate, found.best),
        (found.wilson_low, found.pass_rate, found.wilson_high),
    ):
        if middle is not None and low is not None and high is not None:
            assert 0 <= low <= high <= 1
    if found.pass_rate is not None:
        assert found.wilson_low is not None
        assert found.wilson_high is not None
        assert found.wilson_low <= found.pass_rate <= found.wilson_high


def test_worst_and_best() -> None:
    found = tally([trials("a", P), trials("b", F), trials("c", N), trials("d", unmatched=1)])
    assert (found.pass_rate, found.worst, found.best) == (0.5, 0.25, 0.75)
    assert found.incomplete
    assert (found.cases, found.evaluated, found.expected) == (2, 2, 4)


def test_trials_are_averaged_within_a_case_first() -> None:
    found = tally([trials("a", P, P, P, F), trials("b", F)])
    assert found.pass_rate == 0.375
    assert found.evaluated == 5


def test_nothing_is_no_rate() -> None:
    found = tally([])
    assert (found.pass_rate, found.worst, found.best, found.wilson_low) == (None,) * 4
    assert found.standard_error is None
    assert tally([trials("a", N)]).pass_rate is None
    assert trial_rates([]) == ()
    assert trial_rates([trials("a", P)]) == ()


@pytest.mark.parametrize(
    ("passed", "count", "low", "high"),
    [(79, 89, 0.805, 0.938), (71, 89, 0.703, 0.868), (8, 120, 0.034, 0.126)],
)
def test_published_intervals(passed: int, count: int, low: float, high: float) -> None:
    found = wilson(Fraction(passed, count), count)
    assert found == (pytest.approx(low, abs=5e-4), pytest.approx(high, abs=5e-4))


@pytest.mark.conformance
def test_wilson_against_statsmodels() -> None:
    proportion = pytest.importorskip("statsmodels.stats.proportion")
    for count in (1, 2, 7, 40, 118):
        for passed in range(0, count + 1, max(1, count // 7)):
            expected = proportion.proportion_confint(passed, count, method="wilson")
            assert wilson(Fraction(passed, count), count) == pytest.approx(expected, abs=1e-12)


@pytest.mark.conformance
def test_standard_error_against_statsmodels() -> None:
    regression = pytest.importorskip("statsmodels.api")
    shares = [(3, 4), (0, 1), (1, 1), (2, 3), (0, 2), (1, 1), (1, 2), (4, 4)]
    clusters = [0, 0, 1, 1, 1, 2, 3, 3]
    cases = [
        CaseTrials(str(i), f"t{cluster}", (P,) * c + (F,) * (n - c))
        for i, ((c, n), cluster) in enumerate(zip(shares, clusters, strict=True))
    ]
    scores = [c / n for c, n in shares]
    model = regression.OLS(scores, [1.0] * len(scores))
    fitted = model.fit(cov_type="cluster", cov_kwds={"groups": clusters})
    assert standard_error(cases) == pytest.approx(float(fitted.bse[0]), rel=1e-12)


def test_standard_error_without_clusters_is_that_of_a_mean() -> None:
    scores = [1, 0, 1, 1, 0, 1, 0]
    cases = [trials(str(i), P if score else F) for i, score in enumerate(scores)]
    mean = sum(scores) / len(scores)
    variance = sum((s - mean) ** 2 for s in scores) / (len(scores) - 1)
    assert standard_error(cases) == pytest.approx(math.sqrt(variance / len(scores)))
    assert standard_error(cases[:1]) is None
    assert standard_error([trials("a", P, cluster="t"), trials("b", F, cluster="t")]) is None


@given(st.lists(st.lists(st.sampled_from([P, F, N]), max_size=4), min_size=1, max_size=4))
def test_pass_hat_k_and_pass_at_k_by_counting(outcomes: list[list[Outcome]]) -> None:
    cases = [trials(str(i), *row) for i, row in enumerate(outcomes)]
    for rate in trial_rates(cases):
        every: list[Fraction] = []
        some: list[Fraction] = []
        for row in outcomes:
            rated = [o for o in row if o != N]
            picks = list(itertools.combinations(rated, rate.k))
            if picks:
                every.append(Fraction(sum(set(p) == {P} for p in picks), len(picks)))
                some.append(Fraction(sum(P in p for p in picks), len(picks)))
        assert rate.cases == len(every)
        if every:
            assert rate.pass_hat_k == float(sum(every, Fraction(0)) / len(every))
            assert rate.pass_at_k == float(sum(some, Fraction(0)) / len(some))
        else:
            assert (rate.pass_hat_k, rate.pass_at_k) == (None, None)
