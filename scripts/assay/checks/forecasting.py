"""What the gate will lose by a day on which policies move and labels expire."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from assay.checks.compiling import CompiledRepository, compile_truth
from assay.checks.runner import run_checks, world_of
from assay.ledger.repository import Repository


@dataclass(frozen=True)
class Loss:
    """What the gate of one suite loses on the day on which a policy version takes effect."""

    suite: str
    """The suite."""
    before: int
    """Cases that gate today."""
    after: int
    """Cases that would gate on that day if nothing were done."""
    cases: int
    """Cases that are not retired."""
    floor: Fraction | None
    """Coverage under which the gate refuses."""

    @property
    def refuses(self) -> bool:
        """Whether the gate would refuse on that day."""
        return self.floor is not None and Fraction(self.after, max(self.cases, 1)) < self.floor


def losses(
    repository: Repository, day: str, suites: Sequence[str], *, today: str | None = None
) -> tuple[Loss, ...]:
    """What the gate loses from today to a day, if nothing is done.

    Raises:
        InputError: the repository cannot be judged.
    """
    now, then = _compiled(repository, today), _compiled(repository, day)
    floors = repository.params.model.gate.floors
    found = []
    for suite in suites:
        entries, later = now.suites.get(suite, ()), then.suites.get(suite, ())
        alive = [e for e in entries if e.record is None or e.record.status != "retired"]
        floor = floors.get(suite)
        found.append(
            Loss(
                suite,
                sum(entry.gates for entry in entries),
                sum(entry.gates for entry in later),
                len(alive),
                Fraction(floor) if floor is not None else None,
            )
        )
    return tuple(found)


def _compiled(repository: Repository, day: str | None) -> CompiledRepository:
    report = run_checks(repository, today=day)
    return compile_truth(world_of(repository, today=day), report)
