"""The paired cluster bootstrap: the same everywhere, mirrored, honest with few clusters."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.statistics import resampling
from assay.statistics.paired import Pair, difference
from assay.statistics.resampling import Bootstrap, cluster_bootstrap, draws
from assay.statistics.student import normal_quantile, normal_tail, t_quantile, t_two_sided

ROWS = st.lists(
    st.tuples(st.sampled_from("abcdefghij"), st.integers(-4, 4).map(lambda n: Fraction(n, 4))),
    min_size=1,
    max_size=25,
)


def pairs_of(rows: Any) -> list[Pair]:
    return [Pair(cluster, Fraction(0), change) for cluster, change in rows]


def made(chance: random.Random, clusters: int, size: int = 1, shift: float = 0.0) -> list[Pair]:
    """Clusters of differences with a common part, of a true mean of `shift`."""
    rows = []
    for number in range(clusters):
        common = chance.gauss(shift, 0.2)
        for _ in range(size):
            change = Fraction(round(1000 * (common + chance.gauss(0, 0.2))), 1000)
            rows.append((str(number), change))
    return pairs_of(rows)


def drawn(pairs: list[Pair], **more: Any) -> Bootstrap:
    found = cluster_bootstrap(pairs, **more)
    assert found is not None
    return found


def test_draws_are_the_same_everywhere() -> None:
    """Other draws would be other resamples: every interval that was published would move."""
    assert list(islice(draws(200, "assay"), 4)) == DRAWS[0]
    assert list(islice(draws(1_000, "assay"), 3)) == DRAWS[1]


DRAWS = [164, 63, 139, 87], [54948, 35647, 26967]


@pytest.mark.parametrize("number", [3, 256, 257, 60_000, 65_536])
def test_draws_are_even(number: int) -> None:
    found = [word % number for word in islice(draws(number, "x"), 6_000)]
    assert min(found) >= 0
    assert max(found) < number
    assert sum(found) / len(found) / (number - 1) == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize(
    ("clusters", "size", "shift", "pinned"),
    [
        (40, 3, 0.1, (0.05865, 0.21991666666666668, 0.001196)),
        (300, 1, 0.02, (-0.00373, 0.05936, 0.086137)),
    ],
)
def test_pinned(clusters: int, size: int, shift: float, pinned: tuple[float, ...]) -> None:
    found = drawn(made(random.Random(1), clusters, size, shift))
    assert (found.low, found.high, found.p) == pinned


@settings(deadline=None)
@given(ROWS, st.randoms())
def test_order_and_names_mean_nothing_and_sides_mirror(rows: list[Any], chance: Any) -> None:
    found = cluster_bootstrap(pairs_of(rows), resamples=199)
    shuffled = [(f"x{name}", change) for name, change in rows]
    chance.shuffle(shuffled)
    assert cluster_bootstrap(pairs_of(shuffled), resamples=199) == found
    turned = cluster_bootstrap([Pair(p.cluster, p.b, p.a) for p in pairs_of(rows)], resamples=199)
    if found is None:
        assert turned is None
        assert len({name for name, _ in rows}) == 1
        return
    assert turned is not None
    assert 0 < found.p <= 1
    assert turned.p == found.p
    assert turned.low == (None if found.high is None else -found.high)
    if found.low is not None:
        assert found.high is not None
        assert -1 <= found.low <= found.high <= 1


@pytest.mark.parametrize(("clusters", "p"), [(2, 0.5), (5, 0.0625), (6, 0.03125)])
def test_all_alike_is_as_strong_as_turning_signs_allows(clusters: int, p: float) -> None:
    found = drawn(pairs_of((str(i), Fraction(1, 10)) for i in range(clusters)))
    assert found == Bootstrap(None, None, p)


def test_no_difference_in_any_case_has_no_interval() -> None:
    assert drawn(pairs_of((str(i), Fraction(0)) for i in range(30))) == Bootstrap(None, None, 1.0)
    assert cluster_bootstrap(pairs_of([("t", Fraction(1)), ("t", Fraction(0))])) is None


def test_few_clusters_have_no_interval_and_six_have() -> None:
    for clusters, wide in ((5, False), (6, True)):
        found = drawn(made(random.Random(3), clusters, 5, 0.5))
        assert (found.low is not None) == wide
        assert found.p >= 2.0 ** (1 - clusters)


def test_very_many_clusters_take_the_normal_interval() -> None:
    pairs = pairs_of((str(i), Fraction(i % 3 - 1)) for i in range(resampling.DRAWN_FROM + 2))
    found, error = drawn(pairs), difference(pairs).standard_error
    assert error is not None
    assert found.low == pytest.approx(-1.96 * error, abs=1e-4)
    assert found.high == pytest.approx(1.96 * error, abs=1e-4)


def test_copies_of_a_cluster_narrow_nothing() -> None:
    pairs = made(random.Random(5), 30)
    once, again = drawn(pairs), drawn([pair for pair in pairs for _ in range(4)])
    assert (again.low, again.high) == (once.low, once.high)


@pytest.mark.parametrize(("clusters", "size", "most"), [(60, 1, 60), (20, 4, 60), (8, 3, 75)])
def test_alike_agents_are_seldom_told_apart(clusters: int, size: int, most: int) -> None:
    """At most six in a hundred; of eight clusters the plain percentiles would tell twelve."""
    chance = random.Random(20_261)
    refused = outside = 0
    for _ in range(1_000):
        found = drawn(made(chance, clusters, size), resamples=2_000)
        assert found.low is not None
        assert found.high is not None
        refused += found.p < 0.05
        outside += not found.low <= 0 <= found.high
    assert refused <= most
    assert outside <= most


def test_t_and_normal_by_table() -> None:
    assert t_quantile(0.05, 1) == pytest.approx(12.706, abs=1e-3)
    assert t_quantile(0.05, 5) == pytest.approx(2.5706, abs=1e-4)
    assert t_quantile(0.05, 10) == pytest.approx(2.2281, abs=1e-4)
    assert normal_quantile(0.025) == pytest.approx(1.959964, abs=1e-6)
    assert t_two_sided(0, 7) == 1


@pytest.mark.conformance
def test_t_against_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    for freedom in (1, 2, 3, 8, 41, 200, 999):
        for t in (0.0, 0.3, 1.0, 2.5, 6.0):
            assert t_two_sided(t, freedom) == pytest.approx(2 * stats.t.sf(t, freedom), abs=1e-12)
    for z in (-3.0, 0.0, 1.2, 5.0):
        assert normal_tail(z) == pytest.approx(stats.norm.sf(z), rel=1e-9)


@pytest.mark.conformance
def test_the_interval_against_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    for seed in range(4):
        pairs = made(random.Random(seed), 80, 1, 0.05)
        found = drawn(pairs, resamples=9_999)
        theirs = stats.bootstrap(
            ([float(pair.b) for pair in pairs],),
            lambda x, axis: x.mean(axis=axis),
            n_resamples=9_999,
            confidence_level=1 - 2 * resampling.tail(80),
            method="percentile",
            random_state=seed,
        ).confidence_interval
        assert found.low == pytest.approx(theirs.low, abs=0.006)
        assert found.high == pytest.approx(theirs.high, abs=0.006)
