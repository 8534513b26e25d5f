"""Anthropic messages: blocks, results from the user, tools of the provider, batches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assay.intake.runs.formats.messages import anthropic_messages
from tests.intake.formats.support import bad, codes, endures, imported, ok, one, turn

CHAT = {"planning_steps", "final_state", "agent", "started_at", "cost"}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def use(id: str, name: str = "look", kind: str = "tool_use", **more: Any) -> dict[str, Any]:
    return {"type": kind, "id": id, "name": name, "input": {"k": 1.50}, **more}


def result(id: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": id, "content": content, **more}


def user(*content: Any) -> dict[str, Any]:
    return {"role": "user", "content": content[0] if isinstance(content[0], str) else content}


def agent(*content: Any, **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(content), **more}


def answered(*content: Any, **more: Any) -> dict[str, Any]:
    """What the interface answers with."""
    usage = {
        "input_tokens": 10,
        "cache_creation_input_tokens": 4,
        "cache_read_input_tokens": 3,
        "output_tokens": 2,
    }
    made = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m-1"}
    return {**made, "content": [*content], "stop_reason": "end_turn", "usage": usage, **more}


RICH = {
    "case_id": "a",
    "trial": 2,
    "system": "Be kind.",
    "messages": [
        user("First?"),
        answered(
            {"type": "thinking", "thinking": "Hm.", "signature": "s"},
            {"type": "redacted_thinking", "data": "x"},
            text("I look."),
            use("t1"),
            use("t2", "see"),
            stop_reason="tool_use",
        ),
        user(result("t2", [text('{"n": '), text("2}")]), result("t1", "gone", is_error=True)),
        answered(text("Well"), text(", two.")),
        user(text("And"), text(" then?"), {"type": "image", "source": {"type": "url"}}),
        answered(text("Cut o"), stop_reason="max_tokens"),
    ],
}


def test_turns_calls_and_tokens(tmp_path: Path) -> None:
    imports = imported(tmp_path, RICH)
    (run,) = imports.runs
    assert run.turns == (
        turn(
            "First?",
            "Well, two.",
            bad("look", {"k": 1.5}, "gone", "t1", parallel_group=0),
            ok("see", {"k": 1.5}, {"n": 2}, "t2", parallel_group=0),
        ),
        turn("And then?", "Cut o"),
    )
    assert (run.case_id, run.trial, run.model) == ("a", 2, "m-1")
    assert (run.tokens_in, run.tokens_out) == (51, 6)
    assert set(run.unknown) == CHAT
    assert imports.dropped == {
        "content part without text": 1,
        "system message": 1,
        "text before the answer": 1,
        "thinking": 2,
    }
    assert codes(imports) == ["IRU015"]


def test_tools_of_the_provider_have_their_results_in_the_same_message(tmp_path: Path) -> None:
    search = {"type": "web_search_result", "url": "u", "title": "t"}
    content = [
        text("Let me search."),
        use("s1", "web_search", "server_tool_use"),
        {"type": "web_search_tool_result", "tool_use_id": "s1", "content": [search]},
        text("Once more."),
        use("s2", "web_search", "server_tool_use"),
        {
            "type": "web_search_tool_result",
            "tool_use_id": "s2",
            "content": {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"},
        },
        use("m1", "pay", "mcp_tool_use", server_name="bank"),
        {"type": "mcp_tool_result", "tool_use_id": "m1", "is_error": False, "content": [text("3")]},
        text("Do"),
        text("ne."),
    ]
    imports = imported(tmp_path, {"case_id": "a", "messages": [user("Go"), agent(*content)]})
    (run,) = imports.runs
    error = {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"}
    assert run.turns == (
        turn(
            "Go",
            "Done.",
            ok("web_search", {"k": 1.5}, [search], "s1"),
            bad("web_search", {"k": 1.5}, error, "s2", error="max_uses_exceeded"),
            ok("pay", {"k": 1.5}, "3", "m1", server="bank"),
        ),
    )
    assert imports.dropped == {"text before the answer": 2}


def test_text_beside_results_is_the_user_speaking(tmp_path: Path) -> None:
    messages = [
        user("One"),
        agent(use("t")),
        user(result("t", None), text("Hurry")),
        agent(text("Yes.")),
    ]
    run = one(tmp_path, messages)
    assert run.turns == (
        turn("One", None, ok("look", {"k": 1.5}, None, "t")),
        turn("Hurry", "Yes."),
    )
    assert run.case_id == "file"


def test_a_call_with_text_behind_it_has_no_answer_yet(tmp_path: Path) -> None:
    run = one(tmp_path, [user("One"), agent(use("t"), text("Wait."))])
    assert run.turns[0].answer is None
    assert run.turns[0].tool_calls[0].outcome == "unknown"


def test_a_result_without_its_call_is_dropped(tmp_path: Path) -> None:
    imports = imported(tmp_path, [user("One"), agent(use("t")), user(result("x", "?"))])
    assert imports.dropped == {"tool result without its call": 1}
    assert codes(imports) == ["IRU005", "IRU004"]


@pytest.mark.parametrize("name", ["file.json", "file.jsonl"])
def test_many_conversations(tmp_path: Path, name: str) -> None:
    plain = {"case_id": "b", "messages": [user("Hi"), {"role": "assistant", "content": "Ho"}]}
    imports = imported(tmp_path, [RICH, plain, plain], name)
    assert [(run.case_id, run.trial) for run in imports.runs] == [("a", 2), ("b", 0), ("b", 1)]
    assert imports.format == "anthropic-messages"


def test_plain_text_is_taken_in_a_file_that_has_this_format(tmp_path: Path) -> None:
    from assay.intake.document import Document
    from assay.intake.node import Node, Source

    def lines(*values: Any) -> Document:
        source = Source("x")
        return Document(source, "lines", tuple(Node(value, source) for value in values))

    plain = {"case_id": "b", "messages": [user("Hi"), {"role": "assistant", "content": "Ho"}]}
    foreign = {"case_id": "b", "messages": [{"role": "tool", "content": "x"}]}
    assert not anthropic_messages.fits(lines(plain))
    assert anthropic_messages.takes(lines(plain))
    assert anthropic_messages.takes(lines(plain, RICH))
    assert not anthropic_messages.takes(lines(plain, foreign))
    assert anthropic_messages.takes(lines(answered(text("Ho"))))


def test_messages_with_the_answer_beside_them(tmp_path: Path) -> None:
    value = {"case_id": "a", "messages": [user("Hi")], "response": answered(text("Ho"))}
    run = one(tmp_path, value)
    assert run.turns == (turn("Hi", "Ho"),)
    assert (run.model, run.tokens_in, run.tokens_out) == ("m-1", 17, 2)


def test_an_answer_alone_does_not_tell_what_was_asked(tmp_path: Path) -> None:
    run = one(tmp_path, answered(use("t")))
    assert run.turns == (turn(None, None, one_call()),)
    assert {"user", "call_results", "call_outcomes"} <= set(run.unknown)
    assert run.trace_id == "msg_1"
    assert "call_results" not in one(tmp_path, answered(text("Ho"))).unknown


def one_call() -> Any:
    from assay.models.run import ToolCall

    return ToolCall(name="look", args={"k": 1.5}, id="t")


def test_results_of_a_batch(tmp_path: Path) -> None:
    overloaded = {"type": "error", "error": {"type": "overloaded_error", "message": "Busy"}}
    lines = [
        {"custom_id": "a", "result": {"type": "succeeded", "message": answered(text("Ho"))}},
        {"custom_id": "b", "result": {"type": "errored", "error": overloaded}},
        {"custom_id": "c", "result": {"type": "expired"}},
        {"custom_id": "d", "result": {"type": "canceled"}},
    ]
    runs = imported(tmp_path, lines, "batch.jsonl").runs
    assert [run.case_id for run in runs] == ["a", "b", "c", "d"]
    assert runs[0].final_answer == "Ho"
    assert [run.infrastructure_errors for run in runs] == [
        (),
        ("overloaded_error: Busy",),
        ("the request of the batch was expired",),
        ("the request of the batch was canceled",),
    ]


def test_a_compaction_hides_calls_only_where_nothing_stands_before_it(tmp_path: Path) -> None:
    summary = {"type": "compaction", "content": "They spoke."}
    hidden = imported(tmp_path, [user("Go on"), agent(summary, text("Yes.")), agent(use("t"))])
    assert "tool_calls" in hidden.unknown
    assert "IRU016" in codes(hidden)
    kept = [user("One"), agent(text("Two")), user("Go on"), agent(summary, text("Yes."), use("t"))]
    imports = imported(tmp_path, kept)
    assert "tool_calls" not in imports.unknown
    assert imports.dropped["summary of what came before"] == 1


def test_a_wrong_record_costs_one_run(tmp_path: Path) -> None:
    wrong = {"case_id": "b", "messages": [user("Hi"), agent({"type": "tool_use", "id": "t"})]}
    imports = imported(tmp_path, [RICH, wrong, RICH | {"trial": 3}], "file.jsonl")
    assert imports.read == 2
    (error,) = [item for item in imports.findings if item.severity == "error"]
    assert (error.code, error.line, error.pointer) == ("IRU002", 2, "/messages/1/content/0")
    assert error.message == "`name` is missing."


def test_junk_is_refused_or_read(tmp_path: Path) -> None:
    endures(tmp_path, RICH)
    endures(tmp_path, {"custom_id": "a", "result": {"type": "errored", "error": {"message": ""}}})
