"""LangChain messages in every form, chunks, providers' blocks, states of LangGraph."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assay.models.run import ToolCall
from tests.intake.formats.support import bad, codes, endures, imported, ok, one, turn


def flat(kind: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"type": kind, "content": content, **more}


def wrapped(message: dict[str, Any]) -> dict[str, Any]:
    data = {key: value for key, value in message.items() if key != "type"}
    return {"type": message["type"], "data": data}


def dumped(message: dict[str, Any]) -> dict[str, Any]:
    names = {"human": "HumanMessage", "ai": "AIMessage", "tool": "ToolMessage"}
    path = ["langchain", "schema", "messages", names.get(message["type"], "SystemMessage")]
    return {"lc": 1, "type": "constructor", "id": path, "kwargs": message}


def dumped_bare(message: dict[str, Any]) -> dict[str, Any]:
    """As older versions dump: the kind stands in the path alone."""
    made = dumped(message)
    return {**made, "kwargs": {k: v for k, v in message.items() if k != "type"}}


def call(id: str, name: str = "look", **more: Any) -> dict[str, Any]:
    return {"name": name, "args": {"n": 4.0}, "id": id, "type": "tool_call", **more}


USAGE = {"input_tokens": 7, "output_tokens": 3, "total_tokens": 10}
MODEL = {"model_name": "m-1", "finish_reason": "stop"}
MESSAGES = [
    flat("system", "Be kind."),
    flat("human", "First?"),
    flat(
        "ai",
        "I look.",
        tool_calls=[call("c1"), call("c2", "see")],
        usage_metadata=USAGE,
        response_metadata=MODEL,
        name="desk",
    ),
    flat("tool", '{"n": 2}', tool_call_id="c2", name="see", artifact={"rows": [1]}),
    flat("tool", "Error: gone", tool_call_id="c1", name="look", status="error"),
    flat("ai", "Two.", usage_metadata=USAGE, response_metadata=MODEL),
    flat("human", ["And", {"type": "text", "text": "?"}]),
    flat("ai", [{"type": "text", "text": "Three"}, {"type": "text", "text": "."}]),
]
TURNS = (
    turn(
        "First?",
        "Two.",
        bad("look", {"n": 4}, "Error: gone", "c1", parallel_group=0),
        ok("see", {"n": 4}, {"n": 2}, "c2", parallel_group=0),
    ),
    turn("And?", "Three."),
)


@pytest.mark.parametrize("form", [flat, wrapped, dumped, dumped_bare])
@pytest.mark.parametrize("bare", [True, False])
def test_every_form_is_one_conversation(tmp_path: Path, form: Any, bare: bool) -> None:
    made = [message if form is flat else form(message) for message in MESSAGES]
    imports = imported(tmp_path, made if bare else {"case_id": "a", "messages": made})
    (run,) = imports.runs
    assert run.turns == TURNS
    assert (run.agent, run.model, run.tokens_in, run.tokens_out) == ("desk", "m-1", 14, 6)
    assert set(run.unknown) == {"planning_steps", "final_state", "started_at", "cost"}
    assert imports.dropped == {
        "artifact of a tool": 1,
        "system message": 1,
        "text before the answer": 1,
    }


def test_calls_that_could_not_be_read(tmp_path: Path) -> None:
    broken = {"name": "look", "args": "{n", "id": "c1", "error": "No JSON", "type": "x"}
    made = [flat("human", "Go"), flat("ai", "", invalid_tool_calls=[broken]), flat("ai", "So.")]
    imports = imported(tmp_path, made)
    ((_, found),) = imports.runs[0].tool_calls
    assert found == ToolCall(
        name="look",
        id="c1",
        outcome="error",
        error="The arguments cannot be read: No JSON {n",
    )
    assert "IRU003" in codes(imports)


def test_blocks_that_repeat_the_calls_do_not_count(tmp_path: Path) -> None:
    block = {"type": "tool_use", "id": "c1", "name": "look", "input": {"n": 4.0}}
    said = [{"type": "thinking", "thinking": "Hm"}, {"type": "text", "text": "I look."}, block]
    result = flat("tool", [{"type": "text", "text": "[1]"}], tool_call_id="c1")
    for calls in ([call("c1")], []):
        made = [flat("human", "Go"), flat("ai", said, tool_calls=calls), result, flat("ai", "So.")]
        imports = imported(tmp_path, made)
        assert imports.runs[0].turns == (turn("Go", "So.", ok("look", {"n": 4}, [1], "c1")),)
        assert imports.dropped == {"text before the answer": 1, "thinking": 1}


def test_calls_in_the_provider_s_own_form(tmp_path: Path) -> None:
    raw = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"n": 4.0}'}}
    made = [
        flat("human", "Go"),
        flat("ai", "", additional_kwargs={"tool_calls": [raw]}),
        flat("tool", "[1]", tool_call_id="c1"),
    ]
    assert one(tmp_path, made).turns == (turn("Go", None, ok("look", {"n": 4}, [1], "c1")),)


def test_tools_of_the_provider_in_content_blocks(tmp_path: Path) -> None:
    blocks = [
        {"type": "reasoning", "reasoning": "Hm"},
        {"type": "text", "text": "I search."},
        {"type": "server_tool_call", "id": "s1", "name": "web_search", "args": {"q": "x"}},
        {
            "type": "server_tool_result",
            "tool_call_id": "s1",
            "status": "success",
            "output": {"hits": 2},
        },
        {"type": "server_tool_call", "id": "s2", "name": "web_search", "args": {"q": "y"}},
        {"type": "server_tool_result", "tool_call_id": "s2", "status": "error", "output": "Busy"},
        {"type": "text", "text": "Two hits."},
    ]
    imports = imported(tmp_path, [flat("human", "Go"), flat("ai", blocks)])
    assert imports.runs[0].turns == (
        turn(
            "Go",
            "Two hits.",
            ok("web_search", {"q": "x"}, {"hits": 2}, "s1"),
            bad("web_search", {"q": "y"}, "Busy", "s2"),
        ),
    )


def chunk(content: Any, *pieces: tuple[int, str | None, str, str | None], **more: Any) -> Any:
    parts = [
        {"index": index, "name": name, "args": args, "id": call_id, "type": "tool_call_chunk"}
        for index, name, args, call_id in pieces
    ]
    return flat("AIMessageChunk", content, id="run-1", tool_call_chunks=parts, **more)


def test_chunks_of_one_message_are_put_together(tmp_path: Path) -> None:
    made = [
        flat("human", "Go"),
        chunk("I ", usage_metadata={"input_tokens": 5, "output_tokens": 0}),
        chunk("look.", (0, "look", '{"n"', "c1"), (1, "see", "{}", "c2")),
        chunk("", (0, None, ": 4.0}", None), response_metadata=MODEL),
        chunk([], usage_metadata={"input_tokens": 0, "output_tokens": 2}),
        flat("tool", "[1]", tool_call_id="c1"),
        flat("tool", "[2]", tool_call_id="c2"),
        flat("AIMessageChunk", "So.", id="run-2"),
    ]
    imports = imported(tmp_path, made)
    (run,) = imports.runs
    assert run.turns == (
        turn(
            "Go",
            "So.",
            ok("look", {"n": 4}, [1], "c1", parallel_group=0),
            ok("see", {}, [2], "c2", parallel_group=0),
        ),
    )
    assert (run.model, run.tokens_in, run.tokens_out) == ("m-1", 5, 2)
    assert imports.dropped == {
        "partial message that was put together": 3,
        "text before the answer": 1,
    }


def test_other_kinds_of_messages(tmp_path: Path) -> None:
    made = [
        {"type": "chat", "role": "user", "content": "Go"},
        {"type": "remove", "id": "x", "content": ""},
        flat("ai", "", additional_kwargs={"function_call": {"name": "look", "arguments": "{}"}}),
        flat("function", "[1]", name="look"),
        {"type": "chat", "role": "assistant", "content": "So."},
    ]
    imports = imported(tmp_path, made)
    assert imports.runs[0].turns == (turn("Go", "So.", ok("look", {}, [1], None)),)
    assert imports.dropped == {"removal of a message": 1}


def test_a_thread_beside_the_messages_is_the_trace_id(tmp_path: Path) -> None:
    assert one(tmp_path, {"thread_id": "t1", "messages": MESSAGES}).trace_id == "t1"


def test_a_wrong_record_costs_one_run(tmp_path: Path) -> None:
    wrong = {"case_id": "b", "messages": [flat("human", "Go"), flat("ai", "", tool_calls=[{}])]}
    imports = imported(tmp_path, [{"case_id": "a", "messages": MESSAGES}, wrong], "a.jsonl")
    assert imports.read == 1
    (error,) = [item for item in imports.findings if item.severity == "error"]
    assert (error.line, error.pointer) == (2, "/messages/1/tool_calls/0")


@pytest.mark.parametrize("form", [flat, wrapped, dumped])
def test_junk_is_refused_or_read(tmp_path: Path, form: Any) -> None:
    endures(tmp_path, [m if form is flat else form(m) for m in MESSAGES[1:6]])


def test_junk_in_chunks(tmp_path: Path) -> None:
    made = [chunk("a", (0, "look", "{}", "c1")), chunk("b", response_metadata=MODEL)]
    endures(tmp_path, made)
