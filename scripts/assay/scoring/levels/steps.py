"""The steps of a path against the calls of a run: which call is which step.

A step of the plan and a call are paired by the largest total weight, as two plans are (see
`similarity`), without their surroundings: a run has none before its calls are paired. Arguments
count by how many of those that the step names are met; others may be anything, and a reference to
an earlier output is met by any value here. Of equal assignments that one is taken which keeps the
calls in the order of the plan. A step whose action is not compared is met by its output; a step
that happens in the agent needs no call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from heapq import heappop, heappush
from math import lcm
from typing import Final

from assay.models.base import JsonValue
from assay.models.plan import ExecutionStep
from assay.scoring.compiled import CompiledRecord, Entry
from assay.scoring.levels.agents import Agents
from assay.scoring.levels.assignment import heaviest
from assay.scoring.levels.paths import Path, folded, is_inner
from assay.scoring.levels.plan_graph import is_finish, links_of, outputs_of, referred
from assay.scoring.levels.similarity import ACTION, AGENT, ARGUMENTS
from assay.scoring.matchers import Sight
from assay.scoring.matching import argument_meets
from assay.scoring.observed import SeenCall, SeenRun

WHOLE: Final = ACTION + AGENT + ARGUMENTS
"""What a pair weighs at most before its surroundings are looked at."""


@dataclass(frozen=True)
class Step:
    """One step of a path, ready to be compared with calls."""

    pointer: str
    """JSON pointer into the record."""
    step: ExecutionStep
    """The step."""
    entry: Entry
    """Its tool, and those of its arguments that are compared."""
    actions: frozenset[str]
    """The names under which a call may be of its tool."""
    open: bool
    """Whether its action is not compared."""
    inner: bool
    """Whether it happens in the agent, so that no call need show it."""
    finish: bool
    """Whether it gives the answer."""

    @property
    def label(self) -> str:
        """The step in words."""
        return f"`{self.step.name}` ({self.step.action})"


@dataclass(frozen=True)
class Pair:
    """A step and the call that it is."""

    call: int
    """Index of the call."""
    weight: Fraction
    """From 0 to 1: action, agent and arguments."""
    agent: bool
    """Whether the agent is the step's, as far as is known."""
    wrong: tuple[int, ...]
    """Places in the step's arguments that are not met."""
    claim: Fraction
    """How strong its claim on the call is: that of an open step is weaker than any other."""


class PathSteps:
    """A path, compiled once for every run."""

    def __init__(self, path: Path, truth: CompiledRecord) -> None:
        """Read every step of `path`."""
        self.path = path
        plan_steps = path.plan.execution_steps
        self.links = links_of(path.plan)
        self.references = outputs_of(plan_steps, self.links)
        self.steps = tuple(self._step(i, step, truth) for i, step in enumerate(plan_steps))
        self.has_finish = any(step.finish for step in self.steps)
        self.order = topological([step.name for step in plan_steps], self.links)

    def _step(self, at: int, step: ExecutionStep, truth: CompiledRecord) -> Step:
        flags = step.deterministic
        compared = flags is None or flags.arguments
        names = self.references[at]
        args: dict[str, JsonValue] = {}
        if compared:
            args = {
                name: {"$any": True} if referred(value, names) else value
                for name, value in step.arguments.items()
            }
        inner = is_inner(step)
        pointer = self.path.pointer(at)
        entry = truth.entry(pointer, step.action, {} if inner else args)
        return Step(
            pointer,
            step,
            entry,
            actions_of(entry),
            flags is not None and not flags.action,
            inner,
            is_finish(step),
        )


def topological(names: Sequence[str], links: frozenset[tuple[int, int]]) -> tuple[int, ...]:
    """An order that keeps every link, by name where they leave a choice.

    The order of the list means nothing. What is on a cycle comes last.
    """
    rank = {at: (i, 0) for i, at in enumerate(sorted(range(len(names)), key=lambda n: names[n]))}
    return ordered(len(names), links, rank)


def ordered(
    size: int, links: frozenset[tuple[int, int]], wish: Mapping[int, tuple[int, int]]
) -> tuple[int, ...]:
    """An order that keeps every link and goes by `wish` where the links leave a choice."""
    waiting = [0] * size
    after: list[list[int]] = [[] for _ in range(size)]
    for source, target in sorted(links):
        waiting[target] += 1
        after[source].append(target)
    heap: list[tuple[tuple[int, int], int]] = []
    for node in range(size):
        if not waiting[node]:
            heappush(heap, (wish.get(node, (node, 0)), node))
    found: list[int] = []
    while heap:
        _, node = heappop(heap)
        found.append(node)
        for target in after[node]:
            waiting[target] -= 1
            if not waiting[target]:
                heappush(heap, (wish.get(target, (target, 0)), target))
    done = set(found)
    return (*found, *(node for node in range(size) if node not in done))


