"""Two branches that both wrote the next revision of a case: one goes on top of the other.

What the base has stays as it is. Each of one's own revisions gets the next free number, and is
merged field by field: what only the base changed is taken over, what only this branch changed
stays, and where both changed a field this branch's value stands and the field is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from assay.errors import InputError, RefusedError
from assay.files.journal import write_all
from assay.files.model_text import plain_object
from assay.files.reading import parse_json
from assay.files.validation import require
from assay.ledger.changes import Elsewhere, branch_history
from assay.ledger.commits import Commits, commits_of
from assay.ledger.editing import DERIVED, KEY, Draft
from assay.ledger.finishing import finished
from assay.ledger.layout import RECORDS, RecordKey, record_key, record_path
from assay.ledger.lifecycle import row_for
from assay.ledger.records import StoredRecord, read_revision
from assay.ledger.repository import Repository
from assay.ledger.stepping import likely_change, require_step
from assay.models.base import JsonValue
from assay.models.truth import TruthRecord

OWN = ("status", "change", "rationale")
"""Fields that say what the revision itself is: always those of this branch."""

STOPPED = (
    ("REBASE_HEAD", "git rebase --continue"),
    ("CHERRY_PICK_HEAD", "git cherry-pick --continue"),
    ("MERGE_HEAD", "git commit --no-edit"),
)
"""What git says while it waits for a conflict to be solved, and how to go on."""

REPLAYED = ("REBASE_HEAD", "CHERRY_PICK_HEAD")


@dataclass(frozen=True)
class Moved:
    """One revision of this branch that gets another number."""

    was: str
    """Where it stood, relative to the root."""
    draft: Draft
    """What it becomes."""
    both: tuple[str, ...]
    """Fields that both sides changed, to different values; this branch's stand."""
    taken: tuple[str, ...]
    """Fields that only the base changed, taken over."""
    called: str | None = None
    """The `change` that it had, where another one fits what it now follows."""


@dataclass(frozen=True)
class Renumbered:
    """One case whose revisions collide, solved."""

    case_id: str
    """The case."""
    theirs: tuple[StoredRecord, ...]
    """Revisions that stay, from the first collision on."""
    moved: tuple[Moved, ...]
    """Revisions of this branch, in order."""
    author: str
    """Address of who added the first of theirs; empty where git does not say."""

    @property
    def files(self) -> tuple[tuple[str, bytes], ...]:
        """What is written, by path."""
        mine = [(item.draft.path, item.draft.text.encode("utf-8")) for item in self.moved]
        return tuple(sorted([*((stored.path, stored.data) for stored in self.theirs), *mine]))


@dataclass(frozen=True)
class Collisions:
    """Everything that collides with a base."""

    base: str
    """What it is compared with."""
    cases: tuple[Renumbered, ...]
    """By case."""
    carry_on: str | None
    """The command that goes on with a merge or rebase that waits; None where none does."""


def collisions(repository: Repository, base: str, cases: Sequence[str] = ()) -> Collisions:
    """Revisions that this branch and its base both wrote, solved.

    Args:
        repository: the records; files with git's conflict marks may be among them.
        base: the branch that this one is to be merged into.
        cases: only these; all that collide where empty.

    Raises:
        RefusedError: git cannot tell, or a revision may not follow what the base has.
        InputError: a revision cannot be read.
    """
    root = repository.root
    ahead = dict(branch_history(root, base).ahead)
    with commits_of(root) as commits:
        unmerged = commits.unmerged(RECORDS)
        tip = commits.commit(base)
        stopped = next((words for name, words in STOPPED if commits.knows(name)), None)
        first: dict[str, RecordKey] = {}
        for path in sorted({*ahead, *unmerged}):
            key = record_key(path)
            if key is not None and (not cases or key.case_id in cases):
                first.setdefault(key.case_id, key)
        found = tuple(
            _solved(repository, commits, tip, key, unmerged, ahead)
            for _, key in sorted(first.items())
        )
    return Collisions(base, found, stopped if unmerged else None)


def _solved(
    repository: Repository,
    commits: Commits,
    tip: str,
    first: RecordKey,
    unmerged: Mapping[str, Mapping[int, str]],
    ahead: Mapping[str, Elsewhere],
) -> Renumbered:
    folder = f"{RECORDS}/{first.suite}/"
    listed = {
        path: head.split()[2]
        for entry in commits.listing(tip, [folder])
        for head, _, path in [entry.partition("\t")]
        if _from(path, first)
    }
    here = sorted(
        path
        for path in {*_standing(repository.root, folder, first), *listed, *unmerged}
        if _from(path, first)
    )
    first_path = record_path(*first)
    theirs: list[StoredRecord] = []
    mine: list[StoredRecord] = []
    for path in here:
        stays, goes = _sides(commits, tip, path, listed.get(path), unmerged.get(path))
        if stays is not None:
            theirs.append(_read(path, stays))
        standing = goes if path in unmerged else _bytes(repository.root / path)
        if standing is not None and standing != stays:
            mine.append(_read(path, standing))
    ancestor = _ancestor(repository, commits, first, first_path in unmerged)
    author = next((item.author for path, item in sorted(ahead.items()) if path in listed), "")
    moved = tuple(_moved(repository, ancestor, theirs, mine))
    return Renumbered(first.case_id, tuple(theirs), moved, author)


def _from(path: str, first: RecordKey) -> bool:
    key = record_key(path)
    return (
        key is not None
        and (key.suite, key.case_id) == (first.suite, first.case_id)
        and key.revision >= first.revision
    )


