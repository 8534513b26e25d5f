"""The score of a sample of Inspect: kept where there is exactly one."""

from __future__ import annotations

from decimal import Decimal

from assay.intake.node import Node
from assay.intake.runs.imported import RawRun

_LETTERS: dict[str, tuple[int | Decimal, bool | None]] = {
    "C": (1, True),
    "I": (0, False),
    "P": (Decimal("0.5"), None),
    "N": (0, False),
}
"""Inspect's letters: correct, incorrect, partly correct, no answer."""


def read_scores(scores: Node | None, raw: RawRun) -> None:
    """Take over the score, and the verdict where it is a full one.

    Raises:
        InputError: the scores are no object.
    """
    names = sorted(scores.object()) if scores is not None else []
    if scores is None or len(names) != 1:
        # Which of several scorers decides is not said.
        raw.record.source.drop("score of several scorers", len(names))
        return
    value = scores.child(names[0]).get("value")
    if value is None:
        return
    given = value.value
    if isinstance(given, bool):
        raw.score, raw.outcome = int(given), given
    elif isinstance(given, int | Decimal):
        raw.score = given
        raw.outcome = given == 1 if given in (0, 1) else None
    elif isinstance(given, str) and given in _LETTERS:
        raw.score, raw.outcome = _LETTERS[given]
    else:
        value.source.drop("score that is no number")
