"""Agreement of two labelers beyond chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from assay.statistics.resampling import LEAST, draws, tail


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


def kappa_interval(
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    clusters: Sequence[str],
    *,
    resamples: int = LEAST,
    seed: str = "assay",
) -> tuple[float, float] | None:
    """The 95 % interval of Cohen's kappa, clusters resampled with replacement.

    A drawn cluster brings all of its items; a sample with one label only counts as 1, as
    `cohen_kappa` has it. The level is widened as in `resampling`.

    Args:
        first: labels of one labeler, an item each.
        second: labels of the other, in the same order.
        clusters: what each item belongs to; items of one cluster are not independent.
        resamples: how many samples are drawn.
        seed: another one draws other samples.

    Returns:
        None with fewer than two clusters, of which nothing can be drawn.
    """
    tables: dict[str, Counter[tuple[Hashable, Hashable]]] = {}
    for one, other, cluster in zip(first, second, clusters, strict=True):
        tables.setdefault(cluster, Counter())[one, other] += 1
    # The order of names must not matter, only what the clusters hold.
    ordered = sorted(tables.values(), key=lambda table: sorted(map(str, table.items())))
    count = len(ordered)
    if count < 2:
        return None
    drawn = draws(count, f"{seed} kappa")
    values: list[Fraction] = []
    for _ in range(resamples):
        sample: Counter[tuple[Hashable, Hashable]] = Counter()
        for word in islice(drawn, count):
            sample.update(ordered[word % count])
        values.append(_of_table(sample))
    values.sort()
    rank = max(1, int(tail(count) * (resamples + 1)))
    return float(values[rank - 1]), float(values[-rank])


def _of_table(table: Counter[tuple[Hashable, Hashable]]) -> Fraction:
    items = table.total()
    ours: Counter[Hashable] = Counter()
    theirs: Counter[Hashable] = Counter()
    for (one, other), number in table.items():
        ours[one] += number
        theirs[other] += number
    same = sum(number for (one, other), number in table.items() if one == other)
    chance = sum(ours[label] * theirs[label] for label in ours)
    if chance == items * items:
        return Fraction(1)
    return Fraction(same * items - chance, items * items - chance)
