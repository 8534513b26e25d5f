"""Pairs of times: a limit, and right after it our work."""

from __future__ import annotations

import gc
import resource
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


def seconds(action: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    gc.collect()
    start = clock()
    action()
    return clock() - start


def processor() -> float:
    """Seconds of the processor that this process and those that it waited for have used."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def paired(
    work: str,
    limit: Callable[[], object],
    ours: Callable[[], object],
    goal: str,
    times: int = 5,
    clock: Callable[[], float] = time.perf_counter,
) -> Row:
    pairs = [(seconds(limit, clock), seconds(ours, clock)) for _ in range(times)]
    return Row(work, [b / a for a, b in pairs], statistics.median(a for a, _ in pairs), goal)
