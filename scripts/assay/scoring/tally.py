"""Counts that add up, and rates with their uncertainty.

Section 2.6 and the statistics chapter of the design. Everything is counted in integers and
divided once, so that no rate depends on the order of cases.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from assay.models.result import Outcome, Tally, TrialRate
from assay.scoring.lazy import lazy
from assay.statistics.intervals import wilson
from assay.statistics.trials import mean, pass_at_k, pass_hat_k


@dataclass(frozen=True)
class CaseTrials:
    """All trials of one case that were taken from a run."""

    case_id: str
    """The case."""
    cluster: str
    """Its template, or the case itself: cases of one cluster are not independent."""
    outcomes: tuple[Outcome, ...] = ()
    """Verdicts of the trials that the run has."""
    unmatched: int = 0
    """1 where the run has no entry for the case: it then counts once, whatever other cases have."""
    excluded: bool = False
    """Whether there is no valid truth today; the case then counts once and has no trials."""

    @lazy
    def passed(self) -> int:
        """Trials that passed."""
        return self.outcomes.count("passed")

    @lazy
    def failed(self) -> int:
        """Trials that failed."""
        return self.outcomes.count("failed")

    @lazy
    def evaluated(self) -> int:
        """Trials that passed or failed."""
        return self.passed + self.failed

    @lazy
    def expected(self) -> int:
        """Trials that should have a verdict."""
        return len(self.outcomes) + self.unmatched


def tally(cases: Iterable[CaseTrials]) -> Tally:
    """Counts and rates over cases.

    The rate is the mean over cases of the share of their evaluated trials that passed; with one
    trial each it is ``passed / evaluated``. `worst` and `best` take everything without a verdict
    as failed or passed.
    """
    every = list(cases)
    scorable = [case for case in every if not case.excluded]
    counts = Counter(outcome for case in scorable for outcome in case.outcomes)
    passed, failed = counts["passed"], counts["failed"]
    undecided, errored = counts["not_evaluated"], counts["error"]
    excluded = len(every) - len(scorable)
    unmatched = sum(case.unmatched for case in scorable)
    rated = [case for case in scorable if case.evaluated]
    due = [case for case in scorable if case.expected]
    rate = mean([(case.passed, case.evaluated) for case in rated])
    low, high = wilson(rate, len(rated))
    return Tally(
        expected=passed + failed + undecided + errored + excluded + unmatched,
        passed=passed,
        failed=failed,
        not_evaluated=undecided,
        errored=errored,
        excluded=excluded,
        unmatched=unmatched,
        evaluated=passed + failed,
        incomplete=bool(undecided or errored or unmatched),
        pass_rate=_float(rate),
        worst=_float(mean([(case.passed, case.expected) for case in due])),
        best=_float(mean([(case.expected - case.failed, case.expected) for case in due])),
        wilson_low=low,
        wilson_high=high,
        standard_error=standard_error(rated),
        cases=len(rated),
        clusters=len({case.cluster for case in rated}),
    )


def _float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def standard_error(cases: Sequence[CaseTrials]) -> float | None:
    """Cluster-aware standard error of the rate; None with fewer than two clusters.

    With s_i the share of case i, s̄ their mean over n cases in G clusters:
    ``sqrt( G / (G - 1) * Σ_g (Σ_{i in g} (s_i - s̄))² / n² )`` — the sandwich estimator with the
    usual small-sample factor (Miller 2024, *Adding Error Bars to Evals*). With every case its own
    cluster it is the standard error of a mean. Computed in integers up to the root.
    """
    rated = [case for case in cases if case.evaluated]
    count = len(rated)
    common = math.lcm(*{case.evaluated for case in rated})
    scores = [case.passed * (common // case.evaluated) for case in rated]
    total = sum(scores)
    sums: dict[str, int] = {}
    for case, score in zip(rated, scores, strict=True):
        sums[case.cluster] = sums.get(case.cluster, 0) + count * score - total
    groups = len(sums)
    if groups < 2:
        return None
    squares = sum(value * value for value in sums.values())
    variance = Fraction(groups * squares, (groups - 1) * (count * count * common) ** 2)
    return math.sqrt(float(variance))


def trial_rates(cases: Iterable[CaseTrials]) -> tuple[TrialRate, ...]:
    """pass^k and pass@k for k from 1 to the number of trials; empty where no case has two.

    ``pass^k`` is the mean over cases of C(c, k) / C(n, k), ``pass@k`` that of
    1 - C(n - c, k) / C(n, k), where c of the n evaluated trials of a case passed. A trial without
    a verdict is left out; a case with fewer than k evaluated trials does not count for k.
    """
    rated = [case for case in cases if not case.excluded]
    most = max((case.expected for case in rated), default=0)
    if most < 2:
        return ()
    rates: list[TrialRate] = []
    for k in range(1, most + 1):
        able = [(case.passed, case.evaluated) for case in rated if case.evaluated >= k]
        rates.append(
            TrialRate(
                k=k,
                pass_hat_k=_float(pass_hat_k(able, k)),
                pass_at_k=_float(pass_at_k(able, k)),
                cases=len(able),
            )
        )
    return tuple(rates)
