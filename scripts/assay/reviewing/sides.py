"""One side of a comparison: a repository on its day, checked and compiled."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from assay.checks.compiling import CompiledRepository
from assay.checks.world import World
from assay.ledger.records import StoredRecord
from assay.models.compiled import EffectiveTruth
from assay.models.finding import FindingReport
from assay.models.review import Scored


@dataclass(frozen=True)
class Side:
    """The repository before, or after."""

    world: World
    """The repository on its day."""
    report: FindingReport
    """What the rules found there."""
    compiled: CompiledRepository
    """What counts there."""

    @cached_property
    def entries(self) -> dict[str, EffectiveTruth]:
        """Case id to what counts for it."""
        return {
            entry.case_id: entry for entries in self.compiled.suites.values() for entry in entries
        }

    def latest(self, case_id: str) -> StoredRecord | None:
        """The last revision of a case, whether it counts or not."""
        revisions = self.world.repository.revisions.get(case_id)
        return revisions[-1] if revisions else None

    def counting(self, case_id: str) -> StoredRecord | None:
        """The revision of a case that counts, as it was written."""
        return self.world.counting.get(case_id)

    def asked(self, case_id: str) -> str | None:
        """What the user says in a case; none where there is no case."""
        stored = self.world.repository.cases.get(case_id)
        return stored.case.user_text if stored else None

    def scored(self, case_id: str) -> Scored:
        """How a case stands."""
        entry = self.entries.get(case_id)
        if entry is None or entry.record is None:
            codes = tuple(item.code for item in entry.exclusions) if entry else ()
            return Scored(revision=None, status=None, content_hash=None, exclusions=codes)
        return Scored(
            revision=entry.record.revision,
            status=entry.record.status,
            content_hash=entry.content_hash,
            exclusions=tuple(item.code for item in entry.exclusions),
            gates=entry.gates,
        )
