"""Pairs of times: a limit, and right after it our work."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass
class Row:
    """One line of the table."""

    work: str
    ratios: list[float]
    limit: float
    goal: str
    reached: str = ""
    """What was reached, where the goal is not a ratio."""


def seconds(action: Callable[[], object]) -> float:
    gc.collect()
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def paired(
    work: str, limit: Callable[[], object], ours: Callable[[], object], goal: str, times: int = 5
) -> Row:
    pairs = [(seconds(limit), seconds(ours)) for _ in range(times)]
    return Row(work, [b / a for a, b in pairs], statistics.median(a for a, _ in pairs), goal)
