"""Why the number moved: the difference of two pass rates, split into what caused it.

Coverage, scorer, truth and agent are replaced one at a time, in this order; each part is the
change in pass rate at its step, so that the parts sum exactly to the whole:

    A's rate, on A's cases
      coverage   A's verdicts as they stood, on the common cases
      scorer     A's run under B's scorer, A's truth
      truth      A's run under B's scorer, B's truth
      agent      B's verdicts, on the common cases
      coverage   on to B's cases
    B's rate, on B's cases

*Common* are the cases on which both agents have a verdict under B's scorer and truth: only there
can the agents be told apart. Every other change of what is counted is coverage, whatever made it:
a case that expired, was added or lost its verdict moves the rate without anybody having changed.
It has two halves, for cases that leave A's rate and for those that only B's rate has.

A common case that had no verdict in one of A's states (A's truth did not have it yet) takes the
verdict of the next state that has one: it then adds nothing to the steps between, and all of it
is coverage.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from assay.comparing.sides import Side
from assay.models.comparison import Attribution, Change, Moved, PartOfDifference
from assay.statistics.trials import Share, mean

Verdicts = Mapping[str, Share]
"""Case id to how many of its evaluated trials passed, and how many there are; cases without any
evaluated trial are left out."""

STEPS: tuple[Change, ...] = ("scorer", "truth", "agent")
"""What is replaced on the common cases, in this order."""


@dataclass(frozen=True)
class States:
    """The verdicts under each of the five states; a state that cannot be had is None."""

    a: Verdicts
    """A's result as it was."""
    a_new_scorer: Verdicts | None
    """A's run under B's scorer and A's truth."""
    a_new_truth: Verdicts | None
    """A's run under B's scorer and B's truth."""
    b: Verdicts
    """B's result."""

    @classmethod
    def of(
        cls,
        a: Side,
        b: Side,
        *,
        new_scorer: Side | None = None,
        new_truth: Side | None = None,
        same_scorer: bool = False,
        same_truth: bool = False,
    ) -> States:
        """The states of two sides, with what was scored again.

        Args:
            a: A's result as it was.
            b: B's result.
            new_scorer: A's run under B's scorer and A's truth, where it could be made.
            new_truth: A's run under B's scorer and B's truth, where it could be made.
            same_scorer: both sides have one scorer; the first state is then the second.
            same_truth: both sides have one truth; the second state is then the third.
        """
        first = verdicts_of(a)
        second = None if new_scorer is None else verdicts_of(new_scorer)
        third = None if new_truth is None else verdicts_of(new_truth)
        if second is None and same_scorer:
            second = first
        if same_truth:
            second, third = (
                (third if second is None else second),
                (second if third is None else third),
            )
        return cls(first, second, third, verdicts_of(b))


def verdicts_of(side: Side) -> dict[str, Share]:
    """What a side has a verdict on."""
    return {name: case.share for name, case in side.evaluated.items()}


def split(states: States) -> tuple[dict[tuple[Change, ...], Fraction], Fraction, Fraction]:
    """The parts by what changed, in order, and the two halves of coverage.

    Where a state is missing, its step and the next cannot be told apart and are one part. They
    sum to the difference exactly. Without a common case everything is coverage.

    Raises:
        ValueError: a side has no verdict at all; there is then no rate to explain.
    """
    rate_a, rate_b = _rate(states.a), _rate(states.b)
    common = common_cases(states)
    chain = _filled(states, common)
    if not common:
        return {("coverage",): rate_b - rate_a}, Fraction(0), rate_b - rate_a
    rates = [None if verdicts is None else _rate(verdicts) for verdicts in chain]
    first, last = rates[0], rates[-1]
    assert first is not None
    assert last is not None
    left, joined = first - rate_a, rate_b - last
    parts: dict[tuple[Change, ...], Fraction] = {("coverage",): left + joined}
    waiting: tuple[Change, ...] = ()
    before = first
    for step, rate in zip(STEPS, rates[1:], strict=True):
        waiting = (*waiting, step)
        if rate is not None:
            parts[waiting] = rate - before
            before, waiting = rate, ()
    return parts, left, joined


def common_cases(states: States) -> list[str]:
    """Cases on which both agents have a verdict under B's context, sorted.

    Where A was not scored again under it, those on which both have a verdict as they stand.
    """
    judged = next(s for s in (states.a_new_truth, states.a_new_scorer, states.a) if s is not None)
    return sorted(judged.keys() & states.b.keys())


def _filled(states: States, common: list[str]) -> list[dict[str, Share] | None]:
    """The states on the common cases, what is missing taken from the next state that has it."""
    given = [states.a, states.a_new_scorer, states.a_new_truth, states.b]
    filled: list[dict[str, Share] | None] = []
    later: Verdicts = {}
    for verdicts in reversed(given):
        if verdicts is None:
            filled.append(None)
            continue
        here = {name: verdicts[name] if name in verdicts else later[name] for name in common}
        filled.append(here)
        later = here
    return filled[::-1]


def _rate(verdicts: Verdicts) -> Fraction:
    rate = mean(list(verdicts.values()))
    if rate is None:
        raise ValueError("a side has no verdict: there is no rate to explain")
    return rate


def attribute(
    a: Side,
    b: Side,
    states: States,
) -> Attribution | None:
    """The difference of two sides' own pass rates, split by what caused it.

    Args:
        a: A's result as it was.
        b: B's result.
        states: the verdicts under each state, `States.of`.

    Returns:
        None where a side has no verdict at all.
    """
    if not states.a or not states.b:
        return None
    parts, left, joined = split(states)
    common = common_cases(states)
    known = set(common)
    rate_a, rate_b = _rate(states.a), _rate(states.b)
    return Attribution(
        a=float(rate_a),
        b=float(rate_b),
        difference=float(rate_b - rate_a),
        exact=str(rate_b - rate_a),
        parts=tuple(
            PartOfDifference(changes=changes, change=float(change), exact=str(change))
            for changes, change in parts.items()
        ),
        left=str(left),
        joined=str(joined),
        common=len(common),
        only_a=_moved(states.a, known, b),
        only_b=_moved(states.b, known, a),
        regraded=tuple(name for name in common if name not in states.a),
    )


def _moved(verdicts: Verdicts, common: set[str], other: Side) -> tuple[Moved, ...]:
    return tuple(
        Moved(case_id=name, why=other.why(name) or "not_regraded")
        for name in sorted(verdicts.keys() - common)
    )
