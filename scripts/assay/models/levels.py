"""The three levels of a case with a plan, what it cost, and what each step came to.

Beside pass and fail, never instead: nothing here decides a case. Section 2.5 of the design.
"""

from __future__ import annotations

from typing import Literal

from assay.models.base import JsonValue, Many, Model, Name

Level = Literal["outcome", "process", "planning"]
"""What came about, in which way, and what was planned."""

LEVELS: tuple[Level, ...] = ("outcome", "process", "planning")

FaultTag = Literal[
    "wrong_tool",
    "wrong_argument",
    "missing_step",
    "wrong_order",
    "premature_end",
    "forbidden_call",
    "repeated_write",
    "unnecessary_step",
    "contradicts_evidence",
    "hallucinated_value",
    "wrong_agent",
]
"""Failure tags that a step of the plan or a call can have. They are never renamed."""


class Measure(Model):
    """One number that a level is made of, or that stands beside it."""

    name: Name
    """Stable machine name, such as ``y2`` or ``edge_f1``."""
    value: float | None = None
    """From 0 to 1; none where it could not be evaluated."""
    counts: bool = True
    """Whether the level is the mean of it and others, or it is only reported."""
    message: Name
    """What it was made of, in one sentence."""


class LevelScore(Model):
    """One level."""

    level: Level
    """Which one."""
    value: float | None = None
    """From 0 to 1; none where it could not be evaluated."""
    weight: float | None = None
    """Its weight among the levels that could be evaluated; these weights sum to 1."""
    message: Name
    """What the value is the mean of, or why there is none."""
    measures: Many[Measure] = ()
    """What it was made of, and what is reported beside it."""


class Efficiency(Model):
    """What the agent needed; reported, part of no score."""

    expected_steps: int
    """Steps of the path that are tool calls."""
    calls: int
    """Tool calls that were made, failed ones included."""
    step_ratio: float | None = None
    """Calls ÷ expected steps; none where no step is a call."""
    repeated_calls: int
    """Calls that repeat an earlier successful one with the same arguments."""
    failed_calls: int
    """Calls that failed or were blocked."""
    duration_ms: int | None = None
    """Sum of the calls' times; none where one is not known."""
    tokens: int | None = None
    """Prompt and completion tokens; none where either is not known."""
    cost: JsonValue = None
    """US dollars, exact; none where it is not known."""


class StepFault(Model):
    """One thing that went wrong, with the step and the call that it points at."""

    tag: FaultTag
    """Its failure tag."""
    pointer: str = ""
    """JSON pointer into the truth record: the step."""
    call: int | None = None
    """Zero-based index over all tool calls of the run."""
    message: Name
    """One sentence for a person."""


class Levels(Model):
    """How a run did on a case that has a plan."""

    score: float | None = None
    """Weighted mean of the levels that could be evaluated."""
    path: Name = "plan"
    """The path that the run is compared with: ``plan``, or ``alternative 2`` where that is best."""
    levels: Many[LevelScore]
    """Outcome, process, planning."""
    efficiency: Efficiency | None = None
    """What it took; none where the format does not carry calls."""
    faults: Many[StepFault] = ()
    """What went wrong, by step and then by call."""
    notes: Many[Name] = ()
    """What a reader should know, such as a part of the plan that could not be compared."""


class PlanGroup(Model):
    """Case results with a plan that have something in common, and the means of their levels."""

    results: int
    """Case results: one case in one trial."""
    passed: int
    """Passed."""
    failed: int
    """Failed."""
    pass_rate: float | None = None
    """``passed / (passed + failed)``; none where neither."""
    score: float | None = None
    """Mean score."""
    outcome: float | None = None
    """Mean of the outcome level."""
    process: float | None = None
    """Mean of the process level."""
    planning: float | None = None
    """Mean of the planning level."""
    step_ratio: float | None = None
    """Mean of calls ÷ expected steps."""
    evaluated: dict[str, int]
    """``score``, ``outcome``, ``process``, ``planning``, ``step_ratio`` to how many results the
    mean is over."""


class PlanScores(Model):
    """The levels over a suite: overall, and by what the cases and their failures have in common."""

    overall: PlanGroup
    """All case results with a plan."""
    by_type: dict[str, PlanGroup]
    """The plan's main agent."""
    by_category: dict[str, PlanGroup]
    """What is asked for."""
    by_group: dict[str, PlanGroup]
    """Group of scenarios."""
    by_paradigm: dict[str, PlanGroup]
    """Multi-agent, multi-MCP or hybrid."""
    by_tag: dict[str, PlanGroup]
    """Failure tag; a result with several tags counts under each."""
