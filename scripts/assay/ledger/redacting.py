"""Erasure: the content of a revision goes, a tombstone with its digests stays.

A law or a leaked secret is the one reason for which a merged file may change. The tombstone is a
function of the file, so that anybody who has the old one can see that nothing else was changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.errors import AssayError, RefusedError, UsageError
from assay.files.journal import write_all
from assay.files.model_text import model_text
from assay.files.reading import parse_json
from assay.files.validation import require
from assay.ledger.hashes import content_hash
from assay.ledger.history import require_history, uncommitted
from assay.ledger.lifecycle import APPROVERS
from assay.ledger.records import StoredRecord
from assay.ledger.repository import Repository
from assay.ledger.signers import require_person
from assay.models.truth import Redaction, TruthRecord

KEPT = (
    "schema_version",
    "case_id",
    "revision",
    "status",
    "change",
    "supersedes",
    "applies_from",
    "policy_version",
    "as_of",
    "expires",
    "labelers",
    "adjudicator",
    "case_digest",
)
"""Fields that a tombstone keeps: nothing of them was written freely."""


@dataclass(frozen=True)
class Tombstone:
    """A revision file and what stands in its place."""

    before: StoredRecord
    """The revision as it is."""
    record: TruthRecord
    """What stays of it."""

    @property
    def text(self) -> str:
        """The file."""
        return model_text(self.record)


def tombstone(
    record: TruthRecord, data: bytes, *, why: str, approved_by: Sequence[str]
) -> TruthRecord:
    """What stays of a revision.

    Args:
        record: the revision.
        data: the bytes of its file.
        why: why it has to go.
        approved_by: two people or more.
    """
    return TruthRecord(
        **{name: getattr(record, name) for name in KEPT},
        rationale=(f"Redacted: {why}",),
        redacted=Redaction(
            why=why,
            approved_by=tuple(approved_by),
            content_hash=content_hash(record),
            file_digest=hashlib.sha256(data).hexdigest(),
        ),
    )


def wrong_with(before: bytes, after: bytes | None) -> str | None:
    """What keeps a changed file from being a tombstone of what stood there, in a sentence; None
    where it is one, empty where it is no tombstone at all.
    """
    try:
        new = require(TruthRecord, parse_json(after or b"", name="after"), name="after")
    except AssayError:
        return ""
    redaction = new.redacted
    if redaction is None:
        return ""
    try:
        old = require(TruthRecord, parse_json(before, name="before"), name="before")
    except AssayError:
        return "What stood there cannot be read."
    if old.redacted is not None:
        return "It was a tombstone already."
    wanted = tombstone(old, before, why=redaction.why, approved_by=redaction.approved_by)
    if new == wanted:
        return (
            None
            if after == model_text(wanted).encode("utf-8")
            else "The tombstone is not in canonical form."
        )
    assert wanted.redacted is not None
    names = [name for name in ("content_hash", "file_digest")
             if getattr(redaction, name) != getattr(wanted.redacted, name)]  # fmt: skip
    names += [name for name in type(new).model_fields
              if name != "redacted" and getattr(new, name) != getattr(wanted, name)]  # fmt: skip
    return f"A tombstone of it differs in: {', '.join(names)}."


def approvers(repository: Repository, day: str) -> tuple[str, ...]:
    """Who may approve on a day, sorted."""
    return tuple(
        handle
        for handle in sorted(repository.people.model.people)
        if may_approve(repository, handle, day)
    )


def may_approve(repository: Repository, handle: str, day: str) -> bool:
    """Whether somebody may approve a redaction on a day."""
    return any(repository.who.has_role(handle, role, day) for role in APPROVERS)


def tombstones(
    repository: Repository,
    case_id: str,
    revisions: Iterable[int],
    *,
    why: str,
    approved_by: Sequence[str],
    day: str,
) -> tuple[Tombstone, ...]:
    """Tombstones of revisions of a case.

    Raises:
        UsageError: no such revision or person, somebody who may not approve, fewer than two.
        RefusedError: a revision is a tombstone already, or is not as git has it.
    """
    for handle in approved_by:
        require_person(repository, handle)
        if not may_approve(repository, handle, day):
            raise UsageError(
                f"`{handle}` may not approve: no {', '.join(APPROVERS[:-1])} or {APPROVERS[-1]}.",
                hint=f"--approved-by: {', '.join(approvers(repository, day))}",
            )
    if len(set(approved_by)) < 2:
        able = ", ".join(approvers(repository, day))
        raise UsageError("Two people approve a redaction.", hint=f"--approved-by, twice: {able}")
    known = {stored.revision: stored for stored in repository.revisions[case_id]}
    found: list[Tombstone] = []
    for number in sorted(set(revisions)):
        stored = known.get(number)
        if stored is None:
            shown = ", ".join(map(str, known))
            raise UsageError(f"`{case_id}` has no revision {number}.", hint=f"there are: {shown}")
        if stored.record.redacted is not None:
            raise RefusedError(
                f"Revision {number} is redacted already.",
                path=stored.path,
                hint=f"assay truth history {case_id}",
            )
        people = tuple(dict.fromkeys(approved_by))
        record = tombstone(stored.record, stored.data, why=why, approved_by=people)
        found.append(Tombstone(stored, record))
    require_history(repository.root)
    dirty = uncommitted(repository.root, [item.before.path for item in found])
    if dirty:
        raise RefusedError(
            "The file is not as the last commit has it; its digest would be of something else.",
            path=dirty[0],
            hint=f"git restore {dirty[0]}, or remove it where it was never committed",
        )
    return tuple(found)


def write_tombstones(root: Path, found: Sequence[Tombstone]) -> tuple[str, ...]:
    """Write tombstones in place of what they stand for, all or none.

    Returns:
        Their paths.

    Raises:
        RefusedError: another command is writing.
        InputError: the repository cannot be written.
    """
    files = [(item.before.path, item.text.encode("utf-8")) for item in found]
    write_all(root, files, replacing=[path for path, _ in files])
    return tuple(path for path, _ in files)
