"""What one suite's part of the index page shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.models.result import OUTCOMES, CaseResult, Result, Tally
from assay.reporting.html.bars import divided, rate_bar
from assay.reporting.html.inputs import ReportInput, SuiteInput
from assay.reporting.html.links import case_page
from assay.reporting.judging import SIGNS, Standing, counted, standings
from assay.reporting.numbers import percent
from assay.reporting.scoreboard.board import Board
from assay.reporting.scoreboard.columns import Column, RowKey
from assay.reporting.scoreboard.remarks import row_name, without_verdict
from assay.reporting.words import count, shortened

PARTS = ("passed", "failed", "not_evaluated", "errored", "excluded", "unmatched")
"""What can become of a case and trial that was expected."""

MOST_ROWS = 400
"""Rows of the table of cases; a suite with more shows those on which runs differ or fail."""

MOST_FILTERS = 8
"""Runs that the table of cases can be narrowed to; the style sheet knows as many."""


@dataclass(frozen=True)
class Cell:
    """What one run came to on one case."""

    sign: str
    """The sign of the verdict, or how many trials passed."""
    outcome: str
    """The verdict; ``mixed`` where trials differ, ``absent`` where the run has no entry."""
    words: str
    """The same for a screen reader."""
    anchor: str
    """The run's place on the case's page."""


@dataclass(frozen=True)
class CaseRow:
    """One case in the table of cases."""

    case_id: str
    """The case."""
    page: str | None
    """Path of its page."""
    question: str
    """How the question begins."""
    slice: str
    """Its slice."""
    status: str
    """Status of its record."""
    gates: bool
    """Whether it may block a merge."""
    cells: tuple[Cell, ...]
    """One for each run."""
    kinds: str
    """``split`` where runs differ, ``failing`` where all fail, ``open`` where a verdict lacks,
    ``r1`` where the first run fails, and so on."""


def columns_of_suite(board: Board, suite: str) -> list[Column]:
    """The columns of a suite: one, or one for each context it was scored under."""
    return [column for column in board.columns if column.suite == suite]


def scoreboard_rows(board: Board, column: Column) -> list[dict[str, Any]]:
    """One row for each run: numbers, drawing, and what is missing."""
    rows = []
    for key in board.rows:
        result = column.results.get(key)
        if result is None:
            continue
        tally = result.overall
        rows.append(
            {
                "name": row_name(key),
                "who": " · ".join(filter(None, (result.subject.agent, result.subject.model))),
                "bar": rate_bar(tally),
                "tally": tally,
                "incomplete": tally.incomplete,
                "missing": ", ".join(without_verdict(tally)),
                "bounds": None
                if tally.worst is None or tally.best is None
                else f"{percent(tally.worst)} and {percent(tally.best)}",
                "spread": _spread(tally),
                "exploratory": result.exploratory,
                "trials": _trials(result),
                "id": result.id,
            }
        )
    return rows


def _spread(tally: Tally) -> str:
    """The clustered standard error, where cases stand together."""
    if not tally.standard_error or tally.clusters >= tally.cases:
        return ""
    return (
        f"standard error {percent(tally.standard_error)} points, over"
        f" {count(tally.clusters, 'cluster')} of {count(tally.cases, 'case')}"
    )


def identities(column: Column, keys: Sequence[RowKey]) -> list[dict[str, Any]]:
    """What became of everything that was expected of each run; the parts add up."""
    return [
        {
            "name": row_name(key),
            "expected": column.results[key].overall.expected,
            "parts": [getattr(column.results[key].overall, part) for part in PARTS],
        }
        for key in keys
        if key in column.results
    ]


def _trials(result: Result) -> str:
    if not result.trials:
        return ""
    last = max(result.trials, key=lambda rate: rate.k)
    return (
        f"{last.k} trials, counts are of trials; all pass {percent(last.pass_hat_k)},"
        f" at least one {percent(last.pass_at_k)}"
    )


def run_names(board: Board, suite: SuiteInput) -> list[str]:
    """Runs of a suite in the order of the scoreboard; the anchors of case pages follow it."""
    order = {key[0]: position for position, key in reversed(list(enumerate(board.rows)))}
    runs = {line.run for line in suite.case_results}
    return sorted(runs, key=lambda run: (order.get(run, len(order)), run))


def anchor(runs: Sequence[str], run: str) -> str:
    """The place of a run on a case's page; run names may hold anything, so it is a number."""
    return f"run-{runs.index(run) + 1}"


