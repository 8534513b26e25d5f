"""The scoreboard for a terminal."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from assay.models.result import Result
from assay.reporting import levels
from assay.reporting.numbers import interval, percent
from assay.reporting.scoreboard import publication, remarks
from assay.reporting.scoreboard.board import SHORT, Board
from assay.reporting.scoreboard.columns import Column, RowKey
from assay.reporting.words import WIDTH, Paint, count, left, right, safe, width_of, wrap

_LONGEST_NAME = 24
_BETWEEN = "   "
_LABEL = 10


def text(board: Board, *, color: bool = False, width: int = WIDTH) -> str:
    """The scoreboard in at most `width` columns, as far as its names allow.

    Suites that do not fit beside each other stand below each other.

    Args:
        board: what is shown.
        color: whether ANSI colours are used.
        width: columns of the terminal.
    """
    paint = Paint(color)
    lines = _header(board, paint, width)
    if board.columns:
        lines += _tables(board, paint, width)
        lines += _below(board, paint, width)
        lines += _levels(board, paint, width)
        lines += ["", *_not_scored(board, paint, width)]
    else:
        lines.append("No run was scored.  next  assay score --runs runs --out scores")
    lines += _ready(board, width)
    lines += _last(board, paint, width)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _header(board: Board, paint: Paint, width: int) -> list[str]:
    parts = [f"today {board.source.today}"]
    if board.policies:
        parts.append(", ".join(map(safe, board.policies.values())))
    if board.truth:
        parts.append(f"truth {board.truth_short}")
    parts.append(f"engine {safe(board.source.engine)}")
    lines = ["Scoreboard"]
    for part in parts:
        if width_of(lines[-1]) + 3 + width_of(part) <= width:
            lines[-1] += f" · {part}"
        else:
            lines += wrap(part, width, indent="  ")
    return [lines[0].replace("Scoreboard", paint.bold("Scoreboard"), 1), *lines[1:]]


@dataclass(frozen=True)
class _Cell:
    rate: str
    low: str
    high: str
    counts: str


def _cell(result: Result | None) -> _Cell:
    if result is None:
        return _Cell("–", "", "", "")
    tally = result.overall
    low, _, high = interval(tally.wilson_low, tally.wilson_high).partition("–")
    mark = remarks.INCOMPLETE if tally.incomplete else " "
    counts = f"{tally.failed}/{tally.errored}/{tally.not_evaluated}"
    return _Cell(percent(tally.pass_rate) + mark, low, high, counts)


@dataclass(frozen=True)
class _Block:
    """One column of the table, laid out."""

    title: str
    lines: tuple[str, ...]
    width: int


def _block(column: Column, rows: tuple[RowKey, ...], paint: Paint) -> _Block:
    cells = [_cell(column.results.get(row)) for row in rows]
    low = max(2, *(len(cell.low) for cell in cells))
    high = max(3, *(len(cell.high) for cell in cells))
    counts = max(7, *(len(cell.counts) for cell in cells))
    lines = [f"{left('pass', 6)} {left('95 %', low + 1 + high)}  {right('F/E/N', counts)}"]
    for cell in cells:
        dash = "–" if cell.high else " "
        rate = cell.rate if cell.rate[-1:] in " *" else f"{cell.rate} "
        lines.append(
            f"{right(rate, 6)} {right(cell.low, low)}{dash}{left(cell.high, high)}"
            f"  {right(cell.counts, counts)}"
        )
    title = f"{safe(column.label)} ({column.cases:,})"
    wide = max(width_of(title), *map(width_of, lines))
    return _Block(paint.bold(left(title, wide)), tuple(left(line, wide) for line in lines), wide)


def _tables(board: Board, paint: Paint, width: int) -> list[str]:
    names = [safe(remarks.row_name(row)) for row in board.rows]
    first = min(_LONGEST_NAME, max(3, *map(width_of, names))) + 4
    blocks = [_block(column, board.rows, paint) for column in board.columns]
    lines: list[str] = []
    while blocks:
        taken = [blocks.pop(0)]
        used = first + taken[0].width
        while blocks and used + len(_BETWEEN) + blocks[0].width <= width:
            used += len(_BETWEEN) + blocks[0].width
            taken.append(blocks.pop(0))
        if lines:
            lines.append("")
        lines.append(" " * first + _BETWEEN.join(block.title for block in taken))
        lines.append(left("run", first) + _BETWEEN.join(block.lines[0] for block in taken))
        for index, name in enumerate(names, start=1):
            if width_of(name) > _LONGEST_NAME:
                lines.append(name)
                name = ""
            cells = _BETWEEN.join(block.lines[index] for block in taken)
            lines.append(left(name, first) + cells)
    return lines


def _below(board: Board, paint: Paint, width: int) -> list[str]:
    lines = wrap(remarks.LEGEND, width, indent="  ", first="")
    for number, sentence in enumerate(remarks.incomplete(board)):
        mark = f"{remarks.INCOMPLETE if number == 0 else ' '} "
        lines += wrap(safe(sentence), width, indent="  ", first=mark)
    for sentence in remarks.trials(board):
        lines += wrap(safe(sentence), width, indent="  ", first="")
    lines += wrap(safe(remarks.gap(board)), width, indent="  ", first="")
    for sentence in remarks.warnings(board):
        lines += [paint.warn(line) for line in wrap(safe(sentence), width, indent="  ", first="")]
    return lines


def _levels(board: Board, paint: Paint, width: int) -> list[str]:
    """The three levels of runs on suites with plans, and what tells their cases apart."""
    found = levels.planned(board.source.results)
    lines: list[str] = []
    for suite in dict.fromkeys(suite for suite, _, _ in found):
        rows = [
            (safe(remarks.row_name((result.subject.run, result.exploratory, ""))), scores)
            for name, result, scores in found
            if name == suite
        ]
        lines += ["", paint.bold(f"Levels of {safe(suite)}") + ", beside pass and fail"]
        lines += levels.overall_table([(run, scores.overall) for run, scores in rows], width)
        lines += [safe(line) for line in levels.group_tables(rows, width)]
    return lines


def _not_scored(board: Board, paint: Paint, width: int) -> list[str]:
    number = sum(row.number for row in board.excluded)
    head = f"Not scored: {number or 'none':} of {count(board.cases, 'case')}"
    if not number:
        return [head]
    digits = max(4, *(len(f"{row.number:,}") for row in board.excluded))
    labels = [safe(row.label) for row in board.excluded]
    label = max(map(width_of, labels))
    suites = [
        ", ".join(f"{suite} {cases:,}" for suite, cases in row.suites.items())
        for row in board.excluded
    ]
    column = digits + 2 + label + 3
    commands = column + max(map(width_of, suites)) + 3
    beside = commands + max(len(row.command) for row in board.excluded) <= width
    lines = [left(head, commands) + paint.dim("next command") if beside else head]
    for row, name, where in zip(board.excluded, labels, suites, strict=True):
        start = f"{right(f'{row.number:,}', digits)}  {left(name, label)}   "
        if beside:
            lines.append(left(start + where, commands) + safe(row.command))
        else:
            lines += wrap(safe(where), width, indent=" " * column, first=start)
            lines.append(" " * (digits + 2) + paint.dim("next  ") + safe(row.command))
    return lines


def _ready(board: Board, width: int) -> list[str]:
    if not board.ready:
        return []
    lines = ["Ready for the gate:"]
    for number, item in enumerate(board.ready):
        part = safe(f"{item.suite} {item.words}")
        glue = " · " if number else " "
        if width_of(lines[-1] + glue + part) <= width:
            lines[-1] += glue + part
        else:
            lines += wrap(part, width, indent="  ")
    return lines


def _last(board: Board, paint: Paint, width: int) -> list[str]:
    lines = []
    if board.result:
        name = safe(board.result[:SHORT])
        words = " = the published one: you have reproduced it" if board.published else ""
        first = left("Result", _LABEL)
        head, *rest = wrap(name + words, width, indent=" " * _LABEL, first=first)
        lines += [head.replace(name, paint.bold(name), 1), *rest]
        for sentence in publication.sentences(board.source.results, board.publications):
            lines += wrap(safe(sentence), width, indent=" " * _LABEL)
    if board.look_at:
        case, run = board.look_at
        name = shlex.quote(board.source.sources.get(run, run))
        lines.append(left("Try next", _LABEL) + safe(f"./assay why {case} --run {name}"))
    if board.source.report:
        lines.append(left("Report", _LABEL) + safe(board.source.report))
    return lines
