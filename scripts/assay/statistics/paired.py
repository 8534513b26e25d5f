"""Two sides on the same cases: exact tests, the difference and its uncertainty.

Everything up to the last root or division is counted in integers, so that no figure depends on
the order of cases or on the machine.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

MOST_BITS: Final = 40_000_000
"""Size up to which `sign_flip` counts every outcome; beyond it would take seconds."""


@dataclass(frozen=True)
class Pair:
    """One case on both sides."""

    cluster: str
    """Cases of one cluster are not independent."""
    a: Fraction
    """Mean over the trials of the first side."""
    b: Fraction
    """Mean over the trials of the second side."""


@dataclass(frozen=True)
class Difference:
    """The mean of the differences, second side less first."""

    value: Fraction
    """The difference."""
    standard_error: float | None
    """Its cluster-aware standard error; none with fewer than two clusters."""
    cases: int
    """Number of pairs."""
    clusters: int
    """Number of clusters."""


def mcnemar(only_a: int, only_b: int) -> Fraction:
    """Exact two-sided McNemar test: the probability of a split at least as uneven by chance.

    With n = b + c disagreements, ``min(1, 2 Σ_{i ≤ min(b, c)} C(n, i) / 2^n)``: the binomial test
    of b of n at one half (McNemar 1947). Without a disagreement it is 1.

    Args:
        only_a: cases that the first side alone passed.
        only_b: cases that the second side alone passed.

    Raises:
        ValueError: a count below 0.
    """
    if min(only_a, only_b) < 0:
        raise ValueError("counts are not below 0")
    n, fewer = only_a + only_b, min(only_a, only_b)
    if only_a == only_b:
        return Fraction(1)
    term = total = 1
    for i in range(fewer):
        term = term * (n - i) // (i + 1)
        total += term
    return min(Fraction(1), Fraction(2 * total, 1 << n))


def cluster_sums(pairs: Iterable[Pair]) -> tuple[list[int], list[int], int]:
    """Sum of differences and number of cases of each cluster, by name, and the common unit.

    The sums are integers: a difference of 1 is as many as the third value says.
    """
    every = list(pairs)
    unit = math.lcm(*{d for pair in every for d in (pair.a.denominator, pair.b.denominator)})
    sums: dict[str, int] = {}
    sizes: dict[str, int] = {}
    for pair in every:
        b = pair.b.numerator * (unit // pair.b.denominator)
        a = pair.a.numerator * (unit // pair.a.denominator)
        sums[pair.cluster] = sums.get(pair.cluster, 0) + b - a
        sizes[pair.cluster] = sizes.get(pair.cluster, 0) + 1
    names = sorted(sums)
    return [sums[name] for name in names], [sizes[name] for name in names], unit


def sign_flip(sums: Sequence[int]) -> Fraction | None:
    """Exact two-sided test that clusters lean to neither side.

    If the sides are alike, each cluster's difference could as well have the other sign. Of all
    2^n choices of signs this is the share whose sum is at least as far from 0. With every sum 1
    or -1 it is McNemar's exact test (Fisher 1935; Dror et al. 2018 for agents).

    Args:
        sums: one integer for each cluster.

    Returns:
        None where counting every choice would take too long (`MOST_BITS`).
    """
    # A common divisor changes nothing.
    divisor = math.gcd(*sums) or 1
    sizes = sorted(abs(value) // divisor for value in sums if value)
    seen = abs(sum(sums)) // divisor
    if seen == 0 or not sizes:
        return Fraction(1)
    n, total = len(sizes), sum(sizes)
    if sizes[-1] == 1:
        return mcnemar((n - seen) // 2, (n + seen) // 2)
    width = n // 8 + 1
    if width * 8 * (total + 1) > MOST_BITS:
        return None
    # The coefficient at x^k, `width` bytes each, counts the choices whose positive part is k.
    ways = 1
    for size in sizes:
        ways += ways << (size * width * 8)
    # A sum of 2k - total is at least `seen` below 0 up to this k; the other tail is its mirror.
    last = (total - seen) // 2
    tail = ways & ((1 << ((last + 1) * width * 8)) - 1)
    raw = tail.to_bytes((last + 1) * width, "little")
    count = sum(
        int.from_bytes(raw[start : start + width], "little") for start in range(0, len(raw), width)
    )
    return min(Fraction(1), Fraction(2 * count, 1 << n))


def difference(pairs: Sequence[Pair]) -> Difference:
    """The mean difference and its standard error; cases of one cluster count together.

    With d_i the difference of case i, d̄ their mean over n cases in G clusters:
    ``sqrt( G / (G - 1) * Σ_g (Σ_{i in g} (d_i - d̄))² / n² )`` (Miller 2024, *Adding Error Bars to
    Evals*, arXiv 2411.00640, sections on clustered and paired errors).

    Raises:
        ValueError: there is no pair.
    """
    if not pairs:
        raise ValueError("a difference needs pairs")
    sums, sizes, unit = cluster_sums(pairs)
    n, groups, total = len(pairs), len(sums), sum(sums)
    value = Fraction(total, unit * n)
    if groups < 2:
        return Difference(value, None, n, groups)
    squares = sum((n * s - size * total) ** 2 for s, size in zip(sums, sizes, strict=True))
    variance = Fraction(groups * squares, (groups - 1) * (n * n * unit) ** 2)
    return Difference(value, math.sqrt(float(variance)), n, groups)
