"""How far a campaign has come, and when it would end at the pace so far."""

from __future__ import annotations

from dataclasses import dataclass

from assay.ledger.campaigns.files import StoredCampaign
from assay.ledger.campaigns.progress import Progress, effective, progress
from assay.ledger.days import add_days, days_between
from assay.ledger.history import days_added
from assay.ledger.layout import RECORDS
from assay.ledger.repository import Repository
from assay.models.campaign import CampaignCase


@dataclass(frozen=True)
class Pace:
    """How far a campaign has come, and when it would end."""

    items: tuple[Progress, ...]
    """Every case."""
    effective: str
    """The first day of the policy version."""
    days: dict[str, str]
    """Case to the day on which it left *open*, where git tells."""
    ends: str | None
    """The day on which the last case would be done at the pace so far; none where it is not
    known, or nothing has been done."""

    @property
    def open(self) -> tuple[CampaignCase, ...]:
        """Cases that nobody has looked at."""
        return tuple(item.case for item in self.items if item.state == "open")


def pace(repository: Repository, stored: StoredCampaign, today: str) -> Pace:
    """How far a campaign has come on a day.

    The pace is cases that left *open* since the campaign was opened, over the days since then.
    """
    items = progress(repository, stored)
    added = days_added(repository.root, RECORDS)
    days = {
        item.case.case_id: day
        for item in items
        if item.moved is not None and (day := added.get(item.moved.path)) is not None
    }
    begun = max(days_between(stored.campaign.opened, today), 1)
    done = sum(item.state != "open" for item in items)
    left = len(items) - done
    ends = None
    if left and done:
        ends = add_days(today, -(-left * begun // done))
    return Pace(items, effective(repository, stored.campaign), days, ends)
