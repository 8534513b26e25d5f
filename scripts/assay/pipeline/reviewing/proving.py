"""Declared bulk changes proved: the command runs again where it ran, and the files are compared.

Where it ran is the state just before the commit that brought the declaration, with policies,
tools, people, campaigns and cases as that commit has them: a map of names and the renames that
follow from it come in one pull request.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from assay.errors import AssayError, InputError
from assay.files.validation import require
from assay.files.yamls import read_yaml
from assay.ledger.bulk import Bulk, digest_of
from assay.ledger.history import adding_commit, commit_id, entries_at, object_id
from assay.ledger.layout import CAMPAIGNS, CASES, PARAMS, RECORDS, TRUTH
from assay.ledger.past import take_back
from assay.ledger.records import StoredRecord, collector_paused
from assay.ledger.repository import Repository
from assay.models.campaign import BulkChange
from assay.models.review import Declared
from assay.pipeline.reviewing.ranges import Range
from assay.pipeline.reviewing.replaying import parse, source_of

SUFFIX = ".change.yaml"


@dataclass(frozen=True)
class Proof:
    """A declaration and what became of it."""

    declared: Declared
    """How the comparison ended."""
    paths: tuple[str, ...] = ()
    """Revision files that it covers: those that are exactly what the command writes."""


@dataclass(frozen=True)
class _Place:
    """Where a declared command ran."""

    records: str
    """The commit whose records it saw."""
    rest: str | None
    """The commit whose catalogues, cases and campaigns it saw; none for the working tree."""


def proofs(
    root: Path,
    found: Range,
    folder: Path,
    base: Repository,
    files: Mapping[str, bytes],
) -> tuple[Proof, ...]:
    """Every declaration that a range adds, proved or not, by name.

    Args:
        root: the repository.
        found: the range.
        folder: the head, as files.
        base: the base, loaded; taken where a command ran on exactly that.
        files: path to content of every revision file at the head.
    """
    places: dict[_Place, list[tuple[str, BulkChange]]] = {}
    result: list[Proof] = []
    for path in found.step.added:
        if not (path.startswith(f"{CAMPAIGNS}/") and path.endswith(SUFFIX)):
            continue
        try:
            change = require(BulkChange, read_yaml(folder / path, name=path).value, name=path)
            parse(change.command)
        except AssayError as error:
            result.append(_unreadable(path, error))
            continue
        places.setdefault(_place(root, found, path), []).append((path, change))
    for place, changes in places.items():
        result += _at(root, found, place, changes, base, files)
    return tuple(sorted(result, key=lambda proof: (proof.declared.id, proof.declared.path)))


def _unreadable(path: str, error: AssayError) -> Proof:
    name = path.removeprefix(f"{CAMPAIGNS}/").removesuffix(SUFFIX)
    return Proof(
        Declared(
            id=name,
            path=path,
            command=(),
            why=error.message,
            revisions=0,
            proved=False,
            problem=error.message,
        )
    )


def _place(root: Path, found: Range, path: str) -> _Place:
    last = found.head or "HEAD"
    added = adding_commit(root, found.origin, last, path)
    if added is not None:
        return _Place(added[1], added[0])
    if found.head is None:
        return _Place(commit_id(root, "HEAD"), None)
    return _Place(found.origin, found.head)


def _at(
    root: Path,
    found: Range,
    place: _Place,
    changes: Sequence[tuple[str, BulkChange]],
    base: Repository,
    files: Mapping[str, bytes],
) -> list[Proof]:
    """Declarations of one commit: in the order in which they work out, as one may follow from
    another.
    """
    proved: list[Proof] = []
    with _repository(root, found, place, base, changes) as repository:
        open_ones = list(changes)
        while open_ones:
            failed: list[Proof] = []
            for item in open_ones:
                proof, bulk = _compared(item, repository, files)
                if proof.declared.proved and bulk is not None:
                    proved.append(proof)
                    open_ones.remove(item)
                    repository = _with(repository, bulk) if open_ones else repository
                    break
                failed.append(proof)
            else:
                return [*proved, *failed]
    return proved


def _with(repository: Repository, bulk: Bulk) -> Repository:
    """The repository after a bulk change."""
    new = [
        StoredRecord(draft.suite, draft.path, draft.record, draft.text.encode("utf-8"))
        for draft in bulk.drafts
    ]
    records = sorted([*repository.records, *new], key=lambda s: (s.suite, s.case_id, s.revision))
    return replace(repository, records=tuple(records))


def _compared(
    item: tuple[str, BulkChange], repository: Repository, files: Mapping[str, bytes]
) -> tuple[Proof, Bulk | None]:
    path, change = item
    known, words = parse(change.command)
    try:
        source = source_of(change.command)
        if source is not None and not (repository.root / source).is_file():
            raise InputError(f"`{source}` is not committed, so nobody can run it again.")
        with collector_paused():
            bulk = known.run(repository, words)
            written = [(draft.path, draft.text.encode("utf-8")) for draft in bulk.drafts]
    except AssayError as error:
        return Proof(_declared(path, change, 0, (), error.message)), None
    same = tuple(name for name, data in written if files.get(name) == data)
    other = tuple(name for name, data in written if files.get(name) != data)
    problem = ""
    if other:
        problem = "Files differ from what the command writes."
    elif len(written) != change.revisions:
        problem = (
            f"It declares {change.revisions:,} revisions; the command writes {len(written):,}."
        )
    elif digest_of(written) != change.digest:
        problem = "The digest is not that of what the command writes."
    declared = _declared(path, change, len(same), other, problem)
    return Proof(declared, same if declared.proved else ()), bulk


def _declared(
    path: str, change: BulkChange, same: int, other: tuple[str, ...], problem: str
) -> Declared:
    return Declared(
        id=change.id,
        path=path,
        command=change.command,
        why=change.why,
        revisions=change.revisions,
        same=same,
        different=other,
        proved=not problem,
        problem=problem,
    )


# -- where it ran ---------------------------------------------------------------------------


@contextmanager
def _repository(
    root: Path,
    found: Range,
    place: _Place,
    base: Repository,
    changes: Sequence[tuple[str, BulkChange]],
) -> Iterator[Repository]:
    """The repository that the commands saw; it is removed in the end, however that comes about."""
    sources = sorted({name for _, change in changes if (name := _source(change)) is not None})
    if not sources and place.records == found.origin and _as_base(root, found, place):
        yield base
        return
    with TemporaryDirectory(prefix="assay-again-") as name:
        folder = Path(name)
        if place.rest is None:
            _link(root, folder, sources)
        else:
            parts = [p for p in entries_at(root, place.rest, TRUTH) if p != RECORDS]
            for part in (*parts, CASES, PARAMS, *sources):
                if object_id(root, place.rest, part) is not None:
                    take_back(root, place.rest, (part,), folder)
        if object_id(root, place.records, RECORDS) is not None:
            take_back(root, place.records, (RECORDS,), folder)
        yield Repository.load(folder)


def _source(change: BulkChange) -> str | None:
    try:
        return source_of(change.command)
    except AssayError:
        return None  # It is said where the command is run.


def _as_base(root: Path, found: Range, place: _Place) -> bool:
    """Whether everything but records and declarations is as the base has it."""
    if place.rest is None:
        return False
    names = {*entries_at(root, found.origin, TRUTH), *entries_at(root, place.rest, TRUTH)}
    parts = sorted({*names, CASES, PARAMS} - {RECORDS, CAMPAIGNS})
    return all(
        object_id(root, found.origin, part) == object_id(root, place.rest, part) for part in parts
    ) and _campaigns(root, found.origin) == _campaigns(root, place.rest)


def _campaigns(root: Path, commit: str) -> tuple[str, ...]:
    return tuple(name for name in entries_at(root, commit, CAMPAIGNS) if not name.endswith(SUFFIX))


def _link(root: Path, folder: Path, sources: Sequence[str]) -> None:
    """The working tree without its records."""
    (folder / TRUTH).mkdir()
    for entry in sorted((root / TRUTH).iterdir()):
        if f"{TRUTH}/{entry.name}" != RECORDS:
            (folder / TRUTH / entry.name).symlink_to(entry.resolve())
    for part in (CASES, PARAMS):
        (folder / part).symlink_to((root / part).resolve())
    for source in sources:
        target = folder / source
        if not target.exists() and (root / source).is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(root / source, target)
