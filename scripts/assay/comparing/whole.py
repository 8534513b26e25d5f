"""The whole comparison of two sides that may be compared."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Literal

from assay.comparing.difference import (
    ALPHA,
    LABEL_ERRORS,
    measure_passed,
    measure_scores,
    measure_slices,
    measure_trials,
)
from assay.comparing.pairs import Pairing, bounds, pair
from assay.comparing.sides import Side
from assay.models.comparison import Attribution, ComparedSide, Comparison, LeftCase

On = Literal["same", "unchanged", "verdicts"]


def compare(
    a: Side,
    b: Side,
    *,
    on: On = "same",
    regraded: bool = False,
    same_revision: bool = False,
    slices: Sequence[str] = (),
    attribution: Attribution | None = None,
    remarks: Sequence[str] = (),
    alpha: Decimal | None = None,
    label_errors: Decimal = LABEL_ERRORS,
) -> Comparison:
    """Compare two sides; whether they may be compared is for `alike` to say.

    Args:
        a: the first side, already narrowed to the slices.
        b: the second side.
        on: what it is done on.
        regraded: whether both were scored again, now.
        same_revision: of unchanged labels only those of the same revision; see `pairs.pair`.
        slices: slices that were asked for.
        attribution: what moved the number.
        remarks: what a reader must know.
        alpha: `gate.alpha` of the repository; none where there is no repository.
        label_errors: share of wrong labels for the visible gap.
    """
    level = ALPHA if alpha is None else alpha
    pairing = pair(a, b, unchanged=on == "unchanged", same_revision=same_revision)
    passed = measure_passed(pairing, alpha=level, label_errors=label_errors)
    scores = measure_scores(pairing, alpha=level)
    measures = [passed, *([scores] if scores is not None else [])]
    first = passed if passed.cases or scores is None else scores
    return Comparison(
        on=on,
        regraded=regraded,
        only_slices=tuple(slices),
        a=compared_side(a),
        b=compared_side(b),
        alpha=float(level),
        alpha_from="default" if alpha is None else "gate.alpha",
        conclusion=first.conclusion,
        measures=tuple(measures),
        slices=tuple(measure_slices(pairing.pairs, alpha=level)),
        trials=tuple(measure_trials(pairing.pairs)),
        left_out=pairing.left_out,
        attribution=attribution,
        remarks=(*remarks, *_remarks(a, b, pairing)),
    )


def _remarks(a: Side, b: Side, pairing: Pairing) -> list[str]:
    found: list[str] = []
    missing = bounds(a, b, pairing)
    if missing is not None:
        low, high = (f"{float(end * 100):+.1f}" for end in missing)
        found.append(
            "Verdicts are missing. Had they all gone against the second side, or all for it, the"
            f" difference would be {low} or {high} points."
        )
    others = [
        both.case_id
        for both in pairing.pairs
        if both.a.content_hash
        and both.b.content_hash
        and both.a.content_hash != both.b.content_hash
    ]
    if others:
        found.append(
            f"{len(others)} of {len(pairing.pairs)} cases were judged by different labels:"
            f" {', '.join(others[:5])}{' …' if len(others) > 5 else ''}."
        )
    if any(both.a.evaluated != both.b.evaluated for both in pairing.pairs):
        found.append("The sides have different numbers of trials; each is averaged within a case.")
    for side in (a, b):
        if side.unknown:
            names = ", ".join(side.unknown[:5]) + (" …" if len(side.unknown) > 5 else "")
            found.append(
                f"{side.name} names {len(side.unknown)} cases that the suite does not have:"
                f" {names}."
            )
    return found


def compared_side(side: Side) -> ComparedSide:
    """What a comparison says of one of its sides."""
    result = side.result
    return ComparedSide(
        name=side.name,
        run=side.run,
        kind=side.kind,
        result=result.id if result else None,
        today=result.today if result else None,
        agent=side.agent,
        model=side.model,
        context=result.context if result else None,
        tally=side.tally(),
        excluded=tuple(
            LeftCase(case_id=name, reasons=side.excluded[name]) for name in sorted(side.excluded)
        ),
        unmatched=tuple(sorted(side.unmatched)),
        unknown_cases=tuple(sorted(side.unknown)),
    )
