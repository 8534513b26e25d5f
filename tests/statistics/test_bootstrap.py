"""The paired cluster bootstrap: deterministic, mirrored, honest with few clusters."""

from __future__ import annotations

import hashlib
import random
from fractions import Fraction
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.statistics import bootstrap as module
from assay.statistics.bootstrap import MOST, cluster_bootstrap, resamples_for
from assay.statistics.paired import FEWEST, paired_error
from assay.statistics.student import normal_quantile, normal_tail, t_quantile, t_two_sided

VALUES = st.integers(-4, 4).map(lambda n: Fraction(n, 4))
ROWS = st.lists(st.tuples(st.sampled_from("abcdefghij"), VALUES), max_size=25)


def made(seed: int, clusters: int, size: int = 1, shift: float = 0.0) -> list[Any]:
    """Clusters of differences with a common part, of a true mean of `shift`."""
    chance = random.Random(seed)
    rows = []
    for number in range(clusters):
        common = chance.gauss(shift, 0.2)
        rows += [
            (str(number), Fraction(round(1000 * (common + chance.gauss(0, 0.2))), 1000))
            for _ in range(size)
        ]
    return rows


def test_the_stream_is_fixed_for_ever() -> None:
    """Other words would be another set of resamples: every published interval would move."""
    first, second = islice(module._blocks(), 2)
    assert first == hashlib.shake_256(b"assay paired cluster bootstrap 1" + bytes(8)).digest(65536)
    assert first[:6].hex() == "51b6fd27fbbe"
    assert first != second


def test_every_word_below_the_limit_and_no_other() -> None:
    block = bytes(range(256))
    assert list(module._below(250, 1 << 8, block)) == list(range(250))
    pairs = [low + 256 * (low + 1) for low in range(0, 256, 2)]
    assert list(module._below(1 << 16, 1 << 16, block)) == pairs
    assert list(module._below(1_000, 1 << 16, block)) == [n for n in pairs if n < 1_000]


@pytest.mark.parametrize(
    ("clusters", "size", "shift", "pinned"),
    [
        (40, 3, 0.1, (0.05821666666666667, 0.21795, 0.00072, 10_000)),
        (300, 1, 0.02, (-0.003256666666666667, 0.05887, 0.075885, 3_333)),
    ],
)
def test_pinned_results(clusters: int, size: int, shift: float, pinned: tuple[float, ...]) -> None:
    found = cluster_bootstrap(made(1, clusters, size, shift))
    assert found is not None
    assert (found.low, found.high, found.p, found.resamples) == pinned


@settings(deadline=None)
@given(ROWS, st.randoms())
def test_order_and_names_mean_nothing_and_sides_mirror(rows: list[Any], chance: Any) -> None:
    found = cluster_bootstrap(rows, resamples=199)
    shuffled = [(f"x{name}", value) for name, value in rows]
    chance.shuffle(shuffled)
    assert cluster_bootstrap(shuffled, resamples=199) == found
    turned = cluster_bootstrap([(name, -value) for name, value in rows], resamples=199)
    if found is None:
        assert turned is None
        assert rows == []
        return
    assert turned is not None
    assert turned.difference == -found.difference
    assert turned.p == found.p
    assert turned.low == (None if found.high is None else -found.high)
    assert found.difference == sum((v for _, v in rows), Fraction(0)) / len(rows)
    if found.low is not None:
        assert found.high is not None
        assert -1 <= found.low <= found.high <= 1
        assert found.clusters >= FEWEST
    if found.p is not None:
        assert 0 <= found.p <= 1


def test_extremes() -> None:
    assert cluster_bootstrap([]) is None
    one = cluster_bootstrap([("a", Fraction(1)), ("a", Fraction(0))])
    assert one is not None
    assert (one.difference, one.low, one.high, one.p) == (Fraction(1, 2), None, None, None)
    same = cluster_bootstrap([(str(i), Fraction(0)) for i in range(30)])
    assert same is not None
    assert (same.low, same.p, same.method) == (None, 1.0, "none")


@pytest.mark.parametrize(("clusters", "p"), [(2, 0.5), (5, 0.0625), (6, 0.03125)])
def test_all_equal_is_as_strong_as_turning_signs_allows(clusters: int, p: float) -> None:
    found = cluster_bootstrap([(str(i), Fraction(1, 10)) for i in range(clusters)])
    assert found is not None
    assert (found.p, found.low, found.method) == (p, None, "none")


def test_few_clusters_have_no_interval_and_six_have() -> None:
    for clusters, wide in ((5, False), (6, True)):
        found = cluster_bootstrap(made(3, clusters, 5, 0.5))
        assert found is not None
        assert (found.low is not None) == wide
        assert found.p is not None
        assert found.p >= 2.0 ** (1 - clusters)


def test_many_clusters_take_the_normal_interval() -> None:
    rows = [(str(i), Fraction(i % 3 - 1)) for i in range(MOST + 2)]
    found = cluster_bootstrap(rows)
    error = paired_error(rows)
    assert found is not None
    assert error is not None
    assert (found.method, found.resamples) == ("normal", 0)
    assert found.low == pytest.approx(float(found.difference) - 1.96 * error, abs=1e-6)


def test_clusters_widen_what_copies_would_narrow() -> None:
    rows = made(5, 30)
    copies = [row for row in rows for _ in range(4)]
    singles = [(f"{name}-{i}", value) for i, (name, value) in enumerate(copies)]
    once, clustered, wrong = (cluster_bootstrap(r) for r in (rows, copies, singles))
    assert once is not None
    assert clustered is not None
    assert wrong is not None
    assert (clustered.low, clustered.high) == (once.low, once.high)
    assert wrong.high - wrong.low < 0.6 * (once.high - once.low)  # type: ignore[operator]


def test_resamples() -> None:
    assert [resamples_for(n) for n in (0, 10, 200, 500, 1000, 10_000)] == [
        10_000, 10_000, 5_000, 2_000, 2_000, 2_000
    ]  # fmt: skip


@pytest.mark.parametrize(("clusters", "size"), [(60, 1), (20, 4), (8, 3)])
def test_a_true_null_is_refused_at_most_six_times_in_a_hundred(clusters: int, size: int) -> None:
    refused = outside = 0
    for seed in range(1_000):
        found = cluster_bootstrap(made(40_000 + seed, clusters, size), resamples=499)
        assert found is not None
        assert found.p is not None
        refused += found.p < 0.05
        outside += not found.low <= 0 <= found.high  # type: ignore[operator]
    assert refused <= 60
    assert outside <= 60


def test_t_and_normal_by_table() -> None:
    assert t_quantile(0.05, 1) == pytest.approx(12.706, abs=1e-3)
    assert t_quantile(0.05, 5) == pytest.approx(2.5706, abs=1e-4)
    assert t_quantile(0.05, 10) == pytest.approx(2.2281, abs=1e-4)
    assert normal_quantile(0.025) == pytest.approx(1.959964, abs=1e-6)
    assert t_two_sided(0, 7) == 1
    assert t_two_sided(1e9, 1) == pytest.approx(0, abs=1e-6)


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
        rows = made(seed, 80, 1, 0.05)
        found = cluster_bootstrap(rows)
        assert found is not None
        level = 1 - 2 * module._tail(80)
        theirs = stats.bootstrap(
            ([float(v) for _, v in rows],),
            lambda x, axis: x.mean(axis=axis),
            n_resamples=10_000,
            confidence_level=level,
            method="percentile",
            random_state=seed,
        ).confidence_interval
        assert found.low == pytest.approx(theirs.low, abs=0.005)
        assert found.high == pytest.approx(theirs.high, abs=0.005)
