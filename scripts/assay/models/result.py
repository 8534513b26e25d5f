"""What scoring comes to: verdicts with evidence, counts that add up, and what produced them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from assay.models.base import Day, JsonValue, Many, Model, Name, Sha256
from assay.models.levels import Levels, PlanScores
from assay.models.truth import Component, Status

Outcome = Literal["passed", "failed", "not_evaluated", "error"]
"""The four verdicts, kept apart all the way to the report."""

OUTCOMES: tuple[Outcome, ...] = ("passed", "failed", "not_evaluated", "error")


class Evidence(Model):
    """One reason for a verdict: what was asked for, and what was seen."""

    kind: Name
    """Stable machine name, such as ``missing_call``, ``forbidden_call``, ``fact_stated``."""
    outcome: Outcome
    """What this piece says on its own."""
    pointer: str = ""
    """JSON pointer into the truth record: the expectation."""
    call: int | None = None
    """Zero-based index over all tool calls of the run: the deciding call."""
    turn: int | None = None
    """Zero-based turn."""
    expected: str | None = None
    """The expectation in words or canonical JSON."""
    observed: str | None = None
    """What was seen, in words or canonical JSON; the deciding words of an answer."""
    message: Name
    """One sentence for a person."""


class ComponentResult(Model):
    """What one component of the score came to."""

    component: Component
    """Which one."""
    outcome: Outcome
    """Its verdict."""
    in_basis: bool
    """Whether it decides the case or is only shown."""
    evidence: Many[Evidence] = ()
    """Every reason, in the order of the record's fields."""


class CaseResult(Model):
    """One line of ``scores/<suite>/<run>.jsonl``: one case, one trial."""

    schema_version: Literal[1] = 1
    """Version of this format."""
    run: Name
    """Name of the run."""
    case_id: Name
    """The eval case."""
    trial: int
    """Zero-based trial."""
    outcome: Outcome
    """The verdict of the case."""
    components: Many[ComponentResult] = ()
    """Verdicts of the components that have criteria."""
    notes: Many[Name] = ()
    """What a reader should know and what decides nothing."""
    tags: Many[Name] = ()
    """Failure tags."""
    status: Status
    """Status of the record that it was scored against."""
    revision: int
    """Revision of that record."""
    content_hash: Sha256
    """Content hash of that record."""
    gates: bool
    """Whether the case may block a merge."""
    slice: str
    """The case's slice."""
    cluster: str
    """Template or anchor: cases of one cluster are not independent."""
    category: str | None = None
    """The case's category."""
    observed: Sha256
    """Digest of what the agent did; recorded verdicts refer to it."""
    levels: Levels | None = None
    """Outcome, process and planning beside the verdict; none where the record has no plan."""


class ExcludedCase(Model):
    """A case that could not be scored today, and why."""

    case_id: Name
    """The eval case."""
    codes: Many[Name]
    """Codes of the findings that exclude it, in order."""
    reasons: Many[Name]
    """Their messages, in the same order."""
    status: Status | None = None
    """Status of the record that counts, if there is one."""


class Tally(Model):
    """Counts that add up, and rates with their uncertainty.

    ``expected = passed + failed + not_evaluated + errored + excluded + unmatched``, always. The
    unit is one case in one trial; an excluded case and one without an entry count once.
    """

    expected: int
    """Everything that should have been scored."""
    passed: int
    """Passed."""
    failed: int
    """Failed."""
    not_evaluated: int
    """No verdict could be formed; neither passed nor failed."""
    errored: int
    """The harness failed, not the agent."""
    excluded: int
    """No valid truth today."""
    unmatched: int
    """Scorable, but the run has no entry for it."""
    evaluated: int
    """``passed + failed``: the denominator of the rate."""
    incomplete: bool
    """True when anything expected is outside the rate for lack of a verdict."""
    pass_rate: float | None
    """``passed / evaluated``, trials averaged within a case first; none when nothing was."""
    worst: float | None
    """The rate if everything without a verdict had failed."""
    best: float | None
    """The rate if everything without a verdict had passed."""
    wilson_low: float | None
    """Lower end of the 95 % Wilson score interval over cases."""
    wilson_high: float | None
    """Upper end of it."""
    standard_error: float | None
    """Cluster-aware standard error of the rate."""
    cases: int
    """Cases that contribute to the rate."""
    clusters: int
    """Clusters that contribute to the rate."""


class TrialRate(Model):
    """One of pass^k and pass@k."""

    k: int
    """Number of trials."""
    pass_hat_k: float | None
    """pass^k: mean over cases of C(c, k) / C(n, k) — all of k trials pass."""
    pass_at_k: float | None
    """pass@k: mean over cases of 1 − C(n − c, k) / C(n, k) — at least one of k passes."""
    cases: int
    """Cases with at least k evaluated trials."""


class Subject(Model):
    """What was measured: may differ between results that are compared."""

    run: Name
    """Name of the run."""
    run_digest: Sha256
    """Digest of the observed runs."""
    agent: str | None = None
    """Name of the agent; none where several or unknown."""
    model: str | None = None
    """Name of the model; none where several or unknown."""
    trials: int
    """Number of trials."""


class Context(Model):
    """What it was measured against: must agree before two results may be compared."""

    suite: Name
    """Name of the suite."""
    truth: Sha256
    """Truth hash."""
    cases: Sha256
    """Digest of the cases' content."""
    policies: dict[str, str]
    """Policy family to the version in force."""
    scorer: Sha256
    """Digest of the code that scores."""
    weights: dict[str, JsonValue]
    """Weights and thresholds in force."""
    split: Sha256
    """Digest of the split."""
    verdicts: Sha256
    """Digest of the recorded verdicts."""
    rename_map: Sha256
    """Digest of the rename map; differing maps need not refuse."""
    store: Sha256 | None = None
    """Digest of the telemetry store, where the suite uses one."""
    cassettes: Sha256 | None = None
    """Digest of the cassettes, where the suite uses some."""


class Result(Model):
    """``scores/<suite>/<run>.json``: what a run came to on a suite."""

    schema_version: Literal[1] = 1
    """Version of this format."""
    id: Name
    """Eight characters that name this result, derived from subject and context."""
    exploratory: bool
    """True where drafts were scored; such a result is never compared and never gates."""
    engine: Name
    """Version of the engine."""
    today: Day
    """The day that expiry and policies were judged at; never refuses a comparison."""
    subject: Subject
    """What was measured."""
    context: Context
    """What it was measured against."""
    scored_set: Sha256
    """Digest of the set of cases that were scorable."""
    overall: Tally
    """All cases of the suite."""
    by_slice: dict[str, Tally]
    """Slice to its counts."""
    by_category: dict[str, Tally]
    """Category to its counts."""
    by_status: dict[str, Tally]
    """Status of the record to its counts."""
    gating: Tally
    """Only the cases that gate."""
    trials: Many[TrialRate] = ()
    """pass^k and pass@k for each k up to the number of trials; empty for one trial."""
    components: dict[str, dict[str, int]]
    """Component to outcome to number of case results."""
    tags: dict[str, int]
    """Failure tag to number of case results."""
    excluded: Many[ExcludedCase]
    """Cases without valid truth today."""
    unmatched: Many[Name]
    """Scorable cases without an entry in the run."""
    unknown_cases: dict[str, Many[Name]] = Field(default_factory=dict)
    """Case ids of the run that the repository does not know, with the nearest known ones."""
    plans: PlanScores | None = None
    """The three levels over the cases that have a plan; none where no case has one."""
