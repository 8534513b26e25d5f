"""Next revisions that move records to the version of a campaign."""

from __future__ import annotations

from collections.abc import Mapping

from assay.ledger.bulk import Bulk, next_revisions
from assay.ledger.campaigns.affected import family_of
from assay.ledger.campaigns.files import StoredCampaign
from assay.ledger.campaigns.progress import progress
from assay.ledger.records import StoredRecord
from assay.ledger.repository import Repository
from assay.ledger.selecting import fits, latest
from assay.models.base import JsonValue
from assay.models.campaign import Campaign, CampaignCase
from assay.models.truth import TruthRecord


def _mapped(
    record: TruthRecord, campaign: Campaign, family: frozenset[str]
) -> dict[str, JsonValue]:
    """Policy versions and clauses of a record, moved to the campaign's version."""
    policies = [campaign.policy if name in family else name for name in record.policies]
    clauses = []
    for clause in record.clauses:
        version, _, name = clause.partition("#")
        clauses.append(f"{campaign.policy}#{name}" if version in family else clause)
    unique = list(dict.fromkeys(policies))
    return {
        "policy_version": unique[0] if len(unique) == 1 else unique,
        "clauses": list(dict.fromkeys(clauses)) or None,
        "applies_from": None,
    }


def _family(repository: Repository, campaign: Campaign) -> frozenset[str]:
    family = repository.policies.model.families[family_of(repository, campaign.policy)]
    return frozenset(entry.version for entry in family.versions)


def uphold(
    repository: Repository,
    stored: StoredCampaign,
    where: Mapping[str, str],
    *,
    adjudicator: str,
    why: str,
) -> tuple[Bulk, tuple[CampaignCase, ...]]:
    """Move records whose clauses say the same in the new version, as they are.

    Returns:
        What would be written, and the cases that meet `where` but cite clauses that changed, or
        none: somebody has to look at these.
    """
    family = _family(repository, stored.campaign)
    open_ones = {item.case.case_id for item in progress(repository, stored) if item.state == "open"}
    looked_at: list[tuple[StoredRecord, CampaignCase]] = []
    chosen: list[tuple[StoredRecord, CampaignCase]] = []
    for record in latest(repository):
        case = stored.by_case.get(record.case_id)
        if case is None or record.case_id not in open_ones or not fits(repository, record, where):
            continue
        cites = any(clause.partition("#")[0] in family for clause in record.record.clauses)
        (chosen if cites and not case.changed else looked_at).append((record, case))

    def changes(item: StoredRecord) -> Mapping[str, JsonValue]:
        record = item.record
        return {
            **_mapped(record, stored.campaign, family),
            "change": "upheld" if record.status in ("gold", "disputed") else "policy",
            "status": "gold" if record.status == "disputed" else record.status,
            "adjudicator": adjudicator,
            "rationale": [*record.rationale, why],
        }

    bulk = next_revisions(repository, [record for record, _ in chosen], changes)
    return bulk, tuple(case for _, case in looked_at)


SUGGESTED = (
    "required_tools",
    "forbidden_tools",
    "order",
    "max_calls",
    "acceptable_answers",
    "facts",
    "must_not_state",
    "rubric",
    "state",
    "plan",
    "final_out",
    "score_basis",
    "clauses",
    "rationale",
    "as_of",
    "expires",
    "evidence",
)
"""Fields that a suggestion may fill."""


def fill(
    repository: Repository,
    stored: StoredCampaign,
    suggestions: Mapping[str, Mapping[str, JsonValue]],
    *,
    drafted_by: str,
    why: str,
) -> Bulk:
    """Write suggestions for open cases as silver; people make them gold.

    Args:
        repository: the records.
        stored: the campaign.
        suggestions: case to the fields of the next revision, of those in `SUGGESTED`.
        drafted_by: model or person that made them.
        why: a sentence for the rationale.
    """
    family = _family(repository, stored.campaign)
    open_ones = {item.case.case_id for item in progress(repository, stored) if item.state == "open"}

    def changes(item: StoredRecord) -> Mapping[str, JsonValue]:
        given = suggestions[item.case_id]
        rationale = given.get("rationale") or list(item.record.rationale)
        assert isinstance(rationale, list)
        return {
            **_mapped(item.record, stored.campaign, family),
            **given,
            "status": "silver",
            "change": "policy",
            "drafted_by": drafted_by,
            "labelers": None,
            "adjudicator": None,
            "rationale": [*rationale, why],
        }

    chosen = [
        record
        for record in latest(repository)
        if record.case_id in open_ones and record.case_id in suggestions
    ]
    return next_revisions(repository, chosen, changes)
