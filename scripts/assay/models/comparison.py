"""Two sides compared: what each came to, how they differ, and what moved the number."""

from __future__ import annotations

from typing import Literal

from assay.models.base import Day, Many, Model, Name
from assay.models.result import Context, Tally

Standing = Literal["evaluated", "not_evaluated", "error", "excluded", "unmatched", "absent"]
"""What a side says of a case; `absent`: it was not expected there."""

Conclusion = Literal["better", "worse", "no_difference_shown", "cannot_tell"]
"""What may be said of the second side against the first."""

Method = Literal["exact McNemar", "exact sign flips of clusters", "paired cluster bootstrap"]
"""What a p-value is made by."""

PartName = Literal["coverage", "scorer", "truth", "agent"]
"""What can move a number, in the order in which it is replaced."""


class LeftCase(Model):
    """A case without a valid label on one side."""

    case_id: Name
    """The case."""
    reasons: Many[Name]
    """Why, as the result says."""


class ComparedSide(Model):
    """One of the two sides, over everything that it was expected to answer."""

    name: Name
    """As it was typed."""
    run: Name
    """Name of the run."""
    kind: Literal["result", "run", "lines", "table"]
    """A stored result, a run scored just now, lines of scores, or a table of verdicts."""
    result: str | None = None
    """Id of the result."""
    today: Day | None = None
    """The day that it was scored for."""
    agent: str | None = None
    """Name of the agent."""
    model: str | None = None
    """Name of the model."""
    context: Context | None = None
    """What it was scored against; none where nobody knows."""
    tally: Tally
    """Its counts: expected = passed + failed + not evaluated + errored + excluded + unmatched."""
    excluded: Many[LeftCase] = ()
    """Cases without a valid label."""
    unmatched: Many[Name] = ()
    """Cases without an entry in the run."""
    unknown_cases: Many[Name] = ()
    """Case ids of the run that the suite does not have; they count nowhere."""


class LeftOut(Model):
    """A case that is not among the pairs."""

    case_id: Name
    """The case."""
    a: Standing
    """What the first side says of it."""
    b: Standing
    """What the second side says of it."""
    other_label: bool = False
    """True where both sides have a verdict, and by different labels."""


class Gap(Model):
    """The smallest true gap that so many clusters can show, with 80 % power at the tests' level."""

    discordant: float
    """Share of clusters on which the sides differ: 10 %, or what was seen where that is more."""
    points: float | None
    """In points of a hundred; none where no gap can be shown."""
    label_errors: float
    """Share of wrong labels that the next field reckons with."""
    points_with_label_errors: float | None
    """The same where so many labels are wrong."""


class Measure(Model):
    """One figure of both sides on the cases that both have."""

    measure: Literal["passed", "score"]
    """The share of trials that passed, or the mean of graded scores."""
    cases: int
    """Cases that both sides have."""
    clusters: int
    """Clusters among them."""
    a: float | None
    """The first side, trials averaged within a case first."""
    b: float | None
    """The second side."""
    difference: float | None
    """Second less first."""
    exact: str | None
    """The difference as a fraction."""
    standard_error: float | None
    """Cluster-aware standard error of the difference."""
    low: float | None
    """Lower end of the 95 % interval: the score interval of single verdicts on independent cases,
    else the widened percentile interval of the paired cluster bootstrap; none where the cases fall
    into fewer than six clusters, or where no cluster differs from another."""
    high: float | None
    """Upper end of it."""
    higher: int
    """Cases on which the second side is above the first."""
    lower: int
    """Cases on which it is below."""
    level: int
    """Cases on which both are alike."""
    method: Method | None
    """What made the p-value."""
    p: float | None
    """Two-sided p-value."""
    adjusted: float | None = None
    """After Holm over all slices; of slices only."""
    conclusion: Conclusion
    """What may be said of the second side."""
    why: Name
    """The reason for it in one sentence."""
    gap: Gap | None = None
    """What so many cases can show; of the verdicts on the whole only."""


class SliceMeasure(Model):
    """One slice of the pairs."""

    slice: Name
    """The slice."""
    measure: Measure
    """Its figures; `adjusted` decides."""


class TrialPair(Model):
    """pass^k and pass@k of both sides on the pairs that have k trials on both."""

    k: int
    """Number of trials."""
    cases: int
    """Pairs with at least k evaluated trials on both sides."""
    pass_hat_k_a: float | None
    """pass^k = mean of C(c, k) / C(n, k), first side: all of k trials pass."""
    pass_hat_k_b: float | None
    """pass^k of the second side."""
    pass_at_k_a: float | None
    """pass@k = mean of 1 - C(n - c, k) / C(n, k), first side: one of k trials passes."""
    pass_at_k_b: float | None
    """pass@k of the second side."""


class Moved(Model):
    """A case whose share of passed trials a step changed."""

    case_id: Name
    """The case."""
    before: float
    """Share before."""
    after: float
    """Share after."""


class AttributedPart(Model):
    """What one step did to the pass rate."""

    parts: Many[PartName]
    """What was replaced; several where the state between them is not known."""
    change: float
    """Change of the pass rate, from -1 to 1."""
    exact: str
    """The same as a fraction; these sum exactly to `exact_b` less `exact_a`."""
    moved: Many[Moved] = ()
    """Cases that it moved; of coverage none, see `left` and `came`."""


class Attribution(Model):
    """The difference of both sides' own pass rates, split into what moved them."""

    a: float
    """Pass rate of the first side over all that it evaluated."""
    b: float
    """Pass rate of the second side over all that it evaluated."""
    exact_a: str
    """Pass rate of the first side as a fraction."""
    exact_b: str
    """Pass rate of the second side as a fraction."""
    cases: int
    """Cases with a verdict in every state; every step but coverage is taken on these."""
    left: Many[Name]
    """Cases that count for the first side, and are not among these."""
    came: Many[Name]
    """Cases that count for the second side, and are not among these."""
    parts: Many[AttributedPart]
    """The steps, in order."""
    unknown: Many[Name] = ()
    """Why a state between two steps is not known."""


class Comparison(Model):
    """What ``assay compare A B --format json`` prints."""

    schema_version: Literal[1] = 1
    """Version of this format; fields are only ever added."""
    on: Literal["same", "unchanged", "verdicts"]
    """Under one context; on cases with unchanged labels; verdicts as they are, by whatever."""
    regraded: bool
    """Whether both were scored again, now."""
    only_slices: Many[Name] = ()
    """Slices that were asked for; all where empty."""
    a: ComparedSide
    """The first side."""
    b: ComparedSide
    """The second side."""
    alpha: float = 0.05
    """Level of the tests."""
    alpha_from: Literal["default", "gate.alpha"] = "default"
    """Where it comes from: `gate.alpha` of ``params.yaml``, or from nowhere else."""
    conclusion: Conclusion
    """What may be said of the second side: that of the first measure."""
    measures: Many[Measure]
    """Passed first; score where both sides have graded scores."""
    slices: Many[SliceMeasure] = ()
    """By slice; empty where there are fewer than two."""
    trials: Many[TrialPair] = ()
    """For each k; empty where a side has one trial."""
    left_out: Many[LeftOut] = ()
    """Cases that are not among the pairs."""
    attribution: Attribution | None = None
    """What moved the number; none where a side has no rate."""
    remarks: Many[Name] = ()
    """What a reader must know."""
