"""Two agents on the same cases: only the cases on which they differ tell them apart."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from assay.statistics.intervals import Z95, standard_error

FEWEST: int = 6
"""With fewer differing cases not even a unanimous outcome is significant (5 to 0: p = 0.0625)."""


@dataclass(frozen=True)
class Table:
    """Pairs of verdicts, counted: what A and B came to on the same cases."""

    both: int
    """Passed by both."""
    lost: int
    """Passed by A, failed by B: b."""
    gained: int
    """Failed by A, passed by B: c."""
    neither: int
    """Failed by both."""

    @property
    def pairs(self) -> int:
        """All pairs."""
        return self.both + self.lost + self.gained + self.neither

    @property
    def discordant(self) -> int:
        """Pairs on which A and B differ."""
        return self.lost + self.gained

    @property
    def difference(self) -> Fraction | None:
        """Rate of B minus rate of A; none of no pairs."""
        return Fraction(self.gained - self.lost, self.pairs) if self.pairs else None


def mcnemar_exact(lost: int, gained: int) -> Fraction:
    """Two-sided exact McNemar test: the chance of a split at least as uneven, if it is a coin.

    ``min(1, 2 · Σ_{i ≤ min(b, c)} C(b + c, i) / 2^(b + c))``, in whole numbers: exact for any
    number of discordant pairs. 1 where no pair differs.

    Raises:
        ValueError: a negative count.
    """
    if lost < 0 or gained < 0:
        raise ValueError("a count is not negative")
    count, fewer = lost + gained, min(lost, gained)
    if 2 * fewer >= count - 1:
        return Fraction(1)
    term = total = 1
    for index in range(fewer):
        term = term * (count - index) // (index + 1)
        total += term
    # Only powers of two can be taken out of the fraction.
    spare = min((total & -total).bit_length() - 1, count - 1)
    return Fraction(total >> spare, 1 << (count - 1 - spare))


def paired_error(differences: Iterable[tuple[str, Fraction]]) -> float | None:
    """Standard error of the mean of per-case differences, cases in clusters.

    Args:
        differences: the cluster of each case, and B's value minus A's.

    Returns:
        None with fewer than two clusters.
    """
    return standard_error((name, d.numerator, d.denominator) for name, d in differences)


def score_interval(table: Table) -> tuple[float | None, float | None]:
    """The 95 % score interval of a difference of two paired rates, B minus A.

    All differences δ that the score test does not refuse: ``|c - b - nδ|`` is at most 1.96 times
    ``sqrt(n (2q + δ (1 - δ)))``, q being the most likely share of pairs that only A passes if δ
    is true (Tango 1998, *Equivalence test and confidence interval for the difference in
    proportions for the paired-sample design*). Unlike the plain interval it has a width where no
    pair differs: few cases without a difference do not prove that there is none. For
    independent pairs; those in clusters need `bootstrap.cluster_bootstrap`.
    """
    if not table.pairs:
        return None, None
    low = _lower_end(table.gained, table.lost, table.pairs)
    high = -_lower_end(table.lost, table.gained, table.pairs)
    return low, high


def _lower_end(gained: int, lost: int, pairs: int) -> float:
    if gained - lost == -pairs:
        return -1.0
    low, high = -1.0, (gained - lost) / pairs
    for _ in range(64):
        middle = (low + high) / 2
        if _score(gained, lost, pairs, middle) > Z95:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _score(gained: int, lost: int, pairs: int, delta: float) -> float:
    linear = (2 * pairs - gained + lost) * delta - gained - lost
    constant = -lost * delta * (1 - delta)
    root = math.sqrt(max(0.0, linear * linear - 8 * pairs * constant))
    share = (root - linear) / (4 * pairs)
    variance = pairs * (2 * share + delta * (1 - delta))
    above = gained - lost - pairs * delta
    if variance <= 0:
        return math.inf if above > 0 else 0.0
    return above / math.sqrt(variance)
