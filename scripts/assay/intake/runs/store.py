"""Import files of runs into a folder: ``<out>/<suite>/<run>.jsonl``, by case and trial."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from assay.errors import InputError, UsageError
from assay.files.yamls import read_yaml
from assay.intake.codes import finding, finding_of
from assay.intake.ids import derived, file_name, is_safe
from assay.intake.outcome import Outcome, write_files
from assay.intake.runs.case_ids import KnownCases, known_cases, resolve_cases
from assay.intake.runs.formats.records.native import run_line
from assay.intake.runs.imported import RunImport
from assay.intake.runs.read import RunOptions, Trials, read_runs
from assay.models.case import Suite
from assay.models.run import ObservedRun

_SUITE = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


@dataclass(frozen=True)
class RunTarget:
    """Where imported runs go, and the cases that they may belong to."""

    out: Path
    """Folder of suites of runs."""
    suite: str = "imported"
    """Name of the suite."""
    cases: Path | None = None
    """Folder of suites of cases; foreign case ids are looked up there."""
    replace: bool = False
    """Write over files with other content."""


def import_runs(
    paths: Sequence[Path], target: RunTarget, options: RunOptions, format: str | None = None
) -> Outcome:
    """Read files of runs and write them as canonical lines, one file for every run.

    Files share a run only where `options` names it; then runs of one case are its trials.

    Raises:
        InputError: the suite of cases is wrong, or the folder cannot be written; what is wrong
            with a file of runs is a finding.
        UsageError: suite, run or format is no such name.
        RefusedError: another command is writing.
    """
    _check(target, options)
    outcome = Outcome()
    known = _known(target)
    lines: dict[str, list[ObservedRun]] = {}
    shared = Trials()
    for path in paths:
        name = options.run or _run_name(path, lines)
        try:
            imported = read_runs(
                path,
                format,
                options=replace(options, run=options.run or name),
                trials=shared if options.run else Trials(),
            )
        except InputError as error:
            outcome.findings.append(finding_of(error, "IRU001"))
            continue
        outcome.add(
            path.as_posix(),
            imported.read,
            imported.dropped,
            imported.unknown,
            imported.findings,
        )
        for run in _resolved(imported, known, path, outcome):
            lines.setdefault(run.run, []).append(run)
    texts = {
        target.out / target.suite / f"{name}.jsonl": "".join(
            f"{run_line(run)}\n" for run in resolve_cases(runs, KnownCases())
        )
        for name, runs in sorted(lines.items())
    }
    write_files(target.out, texts, outcome, replace=target.replace, code="IRU012")
    return outcome


def _check(target: RunTarget, options: RunOptions) -> None:
    if not _SUITE.fullmatch(target.suite):
        raise UsageError(
            f"`{target.suite}` cannot name a suite.", hint="small letters, digits, '_' and '-'"
        )
    if options.run is not None and not is_safe(options.run):
        raise UsageError(
            f"`{options.run}` cannot name a run.",
            hint="small letters, digits, '.', '_' and '-'; begin with a letter or digit",
        )


def _run_name(path: Path, used: dict[str, list[ObservedRun]]) -> str:
    name = file_name(path.name)
    return derived(name, path.parent.name) if name in used else name


def _known(target: RunTarget) -> KnownCases:
    if target.cases is None:
        return KnownCases()
    path = target.cases / target.suite / "suite.yaml"
    return known_cases([read_yaml(path).require(Suite)]) if path.exists() else KnownCases()


def _resolved(
    imported: RunImport, known: KnownCases, path: Path, outcome: Outcome
) -> tuple[ObservedRun, ...]:
    """The runs under our case ids; unknown ones are reported with the nearest and kept."""
    runs = resolve_cases(imported.runs, known)
    if not known.ids:
        return runs
    for case_id in sorted({run.case_id for run in runs} - known.ids):
        near = known.nearest(case_id)
        outcome.findings.append(
            finding(
                "IRU010",
                f"The suite has no case `{case_id}`; its runs are kept under this id.",
                path=path.as_posix(),
                case_id=case_id,
                hint=f"did you mean {', '.join(near)}?" if near else "assay cases import FILE",
            )
        )
    return runs
