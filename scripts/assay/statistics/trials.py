"""Repetitions of a case: averaged within the case first, then over cases.

Trials of one case are not independent cases; to count them as such makes every interval too
narrow. What is counted here are the *evaluated* trials of a case: one without a verdict has left
before, and is counted elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

Share = tuple[int, int]
"""A share as numerator and denominator; cheaper by far than a `Fraction` for each case."""


def mean(shares: Sequence[Share]) -> Fraction | None:
    """The mean of shares, exactly; none of nothing."""
    if not shares:
        return None
    common = math.lcm(*{below for _, below in shares})
    total = sum(above * (common // below) for above, below in shares)
    return Fraction(total, common * len(shares))


@dataclass(frozen=True)
class OfK:
    """A rate over the cases that have at least k trials."""

    rate: Fraction | None
    """The rate; none where no case has as many."""
    cases: int
    """How many have."""


def pass_hat_k(cases: Iterable[Share], k: int) -> OfK:
    """pass^k: all of k trials pass; the mean over cases of C(c, k) / C(n, k).

    Args:
        cases: for each case how many of its evaluated trials passed, and how many there are.
        k: number of trials, at least 1.

    Source: Yao et al. 2024, tau-bench, arXiv 2406.12045.
    """
    able = [(c, n) for c, n in cases if n >= k]
    return OfK(mean([(math.comb(c, k), math.comb(n, k)) for c, n in able]), len(able))


def pass_at_k(cases: Iterable[Share], k: int) -> OfK:
    """pass@k: at least one of k trials passes; the mean over cases of 1 - C(n - c, k) / C(n, k).

    Args:
        cases: for each case how many of its evaluated trials passed, and how many there are.
        k: number of trials, at least 1.

    Source: Chen et al. 2021, *Evaluating Large Language Models Trained on Code*.
    """
    able = [(n - c, n, math.comb(n, k)) for c, n in cases if n >= k]
    shares = [(count - math.comb(failed, k), count) for failed, _, count in able]
    return OfK(mean(shares), len(able))


@dataclass(frozen=True)
class Spread:
    """Where the variance of a rate over cases comes from; the two parts sum to `total`."""

    total: Fraction
    """Sample variance of the shares of the cases."""
    within: Fraction
    """The part that trials of one case make: the mean of s²/n, s² = p (1 - p) n / (n - 1)."""
    between: Fraction
    """The part that cases make: what more trials will not take away. Never below 0."""


def spread(cases: Iterable[Share]) -> Spread | None:
    """Variance of the case shares, split into between cases and within cases over trials.

    ``between + within`` is the variance of one case's share; divided by the number of cases it
    is that of the rate. Where the trials alone would give more than is seen, `between` is 0.

    Returns:
        None with fewer than two cases, or where a case has a single trial: within and between
        cannot then be told apart.
    """
    rows = list(cases)
    if len(rows) < 2 or any(n < 2 for _, n in rows):
        return None
    middle = mean(rows)
    assert middle is not None
    squares = sum(((Fraction(c, n) - middle) ** 2 for c, n in rows), Fraction(0))
    total = squares / (len(rows) - 1)
    within = sum((Fraction(c * (n - c), n * n * (n - 1)) for c, n in rows), Fraction(0)) / len(rows)
    within = min(within, total)
    return Spread(total, within, total - within)
