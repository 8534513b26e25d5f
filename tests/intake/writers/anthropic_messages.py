"""Observed runs as lines of Anthropic messages."""

from __future__ import annotations

from typing import Any

from assay.models.run import ObservedRun
from tests.intake.writers import dumps, groups, result_text

FORMAT = "anthropic-messages"


def messages(run: ObservedRun) -> list[dict[str, Any]]:
    """The conversation of a run as messages with content in blocks."""
    made: list[dict[str, Any]] = []
    for turn in run.turns:
        made.append({"role": "user", "content": [{"type": "text", "text": turn.user}]})
        for group in groups(turn):
            uses = [
                {"type": "tool_use", "id": call.id, "name": call.name, "input": call.args}
                for call in group
            ]
            thinking = {"type": "thinking", "thinking": "Hm.", "signature": "s"}
            made.append({"role": "assistant", "content": [thinking, *uses]})
            results = [
                {
                    "type": "tool_result",
                    "tool_use_id": call.id,
                    "content": result_text(call),
                    "is_error": call.outcome == "error",
                }
                for call in group
            ]
            made.append({"role": "user", "content": results})
        if turn.answer is not None:
            text = {"type": "text", "text": turn.answer}
            made.append({"role": "assistant", "stop_reason": "end_turn", "content": [text]})
    # A mark of the dialect, which plain text alone lacks.
    made.append({"role": "assistant", "content": [], "stop_reason": "end_turn"})
    return made[:-1] if _is_marked(made[:-1]) else made


def _is_marked(made: list[dict[str, Any]]) -> bool:
    return any("stop_reason" in item or len(item["content"]) > 1 for item in made)


def write(runs: list[ObservedRun]) -> tuple[str, bytes]:
    """One line for every run."""
    lines = []
    for run in runs:
        line: dict[str, Any] = {"case_id": run.case_id, "trial": run.trial, "model": run.model}
        if run.tokens_in is not None:
            line["usage"] = {"input_tokens": run.tokens_in, "output_tokens": run.tokens_out}
        lines.append(dumps({**line, "messages": messages(run)}) + "\n")
    return "runs.jsonl", "".join(lines).encode()
