"""What moved a pass rate: coverage, scorer, truth and agent, replaced one at a time.

Four states of the way from one side to the other::

    first   first agent,  first truth,  first scorer    as it stands
    scorer  first agent,  first truth,  second scorer
    truth   first agent,  second truth, second scorer
    second  second agent, second truth, second scorer   as it stands

Each state has a verdict on other cases: labels expire, are disputed or come new, a scorer cannot
judge, a harness fails. A change of the *set of cases* is what coverage is, so every other step is
taken on the cases that have a verdict in all four states; in between, nothing but the thing that is
replaced can move the rate. Coverage is what then remains at both ends: cases that the first side
counts and that are not among these (they *left*), and cases that the second side counts (they
*came*). The sum is exact by construction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from assay.models.comparison import AttributedPart, Attribution, Moved, PartName

Shares = Mapping[str, Fraction]
"""Case id to the share of its evaluated trials that passed, for every case with a verdict."""

STEPS: tuple[PartName, ...] = ("scorer", "truth", "agent")
"""What is replaced on the way, in order; coverage stands before them."""


def attribute(
    first: Shares,
    with_scorer: Shares | None,
    with_truth: Shares | None,
    second: Shares,
    unknown: Sequence[str] = (),
) -> Attribution | None:
    """Split the difference of two pass rates.

    Args:
        first: the first side as it stands.
        with_scorer: the first agent under the first truth and the second scorer; none where this
            is not known, which joins the steps on both sides of it.
        with_truth: the first agent under the second truth and the second scorer; likewise.
        second: the second side as it stands.
        unknown: why a state is not known.

    Returns:
        None where a side has no rate.
    """
    if not first or not second:
        return None
    states = [first, with_scorer, with_truth, second]
    known = [state for state in states if state is not None]
    common = sorted(set(known[0]).intersection(*known[1:]))
    start, end = _rate(first, sorted(first)), _rate(second, sorted(second))
    left = tuple(sorted(set(first) - set(common)))
    came = tuple(sorted(set(second) - set(common)))
    parts: list[AttributedPart] = []
    if common:
        rates = [_rate(state, common) for state in known]
        coverage = (rates[0] - start) + (end - rates[-1])
        parts.append(_part(("coverage",), coverage))
        spans = _spans(states)
        for (before, after), names, (old, new) in zip(
            pairwise(known), spans, pairwise(rates), strict=True
        ):
            parts.append(_part(names, new - old, _moved(before, after, common)))
    else:
        # No case says anything about scorer, truth or agent apart from the change of cases.
        parts.append(_part(("coverage", *STEPS), end - start))
    return Attribution(
        a=float(start),
        b=float(end),
        exact_a=str(start),
        exact_b=str(end),
        cases=len(common),
        left=left,
        came=came,
        parts=tuple(parts),
        unknown=tuple(unknown),
    )


def _spans(states: Sequence[Shares | None]) -> list[tuple[PartName, ...]]:
    """Names of the steps between known states."""
    spans: list[tuple[PartName, ...]] = []
    names: tuple[PartName, ...] = ()
    for step, state in zip(STEPS, states[1:], strict=True):
        names = (*names, step)
        if state is not None:
            spans.append(names)
            names = ()
    return spans


def _rate(state: Shares, cases: Sequence[str]) -> Fraction:
    return sum((state[case_id] for case_id in cases), Fraction(0)) / len(cases)


def _part(
    names: tuple[PartName, ...], change: Fraction, moved: tuple[Moved, ...] = ()
) -> AttributedPart:
    return AttributedPart(parts=names, change=float(change), exact=str(change), moved=moved)


def _moved(before: Shares, after: Shares, cases: Sequence[str]) -> tuple[Moved, ...]:
    return tuple(
        Moved(case_id=name, before=float(before[name]), after=float(after[name]))
        for name in cases
        if before[name] != after[name]
    )
