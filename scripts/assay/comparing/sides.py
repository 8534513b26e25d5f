"""One side of a comparison: what is known of each case, whatever it was read from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from assay.models.comparison import Standing
from assay.models.result import CaseResult, Outcome, Result, Tally
from assay.models.run import ObservedRun
from assay.scoring.tally import CaseTrials, tally

Kind = Literal["result", "run", "lines", "table"]

NONE = "(none)"
"""Stands for the slice of a case that has none."""


@dataclass(frozen=True)
class SideCase:
    """A case that a side has entries for."""

    case_id: str
    """The case."""
    outcomes: tuple[Outcome, ...]
    """Verdicts of its trials, in their order."""
    slice: str
    """Its slice."""
    cluster: str
    """Its template or anchor, or the case itself."""
    content_hash: str | None = None
    """Content hash of the label; none where nobody knows it."""
    revision: int | None = None
    """Revision of the label."""
    scores: tuple[Fraction, ...] = ()
    """Graded scores of its trials, where there are any."""

    @property
    def passed(self) -> int:
        """Trials that passed."""
        return self.outcomes.count("passed")

    @property
    def evaluated(self) -> int:
        """Trials that passed or failed."""
        return self.passed + self.outcomes.count("failed")

    @property
    def share(self) -> Fraction | None:
        """Share of evaluated trials that passed; none where no trial was evaluated."""
        return Fraction(self.passed, self.evaluated) if self.evaluated else None

    @property
    def standing(self) -> Standing:
        """What the side says of the case."""
        if self.evaluated:
            return "evaluated"
        return "error" if "error" in self.outcomes else "not_evaluated"


@dataclass(frozen=True)
class Side:
    """One of two sides."""

    name: str
    """As it was typed."""
    run: str
    """Name of the run."""
    kind: Kind
    """What it was read from."""
    cases: Mapping[str, SideCase]
    """Case id to what is known of it, for every case with an entry that was scored."""
    excluded: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Cases without a valid label, and why."""
    unmatched: tuple[str, ...] = ()
    """Cases without an entry in the run."""
    unknown: tuple[str, ...] = ()
    """Case ids of the run that the suite does not have."""
    result: Result | None = None
    """The result, where there is one."""
    agent: str | None = None
    """Name of the agent."""
    model: str | None = None
    """Name of the model."""

    def __post_init__(self) -> None:
        """A file's name need not be UTF-8; what is said of a side always is."""
        for part in ("name", "run"):
            text = getattr(self, part).encode("utf-8", "backslashreplace").decode("utf-8")
            object.__setattr__(self, part, text)

    def standing(self, case_id: str) -> Standing:
        """What this side says of a case."""
        if case_id in self.cases:
            return self.cases[case_id].standing
        if case_id in self.excluded:
            return "excluded"
        return "unmatched" if case_id in self.unmatched else "absent"

    @property
    def known(self) -> list[str]:
        """Every case that was expected of this side, by id."""
        return sorted({*self.cases, *self.excluded, *self.unmatched})

    def trials(self) -> list[CaseTrials]:
        """Every expected case as it is counted."""
        rows = [CaseTrials(c.case_id, c.cluster, c.outcomes) for c in self.cases.values()]
        rows += [CaseTrials(name, name, (), 0, True) for name in self.excluded]
        rows += [CaseTrials(name, name, (), 1) for name in self.unmatched]
        return sorted(rows, key=lambda row: row.case_id)

    def tally(self) -> Tally:
        """Counts that add up, as those of a result."""
        return tally(self.trials())

    def within(self, slices: Collection[str], slice_of: Mapping[str, str]) -> Side:
        """Only the cases of some slices.

        Args:
            slices: the slices.
            slice_of: case id to slice, of cases that this side has no entry for.
        """
        return replace(
            self,
            cases={name: case for name, case in self.cases.items() if case.slice in slices},
            excluded={n: why for n, why in self.excluded.items() if slice_of.get(n) in slices},
            unmatched=tuple(name for name in self.unmatched if slice_of.get(name) in slices),
        )


def of_result(name: str, kind: Kind, result: Result, lines: Iterable[CaseResult]) -> Side:
    """A side that was scored, with every case and trial behind it."""
    return Side(
        name=name,
        run=result.subject.run,
        kind=kind,
        cases=_of_lines(lines),
        excluded={case.case_id: case.reasons or case.codes for case in result.excluded},
        unmatched=result.unmatched,
        unknown=tuple(result.unknown_cases),
        result=result,
        agent=result.subject.agent,
        model=result.subject.model,
    )


def of_lines(name: str, lines: Sequence[CaseResult]) -> Side:
    """A side of which only lines of scores are here: nobody knows what was excluded."""
    runs = sorted({line.run for line in lines})
    return Side(name, ", ".join(runs) or name, "lines", _of_lines(lines))


def of_table(name: str, runs: Sequence[ObservedRun]) -> Side:
    """A side that is a plain table of verdicts."""
    grouped: dict[str, list[ObservedRun]] = {}
    for run in sorted(runs, key=lambda run: (run.case_id, run.trial)):
        grouped.setdefault(run.case_id, []).append(run)
    cases = {
        case_id: SideCase(
            case_id=case_id,
            outcomes=tuple(map(_outcome, entries)),
            slice=_first(entry.slice_given for entry in entries) or NONE,
            cluster=_first(entry.cluster_given for entry in entries) or case_id,
            scores=tuple(
                Fraction(entry.score_given)
                for entry in entries
                if isinstance(entry.score_given, int | Decimal)
            ),
        )
        for case_id, entries in grouped.items()
    }
    return Side(
        name=name,
        run=runs[0].run if runs else name,
        kind="table",
        cases=cases,
        agent=_only(run.agent for run in runs),
        model=_only(run.model for run in runs),
    )


def know_each_other(a: Side, b: Side) -> tuple[Side, Side]:
    """Two sides that nobody knows the suite of: what one has was expected of the other as well."""
    both = {*a.known, *b.known}
    sides = tuple(
        replace(side, unmatched=tuple(sorted(both - side.cases.keys() - side.excluded.keys())))
        for side in (a, b)
    )
    return sides[0], sides[1]


def _of_lines(lines: Iterable[CaseResult]) -> dict[str, SideCase]:
    grouped: dict[str, list[CaseResult]] = {}
    for line in sorted(lines, key=lambda line: (line.case_id, line.trial)):
        grouped.setdefault(line.case_id, []).append(line)
    return {
        case_id: SideCase(
            case_id=case_id,
            outcomes=tuple(entry.outcome for entry in entries),
            slice=entries[0].slice,
            cluster=entries[0].cluster,
            content_hash=entries[0].content_hash,
            revision=entries[0].revision,
        )
        for case_id, entries in grouped.items()
    }


def _outcome(run: ObservedRun) -> Outcome:
    if run.infrastructure_errors:
        return "error"
    return run.outcome_given or "not_evaluated"


def _first(values: Iterable[str | None]) -> str | None:
    return next((value for value in values if value), None)


def _only(values: Iterable[str | None]) -> str | None:
    found = set(values)
    return found.pop() if len(found) == 1 else None
