"""Assigning expectations to observations one to one, so that as many as possible are met."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

Edges = Sequence[Sequence[int]]
"""For each expectation, the observations that meet it, in ascending order."""

SEARCH_LIMIT: Final = 100_000
"""States that the search for a plan's order visits before it gives up; the same everywhere."""


@dataclass(frozen=True)
class Matching:
    """Which observation each expectation got."""

    partner: tuple[int | None, ...]
    """For each expectation its observation; none where it got none."""

    @property
    def complete(self) -> bool:
        """Whether every expectation got one."""
        return None not in self.partner


def maximum_matching(edges: Edges, size: int) -> Matching:
    """A largest one-to-one assignment, by augmenting paths (Kuhn).

    Args:
        edges: for each expectation, the observations that meet it.
        size: number of observations.

    The result depends on the edges alone; where several are as large, earlier observations go
    to earlier expectations as far as that leaves the size unchanged.
    """
    partner: list[int | None] = [None] * len(edges)
    owner: list[int | None] = [None] * size
    # Observations that a vain search reached: no later path leads through them either, and
    # without them many equal expectations cost what they weigh, not its square.
    vain: set[int] = set()
    for left, options in enumerate(edges):
        for right in options:
            if owner[right] is None:
                owner[right], partner[left] = left, right
                break
        else:
            _augment(left, edges, partner, owner, vain)
    return Matching(tuple(partner))


def _augment(
    root: int,
    edges: Edges,
    partner: list[int | None],
    owner: list[int | None],
    vain: set[int],
) -> bool:
    """Find a path that frees an observation for `root`; without recursion, breadth first."""
    came_from: dict[int, int] = {}
    queue = [root]
    for left in queue:
        for right in edges[left]:
            if right in came_from or right in vain:
                continue
            came_from[right] = left
            holder = owner[right]
            if holder is not None:
                queue.append(holder)
                continue
            freed: int | None = right
            while freed is not None:
                giver = came_from[freed]
                owner[freed] = giver
                partner[giver], freed = freed, partner[giver]
            return True
    vain.update(came_from)
    return False


def in_order_matching(edges: Edges, size: int) -> Matching:
    """A largest assignment in which later expectations have later observations.

    Taking the earliest observation each time finds a complete assignment where there is one;
    otherwise it is the longest common subsequence, with "meets" for "is equal to".
    """
    earliest: list[int | None] = []
    after = -1
    for options in edges:
        after = next((right for right in options if right > after), size)
        if after == size:
            break
        earliest.append(after)
    else:
        return Matching(tuple(earliest))
    count = len(edges)
    meets = [frozenset(options) for options in edges]
    best = [[0] * (size + 1) for _ in range(count + 1)]
    for left in range(count - 1, -1, -1):
        row, below = best[left], best[left + 1]
        for right in range(size - 1, -1, -1):
            row[right] = max(below[right], row[right + 1])
            if right in meets[left]:
                row[right] = max(row[right], below[right + 1] + 1)
    partner: list[int | None] = [None] * count
    left = right = 0
    while left < count and right < size:
        if right in meets[left] and best[left][right] == best[left + 1][right + 1] + 1:
            partner[left] = right
            left, right = left + 1, right + 1
        elif best[left][right] == best[left][right + 1]:
            right += 1
        else:
            left += 1
    return Matching(tuple(partner))


def ordered_matching(edges: Edges, size: int, before: Sequence[frozenset[int]]) -> Matching | None:
    """A complete assignment in which each expectation comes after those in `before`.

    Args:
        edges: for each expectation, the observations that meet it.
        size: number of observations.
        before: for each expectation, the expectations that must have earlier observations.

    Returns:
        The assignment; one with gaps where no complete one exists; None where the search gave
        up at `SEARCH_LIMIT` (the problem is hard in general; plans of real size are easy).
    """
    takers: list[list[int]] = [[] for _ in range(size)]
    for left, options in enumerate(edges):
        for right in options:
            takers[right].append(left)
    last = [max(options, default=-1) for options in edges]
    everything = len(edges)
    dead: set[tuple[int, frozenset[int]]] = set()
    chosen: dict[int, int] = {}
    visited = 0

    # Walk over the observations in time; at each, give it to a ready expectation or to none.
    def options_at(right: int, done: frozenset[int]) -> list[int | None]:
        ready: list[int | None] = [
            left for left in takers[right] if left not in done and before[left] <= done
        ]
        ready.sort(key=lambda left: (last[left], left) if left is not None else (size, 0))
        return [*ready, None]

    nothing: frozenset[int] = frozenset()
    stack = [(0, nothing, options_at(0, nothing) if size else [])]
    while stack:
        right, done, ready = stack[-1]
        if len(done) == everything:
            return Matching(tuple(chosen[left] for left in range(everything)))
        if not ready:
            dead.add((right, done))
            stack.pop()
            for left in done - (stack[-1][1] if stack else nothing):
                del chosen[left]
            continue
        taker = ready.pop(0)
        following = done if taker is None else done | {taker}
        visited += 1
        if visited > SEARCH_LIMIT:
            return None
        hopeless = any(last[left] <= right for left in range(everything) if left not in following)
        if hopeless or (right + 1, following) in dead:
            continue
        if taker is not None:
            chosen[taker] = right
        more = options_at(right + 1, following) if right + 1 < size else []
        stack.append((right + 1, following, more))
    return Matching((None,) * everything)
