"""Observed runs as a data set of the agent platform, one case for every run."""

from __future__ import annotations

from typing import Any

from assay.models.run import ObservedRun, ObservedTurn, ToolCall
from tests.intake.writers import dumps, groups

FORMAT = "agent-platform"


def carried(run: ObservedRun) -> ObservedRun:
    """The run without model and tokens; results are objects, and an error is one of their keys."""
    turns = [
        turn.model_copy(update={"tool_calls": tuple(map(_response, turn.tool_calls))})
        for turn in run.turns
    ]
    return run.model_copy(
        update={
            "case_id": f"{run.case_id}-{run.trial}",
            "trial": 0,
            "agent": "desk",
            "turns": tuple(turns),
        }
    )


def _response(call: ToolCall) -> ToolCall:
    if call.outcome == "error":
        return call.model_copy(update={"result": {"error": call.error}})
    value = {"result": call.result}
    return call.model_copy(update={"result": value})


def _event(author: str, parts: list[Any], role: str = "model") -> dict[str, Any]:
    return {"author": author, "content": {"role": role, "parts": parts}}


def _events(turn: ObservedTurn) -> list[dict[str, Any]]:
    made = [_event("user", [{"text": turn.user}], "user")]
    for group in groups(turn):
        calls = [{"function_call": {"id": c.id, "name": c.name, "args": c.args}} for c in group]
        made.append(_event("desk", calls))
        answers = [
            {"function_response": {"id": c.id, "name": c.name, "response": c.result}} for c in group
        ]
        made.append(_event("desk", answers, "user"))
    if turn.answer is not None:
        made.append(_event("desk", [{"text": turn.answer}]))
    return made


def write(runs: list[ObservedRun]) -> tuple[str, bytes]:
    """One document."""
    cases = [
        {
            "eval_case_id": run.case_id,
            "agent_data": {
                "agents": {"desk": {"agent_id": "desk"}},
                "turns": [
                    {"turn_index": number, "events": _events(turn)}
                    for number, turn in enumerate(run.turns)
                ],
            },
        }
        for run in runs
    ]
    return "set.json", dumps({"eval_cases": cases}).encode()
