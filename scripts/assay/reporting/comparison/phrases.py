"""The sentences of a comparison, the same in every format."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Decimal

from assay.models.comparison import (
    AttributedPart,
    Attribution,
    ComparedSide,
    Comparison,
    Conclusion,
    Gap,
    Measure,
    TrialPair,
)
from assay.models.result import Tally
from assay.reporting.numbers import exact, percent
from assay.reporting.words import count, listed

CONCLUSIONS: dict[Conclusion, str] = {
    "better": "better",
    "worse": "worse",
    "no_difference_shown": "no difference shown",
    "cannot_tell": "cannot tell",
}
"""What is said of the second side."""

STANDINGS = {
    "evaluated": "has a verdict",
    "not_evaluated": "not evaluated",
    "error": "errored",
    "excluded": "excluded",
    "unmatched": "no entry",
    "absent": "not expected",
}
"""What a side says of a case."""

SHOWN = 8
"""How many ids are listed."""


def points(value: float | None) -> str:
    """A difference of rates in points, with its sign: ``+2.5``, ``-0.3``, ``0.0``."""
    if value is None:
        return "none"
    scaled = exact(value) * 100
    rounded = scaled.quantize(Decimal("0.1"), ROUND_HALF_EVEN)
    if rounded == 0:
        return "0.0" if scaled == 0 else ("+0.0" if scaled > 0 else "-0.0")
    return f"{rounded:+}"


def probability(p: float | None) -> str:
    """A p-value: ``p = 0.1460``, ``p < 0.0001``."""
    if p is None:
        return "no test"
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.4f}"


def ids(names: Sequence[str]) -> str:
    """Some ids, and how many more there are."""
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def headline(made: Comparison) -> str:
    """The answer in one line."""
    first = next((m for m in made.measures if m.cases), made.measures[0])
    where = f" on {made.b.context.suite}" if made.b.context else ""
    what = f"{made.a.name} → {made.b.name}{where}: {CONCLUSIONS[made.conclusion]}"
    if first.difference is None:
        return what
    unit = "points" if first.measure == "passed" else "points of score"
    return f"{what}, {points(first.difference)} {unit} on {count(first.cases, 'case')}"


def rate(tally: Tally) -> str:
    """A rate with its denominator."""
    return f"{percent(tally.pass_rate)} ({tally.passed}/{tally.evaluated})"


def identity(tally: Tally) -> str:
    """Everything that was expected, told apart."""
    return (
        f"{tally.expected} expected = {tally.passed} passed + {tally.failed} failed +"
        f" {tally.not_evaluated} not evaluated + {tally.errored} errored + {tally.excluded}"
        f" excluded + {tally.unmatched} unmatched"
    )


def who(side: ComparedSide) -> str:
    """What a side is."""
    parts: list[str] = []
    if side.result:
        parts.append(f"result {side.result}")
    if side.kind == "run":
        parts.append("scored now")
    if side.today:
        parts.append(f"today {side.today}")
    if side.context:
        parts.append(f"truth {side.context.truth[:8]}")
    if side.kind in ("table", "lines"):
        parts.append("verdicts as given")
    return ", ".join(parts)


def figures(measure: Measure) -> str:
    """Both figures, the difference, its interval and its test."""
    interval = (
        f" (95 %: {points(measure.low)} to {points(measure.high)})"
        if measure.low is not None and measure.high is not None
        else ""
    )
    tested = f"; {probability(measure.p)}, {measure.method}" if measure.method else ""
    return (
        f"{percent(measure.a)} → {percent(measure.b)}, {points(measure.difference)} points"
        f"{interval}{tested}"
    )


def split(measure: Measure) -> str:
    """On how many cases which side is above."""
    clusters = (
        f", in {count(measure.clusters, 'cluster')}" if measure.clusters < measure.cases else ""
    )
    return (
        f"{count(measure.cases, 'case')} on both sides{clusters}: {measure.lower} only A or more of"
        f" A, {measure.higher} only B or more of B, {measure.level} alike"
    )


def visible(gap: Gap) -> str:
    """The smallest gap that the cases can show."""
    share = percent(gap.discordant, 0)
    errors = percent(gap.label_errors, 0)
    if gap.points is None:
        return f"none, where the sides disagree on {share} % of cases"
    noisy = (
        f"{gap.points_with_label_errors:.1f}"
        if gap.points_with_label_errors is not None
        else "none"
    )
    return (
        f"{gap.points:.1f} points, and {noisy} where {errors} % of labels are wrong (80 % power,"
        f" {share} % disagreement)"
    )


def trial(rates: TrialPair) -> str:
    """pass^k and pass@k of both sides."""
    return (
        f"pass^{rates.k} {percent(rates.pass_hat_k_a)} → {percent(rates.pass_hat_k_b)}, pass@"
        f"{rates.k} {percent(rates.pass_at_k_a)} → {percent(rates.pass_at_k_b)} on"
        f" {count(rates.cases, 'case')}"
    )


FORMULAS = (
    "pass^k: mean of C(c, k) / C(n, k); pass@k: mean of 1 - C(n - c, k) / C(n, k); c of n trials"
    " passed"
)


def way(found: Attribution) -> str:
    """From where to where the number moved."""
    return (
        f"from {percent(found.a)} to {percent(found.b)}, each over all that it evaluated;"
        f" {count(found.cases, 'case')} with a verdict in every state"
    )


def part(step: AttributedPart) -> str:
    """What a step is called."""
    return listed(list(step.parts))


def moved(step: AttributedPart, found: Attribution) -> str:
    """Which cases a step moved."""
    if step.parts[0] == "coverage":
        told = []
        if found.left:
            told.append(f"left: {ids(found.left)}")
        if found.came:
            told.append(f"came: {ids(found.came)}")
        return "; ".join(told)
    return ids([f"{m.case_id} {percent(m.before, 0)} → {percent(m.after, 0)}" for m in step.moved])


def left_out(made: Comparison) -> list[tuple[str, str]]:
    """What became of the cases that are no pairs, and which they are."""
    groups: dict[str, list[str]] = {}
    for item in made.left_out:
        why = (
            "label differs" if item.other_label else f"A {STANDINGS[item.a]}, B {STANDINGS[item.b]}"
        )
        groups.setdefault(why, []).append(item.case_id)
    return [(f"{len(groups[why])} {why}", ids(groups[why])) for why in sorted(groups)]


def level(made: Comparison) -> str:
    """The level of the tests, and where it comes from."""
    where = {"gate.alpha": "gate.alpha of params.yaml", "default": "there is no repository here"}
    return f"tests at the level of {made.alpha:g} ({where[made.alpha_from]})"


def basis(made: Comparison) -> str:
    """What the comparison was made on; empty where nothing needs to be said."""
    told = {
        "same": "",
        "unchanged": "Only cases whose label is the same on both sides.",
        "verdicts": "Verdicts as they are, whatever judged them.",
    }[made.on]
    if made.regraded:
        told = "Both were scored again, now, under the truth that is here."
    if made.only_slices:
        told = f"{told} Only the slices {listed(list(made.only_slices))}.".strip()
    return told
