"""Relabelling campaigns: what a new policy version touches, and how far the work has come.

A campaign is frozen when it is opened. How far it has come is computed from the revisions that
were written since, never noted down: two people would note down different things.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from assay.errors import InputError, RefusedError, UsageError
from assay.files.journal import write_all
from assay.files.model_text import compact_text, plain_object
from assay.files.reading import parse_json, read_bytes
from assay.files.validation import require
from assay.files.yamls import read_yaml
from assay.ledger.bulk import Bulk, next_revisions, yaml_text
from assay.ledger.editing import nearest
from assay.ledger.layout import CAMPAIGNS
from assay.ledger.policies import effective_day
from assay.ledger.policy_texts import cited_clauses
from assay.ledger.records import StoredRecord
from assay.ledger.repository import Repository
from assay.ledger.selecting import fits, latest
from assay.models.base import JsonValue
from assay.models.campaign import Campaign, CampaignCase
from assay.models.truth import TruthRecord

State = Literal["open", "silver", "done", "disputed", "retired"]
"""`open`: nothing yet; `silver`: moved, to be confirmed; `done`: gold under the new version."""

STATES: tuple[State, ...] = ("open", "silver", "done", "disputed", "retired")


def family_of(repository: Repository, version: str) -> str:
    """The family of a policy version.

    Raises:
        UsageError: there is no such version.
    """
    families = repository.policies.model.families
    for family, content in families.items():
        if any(entry.version == version for entry in content.versions):
            return family
    known = {entry.version: "" for content in families.values() for entry in content.versions}
    raise UsageError(f"No policy version is called `{version}`.", hint=nearest(version, known))


def affected(
    repository: Repository, version: str, where: Mapping[str, str]
) -> tuple[CampaignCase, ...]:
    """Records under another version of the family whose latest revision is not retired."""
    family = family_of(repository, version)
    versions = {entry.version for entry in repository.policies.model.families[family].versions}
    changes = ClauseChanges(repository, version)
    found = []
    for stored in latest(repository):
        named = tuple(name for name in stored.record.policies if name in versions)
        suite = repository.suite_of(stored)
        if not named or version in named or suite is None or not fits(repository, stored, where):
            continue
        found.append(
            CampaignCase(
                case_id=stored.case_id,
                suite=suite.name,
                revision=stored.revision,
                status=stored.record.status,
                versions=named,
                owner=suite.owner(stored.case_id),
                changed=tuple(changes.of(stored.record, named)),
            )
        )
    return tuple(found)


class ClauseChanges:
    """Which clauses say something else in another version of their policy."""

    def __init__(self, repository: Repository, version: str) -> None:
        self._repository = repository
        self._version = version
        self._words: dict[str, str | None] = {}

    def of(self, record: TruthRecord, versions: Iterable[str]) -> Iterator[str]:
        """Clauses that a record cites from these versions and that are other or gone."""
        old = set(versions)
        for clause in record.clauses:
            version, _, name = clause.partition("#")
            if version in old:
                before, after = self._text(clause), self._text(f"{self._version}#{name}")
                if before is None or before != after:
                    yield clause

    def _text(self, clause: str) -> str | None:
        if clause not in self._words:
            policies = self._repository.policies.model
            found = cited_clauses(self._repository.root, policies, [clause])
            self._words[clause] = found.get(clause)
        return self._words[clause]


# -- files ----------------------------------------------------------------------------------


def open_campaign(root: Path, campaign: Campaign, cases: tuple[CampaignCase, ...]) -> str:
    """Write a campaign and its cases; returns the path of the campaign.

    Raises:
        RefusedError: one of this name exists, or another command is writing.
        InputError: the repository cannot be written.
    """
    path = f"{CAMPAIGNS}/{campaign.id}.yaml"
    if any((root / CAMPAIGNS).glob(f"{campaign.id}.*")):
        raise RefusedError(f"`{campaign.id}` exists already.", path=path, hint="--id ANOTHER-NAME")
    text = yaml_text(plain_object(campaign, keep=frozenset({"schema_version"})))
    files = [
        (path, text.encode("utf-8")),
        (f"{CAMPAIGNS}/{campaign.id}.cases.jsonl", cases_text(cases).encode("utf-8")),
    ]
    write_all(root, files)
    return path


def cases_text(cases: Iterable[CampaignCase]) -> str:
    """The file of cases, one a line."""
    return "".join(f"{compact_text(plain_object(case))}\n" for case in cases)


def cases_digest(text: str) -> str:
    """SHA-256 of the file of cases."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


@dataclass(frozen=True)
class StoredCampaign:
    """A campaign as it lies in the repository."""

    campaign: Campaign
    """The campaign."""
    cases: tuple[CampaignCase, ...]
    """Its cases, by suite and case."""

    @cached_property
    def by_case(self) -> dict[str, CampaignCase]:
        """Case id to its line."""
        return {case.case_id: case for case in self.cases}


def campaign_names(root: Path) -> tuple[str, ...]:
    """Names of all campaigns, sorted."""
    found = (root / CAMPAIGNS).glob("*.yaml") if (root / CAMPAIGNS).is_dir() else ()
    return tuple(sorted(path.stem for path in found if not path.name.endswith(".change.yaml")))


def load_campaign(root: Path, name: str) -> StoredCampaign:
    """A campaign with its cases.

    Raises:
        UsageError: there is none of this name.
        InputError: it cannot be read, or its cases are not those that it was opened with.
    """
    known = campaign_names(root)
    if name not in known:
        raise UsageError(f"No campaign is called `{name}`.", hint=nearest(name, known))
    path = f"{CAMPAIGNS}/{name}.yaml"
    campaign = read_yaml(root / path, name=path).require(Campaign)
    listed = f"{CAMPAIGNS}/{name}.cases.jsonl"
    data = read_bytes(root / listed, name=listed)
    if hashlib.sha256(data).hexdigest() != campaign.digest:
        raise InputError(
            "The cases are not those that the campaign was opened with.",
            path=listed,
            hint=f"git log -p -- {listed}   restore it: a campaign is frozen when it is opened",
        )
    cases = tuple(
        require(
            CampaignCase,
            parse_json(line, name=listed, first_line=number),
            name=listed,
            first_line=number,
        )
        for number, line in enumerate(data.split(b"\n"), 1)
        if line.strip()
    )
    return StoredCampaign(campaign, cases)


# -- progress -------------------------------------------------------------------------------


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


# -- writing --------------------------------------------------------------------------------


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


def effective(repository: Repository, campaign: Campaign) -> str:
    """The first day of the policy version that a campaign is about."""
    day = effective_day(repository.policies.model, campaign.policy)
    return day or campaign.due
