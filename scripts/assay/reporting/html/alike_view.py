"""What may be compared with what: runs of today among each other, and with what was published."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.comparing.alike import of_contexts
from assay.models.result import Result
from assay.reporting.html.inputs import ReportInput
from assay.reporting.html.pairs_view import again, apart_in_words
from assay.reporting.scoreboard.board import Board
from assay.reporting.words import count

MOST_PUBLISHED = 40
"""Published results that are listed, those of the last days; the others are counted."""


@dataclass(frozen=True)
class Published:
    """One published result against the runs of today."""

    id: str
    """Its id."""
    run: str
    """Its run."""
    suite: str
    """Its suite."""
    today: str
    """The day that it was scored for."""
    says: str
    """``yes``, or what differs."""
    alike: bool
    """Whether it may be compared as it stands."""
    command: str
    """What to type."""


def may_be_compared(report: ReportInput, shown: Board) -> dict[str, Any]:
    """What the section on comparing shows."""
    today = {result.id for suite in report.suites for result in suite.results}
    others = [result for result in report.published if result.id not in today]
    rows = [row for result in others if (row := _published(result, shown)) is not None]
    rows.sort(key=lambda row: (row.suite, row.today, row.run, row.id), reverse=True)
    return {
        "suites": [_suite(shown, suite.suite) for suite in report.suites],
        "published": rows[:MOST_PUBLISHED],
        "left_out": len(rows[MOST_PUBLISHED:]),
    }


def _suite(shown: Board, suite: str) -> dict[str, Any]:
    columns = [column for column in shown.columns if column.suite == suite]
    runs = sum(len(column.results) for column in columns)
    if not columns:
        return {"suite": suite, "says": "no run was scored", "apart": []}
    apart = []
    for one in columns[1:]:
        parts = tuple(i.part for i in of_contexts(columns[0].context, one.context, ()))
        first, second = (
            sorted(c.results.values(), key=lambda r: r.id)[0] for c in (columns[0], one)
        )
        apart.append(
            {
                "says": f"{columns[0].label} and {one.label}: {apart_in_words(parts)}",
                "command": again(first.id, second.id, parts),
            }
        )
    if apart:
        says = f"{count(runs, 'run')} under {len(columns)} contexts, compare within one"
    elif runs == 1:
        says = "one run, measured once"
    else:
        says = f"{runs} runs, all measured alike: compare any two"
    return {"suite": suite, "says": says, "apart": apart}


def _published(result: Result, shown: Board) -> Published | None:
    """How a published result stands to the runs of today; none where its suite has none."""
    others = [
        other
        for column in shown.columns
        if column.suite == result.context.suite
        for other in column.results.values()
        if not other.exploratory
    ]
    if not others:
        return None
    parts, other = _nearest(result, others)
    drafts = ("status",) if result.exploratory else ()
    names = (*drafts, *parts)
    says = "yes" if not names else f"no: {apart_in_words(names)}"
    if names == ("rename_map",):
        says = "where no name that was called maps differently"
    return Published(
        id=result.id,
        run=result.subject.run,
        suite=result.context.suite,
        today=result.today,
        says=says,
        alike=not names,
        command=again(result.id, other.id, () if names == ("rename_map",) else names),
    )


def _nearest(result: Result, others: Sequence[Result]) -> tuple[tuple[str, ...], Result]:
    """The run of today that differs in the fewest parts; of several that of the same name."""
    found = [
        (tuple(item.part for item in of_contexts(result.context, other.context)), other)
        for other in others
    ]
    return min(
        found,
        key=lambda item: (
            len(item[0]),
            item[1].subject.run != result.subject.run,
            item[1].subject.run,
            item[1].id,
        ),
    )
