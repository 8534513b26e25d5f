"""Observed runs as traces of the OpenAI Agents SDK, one trace for every turn, linked by a group."""

from __future__ import annotations

from typing import Any

from assay.models.run import ObservedRun
from tests.intake.span_writers import Made, clocked, iso, spans_of, usages
from tests.intake.writers import dumps, result_text
from tests.intake.writers.otel_genai import chat, said

FORMAT = "openai-agents"


def carried(run: ObservedRun) -> ObservedRun:
    """The run as its spans tell it."""
    return clocked(run)


def _message(item: dict[str, Any]) -> dict[str, Any]:
    made = chat(item)
    if made["role"] == "tool":
        made["tool_call_id"] = made.pop("id")
    return made


def _data(run: ObservedRun, made: Made, tokens: dict[str, Any]) -> dict[str, Any]:
    if made.kind == "agent":
        return {"type": "agent", "name": "desk", "handoffs": [], "tools": []}
    if made.kind == "model":
        tokens_in, tokens_out = tokens[made.id]
        return {
            "type": "generation",
            "input": [_message(item) for item in made.history],
            "output": [_message(said(made))],
            "model": run.model,
            "usage": {"input_tokens": tokens_in, "output_tokens": tokens_out},
        }
    call = made.call
    assert call is not None
    return {
        "type": "function",
        "name": call.name,
        "input": dumps(call.args),
        "output": result_text(call),
        "mcp_data": None,
    }


def write(runs: list[ObservedRun]) -> tuple[str, bytes]:
    """One line for every object, the last ones first."""
    lines = []
    for run in runs:
        tokens = usages(run)
        for number, turn in enumerate(spans_of(run)):
            trace = f"trace_{run.trial}_{number}"
            lines.append(
                {
                    "object": "trace",
                    "id": trace,
                    "workflow_name": "desk",
                    "group_id": f"group {run.trial}",
                    "metadata": {"case_id": run.case_id, "trial": run.trial},
                }
            )
            for made in turn:
                failed = made.call is not None and made.call.outcome == "error"
                error = {"message": made.call.error, "data": None} if failed and made.call else None
                lines.append(
                    {
                        "object": "trace.span",
                        "id": f"span_{made.id}",
                        "trace_id": trace,
                        "parent_id": None if made.parent is None else f"span_{made.parent}",
                        "started_at": iso(made.start).replace("Z", "+00:00"),
                        "ended_at": iso(made.end).replace("Z", "+00:00"),
                        "span_data": _data(run, made, tokens),
                        "error": error,
                    }
                )
    return "trace.jsonl", "".join(f"{dumps(line)}\n" for line in reversed(lines)).encode()
