"""Campaigns and bulk changes as a person reads them, and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from assay.checks.forecasting import Loss
from assay.files.model_text import plain
from assay.ledger.bulk import Bulk
from assay.ledger.campaigns.files import StoredCampaign
from assay.ledger.campaigns.pace import Pace
from assay.ledger.campaigns.progress import STATES
from assay.models.base import JsonValue
from assay.models.campaign import Campaign, CampaignCase
from assay.reporting.words import count, left, right, safe


def size_text(
    campaign: Campaign, cases: Sequence[CampaignCase], losses: Sequence[Loss], effective: str
) -> str:
    """What a campaign would be: how many cases, how many hours, what the gate loses and when."""
    minutes = campaign.minutes * len(cases)
    quiet = sum(not case.changed for case in cases)
    by_status = Counter(case.status for case in cases)
    by_owner = Counter(case.owner for case in cases)
    hours = f"{-(-minutes // 60):,} h at {campaign.minutes} minutes a case and person"
    lines = [
        f"Campaign {campaign.id}   to {campaign.policy}, in force from {effective}",
        f"  {count(len(cases), 'case')}, {hours}; due {campaign.due}",
        f"  {', '.join(f'{number:,} {status}' for status, number in sorted(by_status.items()))}",
        f"  {quiet:,} cite only clauses that say the same, {len(cases) - quiet:,} a clause that"
        " changed",
        "",
        "  owner                 cases",
        *(
            f"  {left(safe(owner), 20)}{right(f'{n:,}', 7)}"
            for owner, n in sorted(by_owner.items())
        ),
    ]
    for loss in losses:
        share = [_percent(number, loss.cases) for number in (loss.before, loss.after)]
        floor = f", floor {_percent_of(loss.floor)}" if loss.floor is not None else ""
        refuses = "; the gate then refuses" if loss.refuses else ""
        lines += [
            "",
            f"  {loss.suite}: if nothing is done, {loss.before - loss.after:,} of {loss.before:,}"
            f" gating cases are lost by {effective} ({share[0]} → {share[1]} %{floor}{refuses}).",
        ]
    return "\n".join(lines) + "\n"


def _percent(number: int, of: int) -> str:
    return _percent_of(Fraction(number, of)) if of else "–"


def _percent_of(share: Fraction) -> str:
    tenths = (share * 1000 + Fraction(1, 2)).__floor__()
    return f"{tenths // 10}.{tenths % 10}" if tenths % 10 else f"{tenths // 10}"


def status_text(stored: StoredCampaign, pace: Pace, today: str) -> str:
    """How far a campaign has come, who is behind, and whether it will be done in time."""
    campaign = stored.campaign
    total = len(pace.items)
    states = Counter(item.state for item in pace.items)
    moved = total - states["open"]
    lines = [
        f"Campaign {campaign.id}   to {campaign.policy}, in force from {pace.effective}",
        f"  {moved:,} of {count(total, 'case')} looked at ({_percent(moved, total)} %),"
        f" opened {campaign.opened}, due {campaign.due}",
        "  " + ", ".join(f"{states[state]:,} {state}" for state in STATES if states[state]),
        "",
        "  owner                  open silver   done  other",
    ]
    for owner in sorted({item.case.owner for item in pace.items}):
        mine = Counter(item.state for item in pace.items if item.case.owner == owner)
        other = mine["disputed"] + mine["retired"]
        numbers = (mine["open"], mine["silver"], mine["done"], other)
        late = "   late" if mine["open"] and today > campaign.due else ""
        lines.append(
            f"  {left(safe(owner), 20)}" + "".join(right(f"{n:,}", 7) for n in numbers) + late
        )
    lines += ["", f"  {_forecast(pace, campaign, today)}"]
    return "\n".join(lines) + "\n"


def _forecast(pace: Pace, campaign: Campaign, today: str) -> str:
    if not pace.open:
        waiting = sum(item.state == "silver" for item in pace.items)
        if not waiting:
            return "Nothing is left to do."
        return f"Nothing is open; {count(waiting, 'case')} wait for labelers and an adjudicator."
    if pace.ends is None:
        return f"Nothing has been looked at since it was opened; due {campaign.due}."
    last = min(campaign.due, pace.effective)
    verdict = "in time" if pace.ends <= last else f"too late for {last}"
    return f"At the pace so far the last case is looked at on {pace.ends}: {verdict}."


def status_json(stored: StoredCampaign, pace: Pace) -> JsonValue:
    """What ``assay campaign status --format json`` prints."""
    return {
        "schema_version": 1,
        "campaign": plain(stored.campaign),
        "effective": pace.effective,
        "states": {state: sum(i.state == state for i in pace.items) for state in STATES},
        "ends": pace.ends,
        "cases": [
            {
                "case_id": item.case.case_id,
                "suite": item.case.suite,
                "owner": item.case.owner,
                "state": item.state,
                "revision": item.moved.revision if item.moved is not None else None,
                "day": pace.days.get(item.case.case_id),
                "changed": list(item.case.changed),
            }
            for item in pace.items
        ],
    }


def leftovers_text(stored: StoredCampaign, pace: Pace) -> str:
    """What is left of a campaign, by owner."""
    rest = [item for item in pace.items if item.state in ("open", "silver", "disputed")]
    if not rest:
        return f"{stored.campaign.id}: nothing of {count(len(pace.items), 'case')} is left.\n"
    lines = [f"{stored.campaign.id}: {count(len(rest), 'case')} of {len(pace.items):,} left"]
    for owner in sorted({item.case.owner for item in rest}):
        lines.append(f"  {safe(owner)}")
        lines += [
            f"    {left(item.case.case_id, 24)} {item.state}"
            for item in rest
            if item.case.owner == owner
        ]
    return "\n".join(lines) + "\n"


def bulk_text(bulk: Bulk, verb: str) -> str:
    """What a bulk command writes and leaves alone."""
    changes = Counter((draft.record.status, draft.record.change) for draft in bulk.drafts)
    lines = [f"{count(len(bulk.drafts), 'revision')} {verb}"]
    lines += [
        f"  {right(f'{number:,}', 7)}  {status}, {change}"
        for (status, change), number in sorted(changes.items())
    ]
    if bulk.skipped:
        lines.append(f"{count(len(bulk.skipped), 'record')} left alone:")
        lines += [f"  {left(item.case_id, 24)} {safe(item.reason)}" for item in bulk.skipped[:20]]
        if len(bulk.skipped) > 20:
            lines.append(f"  … and {len(bulk.skipped) - 20:,} more")
    return "\n".join(lines) + "\n"


def bulk_json(bulk: Bulk, written: Sequence[str]) -> JsonValue:
    """What a bulk command prints with ``--format json``."""
    return {
        "schema_version": 1,
        "revisions": [draft.path for draft in bulk.drafts],
        "skipped": [
            {"case_id": item.case_id, "path": item.path, "reason": item.reason}
            for item in bulk.skipped
        ],
        "written": list(written),
    }
