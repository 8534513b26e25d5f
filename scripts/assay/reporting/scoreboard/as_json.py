"""The scoreboard for programs."""

from __future__ import annotations

from typing import Any

from assay.models.result import Result
from assay.reporting.json_out import all_fields, json_document
from assay.reporting.scoreboard import remarks
from assay.reporting.scoreboard.board import Board
from assay.reporting.scoreboard.columns import Column


def json_text(board: Board) -> str:
    """The scoreboard as a JSON document, ``schema_version`` 1.

    ``suites`` holds one entry for each suite and context: its context, its number of scorable
    ``cases``, the ``smallest_gap`` in points as text (null where no gap can be shown), and
    ``runs`` with all counts and rates of `Tally`. ``not_scored`` counts the cases without valid
    truth by reason, ``ready`` the coverage of each suite. ``published`` says how a run stands to
    what was published: ``reproduced``, ``other_numbers``, ``other_result`` or ``unpublished``;
    of the whole, whether all were reproduced (null where nothing was published). ``plans`` holds
    the three levels; it is absent where no case has a plan. Fields are only ever added.
    """
    look_at = board.look_at
    return json_document(
        {
            "schema_version": 1,
            "today": board.source.today,
            "engine": board.source.engine,
            "policies": dict(board.policies),
            "truth": dict(board.truth),
            "result": board.result or None,
            "published": board.published,
            "cases": board.cases,
            "suites": [_column(board, column) for column in board.columns],
            "not_scored": [
                {
                    "reason": row.label,
                    "codes": row.codes,
                    "number": row.number,
                    "suites": dict(row.suites),
                    "cases": [case.case_id for case in row.cases],
                    "next": row.command,
                }
                for row in board.excluded
            ],
            "ready": [
                {
                    "suite": item.suite,
                    "ready": item.ready,
                    "gating": item.gating,
                    "cases": item.cases,
                    "floor": item.floor,
                    "not_gating": dict(item.reasons),
                }
                for item in board.ready
            ],
            "remarks": [*remarks.incomplete(board), *remarks.warnings(board)],
            "look_at": {"case": look_at[0], "run": look_at[1]} if look_at else None,
        }
    )


def _column(board: Board, column: Column) -> dict[str, Any]:
    rows = [column.results[row] for row in board.rows if row in column.results]
    return {
        "suite": column.suite,
        "mark": column.mark or None,
        "context": all_fields(column.context),
        "cases": column.cases,
        "smallest_gap": None if column.gap is None else f"{column.gap:.1f}",
        "runs": [_run(board, result) for result in rows],
    }


def _run(board: Board, result: Result) -> dict[str, Any]:
    published = board.publications[result.id]
    return {
        "run": result.subject.run,
        "id": result.id,
        "agent": result.subject.agent,
        "model": result.subject.model,
        "exploratory": result.exploratory,
        "today": result.today,
        "published": {"state": published.state, "id": published.id or None},
        "overall": all_fields(result.overall),
        "gating": all_fields(result.gating),
        "trials": [all_fields(rate) for rate in result.trials],
        **({"plans": all_fields(result.plans)} if result.plans is not None else {}),
    }
