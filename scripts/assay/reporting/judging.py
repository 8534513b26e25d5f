"""Verdicts in the order in which a reader wants them: what decided first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assay.models.result import CaseResult, ComponentResult, Evidence, Outcome
from assay.reporting.words import count

WORDS: dict[Outcome, str] = {
    "passed": "passed",
    "failed": "failed",
    "not_evaluated": "not evaluated",
    "error": "error",
}
"""How the four verdicts are called."""


def counted(outcome: Outcome, number: int) -> str:
    """``3 failed``, ``1 error``, ``2 errors``."""
    return count(number, "error") if outcome == "error" else f"{number:,} {WORDS[outcome]}"


SIGNS: dict[Outcome, str] = {"passed": "✓", "failed": "✗", "not_evaluated": "–", "error": "!"}
"""One sign for each verdict, so that nothing depends on colour."""

_GRAVITY: dict[Outcome, int] = {"failed": 0, "error": 1, "not_evaluated": 2, "passed": 3}


def components(result: CaseResult) -> list[ComponentResult]:
    """Components with those that decided first: in the basis and of the case's own verdict."""

    def order(item: tuple[int, ComponentResult]) -> tuple[bool, bool, int, int]:
        position, part = item
        decided = part.in_basis and part.outcome == result.outcome
        return (not decided, not part.in_basis, _GRAVITY[part.outcome], position)

    return [part for _, part in sorted(enumerate(result.components), key=order)]


def evidence(part: ComponentResult) -> list[Evidence]:
    """Evidence with what agrees with the component's verdict first, else in its own order."""
    return sorted(
        part.evidence, key=lambda item: (item.outcome != part.outcome, _GRAVITY[item.outcome])
    )


def deciding(result: CaseResult) -> list[Evidence]:
    """The evidence that decided the case: of its verdict, in components that decide."""
    return [
        item
        for part in components(result)
        if part.in_basis and part.outcome == result.outcome
        for item in evidence(part)
        if item.outcome == result.outcome
    ]


@dataclass(frozen=True)
class Standing:
    """What one run came to on one case over all of its trials."""

    run: str
    """Name of the run."""
    trials: tuple[CaseResult, ...]
    """Its trials, in order."""

    @property
    def passed(self) -> int:
        """Trials that passed."""
        return sum(trial.outcome == "passed" for trial in self.trials)

    @property
    def outcome(self) -> Outcome:
        """The verdict of the one trial; of several, the gravest: a failure in one is a failure."""
        return min((trial.outcome for trial in self.trials), key=_GRAVITY.__getitem__)

    @property
    def kind(self) -> str:
        """The verdict, or ``mixed`` where some trials passed and some did not."""
        return "mixed" if 0 < self.passed < len(self.trials) else self.outcome

    @property
    def words(self) -> str:
        """``failed``, or ``3 of 5 passed``."""
        if len(self.trials) == 1:
            return WORDS[self.trials[0].outcome]
        return f"{self.passed} of {len(self.trials)} passed"


def standings(results: Iterable[CaseResult]) -> list[Standing]:
    """Results of one case by run, sorted by name; trials in order."""
    runs: dict[str, list[CaseResult]] = {}
    for result in results:
        runs.setdefault(result.run, []).append(result)
    return [
        Standing(run, tuple(sorted(runs[run], key=lambda result: result.trial)))
        for run in sorted(runs)
    ]


def failing_in_words(all_runs: Sequence[Standing]) -> str:
    """``3 of 5 fail here``."""
    failing = sum(standing.outcome == "failed" for standing in all_runs)
    return f"{failing} of {len(all_runs)} {'fails' if failing == 1 else 'fail'} here"
