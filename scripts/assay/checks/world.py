"""What a rule may look at: the loaded repository on one day, and what follows from it.

Everything here is computed at most once and only when a rule asks for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from assay.ledger.cases import StoredCase, StoredSuite
from assay.ledger.effective import judged_revisions, record_that_counts
from assay.ledger.people import PeopleIndex
from assay.ledger.records import StoredRecord
from assay.ledger.renames import MappedRecord, map_record
from assay.ledger.repository import Repository
from assay.ledger.toolnames import ToolNames
from assay.models.case import CaseAttributes
from assay.models.truth import TruthRecord


@dataclass(frozen=True)
class Judged:
    """A revision whose content is judged: the one that counts, or a later one."""

    stored: StoredRecord
    """The revision as it stands in its file."""
    mapped: MappedRecord
    """The same with today's tool names."""
    suite: StoredSuite | None
    """Its suite, where that could be loaded."""
    case: StoredCase | None
    """Its case, where there is one."""
    counts: bool
    """Whether it is the revision that counts today; else it comes later."""

    @property
    def record(self) -> TruthRecord:
        """The revision as written."""
        return self.stored.record

    @property
    def case_id(self) -> str:
        """The case."""
        return self.stored.record.case_id

    @property
    def attributes(self) -> CaseAttributes | None:
        """What ``suite.yaml`` says of the case."""
        return self.suite.attributes(self.case_id) if self.suite else None


@dataclass(frozen=True)
class World:
    """A repository on a day."""

    repository: Repository
    """Everything that lies in it."""
    today: str
    """The day, ``YYYY-MM-DD``."""
    in_force: Mapping[str, str]
    """Policy family to the version in force."""
    only: frozenset[str] | None = None
    """Case ids that are looked at; every case where absent."""
    _texts: dict[str, str] = field(default_factory=dict, compare=False, repr=False)

    @property
    def names(self) -> ToolNames:
        """The rename map."""
        return self.repository.names

    @property
    def who(self) -> PeopleIndex:
        """People and models."""
        return self.repository.who

    @cached_property
    def judged(self) -> tuple[Judged, ...]:
        """Revisions whose content is judged, by case and revision."""
        found: list[Judged] = []
        policies = self.repository.policies.model
        for case_id, revisions in self.repository.revisions.items():
            if self.only is not None and case_id not in self.only:
                continue
            counting = self.counting.get(case_id)
            for stored in judged_revisions(revisions, policies, self.today):
                found.append(
                    Judged(
                        stored,
                        map_record(stored.record, self.names),
                        self.repository.suite_of(stored),
                        self.repository.cases.get(case_id),
                        stored is counting,
                    )
                )
        return tuple(found)

    @cached_property
    def counting(self) -> dict[str, StoredRecord]:
        """Case id to the revision that counts today."""
        found: dict[str, StoredRecord] = {}
        policies = self.repository.policies.model
        for case_id, revisions in self.repository.revisions.items():
            stored = record_that_counts(revisions, policies, self.today)
            if stored is not None:
                found[case_id] = stored
        return found

    def live(self) -> tuple[Judged, ...]:
        """Judged revisions that say what is correct: neither draft nor retired."""
        return tuple(
            judged for judged in self.judged if judged.record.status not in ("draft", "retired")
        )
