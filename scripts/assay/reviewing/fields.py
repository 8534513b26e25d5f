"""Two revisions, field by field, in words that say what an agent has to do.

Tool names of both are those of one catalogue, so that a rename alone is no change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.files.model_text import compact_text, plain
from assay.ledger.hashes import DECIDING
from assay.ledger.renames import map_record
from assay.ledger.toolnames import ToolNames
from assay.models.base import JsonValue
from assay.models.review import FieldChange
from assay.models.truth import TruthRecord
from assay.reporting.expectations import expectations

_LABELS = {
    "acceptable_answers": "answer is",
    "adjudicator": "adjudicator",
    "applies_from": "counts from",
    "as_of": "true as of",
    "clauses": "rests on",
    "drafted_by": "drafted by",
    "evidence": "evidence",
    "expires": "expires",
    "final_out": "result is",
    "forbidden_tools": "must not call",
    "labelers": "labelled by",
    "max_calls": "at most",
    "must_not_state": "must not state",
    "facts": "must state",
    "policy_version": "under policy",
    "required_tools": "must call",
    "score_basis": "decided by",
    "source_id": "imported as",
    "state": "afterwards",
}
_SKIPPED = frozenset(
    {"schema_version", "case_id", "revision", "change", "rationale", "supersedes", "case_digest"}
)

NOTHING = "–"
"""Stands for a value that is not there."""


def field_changes(
    before: TruthRecord | None, after: TruthRecord, names: ToolNames
) -> tuple[FieldChange, ...]:
    """What differs between two revisions, in the order of the fields of a record.

    Args:
        before: the revision before; everything is new where there is none.
        after: the revision.
        names: the rename map that both are read through.
    """
    old = map_record(before, names).record if before is not None else None
    new = map_record(after, names).record
    found = []
    for name in TruthRecord.model_fields:
        if name in _SKIPPED:
            continue
        first = _value(old, name) if old is not None else None
        second = _value(new, name)
        if first == second or (not first and not second):
            continue
        gone, came = _lines(old, name), _lines(new, name)
        lost, won = _without(gone, came), _without(came, gone)
        if not lost and not won:
            # The words are the same, so what differs is something that they do not tell.
            lost, won = _raw(first), _raw(second)
        found.append(
            FieldChange(
                field=name,
                label=_LABELS.get(name, name.replace("_", " ")),
                before=tuple(lost),
                after=tuple(won),
                decides=name in DECIDING,
            )
        )
    return tuple(found)


def _value(record: TruthRecord, name: str) -> JsonValue:
    if name == "required_tools":
        return tuple(plain(entry) for entry in record.required)
    if name == "forbidden_tools":
        return tuple(sorted(set(record.forbidden_tools)))
    if name == "policy_version":
        return record.policies
    return plain(getattr(record, name))


def _lines(record: TruthRecord | None, name: str) -> list[str]:
    """What a field asks for, a line each; the value itself where it asks for nothing."""
    if record is None:
        return []
    found = [
        item.text for item in expectations(record) if item.pointer.split("/", 2)[1:2] == [name]
    ]
    return found or list(_raw(_value(record, name)))


def _raw(value: JsonValue) -> list[str]:
    if value is None or value in ((), {}):
        return []
    if isinstance(value, str):
        return [value]
    if isinstance(value, Sequence):
        return [item if isinstance(item, str) else compact_text(item) for item in value]
    return [compact_text(value)]


def _without(lines: Sequence[str], others: Sequence[str]) -> list[str]:
    """Lines that the others do not have as often, in order."""
    left = list(others)
    return list(_minus(lines, left))


def _minus(lines: Sequence[str], left: list[str]) -> Iterator[str]:
    for line in lines:
        if line in left:
            left.remove(line)
        else:
            yield line
