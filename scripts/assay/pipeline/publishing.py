"""Publishing a result: the one way in which a file comes into ``results/``.

A result is published from a commit that anybody can check out, or not at all: truth, cases,
parameters, runs and code must be as that commit has them.
"""

from __future__ import annotations

import hashlib
import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import assay
from assay.errors import RefusedError, UsageError
from assay.files.reading import read_bytes
from assay.files.writing import locked
from assay.ledger import history
from assay.ledger.layout import CASES, PARAMS, RUNS, TRUTH
from assay.ledger.results import sealed, write_published
from assay.models.published import (
    MadeFrom,
    Published,
    PublishedCase,
    PublishedRun,
    PublishedSelection,
    TreePart,
)
from assay.models.result import CaseResult, Result
from assay.scoring.selection import Selection

_PARTS: tuple[tuple[TreePart, tuple[str, ...]], ...] = (
    ("truth", (TRUTH,)),
    ("cases", (CASES,)),
    ("params", (PARAMS,)),
    ("runs", (RUNS,)),
    ("code", ("scripts", "pyproject.toml")),
)
"""Parts of the tree that a result is made of, and where they lie."""

_SHOWN = 5


@dataclass(frozen=True)
class Publication:
    """What came of publishing one result."""

    id: str
    """Id of the result."""
    path: str
    """The file, relative to the root."""
    written: bool
    """Whether it is new; else it was published before, with the same numbers."""


def file_digest(path: Path, *, name: str | None = None) -> str:
    """SHA-256 of a file, line ends read as LF: the same in every checkout.

    Raises:
        InputError: it cannot be read.
    """
    return hashlib.sha256(read_bytes(path, name=name).replace(b"\r\n", b"\n")).hexdigest()


def tree_state(root: Path) -> tuple[MadeFrom, dict[TreePart, tuple[str, ...]]]:
    """The commit that is checked out, and what is not as it says, part by part.

    Raises:
        RefusedError: there is no commit.
    """
    commit = history.commit_id(root, "HEAD")
    # An engine that is installed elsewhere is no part of the tree; its digest names it.
    own = Path(assay.__file__).resolve().is_relative_to((root / "scripts").resolve())
    parts = [(name, paths) for name, paths in _PARTS if name != "code" or own]
    dirty = {name: history.uncommitted(root, paths) for name, paths in parts}
    clean = {name: not files for name, files in dirty.items()}
    return MadeFrom(commit=commit, clean=clean), {n: files for n, files in dirty.items() if files}


def require_clean(root: Path) -> MadeFrom:
    """The commit that is checked out, proved to be what lies here.

    Raises:
        RefusedError: there is no commit, or truth, cases, parameters, runs or code differ from it.
    """
    made_from, dirty = tree_state(root)
    if not dirty:
        return made_from
    files = [file for found in dirty.values() for file in found]
    more = f" and {len(files) - _SHOWN} more" if len(files) > _SHOWN else ""
    shown = ", ".join(files[:_SHOWN])
    add = " ".join(shlex.quote(file) for file in files[:_SHOWN]) if not more else "-A"
    raise RefusedError(
        f"Nothing is published from files that are not committed: {shown}{more}.",
        hint=f"git add {add} && git commit",
    )


def require_publishable(selection: Selection, *, what_if: str = "") -> None:
    """See that a selection may be published at all, before anything is scored.

    Raises:
        RefusedError: drafts are asked for.
        UsageError: truth or policies of another day are asked for.
    """
    if selection.exploratory:
        raise RefusedError(
            "A result with drafts is exploratory; it is never published.",
            hint="leave --status out",
        )
    if what_if:
        raise UsageError(
            f"{what_if} asks what would be; only what is can be published.",
            hint="git checkout the commit that it was so at, and publish there",
        )


def publish(
    root: Path,
    result: Result,
    lines: Sequence[CaseResult],
    files: Sequence[Path],
    selection: Selection,
) -> Publication:
    """Write one result to ``results/``.

    Args:
        root: the benchmark repository.
        result: what the run came to.
        lines: every case and trial behind it.
        files: the files that it was read from; there must be one, in ``runs/``, committed.
        selection: what was asked for.

    Raises:
        RefusedError: it is exploratory, files are not committed, the run lies elsewhere, or the id
            is published with other numbers.
        InputError: a file cannot be read or written.
    """
    require_publishable(selection)
    made_from = require_clean(root)
    published = Published(
        digest="0" * 64,
        result=result,
        selection=PublishedSelection(
            statuses=selection.statuses, only=selection.only, repeat=selection.repeat
        ),
        run=_run(root, result, files),
        made_from=made_from,
        cases=tuple(_case(line) for line in sorted(lines, key=lambda n: (n.case_id, n.trial))),
    )
    with locked(root):
        path, written = write_published(root, sealed(published))
    return Publication(result.id, path, written)


def _run(root: Path, result: Result, files: Sequence[Path]) -> PublishedRun:
    name = result.subject.run
    inside = [
        file.resolve().relative_to(root.resolve()).as_posix()
        for file in files
        if file.resolve().is_relative_to((root / RUNS).resolve())
    ]
    given = " ".join(shlex.quote(file.as_posix()) for file in files)
    if len(files) != 1 or len(inside) != 1:
        raise RefusedError(
            f"The run `{name}` is no file in {RUNS}/, so nobody could score it again.",
            path=files[0].as_posix() if files else "",
            hint=f"assay runs import {given} --out {os.path.relpath(root / RUNS)}"
            f" --suite {result.context.suite} --run {name}",
        )
    if not history.tracked(root, inside[0]):
        raise RefusedError(
            "The run is not committed.", path=inside[0], hint=f"git add {inside[0]} && git commit"
        )
    return PublishedRun(path=inside[0], sha256=file_digest(root / inside[0], name=inside[0]))


def _case(line: CaseResult) -> PublishedCase:
    fields = {name: getattr(line, name) for name in PublishedCase.model_fields}
    return PublishedCase(**fields)
