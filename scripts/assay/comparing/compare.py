"""Two sides compared: the one call behind ``assay compare`` and ``assay gate``."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from assay.comparing.alike import Likeness, Renames, likeness
from assay.comparing.attribution import States, attribute
from assay.comparing.difference import ALPHA, by_slice, passes, scores, trial_rates
from assay.comparing.pairs import pair
from assay.comparing.sides import NO_SLICE, Side
from assay.models.comparison import Basis, Comparison

Known = Literal["both", "neither", "a", "b"]


def compare(
    a: Side,
    b: Side,
    *,
    on: Basis = "all",
    renames: Renames | None = None,
    states: States | None = None,
    alpha: Decimal = ALPHA,
    label_errors: Decimal | None = None,
) -> Comparison:
    """Compare two sides, or say why they cannot be compared.

    A refusal is a value here, `Comparison.refused`, with every part that differs and what would
    help; it holds no difference.

    Args:
        a: the first side: before, or the baseline.
        b: the second side: after, or the candidate.
        on: which cases are paired. ``unchanged`` allows differences that are told apart case by
            case; ``regraded`` says that the caller has scored both sides again under one context,
            and is judged like ``all``.
        renames: both rename maps and the names in use; needed only where the maps differ.
        states: the verdicts under each state, where the difference is to be split.
        alpha: level under which a p is called significant.
        label_errors: share of wrong labels, where it is known.
    """
    found = likeness(a, b, renames)
    paired = None if refuses(found, on) else pair(a, b, unchanged=on == "unchanged")
    comparison = Comparison(
        a=a.summary(),
        b=b.summary(),
        refused=paired is None,
        context=_known(a, b),
        unlike=found.unlike,
        on=on,
        alpha=alpha,
        label_errors=label_errors,
    )
    if paired is None:
        return comparison
    slices = {p.slice for p in paired.pairs}
    graded = scores(paired.pairs, alpha=alpha)
    return comparison.model_copy(
        update={
            "pairing": paired.pairing,
            "passed": passes(paired.pairs, alpha=alpha, label_errors=label_errors),
            "by_slice": by_slice(paired.pairs, alpha=alpha, label_errors=label_errors)
            if slices - {NO_SLICE}
            else {},
            "score": graded,
            "score_missing": len(paired.pairs) - graded.cases if graded else 0,
            "trials": trial_rates(paired.pairs),
            "attribution": None if states is None else attribute(a, b, states),
        }
    )


def refuses(found: Likeness, on: Basis) -> bool:
    """Whether a comparison is refused: something differs that the chosen basis does not settle."""
    if on == "unchanged":
        return not found.alike and "on_unchanged" not in found.remedies
    return not found.alike


def _known(a: Side, b: Side) -> Known:
    mine, theirs = a.context is not None, b.context is not None
    if mine and theirs:
        return "both"
    return "a" if mine else "b" if theirs else "neither"
