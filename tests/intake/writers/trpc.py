"""Observed runs as invocations of tRPC-Agent, one a line."""

from __future__ import annotations

from typing import Any

from assay.models.run import ObservedRun
from tests.intake.writers import dumps, one_turn, succeeded

FORMAT = "trpc"
ONE = True
"""The format names no case: each run needs a file of its own."""


def carried(run: ObservedRun) -> ObservedRun:
    """One turn; the format names no case."""
    return one_turn(succeeded(run.model_copy(update={"case_id": "a", "trial": 0})))


def write(runs: list[ObservedRun]) -> tuple[str, bytes]:
    """The one run."""
    return "a.json", dumps(_turn(runs[0])).encode()


def _turn(run: ObservedRun) -> dict[str, Any]:
    turn = run.turns[0]
    return {
        "invocationId": "i-1",
        "userContent": {"role": "user", "content": turn.user},
        "finalResponse": {"role": "assistant", "content": turn.answer},
        "tools": [
            {"id": c.id, "name": c.name, "arguments": c.args, "result": c.result}
            for c in turn.tool_calls
        ],
    }
