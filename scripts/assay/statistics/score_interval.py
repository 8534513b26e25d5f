"""The interval of a difference of two paired rates that the score test gives.

All differences δ that the test does not refuse: ``|c - b - nδ|`` is at most 1.96 times
``sqrt(n (2q + δ (1 - δ)))``, q being the most likely share of pairs that only the first side
passes if δ is true (Tango 1998, *Equivalence test and confidence interval for the difference in
proportions for the paired-sample design*). Unlike a resampled interval it has a width where no
pair differs: few cases without a difference do not prove that there is none.
"""

from __future__ import annotations

import math

from assay.statistics.intervals import Z95

_HALVINGS = 64


def score_interval(lower: int, higher: int, pairs: int) -> tuple[float, float]:
    """The 95 % score interval of the second rate less the first, for independent pairs.

    Only additions, products and square roots take part, so that it is the same everywhere.

    Args:
        lower: pairs that the first side alone passed: b.
        higher: pairs that the second side alone passed: c.
        pairs: all pairs, at least one.

    Raises:
        ValueError: more pairs differ than there are, or there is none.
    """
    if min(lower, higher) < 0 or pairs < max(1, lower + higher):
        raise ValueError("no more pairs differ than there are, and there is one")
    return _low_end(lower, higher, pairs), -_low_end(higher, lower, pairs)


def _low_end(lower: int, higher: int, pairs: int) -> float:
    if lower == pairs:
        return -1.0
    low, high = -1.0, (higher - lower) / pairs
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _score(lower, higher, pairs, middle) > Z95:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _score(lower: int, higher: int, pairs: int, delta: float) -> float:
    linear = (2 * pairs - higher + lower) * delta - higher - lower
    constant = -lower * delta * (1 - delta)
    root = math.sqrt(max(0.0, linear * linear - 8 * pairs * constant))
    share = (root - linear) / (4 * pairs)
    variance = pairs * (2 * share + delta * (1 - delta))
    above = higher - lower - pairs * delta
    if variance <= 0:
        return math.inf if above > 0 else 0.0
    return above / math.sqrt(variance)
