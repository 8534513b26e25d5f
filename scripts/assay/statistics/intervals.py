"""Intervals of a share."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

Z95: Final = 1.959963984540054
"""The 97.5 % quantile of the normal distribution."""


def wilson(rate: Fraction | None, count: int) -> tuple[float | None, float | None]:
    """The 95 % Wilson score interval of a rate over `count` cases; clipped to 0 and 1."""
    if rate is None or count == 0:
        return None, None
    p, z2 = float(rate), Z95 * Z95
    middle = p + z2 / (2 * count)
    half = Z95 * math.sqrt(p * (1 - p) / count + z2 / (4 * count * count))
    scale = 1 + z2 / count
    low = 0.0 if rate == 0 else max(0.0, (middle - half) / scale)
    high = 1.0 if rate == 1 else min(1.0, (middle + half) / scale)
    return low, high
