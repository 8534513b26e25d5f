"""All pages of a report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.models.result import CaseResult
from assay.reporting.html import index_view
from assay.reporting.html.alike_view import may_be_compared
from assay.reporting.html.case_view import Observed, case_view
from assay.reporting.html.environment import fill
from assay.reporting.html.health import HORIZON, health
from assay.reporting.html.inputs import ReportInput, SuiteInput
from assay.reporting.html.links import case_page, suite_page
from assay.reporting.html.pairs_view import pairwise
from assay.reporting.scoreboard import remarks
from assay.reporting.scoreboard.board import Board, board

MOST_EXPIRING = 12
"""Labels that are listed as expiring soon; the rest is counted."""


def render(report: ReportInput) -> dict[str, str]:
    """The pages: path below the report's folder to text, in sorted order.

    ``index.html`` stands for itself; each case has a page ``cases/<suite>/<case>.html`` that the
    index links to. No page asks the network for anything, and every page works without scripts.
    """
    shown = board(report.board_input())
    pages = {"index.html": _index(report, shown)}
    for suite in report.suites:
        pages.update(_cases(report, shown, suite))
        pages.update(_all_cases(report, shown, suite))
    return dict(sorted(pages.items()))


def _index(report: ReportInput, shown: Board) -> str:
    pages = _pages(report)
    return fill(
        "index.html",
        root="",
        report=report,
        board=shown,
        suites=[_suite(report, shown, suite) for suite in report.suites],
        comparing=may_be_compared(report, shown),
        horizon=HORIZON,
        warnings=remarks.warnings(shown),
        safety=remarks.SAFETY,
        most=MOST_EXPIRING,
        excluded=[
            {
                "row": row,
                "cases": [{"case": case, "page": pages.get(case.case_id)} for case in row.cases],
            }
            for row in shown.excluded
        ],
        excluded_cases=sum(row.number for row in shown.excluded),
        withheld=len(report.withheld),
        ready={item.suite: item for item in shown.ready},
    )


def _pages(report: ReportInput) -> dict[str, str | None]:
    return {
        case.eval_id: case_page(suite.suite, case.eval_id)
        for suite in report.suites
        for case in suite.cases
    }


def _suite(report: ReportInput, shown: Board, suite: SuiteInput) -> dict[str, Any]:
    runs = index_view.run_names(shown, suite)
    rows = index_view.case_rows(report, suite, runs)
    listed, left_out = index_view.limited(rows)
    return {
        "input": suite,
        "columns": [
            {
                "column": column,
                "rows": index_view.scoreboard_rows(shown, column),
                "identities": index_view.identities(column, shown.rows),
                "slices": index_view.slices(column, shown.rows),
                "components": index_view.components(column, shown.rows),
                "tags": index_view.tags(column, shown.rows),
            }
            for column in index_view.columns_of_suite(shown, suite.suite)
        ],
        "runs": runs,
        "cases": listed,
        "left_out": left_out,
        "page": suite_page(suite.suite),
        "filters": index_view.filters(listed, runs),
        "pairs": pairwise(shown, suite, report.alpha),
        "health": health(report, suite),
    }


def _all_cases(report: ReportInput, shown: Board, suite: SuiteInput) -> dict[str, str]:
    """The page of all cases, for a suite that is too long for the index."""
    path = suite_page(suite.suite)
    runs = index_view.run_names(shown, suite)
    rows = index_view.case_rows(report, suite, runs)
    if path is None or not index_view.limited(rows)[1]:
        return {}
    matrix = {"nr": 1, "rows": rows, "filters": index_view.filters(rows, runs), "runs": runs}
    values = {"report": report, "suite": suite.suite, "matrix": matrix, "safety": remarks.SAFETY}
    return {path: fill("suite.html", root="../", **values)}


def _cases(report: ReportInput, shown: Board, suite: SuiteInput) -> dict[str, str]:
    lines: dict[str, list[CaseResult]] = {}
    for line in suite.case_results:
        lines.setdefault(line.case_id, []).append(line)
    truths = {truth.case_id: truth for truth in suite.truths}
    observed: dict[str, Observed] = {}
    for run in suite.observed:
        observed.setdefault(run.case_id, {})[run.run, run.trial] = run
    runs = index_view.run_names(shown, suite)
    cases = sorted(
        (case for case in suite.cases if case.eval_id not in report.withheld),
        key=lambda case: case.eval_id,
    )
    pages = {}
    for position, case in enumerate(cases):
        path = case_page(suite.suite, case.eval_id)
        if path is None:
            continue
        view = case_view(
            report,
            suite,
            case,
            truths.get(case.eval_id),
            lines.get(case.eval_id, []),
            observed.get(case.eval_id, {}),
            runs,
        )
        pages[path] = fill(
            "case.html",
            root="../../",
            report=report,
            case=view,
            safety=remarks.SAFETY,
            before=_neighbour(suite, cases, position - 1),
            after=_neighbour(suite, cases, position + 1),
        )
    return pages


def _neighbour(suite: SuiteInput, cases: Sequence[Any], position: int) -> str | None:
    if not 0 <= position < len(cases):
        return None
    return str(cases[position].eval_id)
