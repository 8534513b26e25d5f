"""What must be said beside the numbers, in sentences."""

from __future__ import annotations

import re
from collections import Counter

from assay.models.result import Result, Tally
from assay.reporting.numbers import percent
from assay.reporting.scoreboard.board import Board
from assay.reporting.scoreboard.columns import Column, RowKey, differing_parts
from assay.reporting.words import count, listed

INCOMPLETE = "*"
"""Stands behind a rate that something expected is missing from."""

EXPLORATORY = "°"
"""Stands behind a run whose drafts were scored."""

LEGEND = (
    "F failed; E error and N not evaluated (assay why says why) are outside the rate and shown."
)
SAFETY = "Benchmark scores are not evidence of safety in production."


def row_name(row: RowKey) -> str:
    """Name of a row: the run, its mark, and its id where two results share a name."""
    name = row[0] + (EXPLORATORY if row[1] else "")
    return f"{name} {row[2]}".rstrip()


def without_verdict(tally: Tally) -> list[str]:
    """``5 not evaluated``, ``2 errors``, ``4 not in the run``: what a rate is missing."""
    parts = []
    if tally.not_evaluated:
        parts.append(f"{tally.not_evaluated:,} not evaluated")
    if tally.errored:
        parts.append(count(tally.errored, "error"))
    if tally.unmatched:
        parts.append(f"{tally.unmatched:,} not in the run")
    return parts


def _cells(board: Board) -> list[tuple[Column, RowKey, Result]]:
    return [
        (column, row, column.results[row])
        for column in board.columns
        for row in board.rows
        if row in column.results
    ]


def incomplete(board: Board) -> list[str]:
    """One sentence for every incomplete rate, with its bounds."""
    sentences = []
    for column, row, result in _cells(board):
        tally = result.overall
        if not tally.incomplete:
            continue
        missing = listed(without_verdict(tally)) or "something has no verdict"
        bounds = ""
        if tally.worst is not None and tally.best is not None:
            bounds = f", between {percent(tally.worst)} and {percent(tally.best)}"
        sentences.append(f"{row_name(row)} on {column.label} is incomplete{bounds}: {missing}.")
    return sentences


def trials(board: Board) -> list[str]:
    """One sentence for every result of several trials: all of k pass, at least one passes."""
    sentences = []
    for column, row, result in _cells(board):
        if not result.trials:
            continue
        last = max(result.trials, key=lambda rate: rate.k)
        sentences.append(
            f"{row_name(row)} on {column.label} ran {count(last.k, 'trial')}, and F/E/N count"
            f" trials: all pass {percent(last.pass_hat_k)}, at least one"
            f" {percent(last.pass_at_k)} ({count(last.cases, 'case')})."
        )
    return sentences


def gap(board: Board) -> str:
    """The smallest gap that the suites can show."""
    if all(column.gap is None for column in board.columns):
        return "No gap is visible on so few cases. Do not rank these agents."
    parts = [
        f"{column.label} none" if column.gap is None else f"{column.label} {column.gap:.1f} points"
        for column in board.columns
    ]
    return (
        f"Smallest gap these sets can show: {', '.join(parts)}."
        " Do not rank agents closer than that."
    )


def warnings(board: Board) -> list[str]:
    """What a reader must not overlook: drafts, other contexts, other days, unknown cases."""
    sentences = []
    if any(row[1] for row in board.rows):
        sentences.append(
            f"{EXPLORATORY} exploratory: drafts were scored; never compared, never gates."
        )
    for suite, parts in differing_parts(board.columns).items():
        marks = listed([c.mark for c in board.columns if c.suite == suite])
        sentences.append(
            f"{suite} {marks} differ in {listed(parts)}: do not compare their numbers."
        )
    for column, row, result in _cells(board):
        if result.today != board.source.today:
            sentences.append(
                f"{row_name(row)} on {column.label} was judged on {result.today},"
                f" not {board.source.today}."
            )
        if result.unknown_cases:
            sentences.append(_unknown(column, row, result))
        sentences += _other_policies(board, column, row)
    return [*sentences, *board.source.notes]


_GIVEN = re.compile(r"The agent was given (.+); it is judged by (.+)\.")
"""The note that scoring writes on a case whose agent was given another policy."""


def _other_policies(board: Board, column: Column, row: RowKey) -> list[str]:
    """Policies that the agent was given and that do not judge it, with the number of entries."""
    lines = [line for line in board.source.case_results.get(column.suite, ()) if line.run == row[0]]
    found = Counter(
        (match[1], match[2])
        for line in lines
        for note in line.notes
        if (match := _GIVEN.fullmatch(note)) is not None
    )
    return [
        f"{row_name(row)} on {column.label} was given {given} and is judged by {judged}"
        f" in {found[given, judged]:,} of {count(len(lines), 'entry', 'entries')}."
        for given, judged in sorted(found)
    ]


def _unknown(column: Column, row: RowKey, result: Result) -> str:
    case_id, nearest = min(result.unknown_cases.items())
    guess = f" (nearest: {nearest[0]})" if nearest else ""
    more = len(result.unknown_cases) - 1
    return (
        f"{row_name(row)} on {column.label} names {count(len(result.unknown_cases), 'case')}"
        f" that nobody knows: {case_id}{guess}{f' and {more:,} more' if more else ''}."
    )
