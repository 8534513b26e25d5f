"""What a rule may look at: the loaded repository on one day, and what follows from it.

Everything here is computed at most once and only when a rule asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from assay.ledger.cases import StoredCase, StoredSuite
from assay.ledger.changes import History
from assay.ledger.effective import judged_revisions, record_that_counts
from assay.ledger.fixtures import Fixture, Missing, load_fixture, suite_texts
from assay.ledger.owners.files import OwnersFile
from assay.ledger.people import PeopleIndex
from assay.ledger.policy_texts import PolicyText, load_policy_texts
from assay.ledger.records import StoredRecord
from assay.ledger.renames import MappedRecord, map_record
from assay.ledger.repository import Repository
from assay.ledger.run_models import RunModels, models_of_run
from assay.ledger.signatures import SignedBranch
from assay.ledger.toolnames import ToolNames
from assay.ledger.verdicts import VerdictFile, load_verdicts
from assay.models.case import CaseAttributes
from assay.models.catalog import QuarantineEntry
from assay.models.truth import SCORABLE, TruthRecord

T = TypeVar("T")


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
    def suite_name(self) -> str:
        """Name of the suite; empty where neither a folder nor a case says it."""
        return self.suite.name if self.suite else self.stored.suite

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
    history: History | None = None
    """What was changed since a commit, where that was asked for."""
    owners: OwnersFile | None = None
    """CODEOWNERS, where that is looked at."""
    signed: SignedBranch | None = None
    """Who has signed the revisions that a branch adds, where that was asked for."""
    _fixtures: dict[tuple[str, str], Fixture | Missing | None] = field(
        default_factory=dict, compare=False, repr=False
    )
    _texts: dict[str, tuple[str, ...]] = field(default_factory=dict, compare=False, repr=False)
    _runs: dict[tuple[str, str], RunModels | None] = field(
        default_factory=dict, compare=False, repr=False
    )
    _derived: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)
    _active: dict[str, bool] = field(default_factory=dict, compare=False, repr=False)

    @property
    def names(self) -> ToolNames:
        """The rename map."""
        return self.repository.names

    @property
    def who(self) -> PeopleIndex:
        """People and models."""
        return self.repository.who

    def once(self, name: str, make: Callable[[World], T]) -> T:
        """What a module of rules derives from the world, made when it is first asked for."""
        if name not in self._derived:
            self._derived[name] = make(self)
        return self._derived[name]  # type: ignore[no-any-return]

    # -- revisions --------------------------------------------------------------------------

    @cached_property
    def judged(self) -> tuple[Judged, ...]:
        """Revisions whose content is judged, by case and revision."""
        found: list[Judged] = []
        policies = self.repository.policies.model
        cases, names = self.repository.cases, self.names
        for case_id, revisions in self.repository.revisions.items():
            if not self.looks_at(case_id):
                continue
            counting = self.counting.get(case_id)
            case = cases.get(case_id)
            latest = len(revisions) == 1 or revisions[-1] is counting
            chosen = revisions[-1:] if latest else judged_revisions(revisions, policies, self.today)
            for stored in chosen:
                found.append(
                    Judged(
                        stored,
                        map_record(stored.record, names),
                        self.repository.suite_of(stored),
                        case,
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

    @cached_property
    def _live(self) -> tuple[Judged, ...]:
        return tuple(
            judged
            for judged in self.judged
            if judged.record.status not in ("draft", "retired") and judged.record.redacted is None
        )

    def live(self) -> tuple[Judged, ...]:
        """Judged revisions that say what is correct: neither draft nor retired nor redacted."""
        return self._live

    @cached_property
    def scorable(self) -> tuple[Judged, ...]:
        """Judged revisions that stand for something: gold or silver.

        Whether a label is *right* is asked of these alone. A disputed one is known to be in
        doubt and is not scored; the check must be green once it has been disputed.
        """
        return tuple(j for j in self._live if j.record.status in SCORABLE)

    @cached_property
    def scorable_today(self) -> tuple[Judged, ...]:
        """Gold and silver revisions that count today."""
        return tuple(judged for judged in self.scorable if judged.counts)

    def looks_at(self, case_id: str) -> bool:
        """Whether a case is among those that are looked at."""
        return self.only is None or case_id in self.only

    # -- what surrounds them ----------------------------------------------------------------

    @cached_property
    def families(self) -> dict[str, str]:
        """Policy version to its family."""
        return {
            entry.version: family
            for family, content in sorted(self.repository.policies.model.families.items())
            for entry in content.versions
        }

    @cached_property
    def policy_texts(self) -> dict[str, PolicyText]:
        """Policy version to its text."""
        return load_policy_texts(self.repository.root, self.repository.policies.model)

    @cached_property
    def verdict_files(self) -> tuple[VerdictFile, ...]:
        """Every file of recorded verdicts, in order of suite and path."""
        root = self.repository.root
        return tuple(f for suite in self.repository.suites for f in load_verdicts(root, suite))

    @cached_property
    def quarantined(self) -> dict[str, QuarantineEntry]:
        """Case id to the entry that keeps it from gating today."""
        entries = self.repository.quarantine.model.quarantine
        return {entry.case: entry for entry in entries if self.today < entry.until}

    def fixture(self, suite: str, name: str) -> Fixture | Missing | None:
        """A fixture or cassette of a suite; see `assay.ledger.fixtures.load_fixture`."""
        if (suite, name) not in self._fixtures:
            self._fixtures[suite, name] = load_fixture(self.repository.root, suite, name)
        return self._fixtures[suite, name]

    def suite_texts(self, suite: str) -> tuple[str, ...]:
        """Texts of all fixtures and cassettes in a suite's folder."""
        if suite not in self._texts:
            self._texts[suite] = suite_texts(self.repository.root, suite) if suite else ()
        return self._texts[suite]

    def models_of_run(self, suite: str, run: str) -> RunModels | None:
        """Which models made a stored run; None where it is not there."""
        if (suite, run) not in self._runs:
            self._runs[suite, run] = models_of_run(self.repository.root, suite, run)
        return self._runs[suite, run]

    def active(self, handle: str) -> bool:
        """Whether a person has any role today."""
        if handle not in self._active:
            self._active[handle] = self.who.active(handle, self.today)
        return self._active[handle]

    def unowned(self, judged: Judged) -> bool:
        """Whether no active labeler, adjudicator or owner is left today."""
        record = judged.record
        if any(self.active(handle) for handle in record.labelers):
            return False
        if record.adjudicator is not None and self.active(record.adjudicator):
            return False
        return judged.suite is None or not self.active(judged.suite.owner(judged.case_id))

    def not_gating(self, judged: Judged) -> tuple[str, ...]:
        """Why a scorable revision may not block a merge; empty where it may."""
        reasons: list[str] = []
        if judged.record.status != "gold":
            reasons.append(f"{judged.record.status}, not gold")
        entry = self.quarantined.get(judged.case_id)
        if entry is not None:
            reasons.append(f"in quarantine until {entry.until}: {entry.reason}")
        if self.unowned(judged):
            reasons.append("unowned: no active labeler, adjudicator or owner is left")
        if self.repository.params.model.gate.unmeasured != "allow":
            reasons.append("agreement not measured")
        return tuple(reasons)
