"""What comparing two sides comes to, as one JSON object.

Every rate is made by one division. Where a number must be added up or compared exactly it also
stands as a fraction in text, ``-1/8``.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from assay.models.base import Day, Many, Model, Name
from assay.models.result import ExcludedCase

Answer = Literal["better", "worse", "no_difference_shown", "cannot_tell"]
"""What may be said of B against A: never more than the numbers allow. ``cannot_tell``: there are
too few cases, or too few independent ones, for any difference to show."""

Interval = Literal["score", "bootstrap", "normal"]
"""How an interval of a difference was made."""

Basis = Literal["all", "unchanged", "regraded"]
"""Which cases are paired: all that both sides have; only those whose truth and case did not
change; all, both sides scored again under one context."""

ContextPart = Literal[
    "exploratory",
    "known",
    "suite",
    "truth",
    "cases",
    "policies",
    "scorer",
    "weights",
    "split",
    "store",
    "cassettes",
    "verdicts",
    "rename_map",
]
"""What must agree, in the order in which it is told."""

Remedy = Literal["on_unchanged", "regrade", "score_reviewed", "score_traces", "run_again"]
"""What makes two sides comparable: only the cases that did not change (``--on unchanged``); both
scored again under one context (``--regrade``); scoring reviewed records only; scoring the traces
behind plain verdicts; letting the agent run again on the present data."""

Why = Literal["excluded", "absent", "no_entry", "not_evaluated", "error"]
"""Why a side has no verdict on a case: no valid truth; the side does not know the case; the run
has no entry for it; no trial came to a verdict; the harness failed in every trial."""

Change = Literal["coverage", "scorer", "truth", "agent"]
"""What can move a pass rate, in the order in which it is replaced."""

Exact = Annotated[str, StringConstraints(pattern=r"^-?[0-9]+(/[0-9]+)?$")]
"""A fraction in lowest terms."""


class Unlike(Model):
    """One part of the context that differs."""

    part: ContextPart
    """Which part."""
    name: str = ""
    """Policy family, weight, tool name or case, where the part has several values."""
    a: str | None
    """Its value in A; none where A does not have it."""
    b: str | None
    """Its value in B; none where B does not have it."""
    remedies: Many[Remedy]
    """What makes the two comparable in spite of it, the best first; empty where nothing does."""


class SideSummary(Model):
    """One side by itself: never to be compared by its rate alone."""

    name: Name
    """As the command named it."""
    kind: Literal["result", "lines", "table"]
    """A result with its lines, lines without their result, or a plain table of verdicts."""
    result: str | None = None
    """Id of the result."""
    run: str | None = None
    """Name of the run."""
    agent: str | None = None
    """Name of the agent."""
    model: str | None = None
    """Name of the model."""
    today: Day | None = None
    """The day that expiry was judged at; never refuses a comparison."""
    cases: int
    """Cases with a verdict: the denominator of the rate."""
    passed: Exact
    """Cases that passed; a case with several trials counts by the share that passed."""
    pass_rate: float | None
    """``passed / cases``; none where nothing has a verdict."""
    without_verdict: int
    """Cases that have no verdict though they could be scored."""
    trials_without_verdict: int
    """Trials without a verdict in cases that have one; they left the average of their case."""
    excluded: Many[ExcludedCase] = ()
    """Cases without valid truth on that side's day."""


class OneSided(Model):
    """A case that is compared on neither side, because one has no verdict on it."""

    case_id: Name
    """The case."""
    a: Why | None
    """Why A has no verdict; none where it has one."""
    b: Why | None
    """Why B has no verdict; none where it has one."""


class Changed(Model):
    """A case that was left out because it is not the same on both sides."""

    case_id: Name
    """The case."""
    what: Literal["truth", "case", "unknown"]
    """Its record changed, the case itself changed, or a side does not say what it was."""


class Pairing(Model):
    """How the cases of two sides were paired.

    ``cases = pairs + only_a + only_b + unevaluated + neither + changed``, always.
    """

    cases: int
    """Every case that either side names."""
    pairs: int
    """Cases with a verdict on both sides, and so compared."""
    only_a: Many[OneSided] = ()
    """Cases that could be scored in A alone: B has no valid truth for them, or does not know
    them."""
    only_b: Many[OneSided] = ()
    """Cases that could be scored in B alone."""
    unevaluated: Many[OneSided] = ()
    """Cases that both could be scored on, and at least one has no verdict."""
    neither: Many[OneSided] = ()
    """Cases that neither could be scored on."""
    changed: Many[Changed] = ()
    """Cases with a verdict on both sides that are not the same case any more."""


class Pairs(Model):
    """Pairs of verdicts, counted."""

    both: int
    """Passed by both."""
    lost: int
    """Passed by A, failed by B."""
    gained: int
    """Failed by A, passed by B."""
    neither: int
    """Failed by both."""


