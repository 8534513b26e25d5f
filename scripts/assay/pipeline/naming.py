"""What a name on a command line means: RUN, A and B, in every command alike.

A name is, in this order: a run of the repository (``hasty``, or ``refunds/hasty`` where several
suites have one of that name); the id of a result, or the first four characters of it or more; a
file. ``./hasty`` is always the file.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import InputError, RefusedError, UsageError
from assay.ledger.layout import RUNS, SCORES
from assay.models.base import JsonValue
from assay.models.result import CaseResult, Result

if TYPE_CHECKING:
    from assay.models.published import Published

ID = re.compile(r"[0-9a-f]{4,8}")
_ID_IN_FILE = re.compile(rb'"id":\s*"([0-9a-f]{8})"')
_HEAD = 512
"""Bytes of a file of scores within which its id stands."""


@dataclass(frozen=True)
class StoredRun:
    """A run of the repository, not scored yet."""

    suite: str
    """The suite of its folder."""
    run: str
    """Its name."""
    path: Path
    """``runs/<suite>/<run>.jsonl``."""


@dataclass(frozen=True)
class ScoredResult:
    """A result that was scored before, with every case and trial behind it."""

    result: Result
    """What the run came to."""
    lines: tuple[CaseResult, ...] | None
    """A line a case and trial; none where the file of lines is not here, as in a fresh clone."""
    path: Path
    """The file of the result."""


@dataclass(frozen=True)
class PublishedResult:
    """A published result; its lines hold verdicts without their evidence."""

    published: Published
    """All that was published."""
    path: Path
    """``results/<year>/<id>.json``, or a copy of it anywhere."""

    @property
    def result(self) -> Result:
        """What the run came to."""
        return self.published.result

    @property
    def lines(self) -> tuple[CaseResult, ...]:
        """A line a case and trial."""
        return self.published.lines


@dataclass(frozen=True)
class ScoreLines:
    """Lines of scores without the result that they belong to: nobody knows their context."""

    lines: tuple[CaseResult, ...]
    """A line a case and trial."""
    path: Path
    """The file."""


@dataclass(frozen=True)
class RunFile:
    """A file of observed runs outside ``runs/``, of any format."""

    path: Path
    """The file."""
    format: str
    """Its format, as ``assay runs import --from`` takes it."""


@dataclass(frozen=True)
class VerdictTable:
    """A plain table of verdicts, CSV, JSON or JSONL: no truth can be applied to it."""

    path: Path
    """The file."""


Named = StoredRun | ScoredResult | PublishedResult | ScoreLines | RunFile | VerdictTable
"""What a name can be."""


def resolve(root: Path | None, name: str, *, suite: str | None = None) -> Named:
    """What one name means.

    Args:
        root: the benchmark repository; without one a name can only be a file.
        name: what was typed.
        suite: of runs with one name in several suites, that of this suite.

    Raises:
        UsageError: nothing has this name, or several things have.
        InputError: a file cannot be read, or nobody knows its format.
    """
    if not name:
        raise UsageError("The name of a run, a result or a file is empty.", hint="ls runs/*")
    runs = stored_runs(root, name) if root is not None else []
    if suite is not None and len(runs) > 1:
        runs = [run for run in runs if run.suite == suite]
    if len(runs) > 1:
        raise UsageError(
            f"{len(runs)} suites have a run `{name}`.",
            hint="name one of them: " + ", ".join(f"{run.suite}/{run.run}" for run in runs),
        )
    if runs:
        return runs[0]
    found = by_id(root, name) if root is not None else None
    if found is not None:
        return found
    path = Path(name)
    if path.is_dir():
        raise UsageError(
            "This is a folder; one run or result is wanted.",
            path=name,
            hint=f"ls {shlex.quote(name)}",
        )
    if path.exists():
        return of_file(path)
    raise unknown(root, name)


def stored_runs(root: Path, name: str) -> list[StoredRun]:
    """Runs of the repository of this name, by suite; ``<suite>/<run>`` names one."""
    suite, _, run = name.rpartition("/")
    if not run or "/" in suite or ("/" in name and suite in ("", ".", "..")):
        return []
    every = all_runs(root)
    return [item for item in every if item.run == run and (not suite or item.suite == suite)]


def all_runs(root: Path) -> list[StoredRun]:
    """Every run of the repository, by suite and name."""
    files = sorted((root / RUNS).glob("*/*.jsonl"))
    return [StoredRun(path.parent.name, path.stem, path) for path in files]


def by_id(root: Path, name: str) -> ScoredResult | PublishedResult | None:
    """The result whose id begins so; of one that is published as well, the one with evidence.

    Raises:
        UsageError: several do.
        InputError: its file cannot be read.
    """
    if not ID.fullmatch(name):
        return None
    from assay.ledger.results import published_paths, read_published

    scored = scored_ids(root, name)
    published = published_paths(root, name)
    ids = sorted({*scored, *published})
    if not ids:
        return None
    if len(ids) > 1:
        raise UsageError(
            f"{len(ids)} results begin with `{name}`.", hint=f"name one: {', '.join(ids[:8])}"
        )
    (name,) = ids
    mine = _of_result(scored[name]) if name in scored else None
    if name not in published or (mine is not None and mine.lines is not None):
        return mine
    return PublishedResult(read_published(root, published[name]), root / published[name])


def scored_ids(root: Path, prefix: str = "") -> dict[str, Path]:
    """Id to file of every result in ``scores/`` whose id begins so, by id."""
    found: dict[str, Path] = {}
    for path in sorted((root / SCORES).glob("*/*.json")):
        if path.parent.suffix == ".metrics":
            continue
        try:
            with path.open("rb") as stream:
                match = _ID_IN_FILE.search(stream.read(_HEAD))
        except OSError:
            continue
        if match and match[1].decode().startswith(prefix):
            found.setdefault(match[1].decode(), path)
    return dict(sorted(found.items()))


def of_file(path: Path) -> Named:
    """What a file holds.

    Raises:
        InputError: it cannot be read, or nobody knows its format.
    """
    from assay.intake.opening.feed import open_document
    from assay.intake.runs.formats.records import table

    document = open_document(path)
    if document.layout == "table" and table.fits(document):
        return VerdictTable(path)
    first = document.first.value
    if document.layout == "json" and isinstance(first, dict):
        if {"result", "digest", "made_from"} <= first.keys():
            from assay.ledger.results import parse_published

            return PublishedResult(parse_published(first, name=path.as_posix()), path)
        if {"subject", "context", "scored_set"} <= first.keys():
            return _of_result(path)
    if isinstance(first, dict) and {"content_hash", "outcome", "observed"} <= first.keys():
        beside = path.with_suffix(".json")
        if beside != path and beside.is_file():
            return _of_result(beside)
        return ScoreLines(_lines(path, [node.value for node in document.records]), path)
    from assay.intake.runs.registry import detect

    known = detect(document)
    return VerdictTable(path) if known.name == table.NAME else RunFile(path, known.name)


def run_files(root: Path, names: Sequence[str]) -> list[Path]:
    """Files of runs that a command names: runs of the repository, the runs behind results, files,
    or folders of files; all of ``runs/`` where none is named.

    Raises:
        UsageError: a name is none of these.
        InputError: a file cannot be read.
    """
    found: list[Path] = []
    for name in names or (str(root / RUNS),):
        runs = stored_runs(root, name)
        path = Path(name)
        if runs:
            found += [run.path for run in runs]
        elif ID.fullmatch(name) and (result := by_id(root, name)) is not None:
            found.append(run_of_result(root, result))
        elif path.is_dir():
            found += _in_folder(path, name)
        elif path.exists():
            found.append(path)
        else:
            raise unknown(root, name)
    return list(dict.fromkeys(found))


def run_of_result(root: Path, named: ScoredResult | PublishedResult) -> Path:
    """The file of the run that a result is a result of.

    Raises:
        InputError: the run is no longer in the repository.
    """
    result = named.result
    path = root / RUNS / result.context.suite / f"{result.subject.run}.jsonl"
    if isinstance(named, PublishedResult):
        path = root / named.published.run.path
    if not path.is_file():
        raise InputError(
            f"Result {result.id} was made from a run that is not here.",
            path=path.relative_to(root).as_posix(),
            hint="git log --oneline --diff-filter=D -- "
            + shlex.quote(path.relative_to(root).as_posix()),
        )
    return path


def lines_of(named: ScoredResult | PublishedResult) -> tuple[CaseResult, ...]:
    """The lines of a result.

    Raises:
        RefusedError: they are not here.
    """
    if named.lines is not None:
        return named.lines
    raise RefusedError(
        "The lines of this result are not here; no verdict of a single case is known.",
        path=named.path.with_suffix(".jsonl").as_posix(),
        hint=score_again(named),
    )


def score_again(named: ScoredResult | PublishedResult) -> str:
    """The command that makes a result and its lines anew, where they were."""
    result = named.result
    folder = shlex.quote(os.path.relpath(named.path.parent.parent))
    run = shlex.quote(result.subject.run)
    return f"assay score --runs {run} --suite {result.context.suite} --out {folder}"


def unknown(root: Path | None, name: str) -> UsageError:
    """Nothing has this name; the error says which names are near."""
    from assay.ledger.editing import nearest

    if root is None:
        return UsageError(
            f"There is no file `{name}`.",
            hint="run names and result ids need a repository: assay -C FOLDER …",
        )
    from assay.ledger.results import published_paths
    from assay.reporting.scoreboard.board import board_id

    ids = scored_ids(root)
    if len(ids) > 1 and name == board_id(ids):
        shown = ", ".join(f"{path.stem} {key}" for key, path in sorted(ids.items(), key=_by_path))
        return UsageError(
            f"`{name}` names the whole scoreboard; {len(ids)} results stand on it.",
            hint=f"name one of them: {shown}",
        )
    runs = all_runs(root)

    names = [*(r.run for r in runs), *(f"{r.suite}/{r.run}" for r in runs)]
    known = tuple(dict.fromkeys([*names, *ids, *published_paths(root)]))
    short = tuple(dict.fromkeys(run.run for run in runs))
    hint = nearest(name, known)
    if hint.startswith("known: "):
        hint = "runs: " + ", ".join(short[:8]) + (" …" if len(short) > 8 else "")
    return UsageError(f"`{name}` is neither a run nor a result nor a file.", hint=hint)


def _by_path(item: tuple[str, Path]) -> Path:
    return item[1]


def _in_folder(path: Path, name: str) -> list[Path]:
    files = sorted(file for file in path.rglob("*.json*") if file.is_file())
    files += sorted(path.rglob("*.csv"))
    if not files:
        raise UsageError("The folder holds no runs.", path=name, hint="assay runs import")
    return files


def _of_result(path: Path) -> ScoredResult:
    from assay.files.reading import json_lines, read_json
    from assay.files.validation import require

    name = path.as_posix()
    result = require(Result, read_json(path), name=name)
    beside = path.with_suffix(".jsonl")
    if not beside.is_file():
        return ScoredResult(result, None, path)
    return ScoredResult(result, _lines(beside, [value for _, value in json_lines(beside)]), path)


def _lines(path: Path, values: Iterable[JsonValue]) -> tuple[CaseResult, ...]:
    from assay.files.validation import require

    return tuple(
        require(CaseResult, value, name=path.as_posix(), first_line=number)
        for number, value in enumerate(values, start=1)
    )
