"""The Responses interface: items, exchanges, chains, hosted tools, approvals, batches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assay.models.run import ToolCall
from tests.intake.formats.support import bad, codes, endures, imported, ok, one, turn


def user(text: str) -> dict[str, Any]:
    return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}


def said(text: str, **more: Any) -> dict[str, Any]:
    part = {"type": "output_text", "text": text, "annotations": []}
    return {"type": "message", "id": "msg", "role": "assistant", "content": [part], **more}


def call(id: str, name: str = "look", args: str = '{"n": 4.0}', **more: Any) -> dict[str, Any]:
    made = {"type": "function_call", "id": f"fc_{id}", "call_id": id, "name": name}
    return {**made, "arguments": args, "status": "completed", **more}


def output(id: str, value: Any, kind: str = "function_call_output", **more: Any) -> dict[str, Any]:
    return {"type": kind, "call_id": id, "output": value, **more}


def response(id: str, *items: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "id": id,
        "object": "response",
        "created_at": 1796063054,
        "model": "m-1",
        "status": "completed",
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "output": list(items),
        "usage": {"input_tokens": 7, "output_tokens": 3, "total_tokens": 10},
        **more,
    }


def items(*given: dict[str, Any]) -> dict[str, Any]:
    return {"case_id": "a", "items": list(given)}


def test_turns_calls_and_what_is_left_out(tmp_path: Path) -> None:
    value = items(
        {"role": "developer", "content": "Be kind."},
        user("First?"),
        {"type": "reasoning", "id": "rs", "summary": []},
        said("I look.", phase="commentary"),
        call("c1"),
        {"type": "reasoning", "id": "rs", "summary": []},
        call("c2", "see", namespace="eyes"),
        output("c2", [{"type": "input_text", "text": '{"n": 2}'}]),
        output("c1", "gone"),
        call("c3"),
        output("c3", "[]"),
        said("Two."),
        user("And?"),
        {"role": "user", "content": "Then?"},
        {"type": "message", "role": "assistant", "content": [{"type": "refusal", "refusal": "No"}]},
        {"type": "brand_new_item"},
    )
    imports = imported(tmp_path, value)
    (run,) = imports.runs
    assert run.turns == (
        turn(
            "First?",
            "Two.",
            ok("look", {"n": 4}, "gone", "c1", parallel_group=0),
            ok("see", {"n": 4}, {"n": 2}, "c2", parallel_group=0, server="eyes"),
            ok("look", {"n": 4}, [], "c3"),
        ),
        turn("And?\nThen?", "No"),
    )
    assert imports.dropped == {
        "item that is no message and no call": 1,
        "system message": 1,
        "text before the answer": 1,
        "thinking": 2,
    }
    assert set(run.unknown) == {
        "planning_steps", "final_state", "agent", "model", "started_at", "tokens", "cost"
    }  # fmt: skip


def test_tools_of_the_provider(tmp_path: Path) -> None:
    action = {"type": "search", "query": "q", "sources": [{"type": "url", "url": "u"}]}
    broken = {"type": "mcp_tool_execution_error", "content": [{"type": "text", "text": "Nope"}]}
    mcp = {"type": "mcp_call", "server_label": "bank", "name": "pay", "arguments": '{"n": 1}'}
    value = items(
        user("Go"),
        {"type": "mcp_list_tools", "id": "l", "server_label": "bank", "tools": []},
        {"type": "web_search_call", "id": "w", "status": "completed", "action": action},
        {
            "type": "file_search_call", "id": "f", "status": "completed", "queries": ["q"],
            "results": [{"file_id": "x", "score": 0.25}],
        },
        {
            "type": "code_interpreter_call", "id": "i", "status": "failed", "code": "1/0",
            "container_id": "k", "outputs": None,
        },
        {**mcp, "id": "m1", "output": '{"paid": 1}', "error": None},
        {**mcp, "id": "m2", "output": None, "error": broken, "status": "failed"},
        {**mcp, "id": "m3", "error": {"type": "http_error", "code": 502, "message": "Bad gate"}},
        said("Done."),
    )  # fmt: skip
    run = one(tmp_path, value)
    assert run.turns == (
        turn(
            "Go",
            "Done.",
            ok("web_search", {"type": "search", "query": "q"}, action["sources"], "w"),
            ok("file_search", {"queries": ["q"]}, [{"file_id": "x", "score": 0.25}], "f"),
            bad("code_interpreter", {"code": "1/0"}, None, "i", error="The tool gives no reason."),
            ok("pay", {"n": 1}, {"paid": 1}, "m1", server="bank"),
            bad("pay", {"n": 1}, None, "m2", server="bank", error="Nope"),
            bad("pay", {"n": 1}, None, "m3", server="bank", error="502: Bad gate"),
        ),
    )


def test_tools_of_the_computer(tmp_path: Path) -> None:
    shot = {"type": "computer_screenshot", "image_url": "data:…"}
    streams = [{"stdout": "hi", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}]
    patch = {"type": "delete_file", "path": "x"}
    value = items(
        user("Go"),
        {"type": "computer_call", "call_id": "1", "action": {"type": "click", "x": 1, "y": 2}},
        output("1", shot, "computer_call_output"),
        {"type": "shell_call", "call_id": "2", "action": {"commands": ["ls"]}},
        output("2", streams, "shell_call_output"),
        {"type": "apply_patch_call", "call_id": "3", "operation": patch},
        output("3", "no such file", "apply_patch_call_output", status="failed"),
        {"type": "custom_tool_call", "call_id": "4", "name": "sql", "input": "select 1"},
        output("4", "1", "custom_tool_call_output"),
        {"type": "local_shell_call", "call_id": "5", "action": {"command": ["ls"]}},
        {"type": "local_shell_call_output", "id": "5", "output": '{"stdout": ""}'},
    )
    imports = imported(tmp_path, value)
    assert [call for _, call in imports.runs[0].tool_calls] == [
        ok("computer", {"type": "click", "x": 1, "y": 2}, None, "1"),
        ok("shell", {"commands": ["ls"]}, streams, "2"),
        bad("apply_patch", patch, "no such file", "3"),
        ok("sql", {"input": "select 1"}, "1", "4"),
        ok("local_shell", {"command": ["ls"]}, {"stdout": ""}, "5"),
    ]
    assert imports.dropped == {"content part without text": 1}


@pytest.mark.parametrize(
    ("answer", "outcome", "error"),
    [
        ([], "blocked", "The call waits for an approval."),
        ([{"approve": False, "reason": "Too dear"}], "blocked", "not approved: Too dear"),
        ([{"approve": False}], "blocked", "It was not approved."),
        ([{"approve": True}], "ok", None),
    ],
)
def test_approvals(
    tmp_path: Path, answer: list[dict[str, Any]], outcome: str, error: str | None
) -> None:
    asked = {"server_label": "bank", "name": "pay", "arguments": '{"n": 1}'}
    given = [user("Go"), {"type": "mcp_approval_request", "id": "r", **asked}]
    given += [
        {"type": "mcp_approval_response", "approval_request_id": "r", **item} for item in answer
    ]
    if outcome == "ok":
        done = {"type": "mcp_call", "id": "m", "approval_request_id": "r", **asked, "output": "1"}
        given.append(done)
    run = one(tmp_path, items(*given, said("So.")))
    ((_, made),) = run.tool_calls
    assert (made.name, made.server, made.args, made.outcome) == ("pay", "bank", {"n": 1}, outcome)
    assert made.error == error or (error is not None and error in (made.error or ""))
    assert run.final_answer == "So."


def test_a_server_whose_tools_are_not_listed_is_infrastructure(tmp_path: Path) -> None:
    listed = {"type": "mcp_list_tools", "server_label": "bank", "tools": [], "error": "Refused"}
    run = one(tmp_path, items(user("Go"), listed))
    assert run.infrastructure_errors == ("The tools of bank are not listed: Refused",)


def test_unreadable_arguments(tmp_path: Path) -> None:
    imports = imported(tmp_path, items(user("Go"), call("c", args="{n: 4")))
    ((_, made),) = imports.runs[0].tool_calls
    assert (made.outcome, made.args) == ("error", {})
    assert codes(imports) == ["IRU003"]


# -- responses ------------------------------------------------------------------------------


def test_a_response_alone_does_not_tell_what_was_asked(tmp_path: Path) -> None:
    made = response("r1", call("c"), metadata={"case_id": "a"}, instructions="Be kind.")
    imports = imported(tmp_path, made)
    (run,) = imports.runs
    assert run.turns == (turn(None, None, ToolCall(name="look", args={"n": 4}, id="c")),)
    assert (run.case_id, run.trace_id, run.model) == ("a", "r1", "m-1")
    assert (run.started_at, run.tokens_in, run.tokens_out) == ("2026-11-30T18:24:14Z", 7, 3)
    assert {"user", "call_results", "call_outcomes"} <= set(run.unknown)
    assert imports.dropped == {"system message": 1}


def chain() -> list[dict[str, Any]]:
    """A conversation of two turns as requests with their responses."""
    second = {"previous_response_id": "r1"}
    third = {"previous_response_id": "r2"}
    return [
        {"input": "First?", **response("r1", call("c1"))},
        {"input": [output("c1", "[1]")], **response("r2", said("One."), **second)},
        {"input": "And?", **response("r3", said("Two."), **third)},
    ]


CHAINED = (turn("First?", "One.", ok("look", {"n": 4}, [1], "c1")), turn("And?", "Two."))


@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
@pytest.mark.parametrize("order", [[0, 1, 2], [2, 0, 1]])
def test_responses_that_name_each_other_are_one_conversation(
    tmp_path: Path, name: str, order: list[int]
) -> None:
    made = chain()
    run = one(tmp_path, [made[index] for index in order], name)
    assert run.turns == CHAINED
    assert (run.case_id, run.trace_id, run.tokens_in, run.tokens_out) == ("a", "r3", 21, 9)
    assert not {"user", "tool_calls", "call_results"} & set(run.unknown)


def test_requests_and_responses_apart(tmp_path: Path) -> None:
    made = [
        {"request": {"input": item["input"]}, "response": {**item, "input": None}}
        for item in chain()
    ]
    assert one(tmp_path, made, "a.jsonl").turns == CHAINED


def test_the_responses_of_one_conversation_in_one_record(tmp_path: Path) -> None:
    run = one(tmp_path, {"case_id": "b", "trial": 4, "responses": chain()})
    assert run.turns == CHAINED
    assert (run.case_id, run.trial) == ("b", 4)


def test_two_answers_to_one_response_are_two_conversations(tmp_path: Path) -> None:
    first, second, _ = chain()
    other = {**second, "id": "r9", "output": [said("None.")]}
    runs = imported(tmp_path, [first, second, other], "a.jsonl").runs
    assert [run.final_answer for run in runs] == ["One.", "None."]
    assert [len(run.tool_calls) for run in runs] == [1, 1]


def test_a_chain_whose_beginning_is_missing(tmp_path: Path) -> None:
    imports = imported(tmp_path, chain()[1:], "a.jsonl")
    assert "tool_calls" in imports.unknown
    assert "IRU016" in codes(imports)


def test_a_circle_ends(tmp_path: Path) -> None:
    one_ = response("r1", said("x"), previous_response_id="r2")
    two = response("r2", said("y"), previous_response_id="r1")
    assert imported(tmp_path, [one_, two], "a.jsonl").read == 2


def test_an_item_that_is_only_referred_to(tmp_path: Path) -> None:
    imports = imported(tmp_path, items(user("Go"), {"type": "item_reference", "id": "x"}))
    assert "tool_calls" in imports.unknown
    assert codes(imports) == ["IRU016"]


def test_how_a_response_ended(tmp_path: Path) -> None:
    details = {"reason": "max_output_tokens"}
    cut = response("r1", said("I"), status="incomplete", incomplete_details=details, case_id="a")
    imports = imported(tmp_path, cut)
    assert codes(imports) == ["IRU015"]
    assert imports.runs[0].infrastructure_errors == ()
    error = {"code": "server_error", "message": "Oh"}
    run = one(tmp_path, response("r1", status="failed", error=error))
    assert run.infrastructure_errors == ("The response is failed: server_error: Oh",)
    run = one(tmp_path, response("r1", status="cancelled"))
    assert run.infrastructure_errors == ("The response is cancelled.",)


def test_output_of_a_batch(tmp_path: Path) -> None:
    body = response("r1", said("Ho"))
    lines = [
        {"custom_id": "a", "response": {"status_code": 200, "body": body}, "error": None},
        {"custom_id": "b", "response": None, "error": {"code": "x", "message": "Late"}},
    ]
    imports = imported(tmp_path, lines, "out.jsonl")
    assert imports.format == "openai-responses"
    assert [(run.case_id, run.final_answer, run.infrastructure_errors) for run in imports.runs] == [
        ("a", "Ho", ()),
        ("b", None, ("x: Late",)),
    ]


def test_a_wrong_record_costs_one_run(tmp_path: Path) -> None:
    wrong = items(user("Go"), {"type": "function_call", "call_id": "c"})
    imports = imported(tmp_path, [items(user("Go")), wrong], "a.jsonl")
    assert imports.read == 1
    (error,) = [item for item in imports.findings if item.severity == "error"]
    assert (error.line, error.pointer, error.message) == (2, "/items/1", "`name` is missing.")


def test_junk_is_refused_or_read(tmp_path: Path) -> None:
    mcp = {"type": "mcp_call", "id": "m", "name": "pay", "arguments": "{}", "error": {"content": 1}}
    action = {"type": "search", "query": "q", "sources": []}
    endures(
        tmp_path,
        items(
            user("Go"),
            call("c1"),
            output("c1", [{"text": "x"}]),
            mcp,
            {"type": "web_search_call", "action": action, "status": "failed"},
            {"type": "mcp_approval_request", "id": "r", "name": "pay", "arguments": "{}"},
            {"type": "mcp_approval_response", "approval_request_id": "r", "approve": False},
        ),
    )
    endures(tmp_path, chain())
