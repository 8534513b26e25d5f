"""Matching against brute force on small instances."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from assay.scoring.bipartite import (
    Matching,
    in_order_matching,
    maximum_matching,
    ordered_matching,
)

SIZE = 4


@st.composite
def edge_lists(draw: st.DrawFn) -> list[list[int]]:
    count = draw(st.integers(0, 4))
    return [sorted(draw(st.sets(st.integers(0, SIZE - 1), max_size=SIZE))) for _ in range(count)]


def assignments(edges: list[list[int]]) -> list[tuple[int | None, ...]]:
    """Every one-to-one assignment."""
    options = [[None, *row] for row in edges]
    return [
        pick
        for pick in itertools.product(*options)
        if len({p for p in pick if p is not None}) == sum(p is not None for p in pick)
    ]


def size(partner: tuple[int | None, ...]) -> int:
    return sum(p is not None for p in partner)


def is_valid(matching: Matching, edges: list[list[int]]) -> bool:
    return matching.partner in assignments(edges)


@given(edge_lists())
def test_maximum(edges: list[list[int]]) -> None:
    found = maximum_matching(edges, SIZE)
    assert is_valid(found, edges)
    assert size(found.partner) == max(size(pick) for pick in assignments(edges))


def in_order(pick: tuple[int | None, ...]) -> bool:
    taken = [p for p in pick if p is not None]
    return taken == sorted(taken)


@given(edge_lists())
def test_in_order(edges: list[list[int]]) -> None:
    found = in_order_matching(edges, SIZE)
    assert is_valid(found, edges)
    assert in_order(found.partner)
    assert size(found.partner) == max(size(p) for p in assignments(edges) if in_order(p))


@given(edge_lists(), st.data())
def test_with_predecessors(edges: list[list[int]], data: st.DataObject) -> None:
    before = [
        frozenset(data.draw(st.sets(st.integers(0, i - 1)))) if i else frozenset()
        for i in range(len(edges))
    ]

    def keeps(pick: tuple[int | None, ...]) -> bool:
        if None in pick:
            return False
        return all(pick[a] < pick[b] for b, sources in enumerate(before) for a in sources)  # type: ignore[operator]

    possible = any(keeps(pick) for pick in assignments(edges))
    found = ordered_matching(edges, SIZE, before)
    assert found is not None
    assert found.complete == possible
    if possible:
        assert is_valid(found, edges)
        assert keeps(found.partner)


def test_a_long_run_is_no_trouble() -> None:
    edges = [list(range(2_000)) for _ in range(30)]
    chain = [frozenset({i - 1}) if i else frozenset() for i in range(30)]
    assert maximum_matching(edges, 2_000).complete
    assert in_order_matching(edges, 2_000).complete
    found = ordered_matching(edges, 2_000, chain)
    assert found is not None
    assert found.complete


def test_a_hopeless_search_gives_up_the_same_way_everywhere() -> None:
    # Twelve interchangeable steps that all must come before one whose call is the first.
    edges = [list(range(1, 40)) for _ in range(14)] + [[0]]
    before = [frozenset() for _ in range(14)] + [frozenset(range(14))]
    found = ordered_matching(edges, 40, before)
    assert found is None or not found.complete


def test_very_many_equal_expectations_end_soon() -> None:
    every = tuple(range(1_000))
    found = maximum_matching([every] * 3_000, 1_000)
    assert found.partner == (*every, *[None] * 2_000)
