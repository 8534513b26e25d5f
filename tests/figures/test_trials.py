"""Trials within cases."""

from __future__ import annotations

import random
import statistics
from fractions import Fraction

from assay.statistics.trials import mean, pass_at_k, pass_hat_k, variance_split

CASES = [(3, 4), (0, 4), (4, 4), (1, 1)]


def test_within_a_case_first() -> None:
    assert mean(CASES) == Fraction(11, 16)
    assert mean([]) is None


def test_by_hand() -> None:
    # pass^2: C(3,2)/C(4,2) = 1/2, 0, 1; the case with one trial does not count.
    assert pass_hat_k(CASES, 2) == Fraction(1, 2)
    # pass@2: 1 - C(1,2)/6 = 1, 1 - 6/6 = 0, 1.
    assert pass_at_k(CASES, 2) == Fraction(2, 3)
    assert pass_hat_k(CASES, 1) == pass_at_k(CASES, 1) == Fraction(11, 16)
    assert pass_hat_k(CASES, 5) is None
    assert pass_at_k(CASES, 5) is None


def test_variance_by_hand() -> None:
    found = variance_split([(3, 4), (0, 4), (4, 4), (1, 1)])
    assert found is not None
    # shares 3/4, 0, 1: variance 13/48; within: (3/16 / 3) / 3 = 1/48.
    assert (found.between, found.within) == (Fraction(12, 48), Fraction(1, 48))
    assert variance_split([(1, 2), (1, 1)]) is None
    alike = variance_split([(1, 2), (1, 2)])
    assert alike is not None
    assert (alike.between, alike.within) == (Fraction(0), Fraction(1, 4))


def test_both_parts_are_found_again() -> None:
    generator = random.Random(5)
    eases = [generator.random() for _ in range(4000)]
    cases = [(sum(generator.random() < ease for _ in range(5)), 5) for ease in eases]
    found = variance_split(cases)
    assert found is not None
    assert abs(float(found.between) - statistics.variance(eases)) < 0.005
    assert abs(float(found.within) - 1 / 6 / 5) < 0.002
