"""Scoring a stored run under the data of another commit, and whether a result of then comes out.

Truth, cases, policies, rename map and parameters are those of the commit; the run is the one that
lies here, and the code is the one that runs. So only the code can move a result of then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from assay.comparing.alike import WORDS, of_contexts
from assay.errors import AssayError, RefusedError
from assay.files.model_text import model_text, plain_object
from assay.files.reading import parse_json
from assay.files.validation import validate
from assay.ledger.cases import suite_names
from assay.ledger.commits import commits_of
from assay.ledger.history import commit_id
from assay.ledger.layout import CASES, RUNS, SCORES
from assay.ledger.past import repository_at
from assay.ledger.repository import Repository
from assay.ledger.results import load_results
from assay.models.published import PublishedCase
from assay.models.result import CaseResult, Result

_SHOWN = 10


@dataclass(frozen=True)
class Past:
    """The repository as it stood at a commit, and the runs that can be scored there."""

    commit: str
    """Full name of the commit."""
    repository: Repository
    """Truth, cases and parameters of then."""
    files: tuple[Path, ...]
    """Files of runs, in the order in which they were given."""
    left_out: tuple[str, ...]
    """Suites of runs that are not in `files`, because there was no such suite yet; sorted."""


@contextmanager
def at_commit(
    root: Path, commit: str, files: Sequence[Path], suite: str | None = None
) -> Iterator[Past]:
    """The repository at a commit; it is there only inside the context.

    Args:
        root: the benchmark repository.
        commit: anything that git takes for a commit.
        files: files of runs, of this repository or from elsewhere.
        suite: the only suite that is asked for.

    Raises:
        RefusedError: there is no history, it does not reach back, or no suite that is asked for
            was there.
        UsageError: no such commit.
    """
    found = commit_id(root, commit)
    with repository_at(root, found) as repository:
        # A run of a suite that was not there would be scored on one that it has nothing to do with.
        known = {*suite_names(repository.root)}
        homes = {file: suite or _home(root, file) for file in files}
        absent = sorted({home for home in homes.values() if home and home not in known})
        kept = tuple(file for file in files if homes[file] not in absent)
        if absent and not kept:
            raise RefusedError(
                f"There was no suite {' or '.join(f'`{name}`' for name in absent)} at commit"
                f" {found[:10]}.",
                hint=f"git log --oneline --reverse -- {CASES}/{absent[0]}",
            )
        yield Past(found, repository, kept, tuple(absent))


def _home(root: Path, file: Path) -> str | None:
    """The suite in whose folder of ``runs/`` a file lies."""
    try:
        parts = file.resolve().relative_to((root / RUNS).resolve()).parts
    except ValueError:
        return None
    return parts[0] if len(parts) > 1 else None


def beside_then(root: Path, commit: str, result: Result, lines: Sequence[CaseResult]) -> str:
    """What the result that was stored for a commit says beside one that was scored now.

    Args:
        root: the benchmark repository.
        commit: full name of the commit.
        result: scored now, under the data of the commit.
        lines: every case and trial behind it.

    Returns:
        A sentence; empty where nothing was stored for the commit.
    """
    name = f"{result.context.suite}/{result.subject.run}"
    then = _stored(root, commit, result)
    if then is None:
        return ""
    if isinstance(then, str):
        return f"{name}: {then}"
    before, cases = then
    where = f"{name}: result {before.id} of then"
    parts = of_contexts(before.context, result.context)
    other = [part for part in parts if part.part != "scorer"]
    if before.subject != result.subject:
        return f"{where} is one of another run; the run has changed since."
    if other:
        differ = "; ".join(f"{WORDS[item.part]} {item.a} then, {item.b} here" for item in other)
        return f"{where} was made under other data than the commit has: {differ}."
    differs = _fields(before, result)
    if cases is not None and cases != _cases(lines):
        differs.append("verdicts")
    changed = [f"scorer {item.a} then, {item.b} now" for item in parts]
    if before.engine != result.engine:
        changed.append(f"engine {before.engine} then, {result.engine} now")
    but = f"{', '.join(changed)}" if changed else ""
    if differs:
        return f"{where} does not come out: {', '.join(differs)} differ ({but or 'same scorer'})."
    if but:
        return f"{where} comes out byte for byte, but for the code: {but}; so the id is another."
    return f"{where} comes out byte for byte."


def _stored(
    root: Path, commit: str, result: Result
) -> tuple[Result, list[PublishedCase] | None] | str | None:
    """What was published from a commit for the same run; else what the commit has in scores/."""
    suite, run = result.context.suite, result.subject.run
    for stored in load_results(root).results:
        published = stored.published
        mine = (published.result.context.suite, published.result.subject.run) == (suite, run)
        plainly = not published.selection.only and published.selection.repeat is None
        if mine and plainly and published.made_from.commit == commit:
            return published.result, list(published.cases)
    path = f"{SCORES}/{suite}/{run}.json"
    with commits_of(root) as commits:
        data = commits.text_at(commit, path)
    if data is None:
        return None
    try:
        before, _ = validate(Result, parse_json(data, name=path))
    except AssayError:
        before = None
    if before is None:
        return f"what {path} says at {commit[:_SHOWN]} is in a shape that nobody can read now."
    return before, None


def _fields(before: Result, after: Result) -> list[str]:
    """Names of what differs beside the code and what follows from it."""
    alike = after.model_copy(
        update={"id": before.id, "engine": before.engine, "context": before.context}
    )
    if model_text(alike) == model_text(before):
        return []
    first, second = plain_object(before), plain_object(alike)
    return [name for name in Result.model_fields if first.get(name) != second.get(name)]


def _cases(lines: Sequence[CaseResult]) -> list[PublishedCase]:
    ordered = sorted(lines, key=lambda line: (line.case_id, line.trial))
    return [
        PublishedCase(**{name: getattr(line, name) for name in PublishedCase.model_fields})
        for line in ordered
    ]
