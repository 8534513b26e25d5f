"""A revision before it is written, as it is shown to who writes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from assay.ledger.editing import Draft
from assay.models.finding import Finding


@dataclass(frozen=True)
class RunStanding:
    """What one stored run comes to on the case, now and with the revision."""

    run: str
    """Its name."""
    before: str
    """The verdict now: ``passed``, ``failed``, ``not_evaluated``, ``error`` or ``not scored``."""
    after: str
    """The verdict with the revision."""
    reason: str
    """What decides it with the revision; what decided it before where it is no longer scored."""
    passed_before: int = 0
    """Trials that pass now."""
    trials: int = 1
    """Trials that there are."""


@dataclass(frozen=True)
class CaseLook:
    """A case as it stands, shown before anybody is asked anything about it."""

    head: str
    """Which case, and what its record is."""
    question: str
    """What the user says; empty where there is no case."""
    clauses: Mapping[str, str]
    """Cited clause to its words; empty words where the text has no such clause."""
    rationale: tuple[str, ...]
    """Why the record says what it says."""
    standing: str
    """Whether the case is scored, in words; empty where there is no record."""
    runs: tuple[RunStanding, ...]
    """Every stored run that has the case, by name; `after` is `before`."""
    unscored: str
    """Why the runs were not scored; empty where they were."""


@dataclass(frozen=True)
class Amendment:
    """A revision that is about to be written, with what it rests on and what it does."""

    draft: Draft
    """The revision."""
    question: str
    """What the user says; empty where there is no case."""
    clauses: Mapping[str, str]
    """Cited clause to its words; empty words where the text has no such clause."""
    day: str
    """The day for which it is shown: today, or the first day on which it counts."""
    today: str
    """The day of the repository."""
    before: str
    """Whether the case is scored now, in words; empty where there is no record."""
    after: str
    """Whether it is with the revision."""
    signs: str
    """Who must sign, in words."""
    signers: tuple[str, ...]
    """Handles that must sign and are named in the record."""
    missing: tuple[str, ...]
    """Who must sign and is not named."""
    findings: tuple[Finding, ...]
    """What the check will say of the case."""
    runs: tuple[RunStanding, ...]
    """Every stored run that has the case, by name."""
    unscored: str
    """Why the runs were not scored; empty where they were."""
    notes: tuple[str, ...] = ()
    """What else should be known, in sentences."""
    next: tuple[str, ...] = ()
    """Commands to type next."""
    written: tuple[str, ...] = field(default=())
    """Files that were written, relative to the root; none in a dry run."""
