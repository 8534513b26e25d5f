"""How two sides differ on the cases that both have, and what may be said of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from assay.comparing.pairs import CasePair, Pairing, by_slice
from assay.models.comparison import (
    Conclusion,
    Gap,
    Measure,
    Method,
    SliceMeasure,
    TrialPair,
)
from assay.statistics.multiple import holm
from assay.statistics.paired import Pair, cluster_sums, difference, mcnemar, sign_flip
from assay.statistics.power import DISCORDANT, LEVEL, fewest_pairs, smallest_visible_gap
from assay.statistics.resampling import Bootstrap, cluster_bootstrap
from assay.statistics.score_interval import score_interval
from assay.statistics.trials import pass_at_k, pass_hat_k

ALPHA = LEVEL
"""Level of the tests, where nothing else is asked for."""

LABEL_ERRORS = Decimal("0.05")
"""Share of wrong labels that the visible gap is shown for as well, where no audit says better."""

MCNEMAR: Method = "exact McNemar"
FLIPS: Method = "exact sign flips of clusters"
BOOTSTRAP: Method = "paired cluster bootstrap"

_FEWEST = {MCNEMAR: "case", FLIPS: "cluster", BOOTSTRAP: "cluster"}


@dataclass(frozen=True)
class _Tested:
    """A test before it is corrected for the number of slices."""

    pairs: Sequence[Pair]
    method: Method | None
    p: Fraction | float | None
    drawn: Bootstrap | None = None


def measure_passed(
    pairing: Pairing, *, alpha: Decimal = ALPHA, label_errors: Decimal = LABEL_ERRORS
) -> Measure:
    """The share of trials that passed, on all pairs.

    Args:
        pairing: the pairs.
        alpha: level of the test.
        label_errors: share of wrong labels for the visible gap.
    """
    return _measure("passed", _tested(pairing.pairs), alpha, None, label_errors)


def measure_scores(pairing: Pairing, *, alpha: Decimal = ALPHA) -> Measure | None:
    """The mean of graded scores, on all cases where both sides have some; none where none have.

    The smallest visible gap is one of verdicts, which differ or do not; scores have none.
    """
    pairs = [found for both in pairing.scored if (found := both.scored()) is not None]
    if not pairs:
        return None
    return _measure("score", _graded(pairs), alpha, None, None)


def measure_slices(pairs: Sequence[CasePair], *, alpha: Decimal = ALPHA) -> list[SliceMeasure]:
    """The share of trials that passed in each slice, with p-values after Holm; by slice.

    Empty where all pairs are of one slice.
    """
    grouped = by_slice(pairs)
    if len(grouped) < 2:
        return []
    tested = [_tested(members) for members in grouped.values()]
    adjusted = holm([float(item.p) if item.p is not None else 1.0 for item in tested])
    return [
        SliceMeasure(slice=name, measure=_measure("passed", item, alpha, p, None))
        for name, item, p in zip(grouped, tested, adjusted, strict=True)
    ]


def measure_pairs(pairings: Sequence[Pairing], *, alpha: Decimal = ALPHA) -> list[Measure]:
    """The share of trials that passed for each pair of sides, with p-values after Holm over all."""
    tested = [_tested(pairing.pairs) for pairing in pairings]
    adjusted = holm([float(item.p) if item.p is not None else 1.0 for item in tested])
    return [
        _measure("passed", item, alpha, p, LABEL_ERRORS)
        for item, p in zip(tested, adjusted, strict=True)
    ]


def measure_trials(pairs: Sequence[CasePair]) -> list[TrialPair]:
    """pass^k and pass@k of both sides, each on the pairs that have k trials on both."""
    most = max((min(both.a.evaluated, both.b.evaluated) for both in pairs), default=0)
    if most < 2:
        return []
    found: list[TrialPair] = []
    for k in range(1, most + 1):
        able = [both for both in pairs if min(both.a.evaluated, both.b.evaluated) >= k]
        a = [(both.a.passed, both.a.evaluated) for both in able]
        b = [(both.b.passed, both.b.evaluated) for both in able]
        found.append(
            TrialPair(
                k=k,
                cases=len(able),
                pass_hat_k_a=_float(pass_hat_k(a, k)),
                pass_hat_k_b=_float(pass_hat_k(b, k)),
                pass_at_k_a=_float(pass_at_k(a, k)),
                pass_at_k_b=_float(pass_at_k(b, k)),
            )
        )
    return found


def _tested(members: Sequence[CasePair]) -> _Tested:
    pairs = [found for both in members if (found := both.passed()) is not None]
    if not pairs:
        return _Tested(pairs, None, None)
    alone = len({item.cluster for item in pairs}) == len(pairs)
    if alone and all(both.single for both in members):
        lower = sum(item.b < item.a for item in pairs)
        higher = sum(item.b > item.a for item in pairs)
        return _Tested(pairs, MCNEMAR, mcnemar(lower, higher))
    p = sign_flip(cluster_sums(pairs)[0])
    return _Tested(pairs, FLIPS, p) if p is not None else _graded(pairs)


def _graded(pairs: Sequence[Pair]) -> _Tested:
    drawn = cluster_bootstrap(pairs)
    return _Tested(pairs, BOOTSTRAP, None if drawn is None else drawn.p, drawn)


def _measure(
    measure: Literal["passed", "score"],
    tested: _Tested,
    alpha: Decimal,
    adjusted: float | None,
    label_errors: Decimal | None,
) -> Measure:
    pairs = tested.pairs
    higher = sum(pair.b > pair.a for pair in pairs)
    lower = sum(pair.b < pair.a for pair in pairs)
    found = difference(pairs) if pairs else None
    low, high = _interval(tested, higher, lower)
    p = tested.p if adjusted is None else adjusted
    conclusion, why = _conclude(tested, p, alpha)
    return Measure(
        measure=measure,
        cases=len(pairs),
        clusters=found.clusters if found else 0,
        a=_float(_mean([pair.a for pair in pairs])),
        b=_float(_mean([pair.b for pair in pairs])),
        difference=_float(found.value) if found else None,
        exact=str(found.value) if found else None,
        standard_error=found.standard_error if found else None,
        low=low,
        high=high,
        higher=higher,
        lower=lower,
        level=len(pairs) - higher - lower,
        method=tested.method if tested.p is not None else None,
        p=None if tested.p is None else float(tested.p),
        adjusted=adjusted,
        conclusion=conclusion,
        why=why,
        gap=_gap(pairs, label_errors, alpha) if label_errors is not None else None,
    )


def _interval(tested: _Tested, higher: int, lower: int) -> tuple[float, float] | tuple[None, None]:
    """The interval that goes with the test; a resampled one is nothing where no case differs."""
    if not tested.pairs:
        return None, None
    if tested.method == MCNEMAR:
        return score_interval(lower, higher, len(tested.pairs))
    drawn = tested.drawn or cluster_bootstrap(tested.pairs)
    if drawn is None or drawn.low is None or drawn.high is None:
        return None, None
    return drawn.low, drawn.high


def _conclude(
    tested: _Tested, p: Fraction | float | None, alpha: Decimal
) -> tuple[Conclusion, str]:
    """What may be said. Too few units for any significance is no proof of likeness."""
    if not tested.pairs:
        return "cannot_tell", "No case has a verdict on both sides."
    sums = cluster_sums(tested.pairs)[0]
    unit = _FEWEST[tested.method or BOOTSTRAP]
    fewest = fewest_pairs(alpha)
    if len(sums) < fewest:
        return (
            "cannot_tell",
            f"With fewer than {fewest} independent {unit}s no difference is significant.",
        )
    if p is not None and p < Fraction(alpha) and sum(map(bool, sums)) >= fewest:
        leaning = sum(sums)
        if leaning:
            word: Conclusion = "better" if leaning > 0 else "worse"
            return word, f"The probability of such a split by chance is below {alpha}."
    discordant = _discordant(sums)
    if smallest_visible_gap(len(sums), discordant=discordant, alpha=alpha) is None:
        return (
            "cannot_tell",
            f"Where {_percent(discordant)} % of {unit}s differ, too few of {len(sums)} do for any"
            " gap to be significant.",
        )
    return "no_difference_shown", f"A split like this comes by chance at the level of {alpha}."


def _discordant(sums: Sequence[int]) -> Decimal:
    """Share of independent units that differ: what was seen, and at least the usual tenth."""
    seen = sum(map(bool, sums))
    return max(DISCORDANT, Decimal(seen) / Decimal(len(sums))) if sums else DISCORDANT


def _gap(pairs: Sequence[Pair], label_errors: Decimal, alpha: Decimal) -> Gap:
    # Siblings do not count twice: a cluster is one unit, as in the test.
    sums = cluster_sums(pairs)[0]
    discordant = _discordant(sums)
    points = smallest_visible_gap(len(sums), discordant=discordant, alpha=alpha)
    noisy = smallest_visible_gap(
        len(sums), discordant=discordant, label_errors=label_errors, alpha=alpha
    )
    return Gap(
        discordant=float(discordant),
        points=None if points is None else float(points),
        label_errors=float(label_errors),
        points_with_label_errors=None if noisy is None else float(noisy),
    )


def _percent(share: Decimal) -> str:
    return f"{share * 100:.0f}"


def _mean(values: Sequence[Fraction]) -> Fraction | None:
    return sum(values, Fraction(0)) / len(values) if values else None


def _float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)
