"""Checking, compiling and scoring in one go, without dvc and without ``build/``.

Equal truth gives the same context here as through the stages, and so the same results; a test
holds that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.checks.compiling import CompiledRepository, compile_truth, stops
from assay.checks.runner import run_checks, world_of
from assay.checks.world import World
from assay.errors import AssayError, InputError, RefusedError, UsageError
from assay.intake.codes import finding_of
from assay.intake.runs.case_ids import known_cases, resolve_cases
from assay.intake.runs.read import read_runs
from assay.ledger.cases import StoredSuite
from assay.ledger.repository import Repository
from assay.ledger.splitting import split
from assay.models.finding import Finding, FindingReport
from assay.models.result import CaseResult, Result
from assay.models.run import ObservedRun
from assay.pipeline.against import suite_named, suite_truth
from assay.scoring.run import SuiteTruth, score_run
from assay.scoring.selection import Selection


def from_repository(
    repository: Repository, compiled: CompiledRepository, name: str, *, placed: bool = True
) -> SuiteTruth:
    """What ``assay score`` scores against; equal to `against.from_build`.

    Args:
        repository: the repository.
        compiled: what counts there.
        name: the suite.
        placed: whether cases are divided into train, dev, test and holdout; no verdict depends
            on it, and it looks at pairs of cases.

    Raises:
        InputError: the suite cannot be loaded.
    """
    params = repository.params.model
    suite = repository.suites.get(name) or suite_named(repository.root, name)
    entries = compiled.suites.get(name, ())
    listed = {entry.case_id for entry in entries} if placed else set()
    places = split(
        {
            case_id: (stored.case, attributes)
            for case_id, stored in suite.cases.items()
            if case_id in listed and (attributes := suite.attributes(case_id)) is not None
        },
        params.split,
    )
    return suite_truth(
        suite,
        entries,
        compiled.context,
        repository.names,
        repository.who,
        params,
        {case_id: place.split for case_id, place in places.items()},
        repository.root,
        frozenset(repository.cases.keys() - suite.cases.keys()),
    )


@dataclass(frozen=True)
class Judged:
    """A repository on a day, checked and compiled."""

    world: World
    """The repository on that day."""
    report: FindingReport
    """What the rules found."""
    compiled: CompiledRepository
    """What counts."""

    @property
    def broken(self) -> bool:
        """Whether a file is wrong; what could be scored was scored all the same."""
        return any(finding.severity == "error" for finding in self.report.findings)


def judge(
    repository: Repository, *, today: str | None = None, policies: Sequence[str] = ()
) -> Judged:
    """Check and compile a repository.

    Raises:
        InputError: an error in what every case depends on: nothing can be scored.
        UsageError: a policy version that does not exist.
    """
    report = run_checks(repository, today=today, policies=policies)
    blocking = stops(report)
    if blocking:
        raise _as_error(blocking)
    world = world_of(repository, today=today, policies=policies)
    return Judged(world, report, compile_truth(world, report))


def _as_error(blocking: Sequence[Finding]) -> InputError:
    first = blocking[0]
    more = f" ({len(blocking) - 1} more: assay check)" if len(blocking) > 1 else ""
    return InputError(
        f"{first.code} {first.message}{more}",
        path=first.path,
        line=first.line,
        column=first.column,
        pointer=first.pointer,
        hint=first.hint,
    )


@dataclass(frozen=True)
class Scored:
    """One run scored on one suite."""

    suite: str
    """The suite."""
    result: Result
    """What it came to."""
    lines: tuple[CaseResult, ...]
    """A line a case and trial."""
    observed: tuple[ObservedRun, ...]
    """What was scored, in trial and case order, unknown cases included."""
    files: tuple[Path, ...] = ()
    """The files that it was read from."""


def score_files(
    judged: Judged,
    files: Sequence[Path],
    selection: Selection,
    *,
    suite: str | None = None,
    run: str | None = None,
    note: Callable[[Finding], None] = lambda finding: None,
) -> list[Scored]:
    """Score files of runs, each on every suite that it has cases of.

    Args:
        judged: what counts.
        files: files of any format that can be read.
        selection: which statuses, cases and trials.
        suite: only this suite.
        run: name of the run; else the name in the file, or the file's own.
        note: takes what was found when reading; of many files, also those that cannot be read.

    Returns:
        By suite and run.

    Raises:
        InputError: no file can be read.
        RefusedError: nothing was selected.
        UsageError: no such suite.
    """
    repository = judged.world.repository
    suites = dict(repository.suites)
    if suite is not None:
        if suite not in suites:
            raise UsageError(
                f"No suite is called `{suite}`.", hint=f"known: {', '.join(suites) or 'none'}"
            )
        suites = {suite: suites[suite]}
    known = known_cases([stored.suite for stored in suites.values()])
    entries: dict[tuple[str, str], list[ObservedRun]] = {}
    sources: dict[tuple[str, str], dict[Path, None]] = {}
    unread: list[InputError] = []
    for path in files:
        try:
            imported = read_runs(path, run=run)
            for finding in imported.findings:
                note(finding)
            if not imported.runs:
                raise InputError(
                    "The file holds no runs.", path=path.as_posix(), hint="assay runs import"
                )
        except InputError as error:
            # Of many files, one that cannot be read costs itself and no other.
            unread.append(error)
            continue
        for observed in resolve_cases(imported.runs, known):
            home = _home(observed, path, repository, suites)
            entries.setdefault((home, observed.run), []).append(observed)
            sources.setdefault((home, observed.run), {})[path] = None
    if unread and not entries:
        raise unread[0]
    for lost in unread:
        note(finding_of(lost, "IRU001"))
    scored: list[Scored] = []
    refused: list[AssayError] = []
    for home, name in sorted(entries):
        against = from_repository(repository, judged.compiled, home)
        try:
            lines, result = score_run(name, entries[home, name], against, selection)
        except RefusedError as error:
            refused.append(error)
            continue
        key = (home, name)
        scored.append(Scored(home, result, tuple(lines), tuple(entries[key]), tuple(sources[key])))
    if not scored:
        raise refused[0] if refused else RefusedError("There is nothing to score.")
    return scored


def _home(
    observed: ObservedRun, path: Path, repository: Repository, suites: dict[str, StoredSuite]
) -> str:
    """The suite that an entry belongs to: that of its case, of its folder, or the first."""
    case = repository.cases.get(observed.case_id)
    if case is not None and case.suite in suites:
        return case.suite
    if path.parent.name in suites:
        return path.parent.name
    if not suites:
        raise RefusedError("There is no suite to score on.", hint="write cases/<suite>/suite.yaml")
    return sorted(suites)[0]
