"""Observed runs as LangChain messages."""

from __future__ import annotations

from typing import Any

from assay.models.run import ObservedRun
from tests.intake.writers import dumps, groups, result_text

FORMAT = "langchain-messages"


def messages(run: ObservedRun) -> list[dict[str, Any]]:
    """The conversation of a run as messages; the last one tells the tokens."""
    made: list[dict[str, Any]] = []
    for turn in run.turns:
        made.append({"type": "human", "data": {"content": turn.user}})
        for group in groups(turn):
            calls = [
                {"name": call.name, "args": call.args, "id": call.id, "type": "tool_call"}
                for call in group
            ]
            made.append({"type": "ai", "data": {"content": "", "tool_calls": calls}})
            for call in group:
                status = "error" if call.outcome == "error" else "success"
                data = {"content": result_text(call), "tool_call_id": call.id, "status": status}
                made.append({"type": "tool", "data": {**data, "name": call.name}})
        if turn.answer is not None:
            made.append({"type": "ai", "data": {"content": turn.answer, "tool_calls": []}})
    last = [item["data"] for item in made if item["type"] == "ai"][-1]
    if run.tokens_in is not None:
        last["usage_metadata"] = {"input_tokens": run.tokens_in, "output_tokens": run.tokens_out}
    if run.model is not None:
        last["response_metadata"] = {"model_name": run.model}
    return made


def write(runs: list[ObservedRun]) -> tuple[str, bytes]:
    """A list of conversations."""
    made = [{"case_id": run.case_id, "trial": run.trial, "messages": messages(run)} for run in runs]
    return "runs.json", dumps(made).encode()
