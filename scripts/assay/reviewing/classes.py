"""The class of a change: what it can do to scores, from nothing to breaking comparison.

The definitions stand in docs/reviewing.md; each class includes those before it.
"""

from __future__ import annotations

from collections.abc import Iterable

from assay.ledger.hashes import content_hash
from assay.ledger.lifecycle import effect
from assay.ledger.toolnames import ToolNames
from assay.models.review import CLASSES, Class, Scored
from assay.models.truth import TruthRecord

UNCOUNTED = (None, "draft", "retired")
"""Status of records that are in no truth hash."""

_TOLD = ("clauses", "evidence", "witnesses")
"""Fields that tell people why and decide nothing."""

_SILENT = frozenset({"rename", "renewal"})
"""Changes whose rationale only says what a command did."""


def gravest(kinds: Iterable[Class]) -> Class:
    """The gravest class; no effect where there is none."""
    return max(kinds, key=CLASSES.index, default="no_effect")


def says_more(before: TruthRecord | None, after: TruthRecord) -> bool:
    """Whether a revision tells people something else, whatever it does to scores."""
    if before is None:
        return True
    if after.change not in _SILENT and before.rationale != after.rationale:
        return True
    return any(getattr(before, name) != getattr(after, name) for name in _TOLD)


def class_of(
    before: tuple[TruthRecord | None, Scored],
    after: tuple[TruthRecord | None, Scored],
    names: ToolNames,
    *,
    told: bool,
    flips: int,
) -> Class:
    """The class of what happened to one case.

    Args:
        before: the revision that counted, as written, and how the case stood.
        after: the same now.
        names: the rename map of now; both revisions are read through it.
        told: whether people are told something else.
        flips: verdicts of stored runs that flip.
    """
    (old, was), (new, now) = before, after
    counted, counts = was.status not in UNCOUNTED, now.status not in UNCOUNTED
    same_hash = old is new or (
        old is not None and new is not None and content_hash(old, names) == content_hash(new, names)
    )
    in_truth = (counted, was.status) == (counts, now.status) and same_hash
    in_truth = in_truth or not (counted or counts)
    expected = (
        in_truth
        or same_hash
        or (old is not None and new is not None and effect(old, new, names) == "none")
    )
    stands = (was.status == now.status or not (counted or counts)) and (
        scorable(was),
        was.gates,
    ) == (scorable(now), now.gates)
    if expected and stands and not flips:
        return "clarifies" if told or not in_truth else "no_effect"
    return "moves_scores" if in_truth else "breaks_comparison"


def scorable(side: Scored) -> bool:
    """Whether a case is scored."""
    return side.status is not None and not side.exclusions
