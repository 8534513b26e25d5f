"""Cases that no run could be scored on, by reason: the part of the denominator that is missing."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from assay.models.result import ExcludedCase
from assay.reporting.reasons import Reason, reason_for
from assay.reporting.scoreboard.columns import Column


@dataclass(frozen=True)
class NotScored:
    """Cases that are not scored for one reason."""

    label: str
    """The reason in two or three words."""
    codes: tuple[str, ...]
    """Codes of the findings that were counted here, sorted."""
    suites: Mapping[str, int]
    """Suite to number of cases, in the order of the columns."""
    cases: tuple[ExcludedCase, ...]
    """The cases, by suite and id; held-out ones are counted and not named."""
    command: str
    """What to type next."""

    @property
    def number(self) -> int:
        """How many cases."""
        return sum(self.suites.values())


def excluded_of(columns: Sequence[Column]) -> dict[str, dict[str, ExcludedCase]]:
    """Suite to case id to exclusion: everything that any result of the suite lists, once."""
    found: dict[str, dict[str, ExcludedCase]] = {}
    for column in columns:
        cases = found.setdefault(column.suite, {})
        for result in column.results.values():
            for excluded in result.excluded:
                cases.setdefault(excluded.case_id, excluded)
    return {suite: dict(sorted(cases.items())) for suite, cases in found.items()}


def not_scored(
    columns: Sequence[Column], titles: Mapping[str, str], withheld: Collection[str] = ()
) -> list[NotScored]:
    """Exclusions by reason, the most frequent first, then by label."""
    groups: dict[Reason, list[tuple[str, str, ExcludedCase]]] = {}
    for suite, cases in excluded_of(columns).items():
        for excluded in cases.values():
            code, reason = reason_for(excluded, titles)
            groups.setdefault(reason, []).append((suite, code, excluded))
    rows = [_row(reason, members, withheld) for reason, members in groups.items()]
    return sorted(rows, key=lambda row: (-row.number, row.label))


def _row(
    reason: Reason,
    members: Sequence[tuple[str, str, ExcludedCase]],
    withheld: Collection[str],
) -> NotScored:
    suites: dict[str, int] = {}
    for suite, _, _ in members:
        suites[suite] = suites.get(suite, 0) + 1
    codes = tuple(sorted({code for _, code, _ in members if code}))
    named = tuple(case for _, _, case in members if case.case_id not in withheld)
    command = reason.command.replace("{code}", codes[0] if codes else "")
    command = command.replace("{case}", named[0].case_id if named else "").rstrip()
    return NotScored(reason.label, codes, suites, named, command)
