"""A result, made again from what lies here, beside what it says of itself."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.errors import AssayError, InputError, RefusedError, UsageError
from assay.ledger import history
from assay.ledger.git import ask
from assay.ledger.layout import RUNS
from assay.ledger.repository import Repository
from assay.ledger.results import published_paths, read_published, same_numbers
from assay.models.published import Published
from assay.models.result import CaseResult, Result
from assay.pipeline.direct import Judged, Scored, judge, score_files
from assay.pipeline.naming import (
    PublishedResult,
    RunFile,
    ScoredResult,
    StoredRun,
    resolve,
)
from assay.pipeline.publishing import file_digest, tree_state
from assay.pipeline.tracing.case import case_trace
from assay.pipeline.tracing.parts import context_parts
from assay.reporting.trace import Made, Part, Trace
from assay.scoring.selection import Selection


@dataclass(frozen=True)
class _Found:
    """The result that is traced."""

    result: Result
    lines: tuple[CaseResult, ...] | None
    path: str
    published: Published | None
    published_path: str
    file: Path | None
    again: _Again | None = None
    """What was scored just now, where that is the result itself."""


@dataclass(frozen=True)
class _Again:
    """What the files that lie here give, on the day of the result."""

    judged: Judged | None
    scored: Scored | None
    reason: str


def trace(
    repository: Repository, name: str, *, suite: str | None = None, case_id: str | None = None
) -> Trace:
    """What a result rests on.

    Args:
        repository: where it is looked for and made again.
        name: id of a result, or a run, which is then scored now.
        suite: of a run that several suites have, that of this suite.
        case_id: a case to be followed to its record, clauses and people.

    Raises:
        UsageError: nothing has the name, or the result has no such case.
        RefusedError: there are only verdicts, which rest on nothing.
        InputError: a file cannot be read, or nothing can be scored.
    """
    found = _find(repository, name, suite)
    again = found.again or _again(repository, found)
    now = again.scored.result if again.scored else None
    run_file = _run_file(repository.root, found)
    made, doubts = _made(repository.root, found, now)
    if again.reason:
        doubts.insert(0, f"The result cannot be made again here: {again.reason}")
    lines = found.lines if found.lines is not None else (again.scored.lines if again.scored else ())
    case = None
    if case_id is not None:
        case, more = case_trace(repository, found.result, lines, again.scored, case_id)
        doubts += more
    return Trace(
        result=found.result,
        path=found.path,
        published=found.published_path,
        parts=context_parts(found.result, now, again.judged),
        statuses=_statuses(found.result, lines),
        excluded=dict(
            sorted(Counter(c for item in found.result.excluded for c in item.codes).items())
        ),
        run_path=_shown(repository.root, found.file) if found.file else "",
        run_file=run_file,
        made=made,
        again=_verdict(found.result, now),
        again_id=now.id if now else "",
        commands=_commands(repository.root, found, made),
        doubts=tuple(doubts),
        case=case,
    )


def _find(repository: Repository, name: str, suite: str | None) -> _Found:
    root = repository.root
    named = resolve(root, name, suite=suite)
    if isinstance(named, StoredRun | RunFile):
        home = named.suite if isinstance(named, StoredRun) else suite
        judged = judge(repository)
        scored = score_files(judged, [named.path], Selection(allow_empty=True), suite=home)
        if len(scored) > 1:
            raise UsageError(
                f"{len(scored)} results come of this file.",
                path=named.path.as_posix(),
                hint="--suite NAME, one of " + ", ".join(sorted({item.suite for item in scored})),
            )
        result, lines = scored[0].result, scored[0].lines
        again = _Again(judged, scored[0], "")
        published, place = _published(root, result)
        return _Found(result, lines, "", published, place, named.path, again)
    if not isinstance(named, ScoredResult | PublishedResult):
        raise RefusedError(
            "There are only verdicts in it: nothing says what they rest on.",
            path=named.path.as_posix(),
            hint="name a run, or the id of a result",
        )
    result = named.result
    published, published_path = _published(root, result)
    if isinstance(named, PublishedResult):
        published, published_path = named.published, published_path or named.path.as_posix()
    place = f"{RUNS}/{result.context.suite}/{result.subject.run}.jsonl"
    file = root / (published.run.path if published else place)
    return _Found(
        result,
        named.lines,
        _shown(root, named.path),
        published,
        published_path,
        file if file.is_file() else None,
    )


def _published(root: Path, result: Result) -> tuple[Published | None, str]:
    path = published_paths(root).get(result.id, "")
    return (read_published(root, path), path) if path else (None, "")


def _selection(found: _Found) -> Selection:
    if found.published is None:
        return Selection(allow_empty=True)
    asked = found.published.selection
    return Selection(asked.statuses, asked.only, asked.repeat, allow_empty=True)


def _again(repository: Repository, found: _Found) -> _Again:
    try:
        judged = judge(repository, today=found.result.today)
    except AssayError as error:
        return _Again(None, None, error.message)
    if found.file is None:
        return _Again(judged, None, "the run is not in this repository.")
    suite, run = found.result.context.suite, found.result.subject.run
    try:
        every = score_files(judged, [found.file], _selection(found), suite=suite)
    except AssayError as error:
        return _Again(judged, None, error.message)
    mine = [item for item in every if item.result.subject.run == run]
    if not mine:
        return _Again(judged, None, f"the file of the run holds no run `{run}`.")
    return _Again(judged, mine[0], "")


def _verdict(result: Result, now: Result | None) -> str:
    if now is None:
        return "unknown"
    if now.id != result.id:
        return "other"
    return "same" if same_numbers(now, result) else "numbers"


def _run_file(root: Path, found: _Found) -> Part | None:
    if found.published is None:
        return None
    now: str | None = None
    path = found.published.run.path
    if found.file is not None:
        try:
            now = file_digest(found.file, name=path)
        except InputError:
            now = None
    return Part("run_sha256", f"the file {path}, line ends as LF", found.published.run.sha256, now)


def _made(root: Path, found: _Found, now: Result | None) -> tuple[Made, list[str]]:
    """The tree that the result was made from, and what of that cannot be proved."""
    if found.published is not None:
        made_from = found.published.made_from
        commit = made_from.commit
        subject = ask(root, "show", "--no-patch", "--format=%s", f"{commit}^{{commit}}")
        doubts = _about_commit(root, commit, subject is not None)
        if "code" not in made_from.clean:
            doubts.append(
                "The engine was no part of the repository then: the commit does not say which it"
                " was, only the digest of the scorer does."
            )
        clean = {str(name): yes for name, yes in made_from.clean.items()}
        return Made(commit, True, clean, subject is not None, (subject or "").strip()), doubts
    doubts = [
        "It is not published: no commit is recorded for it."
        f"  assay score --runs {found.result.subject.run} --publish"
    ]
    try:
        made_from, dirty = tree_state(root)
    except RefusedError:
        return Made(None, False, {}, False, ""), [*doubts, "There is no git history here."]
    clean = {str(name): yes for name, yes in made_from.clean.items()}
    same = now is not None and now.id == found.result.id
    if dirty or not same:
        if dirty:
            files = [file for items in dirty.values() for file in items]
            doubts.append(f"Files that it rests on are not committed: {files[0]}, for one.")
        return Made(None, False, clean, False, ""), doubts
    subject = ask(root, "show", "--no-patch", "--format=%s", made_from.commit)
    return Made(made_from.commit, False, clean, True, (subject or "").strip()), doubts


def _about_commit(root: Path, commit: str, present: bool) -> list[str]:
    if not present:
        cut = "; its history is cut off: git fetch --unshallow" if history.shallow(root) else ""
        return [f"This clone has no commit {commit[:12]}{cut}."]
    if not history.is_ancestor(root, commit):
        return [f"Commit {commit[:12]} is in no history of what is checked out here."]
    return []


def _commands(root: Path, found: _Found, made: Made) -> list[str]:
    """Commands that can be pasted; none where the run or the commit is not here."""
    if found.file is None and found.published is None:
        return []
    result = found.result
    path = found.published.run.path if found.published else _shown(root, found.file or root)
    words = ["score", "--runs", path, "--suite", result.context.suite, "--today", result.today]
    selection = _selection(found)
    if selection.statuses != Selection().statuses:
        for status in selection.statuses:
            words += ["--status", status]
    for pattern in selection.only:
        words += ["--only", pattern]
    if selection.repeat is not None:
        words += ["--repeat", str(selection.repeat)]
    assay = "./assay"
    if made.commit is None or not made.present:
        launcher = (root / "assay").is_file()
        return [shlex.join([assay if launcher else "assay", *words])]
    if history.object_id(root, made.commit, "assay") is None:
        assay = "assay"
    score = shlex.join([assay, *words])
    return [f"git checkout --quiet {made.commit} && {score}", "git checkout --quiet -"]


def _statuses(result: Result, lines: Sequence[CaseResult]) -> dict[str, int]:
    cases = {line.case_id: line.status for line in lines}
    return dict(sorted(Counter(map(str, cases.values())).items()))


def _shown(root: Path, path: Path) -> str:
    full = path.resolve()
    inside = full.is_relative_to(root.resolve())
    return full.relative_to(root.resolve()).as_posix() if inside else path.as_posix()
