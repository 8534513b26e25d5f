"""Many next revisions at once: all of them or none, and declared so that anybody can check.

A bulk command is a function from a repository to revision files. Its declaration names the
command and a digest of what it wrote; run again from where the branch began it must write the
same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.errors import AssayError, RefusedError
from assay.files.journal import write_all
from assay.files.model_text import compact_text, plain_object
from assay.ledger.editing import Draft, next_revision
from assay.ledger.layout import CAMPAIGNS
from assay.ledger.records import StoredRecord, collector_paused
from assay.ledger.repository import Repository
from assay.models.base import JsonValue
from assay.models.campaign import BulkChange

Changes = Callable[[StoredRecord], Mapping[str, JsonValue] | None]
"""The latest revision to the fields of the next one; None where it needs none."""


@dataclass(frozen=True)
class Skipped:
    """A record that a bulk command left alone, and why."""

    case_id: str
    """The case."""
    path: str
    """Its latest revision file."""
    reason: str
    """Why."""


@dataclass(frozen=True)
class Bulk:
    """What a bulk command would write."""

    drafts: tuple[Draft, ...]
    """The next revisions, by path."""
    skipped: tuple[Skipped, ...]
    """Records that it left alone although they were asked for, by case."""


def next_revisions(
    repository: Repository, chosen: Iterable[StoredRecord], changes: Changes
) -> Bulk:
    """The next revision of every chosen record; one that cannot have it is listed."""
    drafts: list[Draft] = []
    skipped: list[Skipped] = []
    with collector_paused():
        for stored in chosen:
            wanted = changes(stored)
            if wanted is None:
                continue
            try:
                drafts.append(next_revision(repository, stored.case_id, wanted))
            except AssayError as error:
                skipped.append(Skipped(stored.case_id, stored.path, error.message))
    return Bulk(
        tuple(sorted(drafts, key=lambda draft: draft.path)),
        tuple(sorted(skipped, key=lambda item: item.case_id)),
    )


def digest_of(files: Iterable[tuple[str, bytes]]) -> str:
    """SHA-256 over the sorted lines ``<sha-256>  <path>``."""
    lines = sorted(f"{hashlib.sha256(data).hexdigest()}  {path}\n" for path, data in files)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def write_bulk(
    root: Path, bulk: Bulk, *, name: str, command: Sequence[str], why: str
) -> tuple[str, ...]:
    """Write all revisions and their declaration, or nothing at all.

    Args:
        root: the repository.
        bulk: the revisions.
        name: name of the declaration.
        command: the command with its arguments.
        why: the reason, in a sentence.

    Returns:
        The paths that were written, the declaration last; none where nothing changes.

    Raises:
        RefusedError: a target exists, or another command is writing.
        InputError: the repository cannot be written.
    """
    if not bulk.drafts:
        return ()
    files = [(draft.path, draft.text.encode("utf-8")) for draft in bulk.drafts]
    path = f"{CAMPAIGNS}/{name}.change.yaml"
    if (root / path).exists():
        raise RefusedError(
            f"A bulk change is called `{name}` already.", path=path, hint="--id ANOTHER-NAME"
        )
    declared = BulkChange(
        id=name,
        command=tuple(command),
        why=why,
        revisions=len(files),
        digest=digest_of(files),
    )
    text = yaml_text(plain_object(declared, keep=frozenset({"schema_version"})))
    write_all(root, [*files, (path, text.encode("utf-8"))])
    return (*(path for path, _ in files), path)


def yaml_text(values: Mapping[str, JsonValue]) -> str:
    """A flat object as YAML; every value is written as JSON, which YAML reads."""
    return "".join(f"{key}: {compact_text(value)}\n" for key, value in values.items())


def free_name(root: Path, stem: str) -> str:
    """The first of ``stem``, ``stem-2``, ``stem-3`` … that no campaign and no change has."""
    number = 1
    while True:
        name = stem if number == 1 else f"{stem}-{number}"
        taken = (root / CAMPAIGNS).glob(f"{name}.*")
        if not any(taken):
            return name
        number += 1
