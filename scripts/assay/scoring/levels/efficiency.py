"""What a run needed: calls against steps, repetitions, failures, time, tokens, cost."""

from __future__ import annotations

from assay.models.levels import Efficiency
from assay.scoring.canonical_text import canonical_text
from assay.scoring.levels.process import Process
from assay.scoring.observed import SeenRun


def repeated(seen: SeenRun) -> list[int]:
    """Calls without error that repeat an earlier one with the same arguments."""
    if "call_arguments" in seen.unknown:
        return []
    known: set[tuple[str, str]] = set()
    found: list[int] = []
    for call in seen.calls:
        if call.fine:
            key = (call.name, canonical_text(call.args))
            if key in known:
                found.append(call.index)
            known.add(key)
    return found


def efficiency(made: Process, seen: SeenRun) -> Efficiency:
    """What a run needed for a path."""
    steps = sum(not made.steps.steps[at].finish for at in made.expected)
    calls = len(seen.calls)
    times = [call.call.duration_ms for call in seen.calls]
    known = [time for time in times if time is not None]
    run = seen.run
    both = run.tokens_in is not None and run.tokens_out is not None
    return Efficiency(
        expected_steps=steps,
        calls=calls,
        step_ratio=calls / steps if steps else None,
        repeated_calls=len(repeated(seen)),
        failed_calls=sum(not call.fine for call in seen.calls),
        duration_ms=sum(known) if known and len(known) == len(times) else None,
        tokens=(run.tokens_in or 0) + (run.tokens_out or 0) if both else None,
        cost=run.cost,
    )
