"""A benchmark, loaded, checked and compiled once: what cases are made from and judged by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from assay.errors import AssayError, UsageError
from assay.files.reading import read_text
from assay.intake.runs.case_ids import KnownCases, known_cases
from assay.intake.runs.load import load_runs
from assay.ledger.layout import RUNS, TRUTH, find_root
from assay.ledger.repository import Repository
from assay.ledger.splitting import split
from assay.models.compiled import EffectiveTruth
from assay.models.result import CaseResult, ExcludedCase, Result
from assay.models.run import ObservedRun
from assay.models.truth import Status
from assay.pipeline.direct import Judged, from_repository, judge
from assay.pipeline.explaining import why_input
from assay.reporting import why
from assay.scoring.run import NONE, SuiteTruth, score_run
from assay.scoring.selection import Selection, choose
from assay.testing.filters import Filter, Row
from assay.testing.task import Task, ToolSchema
from assay.testing.tasks import task_of, tools_of


@dataclass(frozen=True)
class Bench:
    """A benchmark repository on a day. Safe to share between tests; nothing in it changes."""

    judged: Judged
    """The repository, checked and compiled."""
    shown: str
    """Its folder as the caller wrote it, for commands."""
    _truths: dict[str, SuiteTruth] = field(default_factory=dict, repr=False)

    @classmethod
    def load(cls, path: Path | str, today: str | None = None) -> Bench:
        """Load a benchmark.

        Args:
            path: its folder, or one inside it.
            today: the day to judge at; that of ``params.yaml`` where absent.

        Raises:
            UsageError: there is no benchmark.
            InputError: an error in what every case depends on.
        """
        given = Path(path)
        root = find_root(given.resolve())
        if root is None:
            raise UsageError(
                "This is no benchmark repository: there is no truth/ with a params.yaml beside it"
                " here or above.",
                path=given.as_posix(),
                hint="--assay-bench=PATH names the folder of a benchmark",
            )
        return cls(judge(Repository.load(root), today=today), given.as_posix())

    @property
    def repository(self) -> Repository:
        """What lies in it."""
        return self.judged.world.repository

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """Every case, and every record without one, by suite and id."""
        return tuple(
            self._row(suite, entry)
            for suite, entries in sorted(self.judged.compiled.suites.items())
            for entry in entries
        )

    def _row(self, name: str, entry: EffectiveTruth) -> Row:
        suite = self.repository.suites.get(name)
        attributes = suite.attributes(entry.case_id) if suite else None
        return Row(
            suite=name,
            case_id=entry.case_id,
            slice=attributes.slice if attributes else NONE,
            category=(attributes.category if attributes else None) or NONE,
            status=entry.record.status if entry.record else "none",
            gates=entry.gates,
            not_gating=entry.not_gating,
            held_out=entry.case_id in self._held_out.get(name, frozenset()),
        )

    @cached_property
    def _held_out(self) -> dict[str, frozenset[str]]:
        params = self.repository.params.model.split
        if not params.holdout_groups:
            return {}
        found: dict[str, frozenset[str]] = {}
        for name, suite in self.repository.suites.items():
            cases = {
                case_id: (stored.case, attributes)
                for case_id, stored in suite.cases.items()
                if (attributes := suite.attributes(case_id)) is not None
            }
            placed = split(cases, params)
            found[name] = frozenset(
                key for key, place in placed.items() if place.split == "holdout"
            )
        return found

    def chosen(self, filters: Sequence[Filter]) -> list[Row]:
        """The cases that fit every filter, by suite and id."""
        return [row for row in self.rows if all(item.fits(row) for item in filters)]

    def excluded(self, row: Row, statuses: tuple[Status, ...]) -> ExcludedCase | None:
        """Why a case cannot be scored today; none where it can."""
        entry = self._entries[row.case_id]
        found = choose([entry], Selection(statuses, allow_empty=True)).excluded
        return found[0] if found else None

    @cached_property
    def _entries(self) -> dict[str, EffectiveTruth]:
        suites = self.judged.compiled.suites.values()
        return {entry.case_id: entry for entries in suites for entry in entries}

    def against(self, suite: str) -> SuiteTruth:
        """What runs of a suite are scored against."""
        if suite not in self._truths:
            made = from_repository(self.repository, self.judged.compiled, suite)
            self._truths[suite] = made
        return self._truths[suite]

    @cached_property
    def known(self) -> KnownCases:
        """All cases, under our ids and under those that they came with."""
        return known_cases([stored.suite for stored in self.repository.suites.values()])

    @cached_property
    def _policies(self) -> Mapping[str, str]:
        model, in_force = self.repository.policies.model, self.judged.world.in_force
        texts: dict[str, str] = {}
        for family, version in sorted(in_force.items()):
            for entry in model.families[family].versions:
                if entry.version == version and entry.file:
                    path = f"{TRUTH}/{entry.file}"
                    texts[version] = read_text(self.repository.root / path, name=path)
        return texts

    @cached_property
    def _tools(self) -> tuple[ToolSchema, ...]:
        return tools_of(self.repository.names)

    def task(self, row: Row) -> Task:
        """What an agent may know of a case."""
        suite = self.repository.suites[row.suite]
        return task_of(
            suite.cases[row.case_id].case,
            self._tools,
            self._policies,
            today=self.judged.world.today,
            reference_date=suite.reference_date(row.case_id),
            language=suite.suite.language,
        )

    # -- judging ----------------------------------------------------------------------------

    def score(self, row: Row, observed: ObservedRun) -> CaseResult:
        """The verdict on one trial of a case."""
        against, name = self.against(row.suite), row.case_id
        return against.scorer.score(
            self._entries[name],
            against.cases.get(name),
            against.attributes(name),
            against.reference_date(name),
            observed,
            against.verdicts.of_run(name, observed.run, observed.trial),
        )

    def result(
        self,
        suite: str,
        run: str,
        case_ids: frozenset[str],
        observed: Sequence[ObservedRun],
        statuses: tuple[Status, ...],
    ) -> Result:
        """What a run came to on the cases that were asked for: as ``assay score`` says."""
        against = self.against(suite)
        mine = [truth for truth in against.truths if truth.case_id in case_ids]
        selection = Selection(statuses, allow_empty=True)
        return score_run(run, observed, replace(against, truths=mine), selection)[1]

    def explain(self, row: Row, result: CaseResult, observed: ObservedRun) -> str:
        """Why a trial came to its verdict: the text of ``assay why``."""
        alone = self.result(
            row.suite,
            observed.run,
            frozenset({row.case_id}),
            [observed],
            (result.status,),
        )
        return why.text(
            why_input(
                self.judged,
                row.case_id,
                observed.run,
                result,
                observed,
                # An older recording of the same run is no other agent.
                peers=[
                    self.score(row, entry)
                    for entry in self._stored(row)
                    if entry.run != observed.run
                ],
                result_id=alone.id,
                benchmark=self.shown,
            )
        )

    def _stored(self, row: Row) -> Sequence[ObservedRun]:
        """What the runs that lie in the benchmark did on a case."""
        return self._stored_runs.get((row.suite, row.case_id), ())

    @cached_property
    def _stored_runs(self) -> dict[tuple[str, str], list[ObservedRun]]:
        found: dict[tuple[str, str], list[ObservedRun]] = {}
        root = self.repository.root
        for suite in self.repository.suites:
            for path in sorted((root / RUNS / suite).glob("*.jsonl")):
                try:
                    entries = load_runs(path)
                except AssayError:
                    continue  # Other runs only stand beside a verdict; the check reports them.
                for entry in entries:
                    found.setdefault((suite, self.known.resolve(entry.case_id)), []).append(entry)
        return found
