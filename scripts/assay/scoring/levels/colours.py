"""Colours of the nodes of directed graphs (Weisfeiler and Lehman 1968), the same for like nodes.

Colours are small integers that the content of both graphs defines: neither the order of the nodes
nor their names. They are ranks of sorted descriptions, so that they serve as an order as well.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Graph:
    """Labelled nodes 0, 1, 2 … and links between them."""

    labels: tuple[Any, ...]
    """For each node a text, or a tuple of texts: what it is, without its name."""
    links: frozenset[tuple[int, int]]
    """Source and target."""

    @property
    def size(self) -> int:
        """Number of nodes."""
        return len(self.labels)


def neighbours(size: int, links: frozenset[tuple[int, int]]) -> tuple[list[list[int]], ...]:
    """Direct predecessors and direct successors of every node."""
    before: list[list[int]] = [[] for _ in range(size)]
    after: list[list[int]] = [[] for _ in range(size)]
    for source, target in sorted(links):
        before[target].append(source)
        after[source].append(target)
    return before, after


def ranked(descriptions: Sequence[Hashable]) -> list[int]:
    """The rank of each description among all different ones."""
    order = {item: rank for rank, item in enumerate(sorted(set(descriptions)))}  # type: ignore[type-var]
    return [order[item] for item in descriptions]


def contexts(
    labels: Sequence[Hashable], towards: Sequence[Sequence[int]], rounds: int
) -> list[tuple[int, ...]]:
    """For each node the colours of what stands before it (or after it), a round a step further.

    Args:
        labels: what every node is.
        towards: for each node its neighbours in the direction that is looked at.
        rounds: how many links far.
    """
    own = ranked(labels)
    colour = [0] * len(own)
    found: list[list[int]] = [[] for _ in own]
    for _ in range(rounds):
        colour = ranked(
            [
                (colour[i], tuple(sorted((own[j], colour[j]) for j in towards[i])))
                for i in range(len(own))
            ]
        )
        for place, value in zip(found, colour, strict=True):
            place.append(value)
    return [tuple(values) for values in found]


def refined(
    colour: Sequence[int], before: Sequence[Sequence[int]], after: Sequence[Sequence[int]]
) -> list[int]:
    """The coarsest colouring in which nodes of one colour have neighbours of the same colours.

    Given colours are kept in their order: a colour is only ever split.
    """
    current, classes = list(colour), len(set(colour))
    while True:
        following = ranked(
            [
                (
                    current[i],
                    tuple(sorted([current[j] for j in before[i]])),
                    tuple(sorted([current[j] for j in after[i]])),
                )
                for i in range(len(current))
            ]
        )
        count = max(following, default=-1) + 1
        if count == classes:
            return following
        current, classes = following, count
