"""Repeated trials: averaged within a case first, then over cases.

A trial without a verdict is left out, neither passed nor failed; whoever counts says how many.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

Share = tuple[int, int]
"""A share as numerator and denominator; cheaper by far than a `Fraction` for each case."""


def mean(shares: Sequence[Share]) -> Fraction | None:
    """The mean of shares, each of one weight; none of none."""
    if not shares:
        return None
    common = math.lcm(*{below for _, below in shares})
    total = sum(above * (common // below) for above, below in shares)
    return Fraction(total, common * len(shares))


def pass_hat_k(cases: Iterable[Share], k: int) -> Fraction | None:
    """pass^k: the mean over cases of C(c, k) / C(n, k), the chance that all of k trials pass.

    Args:
        cases: passed and evaluated trials of each case; one with fewer than k does not count.
        k: number of trials, 1 or more.

    Source: Yao et al. 2024, tau-bench, arXiv 2406.12045.
    """
    able = [(c, n) for c, n in cases if n >= k]
    return mean([(math.comb(c, k), math.comb(n, k)) for c, n in able])


def pass_at_k(cases: Iterable[Share], k: int) -> Fraction | None:
    """pass@k: the mean over cases of 1 - C(n - c, k) / C(n, k), the chance that one passes.

    Args:
        cases: passed and evaluated trials of each case; one with fewer than k does not count.
        k: number of trials, 1 or more.

    Source: Chen et al. 2021, arXiv 2107.03374.
    """
    able = [(c, n, math.comb(n, k)) for c, n in cases if n >= k]
    return mean([(ways - math.comb(n - c, k), ways) for c, n, ways in able])


@dataclass(frozen=True)
class Split:
    """Where the variance of a mean over cases comes from."""

    between: Fraction
    """Variance of cases among each other, with endless trials; never below 0."""
    within: Fraction
    """Mean over cases of the variance of a trial within a case, divided by its trials."""


def variance_split(cases: Iterable[Share]) -> Split | None:
    """Variance of the share of a case, split into that of cases and that of trials.

    With s_i = c_i / n_i the share of case i, the sample variance of s_i estimates the sum of both
    parts; s_i (1 - s_i) / (n_i - 1) estimates the second for each case (Miller 2024, the law of
    total variance). More trials shrink only the second.

    Args:
        cases: passed and evaluated trials of each case; those with fewer than two are left out.

    Returns:
        None with fewer than two cases that have two trials.
    """
    shares = [(Fraction(c, n), n) for c, n in cases if n >= 2]
    count = len(shares)
    if count < 2:
        return None
    middle = sum((s for s, _ in shares), Fraction(0)) / count
    total = sum(((s - middle) ** 2 for s, _ in shares), Fraction(0)) / (count - 1)
    within = sum((s * (1 - s) / (n - 1) for s, n in shares), Fraction(0)) / count
    return Split(max(Fraction(0), total - within), within)
