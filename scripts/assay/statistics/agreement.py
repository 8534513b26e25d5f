"""Agreement of two labelers beyond chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Kappa:
    """Cohen's kappa, never a bare point: with what it was made of."""

    value: Fraction
    """(observed - chance) / (1 - chance), from -1 to 1."""
    observed: Fraction
    """Share of items with one label from both."""
    chance: Fraction
    """Share that would agree if each kept their own shares of labels and chose blindly."""
    items: int
    """Number of items."""

    @property
    def degenerate(self) -> bool:
        """Only one label was used: agreement is complete and proves nothing."""
        return self.chance == 1


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> Kappa:
    """Cohen's kappa (Cohen 1960); 1 where only one label was used, which `degenerate` says.

    Args:
        first: labels of one labeler, an item each.
        second: labels of the other, in the same order.

    Raises:
        ValueError: there are no items, or not as many on both sides.
    """
    if not first or len(first) != len(second):
        raise ValueError("two labelers need the same items, and at least one")
    items = len(first)
    observed = Fraction(sum(a == b for a, b in zip(first, second, strict=True)), items)
    ours, theirs = Counter(first), Counter(second)
    chance = Fraction(sum(ours[label] * theirs[label] for label in ours), items * items)
    value = Fraction(1) if chance == 1 else (observed - chance) / (1 - chance)
    return Kappa(value, observed, chance, items)
