"""Uncertainty of one rate: the Wilson interval, and a standard error that knows clusters."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from assay.statistics.trials import mean

Z95: Final = 1.959963984540054
"""The 97.5 % quantile of the normal distribution."""

Clustered = tuple[str, int, int]
"""One case: its cluster, and its value as numerator and denominator."""


def wilson(rate: Fraction | None, count: int | float) -> tuple[float | None, float | None]:
    """The 95 % Wilson score interval of a rate over `count` cases; clipped to 0 and 1.

    A rate that is averaged over the trials of a case is taken over its cases: repetitions of a
    case are no further cases.
    """
    if rate is None or count == 0:
        return None, None
    p, z2 = float(rate), Z95 * Z95
    middle = p + z2 / (2 * count)
    half = Z95 * math.sqrt(p * (1 - p) / count + z2 / (4 * count * count))
    scale = 1 + z2 / count
    low = 0.0 if rate == 0 else max(0.0, (middle - half) / scale)
    high = 1.0 if rate == 1 else min(1.0, (middle + half) / scale)
    return low, high


def wilson_count(count: int, among: int) -> tuple[float | None, float | None]:
    """The 95 % Wilson score interval of `count` in `among`; none of nothing.

    Raises:
        ValueError: the count is negative or larger than what it is a part of.
    """
    if not 0 <= count <= among:
        raise ValueError(f"{count} of {among} is no share")
    return wilson(Fraction(count, among) if among else None, among)


def wilson_clustered(cases: Iterable[Clustered]) -> tuple[float | None, float | None]:
    """The Wilson interval of a mean of shares whose cases come in clusters.

    The number of cases is replaced by the number of independent ones that would have the same
    standard error, ``p (1 - p) / SE²`` — never more than there are cases; where the rate is 0 or
    1, or there is no standard error, by the number of clusters.
    """
    rows = list(cases)
    if not rows:
        return None, None
    rate = mean([(above, below) for _, above, below in rows])
    assert rate is not None
    error = standard_error(rows)
    count: int | float = len({cluster for cluster, _, _ in rows})
    if error and 0 < rate < 1:
        count = min(float(len(rows)), float(rate * (1 - rate)) / (error * error))
    return wilson(rate, count)


def standard_error(cases: Iterable[Clustered]) -> float | None:
    """Cluster-aware standard error of a mean; None with fewer than two clusters.

    With s_i the value of case i, s̄ their mean over n cases in G clusters:
    ``sqrt( G / (G - 1) * Σ_g (Σ_{i in g} (s_i - s̄))² / n² )`` — the sandwich estimator with the
    usual small-sample factor (Miller 2024, *Adding Error Bars to Evals*, arXiv 2411.00640). With
    every case its own cluster it is the standard error of a mean. Computed in integers up to the
    root.
    """
    rows = list(cases)
    count = len(rows)
    common = math.lcm(*{below for _, _, below in rows})
    scores = [above * (common // below) for _, above, below in rows]
    total = sum(scores)
    sums: dict[str, int] = {}
    for (cluster, _, _), score in zip(rows, scores, strict=True):
        sums[cluster] = sums.get(cluster, 0) + count * score - total
    groups = len(sums)
    if groups < 2:
        return None
    squares = sum(value * value for value in sums.values())
    variance = Fraction(groups * squares, (groups - 1) * (count * count * common) ** 2)
    return math.sqrt(float(variance))
