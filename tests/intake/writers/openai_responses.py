"""Observed runs as lines of items of the Responses interface."""

from __future__ import annotations

from typing import Any

from assay.models.run import ObservedRun
from tests.intake.writers import dumps, groups, result_text, succeeded

FORMAT = "openai-responses"
carried = succeeded


def items(run: ObservedRun) -> list[dict[str, Any]]:
    """The conversation of a run as items."""
    made: list[dict[str, Any]] = []
    for turn in run.turns:
        text: dict[str, Any] = {"type": "input_text", "text": turn.user}
        made.append({"type": "message", "role": "user", "content": [text]})
        for group in groups(turn):
            made.append({"type": "reasoning", "id": "rs", "summary": []})
            for call in group:
                made.append(
                    {
                        "type": "function_call",
                        "id": f"fc-{call.id}",
                        "call_id": call.id,
                        "name": call.name,
                        "arguments": dumps(call.args),
                    }
                )
            for call in group:
                made.append(
                    {
                        "type": "function_call_output",
                        "call_id": call.id,
                        "output": result_text(call),
                    }
                )
        if turn.answer is not None:
            text = {"type": "output_text", "text": turn.answer, "annotations": []}
            made.append({"type": "message", "role": "assistant", "content": [text]})
    return made


def write(runs: list[ObservedRun]) -> tuple[str, bytes]:
    """One line for every run."""
    lines = []
    for run in runs:
        line: dict[str, Any] = {"case_id": run.case_id, "trial": run.trial, "model": run.model}
        if run.tokens_in is not None:
            line["usage"] = {"input_tokens": run.tokens_in, "output_tokens": run.tokens_out}
        lines.append(dumps({**line, "items": items(run)}) + "\n")
    return "runs.jsonl", "".join(lines).encode()
