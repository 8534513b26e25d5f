"""How alike two graphs of steps are: nodes and links that both have, as exact fractions.

Section 2.5 of the design. A pair of steps weighs 0 where their actions differ, else

    1/2 + 1/8 [same agent] + 1/4 (shared arguments / all arguments) + 1/8 (like surroundings)

Surroundings are the colours that Weisfeiler–Lehman refinement gives to what stands before and
after a step, over three rounds: the share of rounds that agree, in both directions. One minus the
weight is a distance (each of its parts is one), and so steps that are alike in everything may be
paired first without making the total smaller. The rest is assigned by the largest total weight.

The value does not depend on the order of steps, nor on their names, nor on which of the two plans
comes first. It is 1 for a plan against itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Final

from assay.scoring.levels.assignment import heaviest
from assay.scoring.levels.colours import contexts, neighbours, ranked, refined
from assay.scoring.levels.plan_graph import StepGraph

ROUNDS: Final = 3
"""How many links far a step's surroundings are looked at."""
ACTION: Final = Fraction(1, 2)
"""What a step's action counts."""
AGENT: Final = Fraction(1, 8)
"""What its agent counts."""
ARGUMENTS: Final = Fraction(1, 4)
"""What its arguments count."""
AROUND: Final = Fraction(1, 8)
"""What its surroundings count."""


def f1(shared: Fraction | int, expected: int, observed: int) -> Fraction:
    """2 shared / (expected + observed); 1 where there is nothing on either side."""
    total = expected + observed
    return 2 * Fraction(shared) / total if total else Fraction(1)


@dataclass(frozen=True)
class Similarity:
    """What two graphs share."""

    pairs: Mapping[int, tuple[int, Fraction]]
    """Step of the one to the step of the other, and what the pair weighs."""
    node_f1: Fraction
    """F1 over steps; a pair counts by its weight."""
    edge_f1: Fraction
    """F1 over links; a link that both have counts by the lighter of its two pairs."""

    @property
    def value(self) -> Fraction:
        """Step-graph similarity: the mean of both."""
        return (self.node_f1 + self.edge_f1) / 2


def similarity(one: StepGraph, other: StepGraph) -> Similarity:
    """How alike two graphs of steps are."""
    both = _Both(one, other)
    pairs = both.assigned()
    links = sum(
        (
            min(pairs[a][1], pairs[b][1])
            for a, b in sorted(one.links)
            if a in pairs and b in pairs and (pairs[a][0], pairs[b][0]) in other.links
        ),
        Fraction(0),
    )
    total = sum((weight for _, weight in pairs.values()), Fraction(0))
    return Similarity(
        pairs,
        f1(total, one.size, other.size),
        f1(links, len(one.links), len(other.links)),
    )


