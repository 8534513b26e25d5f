"""The process level: what the agent did against a path, as four exact shares.

Action sequence similarity, node F1, edge F1 and step completeness (section 2.5 of the design).
The run is made a graph of its own first. A link of the path is in it where the two calls came in
that order, not at once; where the step refers to an output of the other, the value that it was
given must stand in that result too. What no step was assigned to, and what it used or gave, are
further nodes and links.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from assay.models.base import JsonValue
from assay.scoring.components.final_out import structured_result
from assay.scoring.levels.agents import Agents
from assay.scoring.levels.colours import contexts, neighbours
from assay.scoring.levels.distance import sequence_similarity
from assay.scoring.levels.flow import Flow, telling
from assay.scoring.levels.plan_graph import referred
from assay.scoring.levels.similarity import AROUND, ROUNDS, around, f1
from assay.scoring.levels.steps import WHOLE, Pair, PathSteps, has_keys, ordered, pairs_of
from assay.scoring.matchers import Sight
from assay.scoring.observed import SeenRun

LAST: Final = 1 << 60
"""The place of the answer: after every call."""


@dataclass
class Process:
    """What a run did against one path."""

    steps: PathSteps
    """The path."""
    pairs: Mapping[int, Pair]
    """Step to call."""
    done: frozenset[int] = frozenset()
    """Steps that were carried out without a call of their own: the answer, or an output in it."""
    expected: tuple[int, ...] = ()
    """Steps that count: all but those that happen in the agent and those that nothing compares."""
    links: frozenset[tuple[int, int]] = frozenset()
    """Links between steps that count; those over other steps are joined."""
    broken: tuple[tuple[int, int, JsonValue], ...] = ()
    """Links that the run does not have although it has both steps: source, target, and the value
    that the target should have taken from the source and did not (none where it is the order)."""
    extra: tuple[int, ...] = ()
    """Calls without error that are no step."""
    sequence: Fraction = Fraction(0)
    """1 − Levenshtein(actions) / longer."""
    node_f1: Fraction = Fraction(0)
    """F1 over steps."""
    edge_f1: Fraction = Fraction(0)
    """F1 over links."""
    completeness: Fraction = Fraction(0)
    """Steps that were carried out ÷ steps."""
    weights: dict[int, Fraction] = field(default_factory=dict)
    """Step to what its pair weighs."""

    @property
    def value(self) -> Fraction:
        """The mean of the four."""
        return (self.sequence + self.node_f1 + self.edge_f1 + self.completeness) / 4

    @property
    def present(self) -> list[int]:
        """Steps that count and were carried out."""
        return [at for at in self.expected if at in self.pairs or at in self.done]

    @property
    def missing(self) -> list[int]:
        """Steps that count and were not carried out."""
        return [at for at in self.expected if at not in self.pairs and at not in self.done]


def process(steps: PathSteps, seen: SeenRun, sight: Sight, agents: Agents, flow: Flow) -> Process:
    """Compare a run with a path."""
    made = Process(steps, pairs_of(steps, seen, sight, agents))
    made.done = frozenset(
        at for at in range(len(steps.steps)) if at not in made.pairs and _done(steps, at, seen)
    )
    made.expected = tuple(
        at
        for at, step in enumerate(steps.steps)
        if at in made.pairs or at in made.done or not _passed_over(steps, at, seen)
    )
    made.links = joined(len(steps.steps), steps.links, frozenset(made.expected))
    taken = {pair.call for pair in made.pairs.values()}
    made.extra = tuple(c.index for c in seen.calls if c.fine and c.index not in taken)
    _measure(made, seen, flow)
    return made


def _done(steps: PathSteps, at: int, seen: SeenRun) -> bool:
    step = steps.steps[at]
    if step.finish:
        return seen.final is not None
    flags = step.step.deterministic
    if step.open and step.step.outputs and flags is not None and flags.outputs:
        value = structured_result(seen.final.text) if seen.final is not None else None
        return has_keys(value, step.step.outputs)
    return False


def _passed_over(steps: PathSteps, at: int, seen: SeenRun) -> bool:
    """Whether a step that no call is need not be one."""
    step = steps.steps[at]
    if step.inner:
        return True
    if step.finish:
        return "final_answer" in seen.unknown
    flags = step.step.deterministic
    compared = bool(step.step.outputs) and (flags is None or flags.outputs)
    return step.open and not compared


def joined(
    size: int, links: frozenset[tuple[int, int]], kept: frozenset[int]
) -> frozenset[tuple[int, int]]:
    """Links between nodes that are kept; a way over others only becomes one link."""
    if len(kept) == size:
        return links
    _, after = neighbours(size, links)
    found: set[tuple[int, int]] = set()
    for source in sorted(kept):
        queue, seen = list(after[source]), set()
        while queue:
            here = queue.pop()
            if here in kept:
                if here != source:
                    found.add((source, here))
            elif here not in seen:
                seen.add(here)
                queue += after[here]
    return frozenset(found)


def _measure(made: Process, seen: SeenRun, flow: Flow) -> None:
    pairs = made.pairs
    present = set(made.present)
    met: set[tuple[int, int]] = set()
    broken: list[tuple[int, int, JsonValue]] = []
    for source, target in sorted(made.links):
        if source not in present or target not in present:
            continue
        kept, value = _kept(made, source, target, seen, flow)
        if kept:
            met.add((source, target))
        else:
            broken.append((source, target, value))
    made.broken = tuple(broken)
    further = _further(made, flow)
    made.weights = _weights(made, seen, met, further)
    placed = [at for at in made.expected if at in pairs or at not in made.done or _is_end(made, at)]
    expected = _sequence(made, placed, seen)
    observed: list[str] = [call.name for call in seen.calls if call.fine]
    observed += ["" for at in made.done if _is_end(made, at)]
    made.sequence = sequence_similarity(expected, observed)
    made.node_f1 = f1(
        sum(made.weights.values(), Fraction(0)),
        len(made.expected),
        len(made.present) + len(made.extra),
    )
    shared = sum((min(made.weights[a], made.weights[b]) for a, b in sorted(met)), Fraction(0))
    made.edge_f1 = f1(shared, len(made.links), len(met) + len(further))
    total = len(made.expected)
    made.completeness = Fraction(len(made.present), total) if total else Fraction(1)


def _is_end(made: Process, at: int) -> bool:
    return made.steps.steps[at].finish


def _kept(
    made: Process, source: int, target: int, seen: SeenRun, flow: Flow
) -> tuple[bool, JsonValue]:
    """Whether the run has a link, and the value that shows that it has not."""
    one, other = made.pairs.get(source), made.pairs.get(target)
    if one is None:  # the answer comes last; an output in it has no time of its own
        return not (_is_end(made, source) and other is not None), None
    if other is None:
        return True, None
    first, second = seen.calls[one.call], seen.calls[other.call]
    if one.call > other.call or flow.at_once(first, second):
        return False, None
    if not flow.known or first.call.result is None:
        return True, None
    step = made.steps.steps[target]
    flags = step.step.deterministic
    if step.open or (flags is not None and not flags.arguments):
        return True, None
    for name, value in step.step.arguments.items():
        found = referred(value, made.steps.references[target])
        given = second.args.get(name)
        if found is None or found[0] != source or isinstance(given, dict | list | tuple):
            continue
        if not telling(given) or flow.given(given):
            continue
        if one.call not in flow.producers(given, other.call):
            return False, given
    return True, None


def _further(made: Process, flow: Flow) -> set[tuple[int, int]]:
    """Links by data to or from calls that are no step, and against a link of the path."""
    step_of = {pair.call: at for at, pair in made.pairs.items()}
    extra = set(made.extra)
    found: set[tuple[int, int]] = set()
    for call in sorted([*extra, *step_of]):
        for source in sorted(flow.sources(call)):
            if source in extra or call in extra:
                if source in extra or source in step_of:
                    found.add((source, call))
            elif (step_of.get(call), step_of.get(source)) in made.links:
                found.add((source, call))
    return found


def _weights(
    made: Process,
    seen: SeenRun,
    met: set[tuple[int, int]],
    further: set[tuple[int, int]],
) -> dict[int, Fraction]:
    """What the pairs weigh, with the surroundings of both sides."""
    place = {at: i for i, at in enumerate(made.expected)}
    size = len(made.expected)
    labels = [made.steps.steps[at].entry.tool for at in made.expected]
    node: dict[tuple[str, int], int] = {}
    for at in made.present:
        node["step", at] = size + len(node)
        labels.append(made.steps.steps[at].entry.tool)
    for call in made.extra:
        node["call", call] = size + len(node)
        labels.append("call " + seen.calls[call].name)
    step_of = {pair.call: at for at, pair in made.pairs.items()}

    def of(call: int) -> int:
        return node["step", step_of[call]] if call in step_of else node["call", call]

    links = {(place[a], place[b]) for a, b in made.links}
    links |= {(node["step", a], node["step", b]) for a, b in met}
    links |= {(of(a), of(b)) for a, b in further}
    before, after = neighbours(len(labels), frozenset(links))
    up, down = contexts(labels, before, ROUNDS), contexts(labels, after, ROUNDS)
    found: dict[int, Fraction] = {}
    for at in made.present:
        ours, theirs = place[at], node["step", at]
        near = around(up[ours], up[theirs]) + around(down[ours], down[theirs])
        base = made.pairs[at].weight if at in made.pairs else Fraction(1)
        found[at] = WHOLE * base + AROUND * Fraction(near, 2 * ROUNDS)
    return found


def _sequence(made: Process, placed: list[int], seen: SeenRun) -> list[str]:
    """The actions of the path in that of its orders that is nearest to what was done."""
    wish: dict[int, tuple[int, int]] = {}
    before, _ = neighbours(len(made.steps.steps), made.links)
    for at in made.steps.order:
        pair = made.pairs.get(at)
        if pair is not None:
            wish[at] = (pair.call, 0)
        elif _is_end(made, at):
            wish[at] = (LAST, 0)
        else:
            wish[at] = (max((wish[s][0] for s in before[at] if s in wish), default=-1), 1)
    order = ordered(len(made.steps.steps), made.links, wish)
    chosen = set(placed)
    return [
        ""
        if _is_end(made, at)
        else seen.calls[made.pairs[at].call].name
        if at in made.pairs
        else made.steps.steps[at].entry.tool
        for at in order
        if at in chosen
    ]
