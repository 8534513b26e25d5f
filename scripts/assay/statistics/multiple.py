"""Many tests at once: Holm where something is decided, Benjamini–Hochberg where one explores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeVar

P = TypeVar("P", float, Fraction)
"""A p-value; exact ones stay exact."""


def holm(values: Sequence[P]) -> tuple[P, ...]:
    """Adjusted p-values that hold the chance of *any* false alarm (Holm 1979).

    The i-th smallest of m is multiplied by m - i + 1, never falls below the one before it, and
    is at most 1. In the order of the input; valid whatever the dependence between the tests.
    """
    count = len(values)
    return _adjusted(values, lambda value, rank: value * (count - rank), rising=True)


def benjamini_hochberg(values: Sequence[P]) -> tuple[P, ...]:
    """Adjusted p-values that hold the expected *share* of false alarms (Benjamini, Hochberg 1995).

    The i-th smallest of m is multiplied by m / i and never lies above the one after it. In the
    order of the input; for exploring, never for a gate.
    """
    count = len(values)
    return _adjusted(values, lambda value, rank: value * count / (rank + 1), rising=False)


def _adjusted(values: Sequence[P], scaled: Callable[[P, int], P], *, rising: bool) -> tuple[P, ...]:
    if any(not 0 <= value <= 1 for value in values):
        raise ValueError("a p-value lies between 0 and 1")
    order = sorted(range(len(values)), key=lambda index: values[index])
    found = dict.fromkeys(order, values[0]) if values else {}
    ranks = range(len(order)) if rising else range(len(order) - 1, -1, -1)
    last: P | None = None
    for rank in ranks:
        here = scaled(values[order[rank]], rank)
        if last is not None:
            here = max(here, last) if rising else min(here, last)
        last = min(here, type(here)(1))
        found[order[rank]] = last
    return tuple(found[index] for index in range(len(values)))
