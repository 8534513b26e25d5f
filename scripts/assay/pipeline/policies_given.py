"""Whether an agent was given another policy than the one it is judged by."""

from __future__ import annotations

from collections.abc import Iterable

from assay.models.run import ObservedRun


def given_otherwise(observed: Iterable[ObservedRun], judged_by: Iterable[str]) -> tuple[str, ...]:
    """Policy versions that runs say they were given and that do not judge them, sorted."""
    known = set(judged_by)
    return tuple(sorted({run.policy for run in observed if run.policy} - known))


def in_words(given: tuple[str, ...], judged_by: Iterable[str]) -> str:
    """``was given refunds-v7 and is judged by refunds-v8``; empty where nothing differs."""
    if not given:
        return ""
    return f"was given {', '.join(given)} and is judged by {', '.join(sorted(judged_by))}"
