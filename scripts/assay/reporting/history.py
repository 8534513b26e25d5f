"""The history of a record: what each revision changed, why, and who signed for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.files.model_text import plain
from assay.models.truth import TruthRecord
from assay.reporting.words import listed

_BOOKKEEPING = frozenset(
    {"schema_version", "case_id", "revision", "change", "rationale", "supersedes", "case_digest"}
)


@dataclass(frozen=True)
class Step:
    """One revision against the one before."""

    record: TruthRecord
    """The revision."""
    changed: tuple[str, ...]
    """Fields that differ from the revision before, in the order of the file."""
    counts: bool
    """Whether this is the revision that counts."""

    @property
    def people(self) -> str:
        """``labelled by ana and bo, adjudicated by li``; what is not known is left out."""
        record = self.record
        parts = []
        if record.drafted_by:
            parts.append(f"drafted by {record.drafted_by}")
        if record.labelers:
            parts.append(f"labelled by {listed(list(record.labelers))}")
        if record.adjudicator:
            parts.append(f"adjudicated by {record.adjudicator}")
        return ", ".join(parts)


def history(revisions: Sequence[TruthRecord], counting: int | None = None) -> list[Step]:
    """Revisions, the latest first.

    Args:
        revisions: all revisions of one case, in any order.
        counting: number of the revision that counts.
    """
    ordered = sorted(revisions, key=lambda record: record.revision)
    steps = []
    before: TruthRecord | None = None
    for record in ordered:
        changed = _changed(before, record) if before else ()
        steps.append(Step(record, changed, record.revision == counting))
        before = record
    return steps[::-1]


def changed_words(step: Step, most: int = 4) -> str:
    """The changed fields in words, the first few of many."""
    names = [name.replace("_", " ") for name in step.changed]
    if len(names) > most + 1:
        names = [*names[:most], f"{len(names) - most} more fields"]
    return listed(names)


def _changed(before: TruthRecord, after: TruthRecord) -> tuple[str, ...]:
    old, new = plain(before), plain(after)
    assert isinstance(old, dict)
    assert isinstance(new, dict)
    return tuple(
        name
        for name in type(after).model_fields
        if name not in _BOOKKEEPING and old.get(name) != new.get(name)
    )