def _standing(root: Path, folder: str, first: RecordKey) -> list[str]:
    return [f"{folder}{path.name}" for path in (root / folder).glob(f"{first.case_id}.r*.json")]


def _sides(
    commits: Commits, tip: str, path: str, at_base: str | None, stages: Mapping[int, str] | None
) -> tuple[bytes | None, bytes | None]:
    """What stays at a path, and what of this branch goes elsewhere, where git says both."""
    if not stages:
        return (commits.text_at(tip, path) if at_base else None), None
    ours, incoming = stages.get(2), stages.get(3)
    stays = incoming if _replayed(commits) is None else ours
    if at_base in (ours, incoming):
        stays = at_base
    goes = incoming if stays == ours else ours
    texts = [next(commits.contents([blob])) if blob else None for blob in (stays, goes)]
    return texts[0], texts[1]


def _replayed(commits: Commits) -> str | None:
    """The commit that is being played on top of HEAD, which then is the other side."""
    return next((name for name in REPLAYED if commits.knows(name)), None)


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _read(path: str, data: bytes) -> StoredRecord:
    key = record_key(path)
    assert key is not None
    record = require(TruthRecord, parse_json(data, name=path), name=path)
    if (record.case_id, record.revision) != (key.case_id, key.revision):
        raise InputError(
            f"The file says {record.case_id}, revision {record.revision}.",
            path=path,
            hint="put into it what its name says",
        )
    return StoredRecord(key.suite, path, record, data)


def _ancestor(
    repository: Repository, commits: Commits, first: RecordKey, unmerged: bool
) -> TruthRecord | None:
    """The revision that both sides began with."""
    if first.revision == 1:
        return None
    path = record_path(first.suite, first.case_id, first.revision - 1)
    replayed = _replayed(commits) if unmerged else None
    data = commits.text_at(f"{replayed}^", path) if replayed else None
    if data is not None:
        # An earlier commit of the same branch may have been renumbered already.
        return _read(path, data).record
    found = read_revision(repository.root, path)
    if isinstance(found, StoredRecord):
        return found.record
    raise InputError(found[0].message, path=path, hint=found[0].hint)


def _moved(
    repository: Repository,
    ancestor: TruthRecord | None,
    theirs: Sequence[StoredRecord],
    mine: Sequence[StoredRecord],
) -> Iterator[Moved]:
    if not theirs:
        raise RefusedError("The base has no such revision.", hint="assay renumber CASE --base NAME")
    last = theirs[-1].record
    case = repository.cases.get(last.case_id)
    for stored in mine:
        values, both, taken = merged(ancestor, last, stored.record)
        values["revision"] = last.revision + 1
        record = require(TruthRecord, values, name=stored.path)
        record = finished(record, last, case.case if case else None)
        called = None
        if row_for(last, record, repository.names) is None:
            fitting = likely_change(last, record, repository.names)
            called, record = record.change, record.model_copy(update={"change": fitting})
            require_step(last, record, repository.names)
        path = record_path(stored.suite, record.case_id, record.revision)
        draft = Draft(stored.suite, path, last, record)
        yield Moved(stored.path, draft, both, taken, called if called != record.change else None)
        ancestor, last = stored.record, record


def merged(
    ancestor: TruthRecord | None, theirs: TruthRecord, mine: TruthRecord
) -> tuple[dict[str, JsonValue], tuple[str, ...], tuple[str, ...]]:
    """The fields of `mine` on top of `theirs`; which both changed, which only theirs did.

    Args:
        ancestor: the revision that both began with; none where both are first revisions.
        theirs: what it goes on top of.
        mine: the revision that moves.
    """
    old = plain_object(ancestor) if ancestor is not None else {}
    base, own = plain_object(theirs), plain_object(mine)
    values: dict[str, JsonValue] = {}
    both: list[str] = []
    taken: list[str] = []
    for name in TruthRecord.model_fields:
        if name == "supersedes":
            continue
        value = own.get(name)
        if name not in (*KEY, *OWN, *DERIVED):
            before, other = old.get(name), base.get(name)
            if other not in (before, value):
                if value == before:
                    value = other
                    taken.append(name)
                else:
                    both.append(name)
        if value is not None:
            values[name] = value
    return values, tuple(both), tuple(taken)


def at_base(repository: Repository, found: Collisions) -> Repository:
    """The repository as the base has the cases that collide."""
    cases = {item.case_id for item in found.cases}
    first = {item.case_id: item.theirs[0].revision for item in found.cases}
    kept = [
        stored
        for stored in repository.records
        if stored.case_id not in cases or stored.revision < first[stored.case_id]
    ]
    records = [*kept, *(stored for item in found.cases for stored in item.theirs)]
    records.sort(key=lambda stored: (stored.suite, stored.case_id, stored.revision))
    paths = {path for item in found.cases for path, _ in item.files}
    faults = tuple(fault for fault in repository.faults if fault.path not in paths)
    return replace(repository, records=tuple(records), faults=faults)


def write_renumbered(root: Path, found: Collisions) -> tuple[str, ...]:
    """Write what the base has and what goes on top of it, all of it or nothing.

    Returns:
        Paths that were written.

    Raises:
        RefusedError: another command is writing.
        InputError: the repository cannot be written.
    """
    files = [file for item in found.cases for file in item.files]
    changed = [(path, data) for path, data in files if _bytes(root / path) != data]
    standing = frozenset(path for path, _ in changed if (root / path).exists())
    write_all(root, changed, replacing=standing)
    return tuple(path for path, _ in changed)