class PairedDifference(Model):
    """B against A on the cases that both have a verdict on."""

    cases: int
    """Number of pairs."""
    clusters: int
    """Number of clusters that they fall into."""
    pairs: Pairs | None = None
    """Counted pairs; none where a case passed in some of its trials only, or for scores."""
    a: float | None
    """Mean over the pairs in A."""
    b: float | None
    """Mean over the pairs in B."""
    difference: float | None
    """B minus A."""
    exact: Exact | None
    """B minus A as a fraction."""
    low: float | None
    """Lower end of the 95 % interval of the difference; none where there is none to be had."""
    high: float | None
    """Upper end of it."""
    interval: Interval | None
    """How it was made: Tango's score interval, the paired cluster bootstrap, or, with very many
    clusters, the normal interval with the clustered standard error."""
    standard_error: float | None
    """Clustered standard error of the difference."""
    mcnemar: float | None
    """Two-sided exact McNemar p; none where the pairs cannot be counted."""
    bootstrap: float | None
    """p of the paired cluster bootstrap; none where it was not needed."""
    p: float | None
    """The p that decides: of McNemar for independent pairs, the larger of the two where cases
    share clusters, of the bootstrap where pairs cannot be counted."""
    adjusted: float | None = None
    """p after Holm over all slices; none for the whole set, which is one test."""
    answer: Answer
    """What may be said."""
    smallest_gap: Decimal | None = None
    """The smallest true gap that so many independent cases show, in points, at 10 % of discordant
    pairs and 80 % power; none where no gap shows, and for scores."""
    smallest_gap_with_errors: Decimal | None = None
    """The same with the label error rate that was given."""


class TrialDifference(Model):
    """pass^k and pass@k of both sides over the pairs with at least k trials each."""

    k: int
    """Number of trials."""
    cases: int
    """Pairs with at least k evaluated trials on both sides."""
    a_pass_hat_k: float
    """pass^k of A: mean of C(c, k) / C(n, k) — all of k trials pass."""
    b_pass_hat_k: float
    """pass^k of B."""
    a_pass_at_k: float
    """pass@k of A: mean of 1 − C(n − c, k) / C(n, k) — at least one of k passes."""
    b_pass_at_k: float
    """pass@k of B."""


class PartOfDifference(Model):
    """One part of the difference of two pass rates."""

    changes: Many[Change]
    """What it is due to; several where they cannot be told apart."""
    change: float
    """By how much the pass rate moved at this step."""
    exact: Exact
    """The same as a fraction; those of all parts sum to the whole."""


class Moved(Model):
    """A case that counts in the rate of one side alone."""

    case_id: Name
    """The case."""
    why: Why | Literal["not_regraded"]
    """Why it has no verdict on the other side; ``not_regraded``: A's run has none under B's
    context."""


class Attribution(Model):
    """The difference of the two sides' own pass rates, split by what caused it.

    ``difference = Σ parts``, exactly. Definition: docs/comparing.md.
    """

    a: float
    """Pass rate of A, on its own cases."""
    b: float
    """Pass rate of B, on its own cases."""
    difference: float
    """b − a."""
    exact: Exact
    """The same as a fraction."""
    parts: Many[PartOfDifference]
    """Its parts, in the order in which they were replaced."""
    left: Exact
    """The share of the coverage part that comes from taking A's rate over the common cases."""
    joined: Exact
    """The share of it that comes from going on to the cases of B alone."""
    common: int
    """Cases on which scorer, truth and agent were replaced."""
    only_a: Many[Moved] = ()
    """Cases that count in A's rate and not among the common ones."""
    only_b: Many[Moved] = ()
    """Cases that count in B's rate and not among the common ones."""
    regraded: Many[Name] = ()
    """Common cases on which A's stored result has no verdict; it was scored again on them."""


class Comparison(Model):
    """Two sides compared, or the reason why not."""

    schema_version: Literal[1] = 1
    """Version of this format."""
    a: SideSummary
    """The first side: before, or the baseline."""
    b: SideSummary
    """The second side: after, or the candidate."""
    refused: bool
    """True where the two are not alike; there is then no difference."""
    context: Literal["both", "neither", "a", "b"]
    """Which side says what it was scored against."""
    unlike: Many[Unlike] = ()
    """Everything that differs between the contexts, also where it did not refuse."""
    on: Basis
    """Which cases were paired."""
    alpha: Annotated[Decimal, Field(gt=0, lt=1)]
    """Level under which a p is called significant."""
    label_errors: Decimal | None = None
    """Share of wrong labels, where it is known."""
    pairing: Pairing | None = None
    """How cases were paired; none where refused."""
    passed: PairedDifference | None = None
    """Pass rates compared; none where refused."""
    by_slice: dict[str, PairedDifference] = Field(default_factory=dict)
    """Slice to the same; empty where cases have no slices."""
    score: PairedDifference | None = None
    """Graded scores compared; none where a side has none."""
    score_missing: int = 0
    """Pairs without a score on both sides, where the others have one."""
    trials: Many[TrialDifference] = ()
    """pass^k and pass@k; empty where a side has one trial a case."""
    attribution: Attribution | None = None
    """Why the rate moved, where it was asked for."""
