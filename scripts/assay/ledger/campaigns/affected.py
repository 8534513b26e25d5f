"""What a new policy version touches: which records, and which clauses say something else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from assay.errors import UsageError
from assay.ledger.editing import nearest
from assay.ledger.policy_texts import cited_clauses
from assay.ledger.repository import Repository
from assay.ledger.selecting import fits, latest
from assay.models.campaign import CampaignCase
from assay.models.truth import TruthRecord


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
