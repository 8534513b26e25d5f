"""Writing the next revision of a record, and the first one.

A revision is never edited: the next one is a copy of the latest with some fields changed,
finished and canonical.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from assay.errors import RefusedError, UsageError
from assay.files.journal import finish
from assay.files.model_text import model_text, plain_object
from assay.files.validation import validate
from assay.files.writing import locked, write_new
from assay.ledger.finishing import finished
from assay.ledger.layout import record_path
from assay.ledger.records import StoredRecord
from assay.ledger.repository import Repository
from assay.ledger.stepping import likely_change, require_step
from assay.models.base import JsonValue
from assay.models.truth import Change, TruthRecord

DERIVED = ("supersedes", "case_digest", "source_id")
KEY = ("schema_version", "case_id", "revision", "redacted")
"""Fields that follow from the case and its history; nobody sets them."""


@dataclass(frozen=True)
class Draft:
    """A revision that has not been written yet."""

    suite: str
    """The suite."""
    path: str
    """Where it will stand, relative to the root."""
    previous: TruthRecord | None
    """The revision before."""
    record: TruthRecord
    """The revision, finished."""

    @property
    def text(self) -> str:
        """The file."""
        return model_text(self.record)

    @property
    def stored(self) -> StoredRecord:
        """The revision as it will be read."""
        return StoredRecord(self.suite, self.path, self.record, self.text.encode("utf-8"))

    def changed(self) -> list[tuple[str, JsonValue, JsonValue]]:
        """Fields that differ from the revision before: name, before, after."""
        before = plain_object(self.previous) if self.previous else {}
        after = plain_object(self.record)
        names = [name for name in TruthRecord.model_fields if name not in ("revision",)]
        return [
            (name, before.get(name), after.get(name))
            for name in names
            if before.get(name) != after.get(name) and name not in (*DERIVED, *KEY)
        ]


def field_names() -> tuple[str, ...]:
    """Fields that a person may set, in the order of the file."""
    return tuple(name for name in TruthRecord.model_fields if name not in (*KEY, "supersedes"))


def latest_of(repository: Repository, case_id: str) -> StoredRecord:
    """The latest revision of a case.

    Raises:
        UsageError: the case has no record.
    """
    revisions = repository.revisions.get(case_id)
    if not revisions:
        if case_id in repository.cases:
            raise UsageError(f"`{case_id}` has no record.", hint=f"assay new {case_id}")
        known = {**repository.cases, **repository.revisions}
        raise UsageError(f"No case is called `{case_id}`.", hint=nearest(case_id, known))
    return revisions[-1]


def next_revision(repository: Repository, case_id: str, changes: Mapping[str, JsonValue]) -> Draft:
    """The next revision of a record.

    Args:
        repository: where it will be written.
        case_id: the case; it must have a record.
        changes: field to new value; null removes a field. Where `change` is absent, the one
            that the life of a record allows and that fits best.

    Raises:
        UsageError: no such record, an unknown field, a value that does not fit.
        RefusedError: the life of a record does not allow this step; nothing is written.
    """
    revisions = repository.revisions.get(case_id)
    if not revisions:
        raise UsageError(f"`{case_id}` has no record.", hint=nearest(case_id, repository.revisions))
    latest = revisions[-1]
    previous = latest.record
    values = plain_object(previous)
    for name in ("supersedes", "case_digest"):
        values.pop(name, None)
    values.pop("redacted", None)
    values["revision"] = previous.revision + 1
    record = _record(values, changes, repository, case_id, previous)
    if "change" not in changes:
        change = likely_change(previous, record, repository.names)
        record = record.model_copy(update={"change": change})
    require_step(previous, record, repository.names)
    return Draft(
        latest.suite, record_path(latest.suite, case_id, record.revision), previous, record
    )


def likely_of(repository: Repository, case_id: str, changes: Mapping[str, JsonValue]) -> Change:
    """The change that the next revision most likely is, whatever its life allows.

    Raises:
        UsageError: an unknown field, a value that does not fit.
    """
    previous = repository.revisions[case_id][-1].record
    values = plain_object(previous)
    values.pop("case_digest", None)
    record = _record(values, changes, repository, case_id, previous)
    return likely_change(previous, record, repository.names)


def first_revision(
    repository: Repository, suite: str, case_id: str, changes: Mapping[str, JsonValue]
) -> Draft:
    """The first revision for a case that has none.

    Raises:
        UsageError: an unknown field, a value that does not fit.
        RefusedError: the case has a record, or none can begin like that.
    """
    if case_id in repository.revisions:
        raise RefusedError(f"`{case_id}` has a record.", hint=f"assay revise {case_id}")
    values: dict[str, JsonValue] = {
        "schema_version": 1,
        "case_id": case_id,
        "revision": 1,
        "status": "draft",
        "change": "new",
    }
    record = _record(values, changes, repository, case_id, None)
    if "change" not in changes:
        change = likely_change(None, record, repository.names)
        record = record.model_copy(update={"change": change})
    require_step(None, record, repository.names)
    return Draft(suite, record_path(suite, case_id, 1), None, record)


def _record(
    values: dict[str, JsonValue],
    changes: Mapping[str, JsonValue],
    repository: Repository,
    case_id: str,
    previous: TruthRecord | None,
) -> TruthRecord:
    known = field_names()
    for name, value in changes.items():
        if name not in known:
            raise UsageError(f"A record has no field `{name}`.", hint=nearest(name, known))
        if value is None:
            values.pop(name, None)
        else:
            values[name] = value
    record, problems = validate(TruthRecord, values)
    if record is None:
        first = problems[0]
        raise UsageError(first.message, hint=first.hint, pointer=first.pointer)
    case = repository.cases.get(case_id)
    return finished(record, previous, case.case if case else None)


def write_draft(root: Path, draft: Draft) -> None:
    """Write a revision file; an existing one is never replaced.

    Raises:
        RefusedError: the file exists, or another command is writing.
        InputError: the folder cannot be written.
    """
    with locked(root):
        finish(root)
        write_new(root / draft.path, draft.text.encode("utf-8"), name=draft.path)


def nearest(word: str, known: Mapping[str, object] | tuple[str, ...]) -> str:
    """ "did you mean …", or the first few known words."""
    import difflib

    near = difflib.get_close_matches(word, known, 3)
    if near:
        return f"did you mean {', '.join(near)}?"
    some = sorted(known)[:8]
    return f"known: {', '.join(some)}{' …' if len(known) > 8 else ''}" if some else "there is none"
