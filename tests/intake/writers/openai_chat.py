"""Observed runs as lines of OpenAI chat messages."""

from __future__ import annotations

from typing import Any

from assay.models.run import ObservedRun
from tests.intake.writers import dumps, groups, result_text, succeeded

FORMAT = "openai-chat"
carried = succeeded


def messages(run: ObservedRun) -> list[dict[str, Any]]:
    """The conversation of a run as messages."""
    made: list[dict[str, Any]] = []
    for turn in run.turns:
        made.append({"role": "user", "content": turn.user})
        for group in groups(turn):
            calls = [
                {
                    "id": call.id,
                    "type": "function",
                    "function": {"name": call.name, "arguments": dumps(call.args)},
                }
                for call in group
            ]
            made.append({"role": "assistant", "content": None, "tool_calls": calls})
            for call in group:
                made.append({"role": "tool", "tool_call_id": call.id, "content": result_text(call)})
        if turn.answer is not None:
            made.append({"role": "assistant", "content": turn.answer})
    return made


def write(runs: list[ObservedRun]) -> tuple[str, bytes]:
    """One line for every run."""
    lines = []
    for run in runs:
        line: dict[str, Any] = {"case_id": run.case_id, "trial": run.trial, "model": run.model}
        if run.tokens_in is not None:
            line["usage"] = {"prompt_tokens": run.tokens_in, "completion_tokens": run.tokens_out}
        lines.append(dumps({**line, "messages": messages(run)}) + "\n")
    return "runs.jsonl", "".join(lines).encode()
