"""Cohen's kappa."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from assay.statistics.agreement import cohen_kappa, kappa_interval


def test_twenty_items_by_hand() -> None:
    first = [1] * 12 + [0] * 8
    second = [1] * 11 + [0, 1, 1] + [0] * 6
    found = cohen_kappa(first, second)
    assert (found.observed, found.chance) == (Fraction(17, 20), Fraction(53, 100))
    assert float(found.value) == pytest.approx(0.680851, abs=5e-7)


def test_the_prevalence_paradox() -> None:
    found = cohen_kappa([1] * 95 + [0] * 5, [1] * 90 + [0] * 5 + [1] * 5)
    assert found.observed == Fraction(9, 10)
    assert float(found.value) == pytest.approx(-0.0526, abs=5e-5)


@pytest.mark.conformance
def test_against_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    generator = random.Random(3)
    for _ in range(20):
        first = [generator.randrange(4) for _ in range(50)]
        second = [a if generator.random() < 0.6 else generator.randrange(4) for a in first]
        theirs = metrics.cohen_kappa_score(first, second)
        assert float(cohen_kappa(first, second).value) == pytest.approx(theirs, abs=1e-12)


def test_an_interval_by_clusters() -> None:
    first = [1] * 12 + [0] * 8
    second = [1] * 11 + [0, 1, 1] + [0] * 6
    apart = [str(i) for i in range(20)]
    found = kappa_interval(first, second, apart)
    assert found is not None
    low, high = found
    assert -1 <= low < 0.680851 < high <= 1
    assert found == kappa_interval(first, second, list(reversed(apart))), "names mean nothing"
    assert kappa_interval(first, second, ["one"] * 20) is None
    twice = kappa_interval(first * 2, second * 2, apart * 2)
    assert twice == found, "the same items once more say nothing new"
    assert kappa_interval([1, 1], [1, 1], ["a", "b"]) == (1.0, 1.0)