def pairs_of(steps: PathSteps, seen: SeenRun, sight: Sight, agents: Agents) -> dict[int, Pair]:
    """Step to the successful call that it is, one to one."""
    calls = [call for call in seen.calls if call.fine]
    by_action: dict[str, list[SeenCall]] = {}
    for call in calls:
        for name in call_actions(call):
            by_action.setdefault(name, []).append(call)
    rank = {step: at for at, step in enumerate(steps.order)}
    table: dict[tuple[int, int], Pair] = {}
    for at, step in enumerate(steps.steps):
        if step.finish:
            continue
        options = calls
        if not step.open:
            found = {c.index: c for name in step.actions for c in by_action.get(name, ())}
            options = [found[index] for index in sorted(found)]
        for call in options:
            pair = _pair(step, call, seen, sight, agents)
            if pair is not None:
                table[at, call.index] = pair
    scale = lcm(1, *{pair.claim.denominator for pair in table.values()})
    most = 1 + (len(seen.calls) + len(steps.steps)) ** 2
    factor = most * (1 + min(len(calls), len(steps.steps)))
    weights: list[dict[int, int]] = [{} for _ in steps.steps]
    for (at, call_index), pair in table.items():
        # The squares are smallest where neither two steps nor two calls are crossed.
        apart = (rank[at] - call_index) ** 2
        weights[at][call_index] = int(pair.claim * scale) * factor + most - apart
    chosen = {at: table[at, call] for at, call in heaviest(weights).items()}
    return _later(steps, table, chosen)


def _later(
    steps: PathSteps, table: Mapping[tuple[int, int], Pair], found: dict[int, Pair]
) -> dict[int, Pair]:
    """Move steps to equally good free calls after the calls of the steps that they come after."""
    taken = {pair.call for pair in found.values()}
    before: dict[int, list[int]] = {}
    for source, target in steps.links:
        before.setdefault(target, []).append(source)
    options: dict[int, list[int]] = {}
    for at, call in table:
        options.setdefault(at, []).append(call)
    for at in steps.order:
        pair = found.get(at)
        earliest = max((found[s].call for s in before.get(at, ()) if s in found), default=-1)
        if pair is None or pair.call > earliest:
            continue
        for call in sorted(options[at]):
            other = table[at, call]
            if call > earliest and call not in taken and other.claim >= pair.claim:
                taken.remove(pair.call)
                taken.add(call)
                found[at] = other
                break
    return found


def _pair(step: Step, call: SeenCall, seen: SeenRun, sight: Sight, agents: Agents) -> Pair | None:
    agent = agents.agree(step.step.agent, call)
    if step.open:
        if agent is False or not output_in(step.step, call, seen):
            return None
        return Pair(call.index, Fraction(1), True, (), Fraction(1, 1000))
    met, wrong = compared_arguments(step.entry, call, seen, sight)
    weight = _weight(agent is not False, met, met + len(wrong))
    return Pair(call.index, weight, agent is not False, wrong, weight)


@cache
def _weight(agent: bool, met: int, asked: int) -> Fraction:
    arguments = ARGUMENTS * (Fraction(met, asked) if asked else 1)
    return (ACTION + (AGENT if agent else 0) + arguments) / WHOLE


def actions_of(entry: Entry) -> frozenset[str]:
    """The names under which a call may be of the tool that a step names."""
    return entry.names | {folded(name) for name in entry.names}


def call_actions(call: SeenCall) -> frozenset[str]:
    """The names of a call's tool: canonical, folded, and without the server that was named."""
    found = {*call.names, *map(folded, call.names)}
    if call.call.server is not None:
        found.add(folded(call.call.name))
    return frozenset(found)


def same_action(entry: Entry, call: SeenCall) -> bool:
    """Whether a call is of the tool that a step names, through whatever server."""
    return not actions_of(entry).isdisjoint(call_actions(call))


def compared_arguments(
    entry: Entry, call: SeenCall, seen: SeenRun, sight: Sight
) -> tuple[int, tuple[int, ...]]:
    """How many arguments are met, and the places of those that surely are not."""
    if "call_arguments" in seen.unknown:
        return 0, ()
    sight.before = call.index
    answers = [argument_meets(argument, call.args, sight) for argument in entry.args]
    return answers.count(True), tuple(i for i, answer in enumerate(answers) if answer is False)


def output_in(step: ExecutionStep, call: SeenCall, seen: SeenRun) -> bool:
    """Whether a call's result has what a step puts out; True where that is not compared."""
    flags = step.deterministic
    if not step.outputs or (flags is not None and not flags.outputs):
        return True
    if "call_results" in seen.unknown or call.call.result is None:
        return True
    return has_keys(call.structured, step.outputs)


def has_keys(value: JsonValue, names: Sequence[str]) -> bool:
    """Whether an object, or every object of a list, has all of the keys."""
    if isinstance(value, Mapping):
        return all(name in value for name in names)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return bool(value) and all(
            isinstance(item, Mapping) and all(name in item for name in names) for item in value
        )
    return False
