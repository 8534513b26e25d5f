"""One column of the scoreboard: a suite under one context.

Numbers that were made under different truth, cases, policies, scorer or data never stand in one
column: a suite that was scored under two contexts gets two columns, and a note that says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from assay.files.canonical import digest
from assay.models.result import Context, Result
from assay.statistics.power import LEVEL, smallest_visible_gap

RowKey = tuple[str, bool, str]
"""Name of the run, whether drafts were scored, id where that is not enough to tell them apart."""


@dataclass(frozen=True)
class Column:
    """A suite under one context, and what each run came to there."""

    suite: str
    """Name of the suite."""
    mark: str
    """``a``, ``b`` … where the suite has several contexts, else empty."""
    context: Context
    """What all of its results share."""
    cases: int
    """Scorable cases."""
    gap: Decimal | None
    """Smallest gap between two agents that so many cases can show, in points."""
    results: Mapping[RowKey, Result]
    """Row to result."""

    @property
    def label(self) -> str:
        """``refunds``, or ``refunds a`` where the suite has several contexts."""
        return f"{self.suite} {self.mark}".strip()


def comparable_part(context: Context) -> dict[str, object]:
    """What must agree before two results may stand in one column: all but the rename map."""
    return context.model_dump(mode="python", exclude={"rename_map"})


def scorable_cases(result: Result) -> int:
    """Scorable cases of the suite: the tally counts each of them once for every trial."""
    trials = max(1, result.subject.trials)
    return -((result.overall.excluded - result.overall.expected) // trials)


def columns_of(
    results: Sequence[Result], suites: Sequence[str], alpha: Decimal = LEVEL
) -> list[Column]:
    """Columns in the order of `suites`, then by name; contexts of one suite by their digest."""
    groups: dict[tuple[str, str], list[Result]] = {}
    for result in sorted(results, key=lambda r: (r.subject.run, r.exploratory, r.id)):
        key = (result.context.suite, digest(comparable_part(result.context)))  # type: ignore[arg-type]
        groups.setdefault(key, []).append(result)
    order = {suite: position for position, suite in enumerate(suites)}
    keys = sorted(groups, key=lambda key: (order.get(key[0], len(order)), *key))
    per_suite = [suite for suite, _ in keys]
    columns: list[Column] = []
    for position, key in enumerate(keys):
        suite = key[0]
        several = per_suite.count(suite) > 1
        nth = position - per_suite.index(suite)
        columns.append(_column(suite, _letter(nth) if several else "", groups[key], alpha))
    return columns


def _letter(number: int) -> str:
    return chr(ord("a") + number) if number < 26 else str(number + 1)


def _column(suite: str, mark: str, results: Sequence[Result], alpha: Decimal) -> Column:
    rows: dict[RowKey, Result] = {}
    for result in results:
        key = (result.subject.run, result.exploratory, "")
        rows[key if key not in rows else (*key[:2], result.id)] = result
    settled = [result for result in results if not result.exploratory] or results
    cases = max(map(scorable_cases, settled))
    gap = smallest_visible_gap(cases, alpha=alpha)
    return Column(suite, mark, results[0].context, cases, gap, rows)


def differing_parts(columns: Sequence[Column]) -> dict[str, list[str]]:
    """Suite with several contexts to the names of the parts in which they differ."""
    differing: dict[str, list[str]] = {}
    for suite in dict.fromkeys(column.suite for column in columns):
        parts = [comparable_part(column.context) for column in columns if column.suite == suite]
        names = [name for name in parts[0] if any(part[name] != parts[0][name] for part in parts)]
        if names:
            differing[suite] = names
    return differing