def case_rows(report: ReportInput, suite: SuiteInput, runs: Sequence[str]) -> list[CaseRow]:
    """All scored cases of a suite that may be shown, by id; cells in the order of `runs`."""
    questions = {case.eval_id: case.user_text for case in suite.cases}
    lines: dict[str, list[CaseResult]] = {}
    for line in suite.case_results:
        if line.case_id not in report.withheld:
            lines.setdefault(line.case_id, []).append(line)
    rows = []
    for case_id in sorted(lines):
        by_run = {standing.run: standing for standing in standings(lines[case_id])}
        first = lines[case_id][0]
        rows.append(
            CaseRow(
                case_id=case_id,
                page=case_page(suite.suite, case_id) if case_id in questions else None,
                question=shortened(" ".join(questions.get(case_id, "").split()), 110),
                slice=first.slice,
                status=first.status,
                gates=first.gates,
                cells=tuple(_cell(by_run.get(run), anchor(runs, run), run) for run in runs),
                kinds=_kinds(by_run, runs),
            )
        )
    return rows


def _cell(standing: Standing | None, place: str, run: str) -> Cell:
    if standing is None:
        return Cell("·", "absent", f"{run}: no entry", place)
    trials = len(standing.trials)
    sign = SIGNS[standing.outcome] if trials == 1 else f"{standing.passed}/{trials}"
    return Cell(sign, standing.kind, f"{run}: {standing.words}", place)


def _kinds(by_run: Mapping[str, Standing], runs: Sequence[str]) -> str:
    outcomes = {standing.outcome for standing in by_run.values()}
    kinds = []
    if len(outcomes) > 1:
        kinds.append("split")
    if outcomes == {"failed"}:
        kinds.append("failing")
    if outcomes & {"not_evaluated", "error"}:
        kinds.append("open")
    for number, run in enumerate(runs, start=1):
        if run in by_run and by_run[run].outcome == "failed":
            kinds.append(f"r{number}")
    return " ".join(kinds)


def filters(rows: Sequence[CaseRow], runs: Sequence[str]) -> list[tuple[str, str, int]]:
    """What the table of cases can be narrowed to: class, words, number of cases.

    A choice that would show nothing or everything is left out.
    """
    choices = [("split", "runs differ"), ("failing", "all fail"), ("open", "a verdict is missing")]
    choices += [(f"r{n}", f"{run} fails") for n, run in enumerate(runs[:MOST_FILTERS], start=1)]
    counted_choices = [
        (kind, words, sum(kind in row.kinds.split() for row in rows)) for kind, words in choices
    ]
    return [choice for choice in counted_choices if 0 < choice[2] < len(rows)]


def limited(rows: Sequence[CaseRow]) -> tuple[list[CaseRow], int]:
    """The rows that are shown, and how many are left out for want of space."""
    if len(rows) <= MOST_ROWS:
        return list(rows), 0
    telling = [row for row in rows if {"split", "failing", "open"} & set(row.kinds.split())]
    telling = telling[:MOST_ROWS]
    return telling, len(rows) - len(telling)


def slices(column: Column, keys: Sequence[RowKey]) -> dict[str, Any]:
    """Pass rates by slice and run."""
    return _by(column, keys, lambda result: result.by_slice)


def _by(column: Column, keys: Sequence[RowKey], part: Any) -> dict[str, Any]:
    shown = [key for key in keys if key in column.results]
    names = sorted({name for key in shown for name in part(column.results[key])})
    return {
        "runs": [row_name(key) for key in shown],
        "rows": [
            {
                "name": name,
                "cases": max(
                    part(column.results[key])[name].cases
                    for key in shown
                    if name in part(column.results[key])
                ),
                "cells": [_rate(part(column.results[key]).get(name)) for key in shown],
            }
            for name in names
        ],
    }


def _rate(tally: Any) -> dict[str, Any] | None:
    if tally is None:
        return None
    return {"bar": rate_bar(tally), "evaluated": tally.evaluated, "incomplete": tally.incomplete}


def components(column: Column, keys: Sequence[RowKey]) -> dict[str, Any]:
    """Verdicts by component and run."""
    shown = [key for key in keys if key in column.results]
    names = sorted({name for key in shown for name in column.results[key].components})
    rows = []
    for key in shown:
        cells = []
        for name in names:
            counts = column.results[key].components.get(name, {})
            words = ", ".join(
                counted(outcome, counts[outcome]) for outcome in OUTCOMES if counts.get(outcome)
            )
            cells.append({"parts": divided(counts, OUTCOMES), "words": words})
        rows.append({"name": row_name(key), "cells": cells})
    return {"names": names, "rows": rows}


def tags(column: Column, keys: Sequence[RowKey]) -> dict[str, Any]:
    """Failure tags by run, the most frequent first."""
    shown = [key for key in keys if key in column.results]
    totals: dict[str, int] = {}
    for key in shown:
        for tag, number in column.results[key].tags.items():
            totals[tag] = totals.get(tag, 0) + number
    return {
        "runs": [row_name(key) for key in shown],
        "rows": [
            {
                "name": tag.replace("_", " "),
                "cells": [column.results[key].tags.get(tag, 0) for key in shown],
            }
            for tag in sorted(totals, key=lambda tag: (-totals[tag], tag))
        ],
    }
