"""One side of a comparison: cases with their verdicts, and what they were scored against."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from assay.comparing.tables import VerdictRow, doubled
from assay.models.comparison import SideSummary, Why
from assay.models.result import CaseResult, Context, ExcludedCase, Outcome, Result
from assay.scoring.lazy import lazy
from assay.statistics.trials import Share, mean

NO_SLICE: Final = "(none)"
"""Stands for the slice of a case that has none."""

Kind = Literal["result", "lines", "table"]


@dataclass(frozen=True)
class SideTrial:
    """One case in one trial."""

    trial: int
    """Zero-based trial."""
    outcome: Outcome
    """The verdict."""
    score: Fraction | None = None
    """A graded score that came with it."""


@dataclass(frozen=True)
class SideCase:
    """All trials of one case."""

    case_id: str
    """The case."""
    trials: tuple[SideTrial, ...]
    """Its trials, by number; at least one."""
    cluster: str
    """Cases of one cluster are not independent; the case itself where it has none."""
    slice: str = NO_SLICE
    """What it is grouped by."""
    content_hash: str | None = None
    """Content hash of the record that it was scored against."""
    case_digest: str | None = None
    """Digest of the case."""

    @lazy
    def passed(self) -> int:
        """Trials that passed."""
        return sum(trial.outcome == "passed" for trial in self.trials)

    @lazy
    def evaluated(self) -> int:
        """Trials that passed or failed."""
        return self.passed + sum(trial.outcome == "failed" for trial in self.trials)

    @property
    def share(self) -> Share:
        """Share of the evaluated trials that passed; only where there are any."""
        return self.passed, self.evaluated

    @lazy
    def score(self) -> Fraction | None:
        """Mean score over the evaluated trials; none where one of them has none."""
        rated = [trial for trial in self.trials if trial.outcome in ("passed", "failed")]
        scores = [trial.score for trial in rated if trial.score is not None]
        if not rated or len(scores) < len(rated):
            return None
        return sum(scores, Fraction(0)) / len(scores)


@dataclass(frozen=True)
class Side:
    """What is compared."""

    name: str
    """As the command named it."""
    kind: Kind
    """A result with its lines, lines alone, or a plain table."""
    cases: Mapping[str, SideCase]
    """Case id to its trials, by id."""
    result: Result | None = None
    """The result behind the lines; none where nothing is known of how they were made."""

    @classmethod
    def from_result(cls, name: str, result: Result, lines: Iterable[CaseResult]) -> Side:
        """A result and its lines, in any order."""
        return cls(name, "result", _cases_of(lines), result)

    @classmethod
    def from_lines(cls, name: str, lines: Iterable[CaseResult]) -> Side:
        """Lines whose result is not at hand: their context is not known."""
        return cls(name, "lines", _cases_of(lines))

    @classmethod
    def from_rows(cls, name: str, rows: Iterable[VerdictRow]) -> Side:
        """A plain table of verdicts.

        Rows of one case without a trial take the first free numbers, in the order of the file.
        The slice and template of a case are those of its first row that has one.

        Raises:
            InputError: two rows for one trial of one case.
        """
        found: dict[str, list[VerdictRow]] = {}
        for row in rows:
            found.setdefault(row.case_id, []).append(row)
        return cls(name, "table", {case: _of_rows(name, found[case]) for case in sorted(found)})

    @property
    def context(self) -> Context | None:
        """What it was scored against, where that is known."""
        return None if self.result is None else self.result.context

    @lazy
    def excluded(self) -> dict[str, ExcludedCase]:
        """Cases without valid truth on that side's day."""
        return {} if self.result is None else {c.case_id: c for c in self.result.excluded}

    @lazy
    def unmatched(self) -> frozenset[str]:
        """Cases that could be scored and that the run has no entry for."""
        return frozenset(() if self.result is None else self.result.unmatched)

    @lazy
    def evaluated(self) -> dict[str, SideCase]:
        """Cases with at least one trial that passed or failed, by id."""
        return {name: case for name, case in self.cases.items() if case.evaluated}

    @lazy
    def rate(self) -> Fraction | None:
        """Pass rate over its own cases; trials averaged within a case first."""
        return mean([case.share for case in self.evaluated.values()])

    @property
    def names(self) -> list[str]:
        """Every case that it names, with a verdict or without, sorted."""
        return sorted({*self.cases, *self.excluded, *self.unmatched})

    def why(self, case_id: str) -> Why | None:
        """Why it has no verdict on a case; none where it has one."""
        case = self.cases.get(case_id)
        if case is None:
            if case_id in self.excluded:
                return "excluded"
            return "no_entry" if case_id in self.unmatched else "absent"
        if case.evaluated:
            return None
        return "error" if all(t.outcome == "error" for t in case.trials) else "not_evaluated"

    def summary(self) -> SideSummary:
        """The side by itself."""
        rated = self.evaluated.values()
        rate = self.rate
        subject = None if self.result is None else self.result.subject
        return SideSummary(
            name=self.name,
            kind=self.kind,
            result=None if self.result is None else self.result.id,
            run=subject.run if subject else None,
            agent=subject.agent if subject else None,
            model=subject.model if subject else None,
            today=None if self.result is None else self.result.today,
            cases=len(rated),
            passed=str((rate or Fraction(0)) * len(rated)),
            pass_rate=None if rate is None else float(rate),
            without_verdict=len(self.cases) - len(rated) + len(self.unmatched - self.cases.keys()),
            trials_without_verdict=sum(len(case.trials) - case.evaluated for case in rated),
            excluded=tuple(self.excluded[name] for name in sorted(self.excluded)),
        )


def _cases_of(lines: Iterable[CaseResult]) -> dict[str, SideCase]:
    found: dict[str, list[CaseResult]] = {}
    for line in lines:
        found.setdefault(line.case_id, []).append(line)
    return {name: _of_lines(found[name]) for name in sorted(found)}


def _of_lines(lines: Sequence[CaseResult]) -> SideCase:
    first = lines[0]
    trials = sorted(lines, key=lambda line: line.trial)
    return SideCase(
        first.case_id,
        tuple(SideTrial(line.trial, line.outcome) for line in trials),
        first.cluster,
        first.slice,
        first.content_hash,
        first.case_digest,
    )


def _of_rows(name: str, rows: Sequence[VerdictRow]) -> SideCase:
    taken: dict[int, SideTrial] = {}
    for row in sorted(rows, key=lambda row: row.trial is None):
        trial = row.trial
        if trial is None:
            trial = next(number for number in range(len(taken) + 1) if number not in taken)
        elif trial in taken:
            raise doubled(name, row)
        outcome: Outcome = (
            "not_evaluated" if row.passed is None else "passed" if row.passed else "failed"
        )
        taken[trial] = SideTrial(trial, outcome, row.score)
    case_id = rows[0].case_id
    return SideCase(
        case_id,
        tuple(taken[trial] for trial in sorted(taken)),
        next((row.template for row in rows if row.template), case_id),
        next((row.slice for row in rows if row.slice), NO_SLICE),
    )
