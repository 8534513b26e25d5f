"""Failure tags: stable names for why a run failed, derived from the evidence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from assay.models.levels import Levels
from assay.models.result import ComponentResult

BY_KIND: Final[dict[str, str]] = {
    "missing_call": "missing_step",
    "failed_call": "missing_step",
    "wrong_turn": "wrong_order",
    "wrong_argument": "wrong_argument",
    "wrong_order": "wrong_order",
    "forbidden_call": "forbidden_call",
    "max_calls_exceeded": "too_many_calls",
    "too_many_calls": "too_many_calls",
    "no_answer": "premature_end",
    "infrastructure": "infrastructure",
}
"""Kind of a failing piece of evidence to its tag."""

REPEATED_WRITE: Final = "repeated_write"
"""The same writing call twice; tagged also where the case passed."""


def tags_of(
    components: Iterable[ComponentResult], notes: Iterable[str], levels: Levels | None = None
) -> tuple[str, ...]:
    """The tags of a case result, sorted.

    Args:
        components: the verdicts with their evidence.
        notes: what decides nothing.
        levels: what the steps of the plan came to; none where the case passed or has no plan.
    """
    found = {
        BY_KIND[piece.kind]
        for part in components
        for piece in part.evidence
        if (piece.outcome == "failed" or piece.kind == "infrastructure") and piece.kind in BY_KIND
    }
    if levels is not None:
        found |= {fault.tag for fault in levels.faults}
    if any(note.startswith("Repeated write") for note in notes):
        found.add(REPEATED_WRITE)
    return tuple(sorted(found))
