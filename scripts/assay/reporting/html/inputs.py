"""What a report is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from assay.models.case import EvalCase
from assay.models.compiled import EffectiveTruth
from assay.models.result import CaseResult, Result
from assay.models.run import ObservedRun
from assay.models.truth import TruthRecord
from assay.reporting.scoreboard.board import BoardInput
from assay.statistics.power import LEVEL


@dataclass(frozen=True)
class SuiteInput:
    """One suite: what is asked, what is correct, and what the runs came to."""

    suite: str
    """Name of the suite."""
    title: str = ""
    """What it is about."""
    cases: Sequence[EvalCase] = ()
    """What is asked."""
    truths: Sequence[EffectiveTruth] = ()
    """The record that counts for each case."""
    revisions: Mapping[str, Sequence[TruthRecord]] = field(default_factory=dict)
    """Case to all revisions of its record, for the history."""
    results: Sequence[Result] = ()
    """What each run came to."""
    case_results: Sequence[CaseResult] = ()
    """The lines of all runs, all trials."""
    observed: Sequence[ObservedRun] = ()
    """What the runs did, for the transcripts; may be left out."""
    agreement: str = ""
    """What is known of how labelers agree, in a sentence; empty where nothing was measured."""
    audit: str = ""
    """What an audit says of wrong labels, in a sentence; empty where there was none."""
    floor: Decimal | None = None
    """Coverage (0 to 1) under which the gate refuses."""


@dataclass(frozen=True)
class ReportInput:
    """Everything that a report shows. Equal input gives equal bytes."""

    today: str
    """The day that everything was judged at."""
    engine: str
    """Version of the engine."""
    suites: Sequence[SuiteInput]
    """The suites, in the order in which they are shown."""
    policies: Mapping[str, str] = field(default_factory=dict)
    """Policy family to version in force."""
    titles: Mapping[str, str] = field(default_factory=dict)
    """Code of a finding to its title."""
    clauses: Mapping[str, str] = field(default_factory=dict)
    """Policy clause to its text."""
    expiry_within: int = 60
    """Days before expiry from which on a label is warned of."""
    alpha: Decimal = LEVEL
    """Level of the tests between runs."""
    published: Sequence[Result] = ()
    """What was published, of these runs and others."""
    notes: Sequence[str] = ()
    """Further sentences that must stand beside the numbers."""
    withheld: frozenset[str] = frozenset()
    """Cases that are counted but neither named nor shown: the holdout."""

    def board_input(self) -> BoardInput:
        """The same as input of the scoreboard."""
        return BoardInput(
            today=self.today,
            engine=self.engine,
            results=[result for suite in self.suites for result in suite.results],
            policies=self.policies,
            suites=[suite.suite for suite in self.suites],
            truths=[truth for suite in self.suites for truth in suite.truths],
            floors={s.suite: s.floor for s in self.suites if s.floor is not None},
            case_results={s.suite: s.case_results for s in self.suites},
            titles=self.titles,
            published=self.published,
            notes=self.notes,
            withheld=self.withheld,
            alpha=self.alpha,
        )
