"""Observed runs as files of SmartGridBench, agent as tool."""

from __future__ import annotations

from typing import Any

from assay.models.run import ObservedRun, ToolCall
from tests.intake.writers import dumps, groups, one_turn, succeeded

FORMAT = "smart-grid"


def carried(run: ObservedRun) -> ObservedRun:
    """One turn, a case of its own, no sign of a failed call."""
    own = {"case_id": f"{run.case_id}-{run.trial}", "trial": 0, "agent": "agent-as-tool"}
    return one_turn(succeeded(run.model_copy(update=own)))


def write(runs: list[ObservedRun]) -> tuple[str, bytes]:
    """A list of runs."""
    return "runs.json", dumps([_run(run) for run in runs]).encode()


def _run(run: ObservedRun) -> dict[str, Any]:
    turn = run.turns[0]
    value: dict[str, Any] = {
        "question": turn.user,
        "answer": turn.answer or "",
        "tool_call_count": len(turn.tool_calls),
        "history": [
            {"role": "assistant", "content": "", "tool_calls": [_call(call) for call in group]}
            for group in groups(turn)
        ],
        "runner_meta": {"model_id": run.model},
        "scenario": {"id": run.case_id},
    }
    if run.tokens_in is not None:
        value["usage"] = {"input_tokens": run.tokens_in, "output_tokens": run.tokens_out}
    return value


def _call(call: ToolCall) -> dict[str, Any]:
    return {"name": call.name, "arguments": call.args, "call_id": call.id, "output": call.result}
