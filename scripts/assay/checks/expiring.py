"""Which labels end by a day, and what the gate loses with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.checks.forecasting import Loss, losses
from assay.ledger.days import days_between
from assay.ledger.effective import record_that_counts
from assay.ledger.records import StoredRecord
from assay.ledger.repository import Repository
from assay.models.truth import SCORABLE, Status


@dataclass(frozen=True)
class Ending:
    """A label that has ended or will."""

    case_id: str
    """The case."""
    suite: str
    """Its suite."""
    path: str
    """Its revision file."""
    status: Status
    """Its status; the gate can lose gold."""
    expires: str
    """The first day on which it does not count."""
    days: int
    """Days from today to that day; not positive where it has come."""
    owner: str
    """Who answers for the case; empty where nobody does."""
    adjudicator: str
    """Who signed the label, and signs again; empty where nobody did."""
    expired: bool
    """Whether it has ended."""


@dataclass(frozen=True)
class Forecast:
    """What ends by a day."""

    today: str
    """The day from which it is told."""
    until: str
    """The last day that is looked at."""
    endings: tuple[Ending, ...]
    """By day, suite and case."""
    losses: tuple[Loss, ...]
    """What the gate loses by that day, of each suite that is looked at."""


def expiring(
    repository: Repository,
    today: str,
    until: str,
    *,
    suites: Sequence[str] = (),
    owner: str | None = None,
    forecast: bool = True,
) -> Forecast:
    """Labels that have ended, and those that end by a day if nothing is done.

    A label that another revision replaces before it ends is none of them.

    Args:
        repository: the records.
        today: the day from which it is told.
        until: the last day that is looked at.
        suites: only these; all where empty.
        owner: only cases that this person answers for, or signs for.
        forecast: whether it is told what the gate loses.
    """
    found = [
        ending
        for ending in _endings(repository, today, until)
        if (not suites or ending.suite in suites)
        and (owner is None or owner in (ending.owner, ending.adjudicator))
    ]
    found.sort(key=lambda item: (item.expires, item.suite, item.case_id))
    if not forecast:
        return Forecast(today, until, tuple(found), ())
    wanted = [name for name in sorted(repository.suites) if not suites or name in suites]
    lost = losses(repository, until, wanted, today=today)
    return Forecast(today, until, tuple(found), lost)


def _endings(repository: Repository, today: str, until: str) -> Iterator[Ending]:
    policies = repository.policies.model
    for case_id, revisions in repository.revisions.items():
        if case_id not in repository.cases:
            continue
        chosen = {
            stored.revision: stored
            for day in (today, until)
            if (stored := record_that_counts(revisions, policies, day)) is not None
        }
        for _, stored in sorted(chosen.items()):
            end = stored.record.expires
            if end is None or end > until or not _in_use(stored):
                continue
            last = record_that_counts(revisions, policies, max(end, today))
            if last is stored:
                suite = repository.suite_of(stored)
                yield Ending(
                    case_id,
                    stored.suite,
                    stored.path,
                    stored.record.status,
                    end,
                    days_between(today, end),
                    suite.owner(case_id) if suite is not None else "",
                    stored.record.adjudicator or "",
                    end <= today,
                )


def _in_use(stored: StoredRecord) -> bool:
    return stored.record.status in SCORABLE and stored.record.redacted is None
