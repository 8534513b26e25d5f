"""An observed run: what one agent did on one case, whatever framework it was built with.

What a trace format cannot carry is *unknown* and named in `unknown`; a field that is known to
be empty is empty and not named there. The two are scored differently.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from assay.models.base import JsonValue, Many, Model, Name

CallOutcome = Literal["ok", "error", "blocked", "unknown"]

RunField = Literal[
    "user",
    "answer",
    "tool_calls",
    "call_arguments",
    "call_results",
    "call_outcomes",
    "parallel_groups",
    "planning_steps",
    "final_answer",
    "final_state",
    "agent",
    "model",
    "started_at",
    "tokens",
    "cost",
]
"""Parts of a run that a format may be unable to carry."""


class ToolCall(Model):
    """One call of a tool, as the agent made it."""

    name: Name
    """The name as called; mapped to the catalogue when it is scored, never here."""
    server: str | None = None
    """Server or agent that offers the tool, where the trace names it apart."""
    id: str | None = None
    """The trace's own id of the call. Never used for matching."""
    args: dict[str, JsonValue] = Field(default_factory=dict)
    """Arguments with exact numbers."""
    outcome: CallOutcome = "unknown"
    """`ok`, `error`, `blocked` (refused before it ran), or `unknown`."""
    result: JsonValue = None
    """What came back, where the trace has it."""
    error: str | None = None
    """Error text where the call failed or was blocked."""
    parallel_group: int | None = None
    """Calls of one turn with the same number were issued together."""
    started_at: str | None = None
    """Instant in ISO 8601 with zone, where the trace has it."""
    duration_ms: int | None = Field(default=None, ge=0)
    """How long the call took, in milliseconds."""


class ObservedTurn(Model):
    """One invocation: a user's message up to the agent's response."""

    user: str | None = None
    """What the user said."""
    answer: str | None = None
    """What the agent answered at the end of the turn."""
    tool_calls: Many[ToolCall] = ()
    """Calls in the order in which they were issued."""


class ObservedPlanStep(Model):
    """One planning step that the framework recorded."""

    agent: str | None = None
    """Agent that the step was given to."""
    instruction: Name
    """The step in words."""


class ObservedRun(Model):
    """What one agent did on one case in one trial."""

    schema_version: Literal[1] = 1
    """Version of this format."""
    run: Name
    """Name of the run that this belongs to; the file's name."""
    case_id: Name
    """The eval case. Foreign ids are kept here as they are until they are resolved."""
    trial: int = Field(default=0, ge=0)
    """Zero-based repetition of the case."""
    trace_id: str | None = None
    """The trace's own id of the run, as it stands there: the way back to where it was recorded."""
    agent: str | None = None
    """Name of the agent."""
    model: str | None = None
    """Name of the model behind it, as the trace spells it."""
    started_at: str | None = None
    """Instant in ISO 8601 with zone."""
    policy: str | None = None
    """The policy version that the agent was given, where it is known."""
    turns: Many[ObservedTurn] = ()
    """The conversation."""
    final_answer: str | None = None
    """The last answer of the conversation; none when the agent gave none."""
    final_state: JsonValue = None
    """The state of the world afterwards."""
    planning_steps: Many[ObservedPlanStep] = ()
    """The agent's plan in words."""
    infrastructure_errors: Many[Name] = ()
    """Failures of the harness, not of the agent; a run with one is an error, not a failure."""
    arguments_as_text: bool = False
    """True where the format carries every argument as text: "40" may then be the number 40."""
    tokens_in: int | None = Field(default=None, ge=0)
    """Prompt tokens."""
    tokens_out: int | None = Field(default=None, ge=0)
    """Completion tokens."""
    cost: JsonValue = None
    """Cost in US dollars, exact."""
    unknown: Many[RunField] = ()
    """What the format could not carry."""
    format: str | None = None
    """The importer that read it."""
    outcome_given: Literal["passed", "failed"] | None = None
    """A verdict that came with the data (plain CSV or JSONL); shown, never a score of ours."""
    score_given: JsonValue = None
    """A graded score or reward that came with the data, exact."""
    slice_given: str | None = None
    """A slice that came with the data; where there is a suite, the suite's own counts."""
    cluster_given: str | None = None
    """A template or cluster that came with the data; where there is a suite, its own counts."""

    @property
    def tool_calls(self) -> tuple[tuple[int, ToolCall], ...]:
        """All calls in order, each with the zero-based index of its turn."""
        return tuple(
            (index, call) for index, turn in enumerate(self.turns) for call in turn.tool_calls
        )
