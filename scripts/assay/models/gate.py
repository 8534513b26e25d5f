"""What ``assay gate`` decides: whether a merge may go on, and who has to act where it may not."""

from __future__ import annotations

from typing import Literal

from assay.models.base import Day, Many, Model, Name
from assay.models.comparison import ComparedSide, LeftOut, Measure, SliceMeasure

Decision = Literal["passes", "fails", "refuses"]
"""`refuses`: nothing can be said of the agent; the benchmark, not the agent, has to change."""

RefusalKind = Literal[
    "exploratory",
    "other_context",
    "nothing_selected",
    "coverage",
    "no_verdict",
    "no_entry",
    "stale",
    "no_pairs",
]
"""Why nothing can be said."""


class Refusal(Model):
    """One reason for which the gate refuses to judge."""

    kind: RefusalKind
    """Which kind."""
    message: Name
    """What is wrong, in a sentence."""
    who: Name
    """Who has to act."""
    hint: str = ""
    """What to type."""
    cases: Many[Name] = ()
    """The cases concerned."""


class GateCase(Model):
    """A gating case that stands otherwise in the run than in the baseline, or must pass."""

    case_id: Name
    """The case."""
    slice: Name
    """Its slice."""
    owner: str | None = None
    """Who answers for the label."""
    required: bool = False
    """Whether it must pass on its own."""
    before: float | None
    """Share of trials that passed in the baseline; none where it has no verdict."""
    after: float
    """Share of trials that passed in the run."""
    why: str = ""
    """The deciding evidence of the run's verdict."""
    agree: int = 0
    """Other stored runs that fail the case as well."""
    others: int = 0
    """Other stored runs with a verdict on it."""
    hint: str = ""
    """What to type about it."""
    suspected: bool = False
    """Whether so many agree against the label that it should be looked at first."""


class GateReport(Model):
    """What ``assay gate --format json`` prints."""

    schema_version: Literal[1] = 1
    """Version of this shape."""
    decision: Decision
    """What it comes to."""
    exit_code: Literal[0, 1, 3]
    """0 passes, 1 fails, 3 refuses; a refusal beats a failure."""
    suite: str
    """The suite."""
    today: Day
    """The day that it was judged for."""
    alpha: float
    """Level of the test."""
    run: ComparedSide
    """The run, over its gating cases."""
    baseline: ComparedSide
    """The baseline, over the same cases."""
    gating: int
    """Cases that may block."""
    alive: int
    """Cases of the suite that are not retired."""
    coverage: float | None
    """`gating / alive`; none where there are no cases."""
    floor: float | None = None
    """Coverage under which the gate refuses."""
    overall: Measure
    """The paired comparison on all gating cases, p after Holm."""
    slices: Many[SliceMeasure] = ()
    """The same by slice."""
    refusals: Many[Refusal] = ()
    """Why nothing can be said."""
    worse: Many[Name] = ()
    """What became worse: ``overall``, or slices."""
    failures: Many[GateCase] = ()
    """Gating cases that pass less often than in the baseline, and required ones that fail."""
    improved: Many[Name] = ()
    """Gating cases that pass more often."""
    left_out: Many[LeftOut] = ()
    """Gating cases without a verdict on one side: they leave the test, and are counted."""
    quarantined: Many[Name] = ()
    """Cases that are scored and do not gate for a time."""
    unmeasured: bool = False
    """Whether slices gate although the agreement of their labelers was not measured."""
    remarks: Many[Name] = ()
    """What a reader must know."""
