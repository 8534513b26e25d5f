"""Where the cases of a campaign stand, computed from the revisions that were written since.

Nothing is noted down: two people would note down different things.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assay.ledger.campaigns.files import StoredCampaign
from assay.ledger.policies import effective_day
from assay.ledger.records import StoredRecord
from assay.ledger.repository import Repository
from assay.models.campaign import Campaign, CampaignCase

State = Literal["open", "silver", "done", "disputed", "retired"]
"""`open`: nothing yet; `silver`: moved, to be confirmed; `done`: gold under the new version."""

STATES: tuple[State, ...] = ("open", "silver", "done", "disputed", "retired")


@dataclass(frozen=True)
class Progress:
    """Where one case of a campaign stands."""

    case: CampaignCase
    """The case as it was when the campaign was opened."""
    state: State
    """How far it has come."""
    moved: StoredRecord | None
    """The revision by which it left `open`."""


def progress(repository: Repository, stored: StoredCampaign) -> tuple[Progress, ...]:
    """Where every case of a campaign stands, in the order of its list."""
    version = stored.campaign.policy
    found = []
    for case in stored.cases:
        revisions = repository.revisions.get(case.case_id, ())
        moved = next((s for s in revisions if version in s.record.policies), None)
        last = revisions[-1] if revisions else None
        state: State = "open"
        if last is None or last.record.status == "retired":
            state = "retired"
        elif version in last.record.policies:
            status = last.record.status
            state = "done" if status == "gold" else "disputed" if status == "disputed" else "silver"
        elif last.record.status == "disputed" and last.revision > case.revision:
            state = "disputed"
        found.append(Progress(case, state, moved or (last if state == "retired" else None)))
    return tuple(found)


def effective(repository: Repository, campaign: Campaign) -> str:
    """The first day of the policy version that a campaign is about."""
    day = effective_day(repository.policies.model, campaign.policy)
    return day or campaign.due
