"""Step-graph similarity: 1 against itself, symmetric, blind to order and names, exact."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Mapping, Sequence
from fractions import Fraction

import networkx as nx
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from assay.scoring.levels.assignment import heaviest
from assay.scoring.levels.distance import levenshtein
from assay.scoring.levels.plan_graph import StepGraph
from assay.scoring.levels.similarity import similarity
from tests.scoring.levels.plans import (
    ERRORS,
    PlanData,
    graph,
    plan,
    plans,
    renamed,
    step,
    with_error,
)


@given(plans(), st.integers(0, 99))
def test_a_plan_is_one_against_itself(value: PlanData, seed: int) -> None:
    assert similarity(graph(value), graph(value)).value == 1
    assert similarity(graph(value), graph(renamed(value, seed))).value == 1


@given(plans(), plans(), st.integers(0, 99))
def test_order_names_and_sides_do_not_matter(one: PlanData, other: PlanData, seed: int) -> None:
    value = similarity(graph(one), graph(other)).value
    assert 0 <= value <= 1
    assert similarity(graph(other), graph(one)).value == value
    assert similarity(graph(renamed(one, seed)), graph(renamed(other, seed + 1))).value == value


@given(plans(), st.sampled_from(sorted(ERRORS)), st.integers(0, 99))
def test_every_error_lowers_it(value: PlanData, error: str, seed: int) -> None:
    assume("link" not in error or value["execution_links"])
    for each in value["execution_steps"]:
        each.pop("deterministic", None)  # An error in what is not compared is none.
    wrong = graph(renamed(with_error(value, error), seed))
    # A link turned round between two like steps makes the same plan again.
    assume(not _isomorphic(graph(value), wrong))
    assert similarity(graph(value), wrong).value < 1


def _isomorphic(one: StepGraph, other: StepGraph) -> bool:
    """The slow way."""
    drawn: list[nx.DiGraph[int]] = []
    for each in (one, other):
        made: nx.DiGraph[int] = nx.DiGraph()
        made.add_nodes_from((i, {"content": each.content(i)}) for i in range(each.size))
        made.add_edges_from(each.links)
        drawn.append(made)
    return nx.is_isomorphic(*drawn, node_match=operator.eq)


@given(plans(5), plans(5))
def test_only_the_same_plan_is_one(one: PlanData, other: PlanData) -> None:
    same = _isomorphic(graph(one), graph(other))
    assert (similarity(graph(one), graph(other)).value == 1) == same


def test_the_weight_of_each_part_of_a_step() -> None:
    alone = graph(plan([step("a", "find", k=1, l=2)]))
    for other, weight in (
        (step("b", "find", k=1, l=2), Fraction(1)),
        (step("b", "find", "crm", k=1, l=2), Fraction(7, 8)),
        (step("b", "find", k=1, l=3), Fraction(3, 4) + Fraction(1, 4) * Fraction(1, 3)),
        (step("b", "lookup", k=1, l=2), Fraction(0)),
    ):
        found = similarity(alone, graph(plan([other])))
        assert found.node_f1 == weight
        assert found.edge_f1 == 1, "there is no link on either side"


def test_surroundings_count() -> None:
    three = [step("a", "find"), step("b", "check"), step("c", "charge")]
    found = similarity(graph(plan(three, "a>b b>c")), graph(plan(three, "a>c b>c")))
    assert found.node_f1 < 1
    assert found.edge_f1 < Fraction(1, 2)


def test_many_steps_of_one_kind_are_paired_with_what_hangs_on_them() -> None:
    """Chains that are alike at the start and differ at the end."""
    steps, links = [], []
    for chain in range(12):
        names = [f"{chain}-{place}" for place in range(4)]
        steps += [step(name, "find") for name in names[:3]] + [step(names[3], f"end{chain % 3}")]
        links += [f"{a}>{b}" for a, b in itertools.pairwise(names)]
    value = plan(steps, " ".join(links))
    assert similarity(graph(value), graph(renamed(value, 5))).value == 1


WEIGHTS = st.lists(
    st.dictionaries(st.integers(0, 5), st.integers(1, 9), max_size=6), min_size=1, max_size=6
)


def _best(weights: Sequence[Mapping[int, int]], taken: frozenset[int] = frozenset()) -> int:
    if not weights:
        return 0
    options = [
        value + _best(weights[1:], taken | {column})
        for column, value in weights[0].items()
        if column not in taken
    ]
    return max([_best(weights[1:], taken), *options])


@given(WEIGHTS)
def test_the_assignment_is_the_heaviest(weights: list[dict[int, int]]) -> None:
    found = heaviest(weights)
    assert len(set(found.values())) == len(found)
    assert sum(weights[row][column] for row, column in found.items()) == _best(weights)


@pytest.mark.conformance
@given(st.integers(1, 12), st.integers(1, 12), st.randoms(use_true_random=False))
def test_the_assignment_is_that_of_scipy(rows: int, columns: int, draw: object) -> None:
    scipy = pytest.importorskip("scipy.optimize")
    import random

    assert isinstance(draw, random.Random)
    table = [[draw.randrange(0, 50) for _ in range(columns)] for _ in range(rows)]
    found = heaviest([{j: w for j, w in enumerate(row) if w} for row in table])
    ours = sum(table[i][j] for i, j in found.items())
    theirs = scipy.linear_sum_assignment(table, maximize=True)
    assert ours == sum(table[i][j] for i, j in zip(*theirs, strict=True))


def _slow(one: Sequence[int], other: Sequence[int]) -> int:
    row = list(range(len(other) + 1))
    for i, item in enumerate(one, start=1):
        new = [i]
        for j, there in enumerate(other, start=1):
            new.append(min(new[-1] + 1, row[j] + 1, row[j - 1] + (item != there)))
        row = new
    return row[-1]


SEQUENCES = st.lists(st.integers(0, 3), max_size=70)


@given(SEQUENCES, SEQUENCES)
def test_the_edit_distance_is_that_of_the_table(one: list[int], other: list[int]) -> None:
    assert levenshtein(one, other) == _slow(one, other)
