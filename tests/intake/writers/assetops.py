"""Observed runs as trajectories of AssetOpsBench."""

from __future__ import annotations

from typing import Any

from assay.models.run import ObservedRun, ToolCall
from tests.intake.writers import dumps, groups, one_turn, succeeded

FORMAT = "assetops"


def carried(run: ObservedRun) -> ObservedRun:
    """One turn, a case of its own, no sign of a failed call."""
    own = {"case_id": f"{run.case_id}-{run.trial}", "trial": 0, "agent": "react"}
    return one_turn(succeeded(run.model_copy(update=own)))


def write(runs: list[ObservedRun]) -> tuple[str, bytes]:
    """JSON lines."""
    return "trajectories.jsonl", "".join(f"{dumps(_run(run))}\n" for run in runs).encode()


def _run(run: ObservedRun) -> dict[str, Any]:
    turn = run.turns[0]
    steps = [
        {"text": "", "tool_calls": [_call(call) for call in group], "output_tokens": 1}
        for group in groups(turn)
    ]
    return {
        "run_id": "a-1",
        "scenario_id": run.case_id,
        "runner": run.agent,
        "model": run.model,
        "question": turn.user,
        "answer": turn.answer or "",
        "trajectory": {"turns": steps},
    }


def _call(call: ToolCall) -> dict[str, Any]:
    return {"name": call.name, "input": call.args, "id": call.id, "output": call.result}
