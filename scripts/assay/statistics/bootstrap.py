"""The paired cluster bootstrap: what the difference would have been with other cases.

Cases that share a template or a source are drawn together, for they are not independent. The
draws come from SHAKE-256 over a fixed seed and the number of the block, so that they are the
same with every Python, machine and order of the input. Every sum is a sum of whole numbers;
there is one division for each resample.

The plain percentile interval is too narrow by about ``sqrt((G - 1) / G)`` and by the difference
between t and normal; its level is widened for both (Hesterberg 2015, *What Teachers Should Know
About the Bootstrap*, the expanded percentile interval).
"""

from __future__ import annotations

import hashlib
import math
import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, count, islice
from typing import Final, Literal

from assay.statistics.intervals import Z95
from assay.statistics.paired import FEWEST, paired_error
from assay.statistics.student import normal_quantile, normal_tail, t_quantile, t_two_sided

SEED: Final = b"assay paired cluster bootstrap 1"
"""Names the draws; another seed would be another, equally good, set of resamples."""

MOST: Final = 10_000
"""Most resamples; and most clusters that are resampled: with more, the normal interval serves."""

LEAST: Final = 2_000
"""Fewest resamples."""

DRAWS: Final = 1_000_000
"""About how many clusters are drawn in all, where that leaves between `LEAST` and `MOST`."""

LEVEL: Final = 0.05
"""One minus the level of the interval."""


@dataclass(frozen=True)
class Bootstrap:
    """A mean difference with its uncertainty over clusters."""

    difference: Fraction
    """The mean over cases of B's value minus A's."""
    low: float | None
    """Lower end of the 95 % interval; none with fewer than six clusters or without any spread."""
    high: float | None
    """Upper end of it."""
    p: float | None
    """The level at which the interval just touches 0, two-sided, rounded to six digits; none
    with fewer than two clusters. Never below ``2^(1 - m)`` with m clusters that differ, the least
    that turning signs can give."""
    clusters: int
    """Number of clusters."""
    method: Literal["bootstrap", "normal", "none"]
    """How the interval was made."""
    resamples: int
    """Number of resamples; 0 where there were none."""


def resamples_for(clusters: int) -> int:
    """How many resamples are drawn from some number of clusters: between 2,000 and 10,000."""
    return max(LEAST, min(MOST, DRAWS // max(1, clusters)))


def cluster_bootstrap(
    differences: Iterable[tuple[str, Fraction]], *, resamples: int | None = None
) -> Bootstrap | None:
    """The mean of per-case differences, its interval and p-value, over resampled clusters.

    The result depends only on the multiset of clusters, each by the differences in it, and turns
    its sign where A and B change places.

    Args:
        differences: the cluster of each case, and B's value minus A's.
        resamples: how many; `resamples_for` where it is not given.

    Returns:
        None of nothing.
    """
    rows = list(differences)
    if not rows:
        return None
    scale = math.lcm(*{value.denominator for _, value in rows})
    found: dict[str, tuple[int, int]] = {}
    for name, value in rows:
        total, size = found.get(name, (0, 0))
        found[name] = total + value.numerator * (scale // value.denominator), size + 1
    groups = sorted(found.values())
    mean = Fraction(sum(total for total, _ in groups), scale * len(rows))
    differing = sum(total != 0 for total, _ in groups)
    if len(groups) < 2:
        return Bootstrap(mean, None, None, None, len(groups), "none", 0)
    floor = min(1.0, 2.0 ** (1 - differing)) if differing else 1.0
    error = paired_error(rows)
    if not error:
        return Bootstrap(mean, None, None, floor, len(groups), "none", 0)
    if len(groups) > MOST:
        middle = float(mean)
        p = max(floor, round(2 * normal_tail(abs(middle) / error), 6))
        half = Z95 * error
        return Bootstrap(mean, middle - half, middle + half, p, len(groups), "normal", 0)
    times = resamples or resamples_for(len(groups))
    mirrored = sorted((-total, size) for total, size in groups)
    turned = mirrored < groups
    values = sorted(_resampled(mirrored if turned else groups, scale, times))
    if turned:
        values = [-value for value in reversed(values)]
    rank = max(1, int(_tail(len(groups)) * (times + 1)))
    wide = len(groups) >= FEWEST
    return Bootstrap(
        mean,
        values[rank - 1] if wide else None,
        values[-rank] if wide else None,
        max(floor, _p_value(values, len(groups))),
        len(groups),
        "bootstrap" if wide else "none",
        times,
    )


def _tail(clusters: int) -> float:
    """The share of resamples that is cut off at each end."""
    return normal_tail(math.sqrt(clusters / (clusters - 1)) * t_quantile(LEVEL, clusters - 1))


def _p_value(values: Sequence[float], clusters: int) -> float:
    below = sum(value <= 0 for value in values)
    above = sum(value >= 0 for value in values)
    tail = (min(below, above) + 1) / (len(values) + 1)
    if tail >= 0.5:
        return 1.0
    t = normal_quantile(tail) * math.sqrt((clusters - 1) / clusters)
    return round(t_two_sided(t, clusters - 1), 6)


def _resampled(groups: Sequence[tuple[int, int]], scale: int, times: int) -> Iterator[float]:
    """The mean of each resample, divided once."""
    number = len(groups)
    # Total and size go into one whole number, so that a single sum adds up both.
    base = 1 + number * max(size for _, size in groups)
    packed = [total * base + size for total, size in groups]
    # A word beyond the last whole multiple is dropped: every cluster is as likely as any other.
    words = 1 << 8 if number <= 1 << 8 else 1 << 16
    table = packed * (words // number)
    stream = chain.from_iterable(_below(len(table), words, block) for block in _blocks())
    for _ in range(times):
        total, size = divmod(sum(map(table.__getitem__, islice(stream, number))), base)
        yield total / (size * scale)


def _below(limit: int, words: int, block: bytes) -> Iterable[int]:
    """The words of a block that are below a limit: bytes, or pairs of them, the low one first."""
    if words == 1 << 8:
        return block.translate(None, bytes(range(limit, words)))
    pairs = array("H", block)
    if sys.byteorder == "big":
        pairs.byteswap()
    return filter(limit.__gt__, pairs)


def _blocks() -> Iterator[bytes]:
    """Bytes without end; the same everywhere."""
    for block in count():
        yield hashlib.shake_256(SEED + block.to_bytes(8, "big")).digest(1 << 16)
