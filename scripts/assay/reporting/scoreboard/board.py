"""What the scoreboard shows, computed from results once, before anything is printed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from assay.files.canonical import digest
from assay.models.compiled import EffectiveTruth
from assay.models.result import CaseResult, Result
from assay.reporting.scoreboard.columns import Column, RowKey, columns_of
from assay.reporting.scoreboard.not_scored import NotScored, excluded_of, not_scored
from assay.reporting.scoreboard.publication import Publication, overall, publications
from assay.reporting.scoreboard.readiness import Readiness, readiness
from assay.statistics.power import LEVEL

SHORT = 8
"""Characters of a hash that are printed."""


@dataclass(frozen=True)
class BoardInput:
    """Everything that a scoreboard is made of."""

    today: str
    """The day that everything was judged at."""
    engine: str
    """Version of the engine."""
    results: Sequence[Result]
    """Results of any runs on any suites."""
    policies: Mapping[str, str] = field(default_factory=dict)
    """Policy family to version in force; those of the results where empty."""
    suites: Sequence[str] = ()
    """The order of the suites; by name where empty."""
    truths: Sequence[EffectiveTruth] = ()
    """The record that counts of every case: for coverage."""
    floors: Mapping[str, Decimal] = field(default_factory=dict)
    """Suite to the coverage under which the gate refuses."""
    case_results: Mapping[str, Sequence[CaseResult]] = field(default_factory=dict)
    """Suite to the lines of its runs: for a case worth looking at."""
    titles: Mapping[str, str] = field(default_factory=dict)
    """Code to title: for exclusions that have no shorter name."""
    published: Sequence[Result] = ()
    """What was published, of these runs and others."""
    notes: Sequence[str] = ()
    """Further sentences, such as that agreement was not measured."""
    withheld: frozenset[str] = frozenset()
    """Cases that are counted and never named: the holdout."""
    alpha: Decimal = LEVEL
    """Level of the tests that the smallest visible gap is one of."""
    report: str = ""
    """Path of the HTML report, where one was written."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """Run to what names it in a command, where that is not its name: a file; empty where
    nothing does."""


@dataclass(frozen=True)
class Board:
    """What is shown."""

    source: BoardInput
    """What it was made of."""
    policies: Mapping[str, str]
    """Policy family to version in force."""
    truth: Mapping[str, str]
    """Column label to truth hash."""
    columns: tuple[Column, ...]
    """Suites, each under one context."""
    rows: tuple[RowKey, ...]
    """Runs, the best first."""
    excluded: tuple[NotScored, ...]
    """Cases without valid truth, by reason."""
    cases: int
    """All cases of the suites shown, scored or not."""
    ready: tuple[Readiness, ...]
    """Coverage of each suite."""
    result: str
    """Name of the whole board: the id of its one result, or a digest of all ids."""
    look_at: tuple[str, str] | None
    """A case and a run that are worth looking at: the first failure of the best run with one,
    else the first case without a verdict."""
    publications: Mapping[str, Publication]
    """Id of each result to how it stands to what was published."""

    @property
    def published(self) -> bool | None:
        """Whether every result is as it was published; none where nothing was published."""
        return overall(self.publications)

    @property
    def truth_short(self) -> str:
        """The truth hash of the one suite, or a digest over suites and their hashes."""
        hashes = list(self.truth.values())
        return (hashes[0] if len(hashes) == 1 else digest(dict(self.truth)))[:SHORT]


def board(source: BoardInput) -> Board:
    """The scoreboard of some results. Their order does not matter."""
    columns = columns_of(source.results, source.suites, source.alpha)
    rows = _rows(columns)
    excluded = excluded_of(columns)
    scorable: dict[str, int] = {}
    for column in columns:
        scorable[column.suite] = max(scorable.get(column.suite, 0), column.cases)
    policies = source.policies or {
        family: version for column in columns for family, version in column.context.policies.items()
    }
    return Board(
        source=source,
        policies=dict(sorted(policies.items())),
        truth={column.label: column.context.truth for column in columns},
        columns=tuple(columns),
        rows=tuple(rows),
        excluded=tuple(not_scored(columns, source.titles, source.withheld)),
        cases=sum(scorable.values()) + sum(map(len, excluded.values())),
        ready=tuple(readiness(source.truths, source.floors, source.suites)),
        result=board_id(result.id for result in source.results),
        look_at=_look_at(source, rows),
        publications=publications(source.results, source.published),
    )


def _rows(columns: Sequence[Column]) -> list[RowKey]:
    """Rows by their rate in the first column that has one, the highest first, then by name."""

    def order(row: RowKey) -> tuple[object, ...]:
        rates = []
        for column in columns:
            result = column.results.get(row)
            rate = result.overall.pass_rate if result else None
            rates.append(
                (1.0 if rate is None else -rate, bool(result and result.overall.incomplete))
            )
        return (row[1], rates, row)

    return sorted({row for column in columns for row in column.results}, key=order)


def board_id(ids: Iterable[str]) -> str:
    """Name of a board: the id of its one result, or a digest of all ids; empty without any."""
    names = sorted(ids)
    if len(names) == 1:
        return names[0]
    return digest(names)[:SHORT] if names else ""


def _look_at(source: BoardInput, rows: Sequence[RowKey]) -> tuple[str, str] | None:
    suites = [suite for suite in source.suites if suite in source.case_results]
    suites += sorted(set(source.case_results) - set(suites))
    named = [run for run, _, _ in rows if source.sources.get(run, run)]
    for outcomes in (("failed",), ("not_evaluated", "error")):
        for run in named:
            for suite in suites:
                found = [
                    (not line.gates, line.case_id)
                    for line in source.case_results[suite]
                    if line.run == run
                    and line.outcome in outcomes
                    and line.case_id not in source.withheld
                ]
                if found:
                    return min(found)[1], run
    return None
