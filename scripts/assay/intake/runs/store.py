"""Import files of runs into a folder: ``<out>/<suite>/<run>.jsonl``, by case and trial."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from assay.errors import InputError, RefusedError, UsageError
from assay.files.yamls import read_yaml
from assay.intake.codes import finding, finding_of
from assay.intake.ids import derived, file_name, is_safe
from assay.intake.node import shorten
from assay.intake.opening.stream import Watch
from assay.intake.outcome import Outcome, write_lines
from assay.intake.replaced import Replaced
from assay.intake.runs.case_ids import KnownCases, known_cases
from assay.intake.runs.cleaning import clean_run
from assay.intake.runs.given import Given, given_files
from assay.intake.runs.leaks import Leaks
from assay.intake.runs.read import RunOptions, read_file
from assay.intake.runs.registry import NoFormatError, format_named
from assay.intake.runs.spool import Spool
from assay.intake.runs.trials import Trials
from assay.intake.source import PLACES
from assay.intake.sparing import spared_of
from assay.models.case import Suite
from assay.models.run import ObservedRun
from assay.redaction import NOTHING, Found, Redaction, Spared

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
    keep_addresses: bool = False
    """Keep e-mail addresses; secrets are replaced all the same."""


def import_runs(
    paths: Sequence[Path],
    target: RunTarget,
    options: RunOptions,
    format: str | None = None,
    watch: Callable[[int | None], Watch] | None = None,
) -> Outcome:
    """Read files of runs and write them as canonical lines, one file for every run.

    Files share a run only where `options` names it; then runs of one case are its trials. Memory
    is bounded by what one record takes, and some hundred bytes a run: the lines wait on disk.

    Args:
        paths: files, and folders of them.
        target: where the runs go.
        options: what the caller knows.
        format: the format of all files; found out for each of them where absent.
        watch: given the bytes of all files, where they say so, gives what is told of those read.

    Raises:
        InputError: the suite of cases is wrong, or the folder cannot be written; what is wrong
            with a file of runs is a finding.
        UsageError: suite, run or format is no such name.
        RefusedError: another command is writing.
    """
    _check(target, options)
    if format is not None:
        format_named(format)
    given = given_files(paths, target.out)
    outcome = Outcome(findings=[finding_of(error, "IRU001") for error in given.errors])
    outcome.drop("file in a folder with another suffix", given.others)
    outcome.drop("file that was given twice", given.doubled)
    known = _known(target)
    with Spool(target.out.absolute()) as spool:
        importing = _Importing(
            options, format, known, outcome, spool, watch(given.size) if watch else None
        )
        spared = spared_of(target.cases, target.suite, keep_addresses=target.keep_addresses)
        importing.spared, importing.ids = spared, Redaction(spared)
        for file in given.files:
            importing.file(file)
        importing.report_left_out()
        leaks = importing.leaks
        leaks.spared = spared
        blocks = {
            target.out / target.suite / f"{name}.jsonl": partial(leaks.cleaned, name, spool.lines)
            for name in spool.names
        }
        write_lines(target.out, blocks, outcome, replace=target.replace, code="IRU012")
        for path in [path for path in blocks if path.as_posix() in set(outcome.written)]:
            outcome.replace(leaks.replaced(path.stem), path.as_posix(), "IRU031", "IRU033")
    return outcome


@dataclass
class _Importing:
    """One import under way."""

    options: RunOptions
    format: str | None
    known: KnownCases
    outcome: Outcome
    spool: Spool
    watch: Watch | None
    trials: dict[str, Trials] = field(default_factory=dict)
    left_out: list[InputError] = field(default_factory=list)
    strange: dict[str, None] = field(default_factory=dict)
    spared: Spared = NOTHING
    ids: Redaction = field(default_factory=Redaction)
    leaks: Leaks = field(default_factory=Leaks)
    replaced: Replaced = field(default_factory=Replaced)

    def file(self, given: Given) -> None:
        """Read one file."""
        self.strange, self.replaced = {}, Replaced()
        name = self.options.run or self._run_name(given.path)
        try:
            told = read_file(
                given.path,
                replace(self.options, run=self.options.run or name),
                self._keep,
                trials=lambda run: self.trials.setdefault(run, Trials()),
                resolve=self._resolve,
                format=self.format,
                lenient=True,
                watch=self.watch,
            )
        except NoFormatError as error:
            if given.found:
                self.left_out.append(error)
            else:
                self.outcome.findings.append(finding_of(error, "IRU001"))
            return
        except (InputError, RefusedError) as error:
            # Of many files, one that cannot be read here costs itself and no other.
            if isinstance(error, RefusedError) and not given.found:
                raise
            self.outcome.findings.append(finding_of(error, "IRU001"))
            return
        self.outcome.add(
            given.path.as_posix(), told.read, told.dropped, told.unknown, told.findings
        )
        self.outcome.replace(self.replaced, given.path.as_posix(), "IRU031", "IRU033")
        self._report_strange(given.path)

    def _keep(self, run: ObservedRun) -> None:
        """Nothing is written that was not cleaned."""
        cleaned = clean_run(run, self.spared)
        self.replaced.add(run.case_id, cleaned.found)
        self.leaks.add(cleaned.given_away)
        self.spool.add(cleaned.run, cleaned.line)

    def _run_name(self, path: Path) -> str:
        name = file_name(path.name)
        for salt in (path.parent.name, path.as_posix()):
            if name not in self.spool:
                break
            name = derived(file_name(path.name), salt)
        return name

    def _resolve(self, case_id: str) -> str:
        found = self.known.resolve(case_id)
        if found not in self.known.ids:
            # The case was imported under an id without an address, as the run is.
            named, kinds = self.ids.of_id(found)
            self.replaced.add(named, (Found(kind, "/case_id") for kind in kinds))
            found = self.known.resolve(named)
        if self.known.ids and found not in self.known.ids:
            self.strange[found] = None
        return found

    def _report_strange(self, path: Path) -> None:
        """Ids that nobody knows: the first ones with the nearest, and how many more there are."""
        ids = sorted(self.strange)
        for case_id in ids[:PLACES]:
            near = self.known.nearest(case_id)
            self._note(
                f"The suite has no case `{shorten(case_id)}`; its runs are kept under this id.",
                path,
                f"did you mean {', '.join(near)}?" if near else "assay cases import FILE",
                case_id,
            )
        more = ids[PLACES:]
        if more:
            shown = ", ".join(f"`{shorten(case_id)}`" for case_id in more[:3])
            self._note(
                f"{len(more):,} more case ids are not known to the suite: {shown}"
                f"{' …' if len(more) > 3 else ''}.",
                path,
                "name the field that holds our ids, or a mapping, with --case-id-from",
                count=len(more),
            )

    def _note(
        self, message: str, path: Path, hint: str, case_id: str | None = None, count: int = 1
    ) -> None:
        self.outcome.findings.append(
            finding(
                "IRU010", message, path=path.as_posix(), case_id=case_id, hint=hint, count=count
            )
        )

    def report_left_out(self) -> None:
        """Files of a folder that hold no runs."""
        self.outcome.drop("file in a folder that holds no runs", len(self.left_out))
        for error in self.left_out[:PLACES]:
            self.outcome.findings.append(finding_of(error, "IRU017"))
        more = self.left_out[PLACES:]
        if more:
            self.outcome.findings.append(
                finding(
                    "IRU017",
                    f"{len(more):,} more files of the folder hold no runs and were left out.",
                    path=more[0].path,
                    hint="assay runs import FILE says why, file by file",
                    count=len(more),
                )
            )


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


def _known(target: RunTarget) -> KnownCases:
    if target.cases is None:
        return KnownCases()
    path = target.cases / target.suite / "suite.yaml"
    return known_cases([read_yaml(path).require(Suite)]) if path.exists() else KnownCases()
