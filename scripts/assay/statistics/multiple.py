"""Many tests at once: what is left of each after all have been looked at."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

P = TypeVar("P", Fraction, float)


def holm(values: Sequence[P]) -> list[P]:
    """Adjusted p-values that keep the chance of any false alarm below the level (Holm 1979).

    The i-th smallest of m is multiplied by m - i + 1, is at least its predecessor, at most 1.

    Args:
        values: p-values, in any order.

    Returns:
        Adjusted ones in the same order.
    """
    adjusted = list(values)
    order = _ascending(values)
    for rank, index in enumerate(order):
        value = _at_most_one(values[index] * (len(values) - rank))
        adjusted[index] = max(value, adjusted[order[rank - 1]]) if rank else value
    return adjusted


def benjamini_hochberg(values: Sequence[P]) -> list[P]:
    """Adjusted p-values that keep the expected share of false alarms below the level.

    The i-th smallest of m is multiplied by m / i and is at most its successor (Benjamini and
    Hochberg 1995): for looking around, never for a gate.

    Args:
        values: p-values, in any order.

    Returns:
        Adjusted ones in the same order.
    """
    adjusted = list(values)
    order = _ascending(values)
    for rank in range(len(order) - 1, -1, -1):
        index = order[rank]
        value = _at_most_one(values[index] * len(values) / (rank + 1))
        adjusted[index] = min(value, adjusted[order[rank + 1]]) if order[rank + 1 :] else value
    return adjusted


def _at_most_one(value: P) -> P:
    return min(value, type(value)(1))


def _ascending(values: Sequence[P]) -> list[int]:
    return sorted(range(len(values)), key=lambda index: (values[index], index))
