"""The three levels in words: of one case, and over a suite."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Decimal

from assay.models.levels import Efficiency, Levels, LevelScore, PlanGroup, PlanScores
from assay.models.result import Result
from assay.reporting.numbers import exact
from assay.reporting.words import count, left, right, width_of


def share(value: float | None) -> str:
    """A value from 0 to 1 with two digits; only 1 is ``1.00`` and only 0 is ``0.00``."""
    if value is None:
        return "–"
    number = exact(value)
    rounded = number.quantize(Decimal("0.01"), ROUND_HALF_EVEN)
    if rounded >= 1 and number < 1:
        return "0.99"
    if rounded <= 0 and number > 0:
        return "0.01"
    return str(rounded)


def times(value: float | None) -> str:
    """A ratio with two digits."""
    if value is None:
        return "–"
    return str(exact(value).quantize(Decimal("0.01"), ROUND_HALF_EVEN))


def level_words(part: LevelScore) -> str:
    """``0.87 × 0.50 · The mean of y2 and y3.``; the weight is the one that was in force."""
    if part.value is None:
        return f"not evaluated · {part.message}"
    weight = "" if part.weight is None else f" × {times(part.weight)}"
    return f"{share(part.value)}{weight} · {part.message}"


def measure_rows(part: LevelScore) -> list[str]:
    """What a level is made of, and what stands beside it."""
    rows: list[str] = []
    for item in part.measures:
        words = f"{item.name} {share(item.value)}"
        beside = "" if item.counts else ", beside it"
        rows.append(f"{words}{beside} · {item.message}")
    return rows


def efficiency_words(item: Efficiency) -> str:
    """``5 calls for 4 steps (1.25), 1 repeated, 420 ms, 1,200 tokens``."""
    parts = [f"{count(item.calls, 'call')} for {count(item.expected_steps, 'step')}"]
    if item.step_ratio is not None:
        parts[0] += f" ({times(item.step_ratio)})"
    if item.repeated_calls:
        parts.append(f"{item.repeated_calls:,} repeated")
    if item.failed_calls:
        parts.append(f"{item.failed_calls:,} failed")
    if item.duration_ms is not None:
        parts.append(f"{item.duration_ms:,} ms")
    if item.tokens is not None:
        parts.append(f"{item.tokens:,} tokens")
    if item.cost is not None:
        parts.append(f"{item.cost} USD")
    return ", ".join(parts)


def score_words(levels: Levels) -> str:
    """``score 0.77, compared with the plan``."""
    against = "the plan" if levels.path == "plan" else levels.path
    if levels.score is None:
        return f"no score, compared with {against}"
    return f"score {share(levels.score)}, compared with {against}"


def rows(levels: Levels, nearness: str = "") -> list[tuple[str, str]]:
    """All that there is to say of the levels of a case: label and words.

    Args:
        levels: the levels.
        nearness: what a local model says of the planning texts, where one is installed.
    """
    found: list[tuple[str, str]] = []
    for part in levels.levels:
        found.append((part.level, level_words(part)))
        found += [("", f"  {row}") for row in measure_rows(part)]
    if nearness:
        found.append(("", f"  {nearness}, part of no score"))
    if levels.efficiency is not None:
        found.append(("efficiency", efficiency_words(levels.efficiency)))
    for fault in levels.faults:
        place = [f"call {fault.call + 1}"] if fault.call is not None else []
        place += [fault.pointer] if fault.pointer else []
        where = f" [{', '.join(place)}]" if place else ""
        found.append((fault.tag.replace("_", " "), fault.message + where))
    return found + [("note", note) for note in levels.notes]


def group_cells(group: PlanGroup) -> list[str]:
    """Score, outcome, process and planning, calls per step, results."""
    values = (group.score, group.outcome, group.process, group.planning)
    return [*map(share, values), times(group.step_ratio), f"{group.results:,}"]


_LONGEST_NAME = 22

HEAD = ("score", "outcome", "process", "planning", "calls/step", "results")
"""What stands over the columns of the levels of a run."""


def overall_table(rows: Sequence[tuple[str, PlanGroup]], width: int) -> list[str]:
    """The levels of runs, one a line."""
    return table(HEAD, [(name, group_cells(group)) for name, group in rows], width)


def group_tables(rows: Sequence[tuple[str, PlanScores]], width: int) -> list[str]:
    """Scores by what tells cases apart, and how often each failure tag came up; runs side by side.

    A grouping with one group only says what the table of the runs says, and is left out.
    """
    lines: list[str] = []
    runs = [name for name, _ in rows]
    for title, field in (
        ("score by type", "by_type"),
        ("score by category", "by_category"),
        ("score by group", "by_group"),
        ("score by paradigm", "by_paradigm"),
        ("results with failure tag", "by_tag"),
    ):
        found: list[dict[str, PlanGroup]] = [getattr(scores, field) for _, scores in rows]
        names = sorted({name for groups in found for name in groups})
        if len(names) < (1 if field == "by_tag" else 2):
            continue
        cells = [
            (
                name.replace("_", " ") if field == "by_tag" else name,
                [_cell(groups.get(name), field == "by_tag") for groups in found],
            )
            for name in names
        ]
        lines += ["", title, *table(runs, cells, width)]
    return lines


def _cell(group: PlanGroup | None, counted: bool) -> str:
    if counted:
        return f"{group.results:,}" if group else "0"
    return share(group.score) if group else "–"


def table(head: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]], width: int) -> list[str]:
    """A table, in parts below each other where it is too wide; a long name has its own line."""
    first = min(_LONGEST_NAME, max((width_of(name) for name, _ in rows), default=0))
    lines: list[str] = []
    start = 0
    while start < len(head):
        end, used = start, first
        wide: list[int] = []
        while end < len(head):
            size = max(width_of(head[end]), *(width_of(cells[end]) for _, cells in rows))
            if wide and used + 2 + size > width:
                break
            used += 2 + size
            wide.append(size)
            end += 1
        for name, cells in (("", head), *rows):
            if width_of(name) > first:
                lines.append(name)
                name = ""
            numbers = map(right, cells[start:end], wide)
            lines.append(f"{left(name, first)}  {'  '.join(numbers)}".rstrip())
        start = end
    return lines


def planned(results: Sequence[Result]) -> list[tuple[str, Result, PlanScores]]:
    """Results with levels, by suite and run."""
    return [
        (result.context.suite, result, result.plans)
        for result in sorted(results, key=lambda r: (r.context.suite, r.subject.run, r.id))
        if result.plans is not None
    ]