def around(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    """Rounds in which two colours agree; they never agree again once they differ."""
    if one == other:
        return len(one)
    agree = 0
    while one[agree] == other[agree]:
        agree += 1
    return agree


class _Both:
    """Two graphs side by side: the steps of the other follow those of the one."""

    def __init__(self, one: StepGraph, other: StepGraph) -> None:
        self.split = one.size
        self.graphs = (one, other)
        shift = one.size
        links = one.links | {(a + shift, b + shift) for a, b in other.links}
        self.before, self.after = neighbours(one.size + other.size, frozenset(links))
        actions = [*one.actions, *other.actions]
        self.up = contexts(actions, self.before, ROUNDS)
        self.down = contexts(actions, self.after, ROUNDS)
        content = [graph.content(i) for graph in self.graphs for i in range(graph.size)]
        self.actions = actions
        self.agents = [*one.agents, *other.agents]
        self.arguments = [*one.arguments, *other.arguments]
        self.colour = refined(ranked(content), self.before, self.after)

    def assigned(self) -> dict[int, tuple[int, Fraction]]:
        """Pairs with their weights, by the step of the one."""
        partner = self._alike()
        taken = set(partner.values())
        left = [i for i in range(self.split) if i not in partner]
        right = [j for j in range(self.split, len(self.actions)) if j not in taken]
        found = {i: (j - self.split, Fraction(1)) for i, j in partner.items()}
        if left and right:
            found.update(self._rest(left, right, partner))
        return dict(sorted(found.items()))

    # -- steps that are alike in everything --------------------------------------------------

    def _alike(self) -> dict[int, int]:
        """Steps of one colour, paired; where several have it, one pair after the other.

        A pair gets a colour of its own, and colours are refined again: what hangs on the one step
        is then paired with what hangs on the other.
        """
        colour = self.colour
        partner: dict[int, int] = {}
        while True:
            classes: dict[int, tuple[list[int], list[int]]] = {}
            for node, value in enumerate(colour):
                classes.setdefault(value, ([], []))[node >= self.split].append(node)
            tied: tuple[list[int], list[int]] | None = None
            for value in sorted(classes):
                ours, theirs = classes[value]
                if not ours or not theirs or ours[0] in partner:
                    continue
                if len(ours) == len(theirs) == 1 or (self._twins(ours) and self._twins(theirs)):
                    partner.update(zip(ours, theirs, strict=False))
                elif tied is None:
                    tied = (ours, theirs)
            if tied is None:
                return partner
            ours, theirs = tied
            partner[ours[0]] = theirs[0]
            chosen = {ours[0], theirs[0]}
            marked = ranked([(value, node not in chosen) for node, value in enumerate(colour)])
            colour = refined(marked, self.before, self.after)

    def _twins(self, nodes: Sequence[int]) -> bool:
        """Whether they hang on the very same steps, so that it does not matter which is which."""
        first = nodes[0]
        return all(
            self.before[node] == self.before[first] and self.after[node] == self.after[first]
            for node in nodes
        )

    # -- all others --------------------------------------------------------------------------

    def _rest(
        self, left: Sequence[int], right: Sequence[int], partner: Mapping[int, int]
    ) -> dict[int, tuple[int, Fraction]]:
        """The heaviest assignment; of equal ones that which keeps most links to pairs."""
        weights, scale = self._weights(left, right)
        rows, columns = self._order(left), self._order(right)
        turned = (len(rows), [self.colour[i] for i in rows]) > (
            len(columns),
            [self.colour[j] for j in columns],
        )
        kept = self._kept_links(partner, rows, columns)
        factor = 1 + sum(map(len, self.before))
        table: list[dict[int, int]] = [{} for _ in (columns if turned else rows)]
        row_of = {node: at for at, node in enumerate(rows)}
        column_of = {node: at for at, node in enumerate(columns)}
        for (i, j), weight in weights.items():
            value = weight * factor + kept.get((i, j), 0)
            if turned:
                table[column_of[j]][row_of[i]] = value
            else:
                table[row_of[i]][column_of[j]] = value
        chosen = heaviest(table)
        pairs = (
            (rows[column], columns[row]) if turned else (rows[row], columns[column])
            for row, column in chosen.items()
        )
        return {i: (j - self.split, Fraction(weights[i, j], scale)) for i, j in pairs}

    def _order(self, nodes: Iterable[int]) -> list[int]:
        return sorted(nodes, key=lambda node: (self.colour[node], node))

    def _kept_links(
        self, partner: Mapping[int, int], left: Iterable[int], right: Iterable[int]
    ) -> dict[tuple[int, int], int]:
        """For each pair how many links it would share with pairs that are settled."""
        open_right = set(right)
        kept: dict[tuple[int, int], int] = {}
        for i in left:
            for mine, theirs in ((self.before, self.after), (self.after, self.before)):
                for a in mine[i]:
                    if a in partner:
                        for j in theirs[partner[a]]:
                            if j in open_right:
                                kept[i, j] = kept.get((i, j), 0) + 1
        return kept

    def _weights(
        self, left: Sequence[int], right: Sequence[int]
    ) -> tuple[dict[tuple[int, int], int], int]:
        """Weights of all pairs with one action, as integers over one denominator."""
        by_action: dict[str, list[int]] = {}
        for j in right:
            by_action.setdefault(self.actions[j], []).append(j)
        items = {node: self._items(node) for node in (*left, *right)}
        raw: list[tuple[int, int, int, int]] = []
        for i in left:
            ours, many = items[i], len(items[i])
            for j in by_action.get(self.actions[i], ()):
                shared = len(ours & items[j])
                raw.append((i, j, shared, many + len(items[j]) - shared))
        below = lcm(*{total for *_, total in raw}) if raw else 1
        scale = 16 * ROUNDS * below
        agent, surroundings = int(AGENT * scale), int(AROUND * scale) // (2 * ROUNDS)
        base, arguments = int(ACTION * scale), int(ARGUMENTS * scale)
        up, down, agents = self.up, self.down, self.agents
        weights: dict[tuple[int, int], int] = {}
        for i, j, shared, total in raw:
            weight = base + shared * (arguments // total)
            if agents[i] == agents[j]:
                weight += agent
            near = around(up[i], up[j]) + around(down[i], down[j])
            weights[i, j] = weight + surroundings * near
        return weights, scale

    def _items(self, node: int) -> frozenset[tuple[str, str]]:
        """Arguments by name and value. No argument at all, and arguments that are not compared,
        are values of their own, so that they agree with their like alone."""
        given = self.arguments[node]
        if given is None:
            return _NOT_COMPARED
        return frozenset(given.items()) or _NONE


_NOT_COMPARED = frozenset({("", "not compared")})
_NONE = frozenset({("", "none")})
