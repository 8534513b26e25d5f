"""Every run of a suite against every other: the difference, its interval, its test, or why not."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from assay.comparing.alike import WORDS, of_contexts, ways
from assay.comparing.difference import measure_pairs
from assay.comparing.pairs import pair
from assay.comparing.sides import Side, of_result
from assay.models.comparison import Measure
from assay.models.result import CaseResult, Result
from assay.reporting.comparison.phrases import CONCLUSIONS, points, probability
from assay.reporting.html.inputs import SuiteInput
from assay.reporting.scoreboard.board import Board
from assay.reporting.scoreboard.remarks import row_name
from assay.reporting.words import listed

MOST_COMPARED = 12
"""Runs that are compared with each other, the best ones; pairs grow with the square."""


@dataclass(frozen=True)
class Cell:
    """One run against another: row less column."""

    kind: str
    """``better``, ``worse``, ``alike``, ``open``, ``unlike`` (not comparable) or ``self``."""
    points: str = ""
    """The difference in points."""
    interval: str = ""
    """Its 95 % interval."""
    p: str = ""
    """Its p-value after Holm over all pairs of the suite."""
    words: str = ""
    """What may be said, or what differs."""


@dataclass(frozen=True)
class Row:
    """One pair in the list of pairs."""

    a: str
    """The first run."""
    b: str
    """The second run."""
    cell: Cell
    """B less A."""
    cases: int
    """Cases that both have a verdict on."""
    clusters: int
    """Clusters among them."""
    command: str
    """What to type about it."""


@dataclass(frozen=True)
class _Entry:
    name: str
    result: Result
    side: Side | None


def pairwise(shown: Board, suite: SuiteInput, alpha: Decimal) -> dict[str, Any] | None:
    """The matrix and the list of all pairs of a suite; none with fewer than two runs."""
    every = _entries(shown, suite)
    entries = every[:MOST_COMPARED]
    if len(entries) < 2:
        return None
    numbers = [(i, j) for i in range(len(entries)) for j in range(i + 1, len(entries))]
    apart = {(i, j): _apart(entries[i], entries[j]) for i, j in numbers}
    alike = [key for key in numbers if not apart[key]]
    sides = [(entries[i].side, entries[j].side) for i, j in alike]
    pairings = [pair(a, b) for a, b in sides if a is not None and b is not None]
    measured = dict(zip(alike, measure_pairs(pairings, alpha=alpha), strict=True))
    rows, cells = [], {}
    for i, j in numbers:
        measure = measured.get((i, j))
        cells[i, j], cells[j, i] = (
            (_unlike(apart[i, j]),) * 2
            if measure is None
            else (_cell(measure, turned=True), _cell(measure, turned=False))
        )
        rows.append(
            Row(
                a=entries[i].name,
                b=entries[j].name,
                cell=cells[j, i],
                cases=measure.cases if measure else 0,
                clusters=measure.clusters if measure else 0,
                command=_command(entries[i].result, entries[j].result, suite.suite, apart[i, j]),
            )
        )
    places = range(len(entries))
    return {
        "names": [entry.name for entry in entries],
        "rows": [
            {
                "name": entries[i].name,
                "cells": [cells[i, j] if i != j else Cell("self") for j in places],
            }
            for i in places
        ],
        "pairs": rows,
        "tested": len(alike),
        "alpha": f"{alpha.normalize():f}",
        "left_out": len(every) - len(entries),
        "given": _given(suite),
    }


def _entries(shown: Board, suite: SuiteInput) -> list[_Entry]:
    names = Counter(result.subject.run for result in suite.results)
    lines: dict[str, list[CaseResult]] = {}
    for line in suite.case_results:
        lines.setdefault(line.run, []).append(line)
    found = []
    for key in shown.rows:
        for column in shown.columns:
            result = column.results.get(key) if column.suite == suite.suite else None
            if result is None:
                continue
            run = result.subject.run
            # Lines name their run and not their result: of two results of one run nobody can
            # tell which lines are whose.
            side = None
            if names[run] == 1 and run in lines:
                side = of_result(run, "result", result, lines[run])
            found.append(_Entry(f"{row_name(key)} {column.mark}".strip(), result, side))
    return found


def _apart(a: _Entry, b: _Entry) -> tuple[str, ...]:
    """Parts in which two results differ, in the order that a refusal names them."""
    parts: list[str] = []
    if a.result.exploratory or b.result.exploratory:
        parts.append("status")
    parts += [item.part for item in of_contexts(a.result.context, b.result.context, ())]
    if not parts and (a.side is None or b.side is None):
        parts.append("lines")
    return tuple(parts)


def _unlike(parts: Sequence[str]) -> Cell:
    return Cell("unlike", words=apart_in_words(parts))


_SINGULAR = frozenset({"suite", "truth", "scorer", "split", "store", "rename_map"})


def apart_in_words(parts: Sequence[str]) -> str:
    """``policies in force and scorer differ``, or what else keeps two results apart."""
    if "status" in parts:
        return "drafts were scored"
    if "lines" in parts:
        return "two results of one run"
    names: list[str] = [WORDS[part] for part in parts]  # type: ignore[index]
    one = len(names) == 1 and parts[0] in _SINGULAR
    return f"{listed(names)} {'differs' if one else 'differ'}"


_SIGNS = {"better": "worse", "worse": "better"}


def _cell(measure: Measure, *, turned: bool) -> Cell:
    sign = -1 if turned else 1
    ends = [end for end in (measure.low, measure.high) if end is not None]
    low_high = sorted(sign * end for end in ends)
    conclusion: str = measure.conclusion
    if turned:
        conclusion = _SIGNS.get(conclusion, conclusion)
    kinds = {"no_difference_shown": "alike", "cannot_tell": "open"}
    return Cell(
        kind=kinds.get(conclusion, conclusion),
        points="none" if measure.difference is None else points(sign * measure.difference),
        interval=" to ".join(points(end) for end in low_high) if len(ends) == 2 else "",
        p=probability(measure.adjusted if measure.p is not None else None),
        words=CONCLUSIONS[conclusion],  # type: ignore[index]
    )


def _command(a: Result, b: Result, suite: str, parts: Sequence[str]) -> str:
    if parts:
        return again(a.id, b.id, parts)
    words = ["assay", "compare", a.subject.run, b.subject.run, "--suite", suite]
    return " ".join(map(shlex.quote, words))


def again(a: str, b: str, parts: Sequence[str]) -> str:
    """The command that compares two results in spite of what keeps them apart."""
    return " ".join(["assay", "compare", a, b, *ways(parts)[-1:]])


def _given(suite: SuiteInput) -> list[str]:
    """Runs whose agents were given another policy than the one that judges them."""
    judged = {r.subject.run: sorted(r.context.policies.values()) for r in suite.results}
    given: dict[str, set[str]] = {}
    for run in suite.observed:
        if run.policy is not None and run.policy not in judged.get(run.run, [run.policy]):
            given.setdefault(run.run, set()).add(run.policy)
    return [
        f"{run} was given {listed(sorted(given[run]))} and is judged by {listed(judged[run])}."
        for run in sorted(given)
    ]
