"""Observed runs as a JSON log of Inspect."""

from __future__ import annotations

from typing import Any

from assay.models.run import ObservedRun
from tests.intake.writers import dumps, floating, groups, result_text

FORMAT = "inspect-log"
REQUIRES = "inspect_ai"
EXAMPLES = 20
MODEL = "maker/m"


def carried(run: ObservedRun) -> ObservedRun:
    """One model for all samples; arguments pass through Inspect's floating point."""
    turns = [
        turn.model_copy(
            update={
                "tool_calls": tuple(
                    call.model_copy(update={"args": floating(call.args)})
                    for call in turn.tool_calls
                )
            }
        )
        for turn in run.turns
    ]
    return run.model_copy(update={"model": MODEL, "turns": tuple(turns)})


def messages(run: ObservedRun) -> list[dict[str, Any]]:
    """The conversation of a run as messages of Inspect."""
    made: list[dict[str, Any]] = []
    for turn in run.turns:
        made.append({"role": "user", "content": turn.user})
        for group in groups(turn):
            calls = [
                {"id": c.id, "function": c.name, "arguments": c.args, "type": "function"}
                for c in group
            ]
            made.append({"role": "assistant", "content": "", "tool_calls": calls})
            for call in group:
                message = {
                    "role": "tool",
                    "content": result_text(call),
                    "tool_call_id": call.id,
                    "function": call.name,
                }
                if call.error is not None:
                    message["error"] = {"type": "unknown", "message": call.error}
                made.append(message)
        if turn.answer is not None:
            made.append({"role": "assistant", "content": turn.answer})
    return made


def sample(run: ObservedRun) -> dict[str, Any]:
    """A run as a sample."""
    made: dict[str, Any] = {
        "id": run.case_id,
        "epoch": run.trial + 1,
        "input": "?",
        "target": "",
        "messages": messages(run),
        "output": {"model": "m", "choices": []},
        "scores": {},
        "metadata": {},
        "store": {},
        "events": [],
        "model_usage": {},
        "attachments": {},
    }
    if run.tokens_in is not None:
        usage = {"input_tokens": run.tokens_in, "output_tokens": run.tokens_out}
        made["model_usage"] = {MODEL: {**usage, "total_tokens": 0}}
    return made


def log(samples: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """A log that holds samples."""
    spec = {
        "created": "2026-11-30T18:24:00+00:00",
        "task": "t",
        "dataset": {"samples": len(samples)},
        "model": MODEL,
        "config": {},
    }
    return {"version": 2, "status": "success", "eval": spec, "samples": samples, **more}


def write(runs: list[ObservedRun]) -> tuple[str, bytes]:
    """One log."""
    return "log.json", dumps(log([sample(run) for run in runs])).encode()
