"""One run under two truths: verdicts that flip, rates, places. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from assay.models.result import CaseResult, Outcome, Result
from assay.models.review import Flip, RunImpact
from assay.reporting.judging import deciding
from assay.reporting.numbers import exact, trimmed
from assay.reporting.words import clipped

Verdict = Outcome | Literal["excluded", "not in the run", "absent"]


@dataclass(frozen=True)
class Under:
    """A run scored under one truth."""

    result: Result
    """What it came to."""
    lines: Sequence[CaseResult]
    """A line a case and trial."""


@dataclass(frozen=True)
class Both:
    """A run under both truths, as far as it could be scored."""

    suite: str
    """The suite."""
    run: str
    """The run."""
    before: Under | None
    """Under the truth of the base."""
    after: Under | None
    """Under the truth of the head."""
    scored: bool = True
    """False where nothing moved that a verdict depends on."""
    problem: str = ""
    """Why it could not be scored."""


@dataclass(frozen=True)
class _Seen:
    verdict: Verdict
    reason: str


def flips(both: Both) -> tuple[Flip, ...]:
    """Verdicts that differ, by case and trial.

    A case that is scored on neither side is left out; one that is scored on one side only flips
    once, whatever its trials.
    """
    if both.before is None or both.after is None:
        return ()
    sides = _verdicts(both.before), _verdicts(both.after)
    found: list[Flip] = []
    for case_id in sorted({*sides[0], *sides[1]}):
        old, new = sides[0].get(case_id, _ABSENT), sides[1].get(case_id, _ABSENT)
        if set(old) == {None} or set(new) == {None}:
            first, second = old.get(None), new.get(None)
            if first is not None and second is not None:
                continue
            was = first or _gravest(old)
            now = second or _gravest(new)
            found.append(_flip(both, case_id, None, was, now))
            continue
        for trial in sorted({*old, *new}, key=lambda number: number or 0):
            was, now = old.get(trial, _MISSING), new.get(trial, _MISSING)
            if was.verdict != now.verdict:
                found.append(_flip(both, case_id, trial, was, now))
    return tuple(found)


_MISSING = _Seen("absent", "")
_ABSENT: dict[int | None, _Seen] = {None: _MISSING}
_GRAVITY = ("failed", "error", "not_evaluated", "passed")


def _gravest(seen: dict[int | None, _Seen]) -> _Seen:
    return min(seen.values(), key=lambda item: _GRAVITY.index(item.verdict))


def _flip(both: Both, case_id: str, trial: int | None, was: _Seen, now: _Seen) -> Flip:
    return Flip(
        suite=both.suite,
        run=both.run,
        case_id=case_id,
        trial=trial,
        before=was.verdict,
        after=now.verdict,
        reason=now.reason,
        was=was.reason,
    )


def _verdicts(under: Under) -> dict[str, dict[int | None, _Seen]]:
    found: dict[str, dict[int | None, _Seen]] = {}
    for line in under.lines:
        found.setdefault(line.case_id, {})[line.trial] = _Seen(line.outcome, _reason(line))
    for case in under.result.excluded:
        reason = case.reasons[0] if case.reasons else ", ".join(case.codes)
        found[case.case_id] = {None: _Seen("excluded", reason)}
    for case_id in under.result.unmatched:
        found[case_id] = {None: _Seen("not in the run", "")}
    return found


def _reason(line: CaseResult) -> str:
    """The evidence that decided, with what was wanted and seen where something failed."""
    decided = deciding(line)
    if not decided:
        return ""
    item = decided[0]
    words = item.message
    if item.outcome != "passed":
        for name, value in (("wanted", item.expected), ("seen", item.observed)):
            if value and value not in words:
                words += f" {name.capitalize()}: {clipped(value, 160)}"
    return words


def impacts(runs: Iterable[Both]) -> tuple[tuple[RunImpact, ...], tuple[Flip, ...]]:
    """Every run with rates and places, and every flip, by suite, run, case and trial."""
    every = sorted(runs, key=lambda both: (both.suite, both.run))
    moved = {(both.suite, both.run): flips(both) for both in every}
    found = []
    for both in every:
        peers = [item for item in every if item.suite == both.suite]
        first = both.before.result.overall if both.before else None
        second = both.after.result.overall if both.after else None
        found.append(
            RunImpact(
                suite=both.suite,
                run=both.run,
                passed_before=first.passed if first else 0,
                passed=second.passed if second else 0,
                evaluated_before=first.evaluated if first else 0,
                evaluated=second.evaluated if second else 0,
                rate_before=_text(first.pass_rate if first else None),
                rate=_text(second.pass_rate if second else None),
                rank_before=_rank(both.before, [item.before for item in peers]),
                rank=_rank(both.after, [item.after for item in peers]),
                flips=len(moved[both.suite, both.run]),
                scored=both.scored,
                problem=both.problem,
            )
        )
    return tuple(found), tuple(flip for both in every for flip in moved[both.suite, both.run])


def _rank(mine: Under | None, every: Sequence[Under | None]) -> int | None:
    rate = mine.result.overall.pass_rate if mine else None
    if rate is None:
        return None
    others = [item.result.overall.pass_rate for item in every if item is not None]
    return 1 + sum(other is not None and other > rate for other in others)


def _text(rate: float | None) -> str | None:
    return None if rate is None else trimmed(exact(rate))
