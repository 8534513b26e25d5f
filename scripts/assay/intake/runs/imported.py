"""What an import of runs gives back, and a run while it is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import get_args

from assay.intake.node import Node
from assay.models.base import JsonValue
from assay.models.finding import Finding
from assay.models.run import CallOutcome, ObservedRun, ObservedTurn, RunField, ToolCall

ALL_FIELDS: tuple[RunField, ...] = get_args(RunField)
"""Every part of a run that a format may be unable to carry, in the order of the model."""


@dataclass(frozen=True)
class RunImport:
    """Observed runs, and everything that was done to read them."""

    runs: tuple[ObservedRun, ...]
    """The runs, by case and trial."""
    format: str
    """The format that the file has."""
    read: int
    """Number of runs."""
    dropped: dict[str, int]
    """What was left out, by rule."""
    unknown: tuple[RunField, ...]
    """What the format, or this file of it, does not tell of at least one run."""
    findings: tuple[Finding, ...]
    """What a person should know."""


@dataclass
class Call:
    """A tool call while it is read."""

    name: str
    args: dict[str, JsonValue]
    server: str | None = None
    id: str | None = None
    outcome: CallOutcome = "unknown"
    result: JsonValue = None
    error: str | None = None
    group: int | None = None
    started_at: str | None = None
    duration_ms: int | None = None
    answered: bool = False

    def finished(self) -> ToolCall:
        """The call as a model."""
        return ToolCall(
            name=self.name,
            server=self.server,
            id=self.id,
            args=self.args,
            outcome=self.outcome,
            result=self.result,
            error=self.error,
            parallel_group=self.group,
            started_at=self.started_at,
            duration_ms=self.duration_ms,
        )


@dataclass
class Turn:
    """A turn while it is read."""

    user: str | None = None
    answer: str | None = None
    calls: list[Call] = field(default_factory=list)
    groups: int = 0

    def add(self, calls: list[Call]) -> None:
        """Add calls that were issued together."""
        if len(calls) > 1:
            for call in calls:
                call.group = self.groups
            self.groups += 1
        self.calls += calls

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known of it."""
        return self.user is None and self.answer is None and not self.calls

    def finished(self) -> ObservedTurn:
        """The turn as a model."""
        return ObservedTurn(
            user=self.user,
            answer=self.answer,
            tool_calls=tuple(call.finished() for call in self.calls),
        )


@dataclass
class RawRun:
    """A run while it is read: what the format tells, before names and trials are settled."""

    record: Node
    """Where it stands."""
    case_id: str | None = None
    """Its case, where the format names one."""
    trial: int | None = None
    """Its trial, where the format names one."""
    trace_id: str | None = None
    """The trace's own id of the run, as it stands there."""
    agent: str | None = None
    model: str | None = None
    started_at: str | None = None
    policy: str | None = None
    """The policy version that the agent was given, where the trace tells."""
    turns: list[Turn] = field(default_factory=list)
    planning_steps: list[tuple[str | None, str]] = field(default_factory=list)
    """Agent and instruction of each step of the plan in words."""
    final_state: JsonValue = None
    infrastructure_errors: list[str] = field(default_factory=list)
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: int | Decimal | None = None
    """US dollars."""
    arguments_as_text: bool = False
    """Whether the format carries every argument as text."""
    outcome: bool | None = None
    """A verdict that came with the data."""
    score: int | Decimal | None = None
    """A score that came with the data."""
    slice: str | None = None
    """A slice that came with the data."""
    cluster: str | None = None
    """A template or cluster that came with the data."""
    unknown: set[RunField] = field(default_factory=set)
    """What this file does not tell."""
    attributes: dict[str, JsonValue] = field(default_factory=dict)
    """What the trace says of the run outside of `record`, such as the attributes of its spans and
    their resource: ``--case-id-from`` looks there for a field that the record does not have.
    """

    @property
    def final_answer(self) -> str | None:
        """The last answer that was given in the conversation."""
        given = [turn.answer for turn in self.turns if turn.answer is not None]
        return given[-1] if given else None


Piece = tuple[Node, Callable[[Node], RawRun]]
"""A part of a file that holds one run, and what reads it: one wrong run then costs one run."""
