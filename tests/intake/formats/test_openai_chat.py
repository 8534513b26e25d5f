"""Chat completions: alone, beside their messages, in batches; beside what plain messages test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.intake.formats.support import codes, endures, imported, ok, one, turn

CALL = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"n": 4.0}'}}


def completion(message: dict[str, Any], reason: str = "stop", **more: Any) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1796063054,
        "model": "m-1",
        "choices": [
            {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": reason}
        ],
        "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
        **more,
    }


def test_a_completion_alone_as_it_is_stored(tmp_path: Path) -> None:
    stored = completion({"content": "Ho"}, metadata={"case_id": "a", "trial": "2"})
    run = one(tmp_path, stored)
    assert run.turns == (turn(None, "Ho"),)
    assert (run.case_id, run.trial, run.trace_id, run.model) == ("a", 2, "chatcmpl-1", "m-1")
    assert (run.tokens_in, run.tokens_out, run.started_at) == (7, 3, "2026-11-30T18:24:14Z")
    assert "user" in run.unknown
    assert not {"call_results", "started_at", "tokens"} & set(run.unknown)


def test_a_completion_that_calls_does_not_tell_what_came_back(tmp_path: Path) -> None:
    run = one(tmp_path, completion({"content": None, "tool_calls": [CALL]}, "tool_calls"))
    assert [(call.name, call.outcome) for _, call in run.tool_calls] == [("look", "unknown")]
    assert {"user", "call_results", "call_outcomes"} <= set(run.unknown)


def test_messages_with_the_completion_beside_them(tmp_path: Path) -> None:
    messages = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "c1", "content": "[1]"},
    ]
    line = {"case_id": "a", "messages": messages, "response": completion({"content": "Ho"})}
    imports = imported(tmp_path, [line, line], "file.jsonl")
    assert imports.runs[0].turns == (turn("Hi", "Ho", ok("look", {"n": 4}, [1], "c1")),)
    assert [run.trial for run in imports.runs] == [0, 1]
    assert imports.runs[0].tokens_in == 7
    assert set(imports.unknown) == {"planning_steps", "final_state", "agent", "cost"}


def test_a_refusal_is_an_answer(tmp_path: Path) -> None:
    run = one(tmp_path, completion({"content": None, "refusal": "I can't."}))
    assert run.final_answer == "I can't."


def test_a_model_that_was_cut_off_is_noted(tmp_path: Path) -> None:
    imports = imported(tmp_path, completion({"content": "I"}, "length", case_id="a"))
    assert codes(imports) == ["IRU015"]
    assert imports.runs[0].infrastructure_errors == ()


def test_only_the_first_choice_counts(tmp_path: Path) -> None:
    made = completion({"content": "Ho"})
    made["choices"] *= 3
    imports = imported(tmp_path, made)
    assert imports.runs[0].final_answer == "Ho"
    assert imports.dropped == {"choice beside the first one": 2}


def line(id: str, body: Any, status: int = 200, error: Any = None) -> dict[str, Any]:
    """A line of a batch's output."""
    response = {"status_code": status, "request_id": "r", "body": body}
    return {"id": "b", "custom_id": id, "response": response if body else None, "error": error}


def test_output_of_a_batch(tmp_path: Path) -> None:
    lines = [
        line("a", completion({"content": "Ho"})),
        line("b", {"error": {"code": "rate_limit_exceeded", "message": "Slow"}}, 429),
        line("c", None, error={"code": "batch_expired", "message": "Too late"}),
        line("d", {}, 500),
    ]
    imports = imported(tmp_path, lines, "out.jsonl")
    assert imports.format == "openai-chat"
    assert [(run.case_id, run.final_answer, run.infrastructure_errors) for run in imports.runs] == [
        ("a", "Ho", ()),
        ("b", None, ("rate_limit_exceeded: Slow",)),
        ("c", None, ("batch_expired: Too late",)),
        ("d", None, ("The batch holds no response to this request.",)),
    ]


def test_a_custom_tool_takes_text(tmp_path: Path) -> None:
    call = {"id": "c1", "type": "custom", "custom": {"name": "sql", "input": "select 1"}}
    messages = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "1"},
    ]
    run = one(tmp_path, messages)
    assert run.turns == (turn("Hi", None, ok("sql", {"input": "select 1"}, "1", "c1")),)


def test_a_field_that_is_called_response_is_no_completion(tmp_path: Path) -> None:
    value = {"case_id": "a", "messages": [{"role": "user", "content": "Hi"}], "response": "Ho"}
    assert one(tmp_path, value).turns == (turn("Hi", None),)


def test_junk_is_refused_or_read(tmp_path: Path) -> None:
    endures(tmp_path, completion({"content": "Ho", "tool_calls": [CALL]}, metadata={"trial": "1"}))
    endures(tmp_path, line("b", {"error": {"code": "x", "message": "Slow"}}, 429, {"code": "y"}))
    endures(tmp_path, {"messages": [{"role": "user"}], "response": completion({"content": "Ho"})})
