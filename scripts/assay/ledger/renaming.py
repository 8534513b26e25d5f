"""Writing renames into records: the next revision names tools as they are called today.

Scores are right without it, since the map works whenever a record is loaded; it keeps what
people read in step with what is called. What a split cannot decide becomes disputed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assay.files.model_text import plain
from assay.ledger.bulk import Bulk, next_revisions
from assay.ledger.records import StoredRecord
from assay.ledger.renames import map_record
from assay.ledger.repository import Repository
from assay.models.base import JsonValue

FIELDS = ("required_tools", "forbidden_tools", "max_calls")
"""Fields of a record that name tools."""

WHY = "The tools are named as the catalogue names them now; nothing that decides has changed."
OPEN = "The tool was split, and the label does not say which half it means."


def renames(
    repository: Repository, chosen: Iterable[StoredRecord], tools: frozenset[str] = frozenset()
) -> Bulk:
    """The next revision of every record that still names a tool by an old name.

    Args:
        repository: the records and the catalogue.
        chosen: the latest revisions that may be rewritten.
        tools: only records that name one of these; every record where empty.
    """
    names = repository.names

    def changes(stored: StoredRecord) -> Mapping[str, JsonValue] | None:
        record = stored.record
        written = {*(entry.tool for entry in record.required), *record.forbidden_tools}
        written |= set(record.max_calls)
        if tools and not written & tools:
            return None
        mapped = map_record(record, names)
        if mapped.ambiguous or mapped.unknown:
            return None  # The check says what is wrong with it.
        if mapped.undecided:
            if record.status == "disputed":
                return None
            words = [*record.rationale, f"{OPEN} {mapped.undecided[0].message}"]
            return {"status": "disputed", "change": "rename", "rationale": words}
        new = {field: plain(getattr(mapped.record, field)) for field in FIELDS}
        old = {field: plain(getattr(record, field)) for field in FIELDS}
        if new == old:
            return None
        changed: dict[str, JsonValue] = {
            field: new[field] or None for field in FIELDS if new[field] != old[field]
        }
        return {**changed, "change": "rename", "rationale": [*record.rationale, WHY]}

    return next_revisions(repository, chosen, changes)
