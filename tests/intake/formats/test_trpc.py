"""Sessions and invocations of tRPC-Agent."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from assay.models.run import ToolCall
from tests.intake.formats.support import bad, codes, endures, imported, ok, one, turn
from tests.intake.formats.test_records import INVOCATION


def in_bytes(value: Any) -> str:
    return base64.b64encode(json.dumps(value).encode()).decode()


def event(number: int, author: str, *messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "id": f"e{number}",
        "invocationId": "i1",
        "author": author,
        "object": "chat.completion",
        "choices": [{"index": n, "message": message} for n, message in enumerate(messages)],
        **more,
    }


def said(role: str, text: str, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": text, **more}


def called(call_id: str, name: str, args: Any) -> dict[str, Any]:
    function = {"name": name, "arguments": args}
    return {"type": "function", "id": call_id, "function": function}


USAGE = {"prompt_tokens": 10, "completion_tokens": 3, "total_tokens": 13}
SESSION: dict[str, Any] = {
    "id": "s-1",
    "appName": "desk",
    "userID": "u",
    "state": {"tier": in_bytes("gold"), "n": in_bytes({"left": 2.50}), "raw": "%%"},
    "events": [
        event(1, "user", said("user", "Where are 17 and 18?")),
        event(2, "desk", said("assistant", "Let me"), is_partial=True),
        event(
            3,
            "desk",
            {
                "role": "assistant",
                "tool_calls": [
                    called("c1", "track", in_bytes({"parcel": "17", "deep": True})),
                    called("c2", "track", '{"parcel": "18"}'),
                ],
            },
            model="lark-2",
            usage=USAGE,
        ),
        event(
            4,
            "desk",
            said("tool", '{"place": "hub"}', tool_id="c1", tool_name="track"),
            said("tool", "Unknown tool: track", tool_id="c2", tool_name="track"),
            object="tool.response",
        ),
        event(5, "desk", said("assistant", "to map"), object="agent.transfer"),
        event(6, "desk", said("assistant", "17 is at the hub."), model="lark-2", usage=USAGE),
        event(6, "desk", said("assistant", "17 is at the hub.")),
        event(7, "desk", said("assistant", "17 is at the hub."), object="runner.completion"),
    ],
    "updatedAt": "2026-11-30T18:00:09Z",
    "createdAt": "2026-11-30T18:00:00Z",
}


def test_a_session(tmp_path: Path) -> None:
    result = imported(tmp_path, SESSION, "parcels.json")
    (run,) = result.runs
    assert result.format == "trpc"
    assert (run.case_id, run.trace_id, run.agent, run.model) == (
        "parcels", "s-1", "desk", "lark-2",
    )  # fmt: skip
    assert (run.tokens_in, run.tokens_out, run.started_at) == (20, 6, "2026-11-30T18:00:00Z")
    assert run.final_state == {"tier": "gold", "n": {"left": 2.5}, "raw": "%%"}
    assert run.turns == (
        turn(
            "Where are 17 and 18?",
            "17 is at the hub.",
            ok("track", {"parcel": "17", "deep": True}, {"place": "hub"}, "c1", parallel_group=0),
            bad("track", {"parcel": "18"}, "Unknown tool: track", "c2", parallel_group=0),
        ),
    )
    assert result.dropped == {
        "event of the framework": 2,
        "partial event": 1,
        "repeated event": 1,
    }
    assert set(run.unknown) == {"planning_steps", "cost"}
    endures(tmp_path, SESSION)


def test_sessions_in_a_list_are_runs(tmp_path: Path) -> None:
    assert len(imported(tmp_path, [SESSION, {**SESSION, "id": "s-2"}]).runs) == 2
    assert len(imported(tmp_path, [SESSION, {**SESSION, "id": "s-2"}], "s.jsonl").runs) == 2


def test_several_turns_and_a_service_that_failed(tmp_path: Path) -> None:
    events = [
        *SESSION["events"][:1],
        event(8, "desk", said("assistant", "Which?"), said("assistant", "Another choice")),
        event(9, "user", said("user", "17.")),
        {**event(10, "desk"), "object": "error", "error": {"message": "busy", "type": "api_error"}},
    ]
    session = {**SESSION, "events": events, "createdAt": "0001-01-01T00:00:00Z", "tracks": {}}
    result = imported(tmp_path, session)
    (run,) = result.runs
    assert [(t.user, t.answer) for t in run.turns] == [
        ("Where are 17 and 18?", "Which?"), ("17.", None),
    ]  # fmt: skip
    assert run.infrastructure_errors == ("busy",)
    assert run.started_at is None
    assert result.dropped == {"choice beside the first one": 1, "field `tracks`": 1}


def test_arguments_of_an_invocation_as_text(tmp_path: Path) -> None:
    tools = [
        {"id": "c1", "name": "track", "arguments": '{"n": 2.50}', "result": {"place": "hub"}},
        {"id": "c2", "name": "track", "arguments": "{broken", "result": "no"},
        {"id": "c3", "name": "track", "arguments": "{broken"},
    ]
    result = imported(
        tmp_path,
        {**INVOCATION, "tools": tools, "intermediateResponses": [said("assistant", "Let me see")]},
    )
    first, second, third = (call for _, call in result.runs[0].tool_calls)
    assert first == ok("track", {"n": 2.5}, {"place": "hub"}, "c1")
    assert (second.args, second.outcome) == ({}, "ok"), "it came back with a result"
    assert (third.args, third.outcome) == ({}, "error")
    assert isinstance(third, ToolCall)
    assert codes(result).count("IRU003") == 2
    assert result.dropped == {"text before the answer": 1}


def test_fields_that_nobody_reads_are_counted(tmp_path: Path) -> None:
    assert imported(tmp_path, {**INVOCATION, "weather": 1}).dropped == {"field `weather`": 1}
    assert one(tmp_path, SESSION).trial == 0
