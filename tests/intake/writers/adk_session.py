"""Observed runs as a session of the ADK."""

from __future__ import annotations

from typing import Any

from assay.models.run import ObservedRun, ObservedTurn, ToolCall
from tests.intake.writers import dumps, groups

FORMAT = "adk-session"
ONE = True
"""A session names no case: each run needs a file of its own."""


def carried(run: ObservedRun) -> ObservedRun:
    """The run with results that are objects, as the ADK makes them of texts and of errors."""
    kept = responses(run)
    return kept.model_copy(
        update={"case_id": "a", "trial": 0, "agent": "desk", "final_state": {"tier": "gold"}}
    )


def responses(run: ObservedRun) -> ObservedRun:
    """The run with the function response of each call as its result."""
    turns = [
        turn.model_copy(
            update={
                "tool_calls": tuple(
                    call.model_copy(update={"result": _response(call)}) for call in turn.tool_calls
                )
            }
        )
        for turn in run.turns
    ]
    return run.model_copy(update={"turns": tuple(turns)})


def write(runs: list[ObservedRun]) -> tuple[str, bytes]:
    """The one run."""
    (run,) = runs
    made: list[dict[str, Any]] = []
    for number, turn in enumerate(run.turns):
        made += [
            {**event, "invocation_id": f"i{number}"}
            for event in [_event("user", "user", [{"text": turn.user}]), *steps(turn)]
        ]
        if turn.answer is not None:
            said = _event("desk", "model", [{"text": turn.answer}])
            made.append({**said, "invocation_id": f"i{number}"})
    last = [event for event in made if event["content"]["role"] == "model"][-1]
    if run.model is not None:
        last["model_version"] = run.model
    if run.tokens_in is not None:
        last["usage_metadata"] = {
            "prompt_token_count": run.tokens_in,
            "candidates_token_count": run.tokens_out,
        }
    events = [{**event, "id": f"e{number}"} for number, event in enumerate(made)]
    session = {"id": "s", "app_name": "desk", "user_id": "u", "state": {"tier": "gold"}}
    return "a.json", dumps({**session, "events": events}).encode()


def steps(turn: ObservedTurn) -> list[dict[str, Any]]:
    """The events between question and answer; calls of one event were issued together."""
    made: list[dict[str, Any]] = []
    for group in groups(turn):
        calls = [
            {"function_call": {"id": call.id, "name": call.name, "args": call.args}}
            for call in group
        ]
        answers = [
            {"function_response": {"id": call.id, "name": call.name, "response": _response(call)}}
            for call in group
        ]
        made += [_event("desk", "model", calls), _event("desk", "user", answers)]
    return made


def _event(author: str, role: str, parts: list[dict[str, Any]]) -> dict[str, Any]:
    return {"author": author, "content": {"role": role, "parts": parts}}


def _response(call: ToolCall) -> Any:
    if call.outcome == "error":
        return {"error": call.error}
    return call.result if isinstance(call.result, dict) else {"result": call.result}
