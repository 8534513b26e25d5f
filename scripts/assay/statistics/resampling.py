"""The paired cluster bootstrap: the same figures on every machine and every Python."""

from __future__ import annotations

import hashlib
import sys
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from assay.statistics.paired import Pair, cluster_sums

RESAMPLES: Final = 2000
"""How many times clusters are drawn."""

FEWEST: Final = 500
"""How many times at least, where clusters are very many."""

_MOST_DRAWS: Final = 5_000_000
"""How many draws are made in all: with more than 2,500 clusters, fewer samples of them."""

_DRAWS: Final = 1 << 20
"""How many clusters are drawn at once, at most."""


@dataclass(frozen=True)
class Bootstrap:
    """What resampling says of a mean difference."""

    low: float
    """Lower end of the 95 % percentile interval."""
    high: float
    """Upper end of it."""
    p: float
    """Share of resamples that lie as far from the difference as 0 does, the sample itself counted
    among them: two-sided."""


def draws(seed: str, number: int) -> array[int]:
    """Numbers below 2^32, all alike likely: SHAKE-256 of a text, which every Python knows."""
    words = array("I", hashlib.shake_256(seed.encode()).digest(4 * number))
    if sys.byteorder == "big":
        words.byteswap()
    return words


def cluster_bootstrap(
    pairs: Sequence[Pair], *, resamples: int | None = None, seed: str = "assay"
) -> Bootstrap | None:
    """Resample clusters with replacement; percentile interval of the mean difference.

    A drawn cluster brings all of its pairs, and the mean is over the pairs that were drawn (Efron
    and Tibshirani 1993). Sums are integers and each mean is one division.

    Args:
        pairs: the cases on both sides.
        resamples: how many samples are drawn; else `RESAMPLES`, and fewer of very many clusters.
        seed: another one draws other samples.

    Returns:
        None with fewer than two clusters, of which nothing can be drawn.
    """
    sums, sizes, unit = cluster_sums(pairs)
    # The order of names must not matter, only what the clusters hold.
    clusters = sorted(zip(sums, sizes, strict=True))
    sums, sizes = [s for s, _ in clusters], [n for _, n in clusters]
    count, total, cases = len(sums), sum(sums), sum(sizes)
    if count < 2:
        return None
    if resamples is None:
        resamples = min(RESAMPLES, max(FEWEST, _MOST_DRAWS // count))
    even = len(set(sizes)) == 1
    means: list[float] = []
    far = 0
    batch = max(1, _DRAWS // count)
    for start in range(0, resamples, batch):
        number = min(batch, resamples - start)
        words = draws(f"{seed} {start}", number * count)
        for offset in range(0, number * count, count):
            # Multiply and shift is fair to one part in 2^32 / count.
            drawn = [(word * count) >> 32 for word in words[offset : offset + count]]
            size = cases if even else sum([sizes[index] for index in drawn])
            value = sum([sums[index] for index in drawn])
            means.append(value / (size * unit))
            # |value / size - total / cases| >= |total / cases|, without a division.
            far += abs(value * cases - total * size) >= abs(total) * size
    means.sort()
    low = means[(resamples * 25) // 1000]
    high = means[-(-resamples * 975 // 1000) - 1]
    return Bootstrap(low, high, (far + 1) / (resamples + 1))
