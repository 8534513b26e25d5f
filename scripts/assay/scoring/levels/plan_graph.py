"""A plan as a graph of what its steps do, without the names that it gives them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from assay.models.base import JsonValue
from assay.models.plan import ExecutionStep, Plan
from assay.scoring.canonical_text import canonical_text

FREE: Final = ""
"""Stands for an action that is not compared."""
FINISH: Final = "finish"
"""Stands for the step that gives the answer, however it is written."""


@dataclass(frozen=True)
class StepGraph:
    """Steps 0, 1, 2 … and links between them."""

    actions: tuple[str, ...]
    """For each step its tool; `FREE` where it is not compared."""
    agents: tuple[str, ...]
    """For each step who carries it out."""
    arguments: tuple[Mapping[str, str] | None, ...]
    """For each step its arguments as canonical texts; none where they are not compared."""
    links: frozenset[tuple[int, int]]
    """Source and target: the target needs what the source did."""

    @property
    def size(self) -> int:
        """Number of steps."""
        return len(self.actions)

    def content(self, step: int) -> tuple[str, str, tuple[tuple[str, str], ...], bool]:
        """All that a step says of itself, to sort and compare by."""
        given = self.arguments[step]
        return (
            self.actions[step],
            self.agents[step],
            tuple(sorted((given or {}).items())),
            given is None,
        )


def plan_graph(plan: Plan, action_of: Callable[[str], str] = str) -> StepGraph:
    """The graph of a plan. Only fields that its flags name are compared.

    Args:
        plan: the plan; links to steps that it does not have are left out.
        action_of: the canonical name of a tool.
    """
    steps = plan.execution_steps
    links = links_of(plan)
    names = outputs_of(steps, links)
    return StepGraph(
        tuple(
            FREE
            if step.deterministic is not None and not step.deterministic.action
            else FINISH
            if is_finish(step)
            else action_of(step.action)
            for step in steps
        ),
        tuple(step.agent for step in steps),
        tuple(
            None
            if step.deterministic is not None and not step.deterministic.arguments
            else {
                name: canonical_text(_structural(value, names[at], steps))
                for name, value in step.arguments.items()
            }
            for at, step in enumerate(steps)
        ),
        links,
    )


def is_finish(step: ExecutionStep) -> bool:
    """Whether the step gives the answer."""
    return step.action.strip().casefold() == FINISH


def links_of(plan: Plan) -> frozenset[tuple[int, int]]:
    """Links as places of steps; those to nothing and to the step itself are left out."""
    place: dict[str, int] = {}
    for at, step in enumerate(plan.execution_steps):
        place.setdefault(step.name, at)
    return frozenset(
        (place[link.source], place[link.target])
        for link in plan.execution_links
        if link.source in place and link.target in place and link.source != link.target
    )


def outputs_of(
    steps: tuple[ExecutionStep, ...], links: Iterable[tuple[int, int]]
) -> list[dict[str, tuple[int, int]]]:
    """For each step what its arguments may refer to: a name to a step and one of its outputs.

    An output of a step that comes before is meant by its own name, or after the name of the step
    and a full stop; the step's name alone means its whole result (-1).
    """
    before: list[list[int]] = [[] for _ in steps]
    for source, target in sorted(links):
        before[target].append(source)
    found: list[dict[str, tuple[int, int]]] = []
    for at in range(len(steps)):
        names: dict[str, tuple[int, int]] = {}
        for source in _ancestors(at, before):
            step = steps[source]
            names.setdefault(step.name, (source, -1))
            for i, output in enumerate(step.outputs):
                names[f"{step.name}.{output}"] = (source, i)
        for source in _ancestors(at, before):
            for i, output in enumerate(steps[source].outputs):
                names[output] = (source, i)
        found.append(names)
    return found


def _ancestors(step: int, before: list[list[int]]) -> list[int]:
    """Everything that a step comes after, in the order of the plan."""
    found: set[int] = set()
    queue = list(before[step])
    while queue:
        here = queue.pop()
        if here not in found and here != step:
            found.add(here)
            queue += before[here]
    return sorted(found)


def referred(value: JsonValue, names: Mapping[str, tuple[int, int]]) -> tuple[int, int] | None:
    """The output that a text refers to by name: ``x``, ``$x``, ``${x}``, ``{x}`` or ``{{x}}``."""
    if not isinstance(value, str):
        return None
    bare = value.strip()
    for opening, closing in (("${", "}"), ("{{", "}}"), ("{", "}"), ("$", "")):
        if bare.startswith(opening) and bare.endswith(closing):
            bare = bare[len(opening) : len(bare) - len(closing)].strip()
            break
    return names.get(bare)


def _structural(
    value: JsonValue, names: Mapping[str, tuple[int, int]], steps: tuple[ExecutionStep, ...]
) -> JsonValue:
    """A value with references as *which output of what action*, so that names mean nothing."""
    found = referred(value, names)
    if found is not None:
        source, output = found
        return {"$step": steps[source].action, "output": output}
    if isinstance(value, Mapping):
        return {key: _structural(item, names, steps) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return tuple(_structural(item, names, steps) for item in value)
    return value
