"""Student's t and the normal distribution, as far as small samples need them.

Ends of intervals are taken by rank and p-values are rounded to six digits, so that the last bit
of a library's cosine, which differs between machines, is never seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache


def normal_tail(z: float) -> float:
    """The chance that a normal variate lies above `z`."""
    return math.erfc(z / math.sqrt(2)) / 2


def normal_quantile(tail: float) -> float:
    """The point above which a normal variate lies with the chance `tail`; 0 < tail < 1."""
    return _descend(normal_tail, tail, -40.0, 40.0)


def t_two_sided(t: float, freedom: int) -> float:
    """The chance that \\|T\\| exceeds \\|t\\|, for a whole number of degrees of freedom.

    A finite sum in powers of a cosine (Abramowitz and Stegun, 26.7.3 and 26.7.4).
    """
    angle = math.atan2(abs(t), math.sqrt(freedom))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = freedom % 2
    term = cosine if odd else 1.0
    total = 0.0
    for step in range(freedom // 2):
        total += term
        top = 2 * step + 1 + odd
        term *= cosine * cosine * top / (top + 1)
    inside = (angle + sine * total) * 2 / math.pi if odd else sine * total
    return min(1.0, max(0.0, 1 - inside))


@lru_cache(maxsize=256)
def t_quantile(two_sided: float, freedom: int) -> float:
    """The t that \\|T\\| exceeds with the chance `two_sided`."""
    return _descend(lambda t: t_two_sided(t, freedom), two_sided, 0.0, 1e6)


def _descend(falling: Callable[[float], float], value: float, low: float, high: float) -> float:
    """Where a falling function has a value, by halving."""
    for _ in range(100):
        middle = (low + high) / 2
        if falling(middle) > value:
            low = middle
        else:
            high = middle
    return (low + high) / 2
