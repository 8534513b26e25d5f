"""The scenario plan of a case: a directed acyclic graph of steps.

Follows AssetOpsBench's ground-truth guideline, sections on planning steps, execution steps and
execution links; the names of the fields are the guideline's own.
"""

from __future__ import annotations

from pydantic import Field

from assay.models.base import JsonValue, Many, Model, Name


class Deterministic(Model):
    """Which fields of a step must be compared exactly."""

    name: bool
    """The step's name."""
    action: bool
    """The tool that is called."""
    arguments: bool
    """The arguments of the call."""
    outputs: bool
    """The names of what comes out."""


class PlanningStep(Model):
    """One instruction of the plan, in words."""

    agent: Name
    """The agent that the instruction is for."""
    instruction: Name
    """What it is asked to do."""


class ExecutionStep(Model):
    """One step that is carried out: a node of the graph."""

    name: Name
    """Names the step within the plan."""
    action: Name
    """The tool that is called, or ``Finish``."""
    agent: Name
    """The agent that carries it out."""
    arguments: dict[str, JsonValue] = Field(default_factory=dict)
    """Literals, matchers or references to outputs of earlier steps."""
    outputs: Many[Name] = ()
    """Names for what comes out, for later steps to refer to."""
    deterministic: Deterministic | None = None
    """Which fields are compared; all of them when absent."""


class ExecutionLink(Model):
    """An edge of the graph: `target` needs what `source` did."""

    source: Name
    """Name of the step that comes first."""
    target: Name
    """Name of the step that depends on it."""


MOST_STEPS = 1_000
"""Largest number of steps or links of a plan."""


class Plan(Model):
    """How the task is to be done."""

    planning_steps: Many[PlanningStep] = ()
    """The plan in words."""
    execution_steps: Many[ExecutionStep] = Field(default=(), max_length=MOST_STEPS)
    """The nodes. Their order in the file means nothing."""
    execution_links: Many[ExecutionLink] = Field(default=(), max_length=10 * MOST_STEPS)
    """The edges."""
    characteristic_form: str | None = None
    """What an acceptable result looks like, in words."""
    deterministic: bool | None = None
    """Whether the task has one exact result."""
    final_out_description: Many[Name] = ()
    """What the fields of `final_out` mean."""
    possible_alternatives: Many[JsonValue] = ()
    """Other step sequences that are as good."""
    validation_checks: Many[JsonValue] = ()
    """Checks in words; kept as text and never evaluated."""
