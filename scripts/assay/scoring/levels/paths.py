"""The paths that a run may take: the plan, its alternatives, and either branch of a condition."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from pydantic import ValidationError

from assay.models.plan import ExecutionStep, Plan
from assay.scoring.levels.plan_graph import links_of

MOST: Final = 64
"""Paths that are compared with a run, all alternatives and branches together."""
CONDITIONAL: Final = frozenset({"if_then_else", "ifthenelse", "conditional", "branch"})
"""Actions, folded, that choose between two ways."""
_ASKING: Final = frozenset({"self_ask", "agent_ask"})
_ANYBODY: Final = "(anybody)"
"""The agent of a step of an alternative that names none."""
_BRANCHES: Final = ("then_action", "else_action")
_NO_WORD = re.compile(r"[^0-9a-z]+")


def folded(name: str) -> str:
    """A name without case, and with one low line for all that is no letter or digit."""
    name = name.strip().casefold()
    if name.isascii():
        return _NO_WORD.sub("_", name).strip("_")
    return "_".join("".join(c if c.isalnum() else " " for c in name).split())


def is_inner(step: ExecutionStep) -> bool:
    """Whether the step happens in the agent, so that no tool call shows it."""
    name = folded(step.action)
    return name in CONDITIONAL or name in _ASKING


@dataclass(frozen=True)
class Path:
    """One way to do the task."""

    name: str
    """``plan`` or ``alternative 1``, and which branches are left out."""
    plan: Plan
    """Its steps and links."""
    places: tuple[int, ...]
    """For each step its place in the list that the record has."""
    base: str
    """JSON pointer to the list of steps in the record."""
    decided: frozenset[str] = frozenset()
    """Names of the conditions of which one way is left out."""

    def pointer(self, step: int) -> str:
        """JSON pointer to a step in the record."""
        return f"{self.base}/{self.places[step]}"


def paths_of(plan: Plan) -> tuple[list[Path], list[str]]:
    """All paths, the plan's own first, and what could not be read."""
    notes: list[str] = []
    found: list[Path] = []
    every = [("plan", plan, "/plan/execution_steps")] if plan.execution_steps else []
    for i, value in enumerate(plan.possible_alternatives):
        base = f"/plan/possible_alternatives/{i}"
        read = _alternative(value, plan)
        if read is None:
            notes.append(f"Alternative {i + 1} lists no steps, so no run is compared with it.")
        else:
            every.append((f"alternative {i + 1}", read, _base(base, value)))
    for name, one, base in every:
        places = tuple(range(len(one.execution_steps)))
        found += _branches(Path(name, one, places, base), MOST - len(found))
    if len(found) >= MOST:
        notes.append(f"Only the first {MOST} paths were compared.")
    return found, notes


def _base(base: str, value: Any) -> str:
    if isinstance(value, Mapping):
        return next((f"{base}/{key}" for key in _LISTS if key in value), base)
    return base


_LISTS = ("execution_steps", "steps", "path")


def _alternative(value: Any, plan: Plan) -> Plan | None:
    """An alternative as a plan: the same shape, or a list of steps or of names in order."""
    steps: Any = value
    links: Any = None
    if isinstance(value, Mapping):
        steps = next((value[key] for key in _LISTS if key in value), None)
        links = value.get("execution_links", value.get("links"))
    if not isinstance(steps, list | tuple) or not steps:
        return None
    known = {step.name: step for step in plan.execution_steps}
    read: list[Any] = []
    for i, step in enumerate(steps):
        if isinstance(step, str):
            same = known.get(step)
            written = {"name": step, "action": step, "agent": _ANYBODY}
            read.append(same.model_dump() if same else written)
        elif isinstance(step, Mapping):
            read.append({"name": f"step {i + 1}", "agent": _ANYBODY, **step})
        else:
            return None
    names = [step["name"] for step in read]
    if links is None:
        links = [{"source": a, "target": b} for a, b in pairwise(names)]
    planning = value.get("planning_steps", ()) if isinstance(value, Mapping) else ()
    try:
        return Plan.model_validate(
            {"planning_steps": planning, "execution_steps": read, "execution_links": links}
        )
    except (ValidationError, TypeError):
        return None


def _branches(path: Path, most: int) -> Iterator[Path]:
    """The path itself where it has no condition with two ways, else one path for each way."""
    if most <= 0:
        return
    queue = [path]
    count = 0
    while queue and count < most:
        here = queue.pop(0)
        ways = next(_choices(here), None)
        if ways is None:
            count += 1
            yield here
            continue
        condition, taken = ways
        for label, roots in taken:
            queue.append(_without(here, roots, f"{here.name}, without {label}", condition))


def _choices(path: Path) -> Iterator[tuple[str, list[tuple[str, frozenset[int]]]]]:
    """Conditions of which a way is a step: the name, and what goes without each way."""
    steps = path.plan.execution_steps
    for at, step in enumerate(steps):
        if folded(step.action) not in CONDITIONAL or step.name in path.decided:
            continue
        ways = [
            (value, frozenset(i for i, other in enumerate(steps) if i != at and _is(other, value)))
            for key in _BRANCHES
            if isinstance(value := step.arguments.get(key), str)
        ]
        if len(ways) == 2 and any(roots for _, roots in ways):
            # Taking the first way leaves the second out, and the other way round.
            (first, ours), (second, theirs) = ways
            yield step.name, [(second, theirs - ours), (first, ours - theirs)]


def _is(step: ExecutionStep, name: str) -> bool:
    return folded(name) in (folded(step.name), folded(step.action))


def _without(path: Path, roots: frozenset[int], name: str, condition: str) -> Path:
    """The path without some steps and all that only they lead to."""
    steps = path.plan.execution_steps
    before: dict[int, set[int]] = {}
    for source, target in links_of(path.plan):
        before.setdefault(target, set()).add(source)
    gone = set(roots)
    grown = True
    while grown:
        more = {at for at in before if at not in gone and before[at] <= gone}
        grown = bool(more)
        gone |= more
    kept = [at for at in range(len(steps)) if at not in gone]
    names = {steps[at].name for at in gone}
    plan = path.plan.model_copy(
        update={
            "execution_steps": tuple(steps[at] for at in kept),
            "execution_links": tuple(
                link
                for link in path.plan.execution_links
                if link.source not in names and link.target not in names
            ),
        }
    )
    places = tuple(path.places[at] for at in kept)
    return Path(name, plan, places, path.base, path.decided | {condition})
