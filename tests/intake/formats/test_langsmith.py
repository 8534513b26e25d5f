"""Runs of LangSmith: exports, nested children, what LangChain hands to tools and models."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

from assay.intake.runs import RunImport, read_runs
from tests.intake.support import put

ARGS = {"parcel": "17"}


def load(folder: Path, content: Any, name: str = "x.json") -> RunImport:
    return read_runs(put(folder, name, content))


def run(number: int, kind: str, *, parent: int | None = 1, **more: Any) -> dict[str, Any]:
    return {
        "id": f"r{number}",
        "trace_id": "r1",
        "parent_run_id": None if parent is None else f"r{parent}",
        "name": f"run {number}",
        "run_type": kind,
        "dotted_order": f"2026.{number}",
        "start_time": f"2026-11-30T18:24:{number:02d}.000000",
        "end_time": f"2026-11-30T18:24:{number:02d}.500000",
        "inputs": {},
        "outputs": None,
        "error": None,
        **more,
    }


def root(**more: Any) -> dict[str, Any]:
    given = {
        "name": "desk",
        "inputs": {"input": "Where is parcel 17?"},
        "outputs": {"output": "At the depot."},
        "extra": {"metadata": {"case_id": "parcel-17"}},
    }
    return run(1, "chain", parent=None, **{**given, **more})


def tool(number: int, given: Any, result: Any, **more: Any) -> dict[str, Any]:
    outputs = None if result is None else {"output": result}
    fields = {"name": "track", "inputs": {"input": given}, "outputs": outputs, **more}
    return run(number, "tool", **fields)


def calls(imported: RunImport) -> list[Any]:
    (made,) = imported.runs
    return [(c.name, c.id, c.args, c.outcome, c.error, c.result) for _, c in made.tool_calls]


def test_arguments_and_results_as_frameworks_write_them(tmp_path: Path) -> None:
    message = {"content": '{"a": 1}', "type": "tool", "tool_call_id": "c9", "status": "success"}
    refused = {"content": "no", "type": "tool", "tool_call_id": "c8", "status": "error"}
    imported = load(
        tmp_path,
        [
            root(),
            tool(2, '{"parcel": "17"}', '{"km": 4.50}'),
            tool(3, "{'parcel': '17', 'km': 4.5, 'ok': None}", "{'a': True}"),
            tool(4, "parcel 17", message),
            tool(5, "{}", refused),
            tool(6, "{}", None, error="KeyError('x')"),
            run(7, "tool", name="track", inputs=ARGS, outputs={"a": 1, "b": 2}),
            run(8, "prompt"),
            run(9, "parser"),
        ],
    )
    assert calls(imported) == [
        ("track", None, ARGS, "ok", None, {"km": Decimal("4.50")}),
        ("track", None, {**ARGS, "km": Decimal("4.5"), "ok": None}, "ok", None, {"a": True}),
        ("track", "c9", {"input": "parcel 17"}, "ok", None, {"a": 1}),
        ("track", "c8", {}, "error", "no", "no"),
        ("track", None, {}, "error", "KeyError('x')", None),
        ("track", None, ARGS, "ok", None, {"a": 1, "b": 2}),
    ]
    assert imported.dropped == {"parser run": 1, "prompt run": 1}
    (made,) = imported.runs
    assert (made.agent, made.case_id, made.started_at) == (
        "desk",
        "parcel-17",
        "2026-11-30T18:24:01Z",
    )


def test_models(tmp_path: Path) -> None:
    ask = {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain", "schema", "messages", "AIMessage"],
        "kwargs": {
            "content": "",
            "tool_calls": [{"name": "track", "args": ARGS, "id": "c1", "type": "tool_call"}],
            "usage_metadata": {"input_tokens": 7, "output_tokens": 2},
        },
    }
    first = run(
        2,
        "llm",
        inputs={"messages": [[{"type": "human", "data": {"content": "?"}}]]},
        outputs={"generations": [[{"text": "", "message": ask}]]},
        extra={"metadata": {"ls_model_name": "m-1"}},
        total_cost="0.5",
    )
    second = run(
        4,
        "llm",
        inputs={"messages": [{"role": "user", "content": "?"}]},
        outputs={"choices": [{"message": {"role": "assistant", "content": "!"}}]},
        extra={"invocation_params": {"model": "m-1"}},
        prompt_tokens=3,
        completion_tokens=1,
    )
    imported = load(tmp_path, [root(inputs={}, outputs={}), first, tool(3, str(ARGS), "x"), second])
    (made,) = imported.runs
    assert [(t.user, t.answer) for t in made.turns] == [("?", "!")]
    assert calls(imported) == [("track", "c1", ARGS, "ok", None, "x")]
    assert (made.model, made.tokens_in, made.tokens_out) == ("m-1", 10, 3)
    assert made.cost == Decimal("0.5")
    assert made.unknown == ("planning_steps", "final_state")


def test_children_within_their_parent(tmp_path: Path) -> None:
    children = [tool(3, str(ARGS), "x"), tool(2, str(ARGS), "y")]
    for child in children:
        child.pop("parent_run_id")
        child.pop("trace_id")
    imported = load(tmp_path, root(child_runs=children))
    assert [item[-1] for item in calls(imported)] == ["y", "x"]


def test_threads_and_examples(tmp_path: Path) -> None:
    thread = {"extra": {"metadata": {"thread_id": "t"}}, "reference_example_id": "ex-1"}
    first = root(**thread)
    second = {**root(**thread), "id": "r9", "trace_id": "r9", "inputs": {"input": "More?"}}
    second["start_time"] = "2026-11-30T19:00:00Z"
    imported = load(tmp_path, [second, first])
    (made,) = imported.runs
    assert made.case_id == "ex-1"
    assert [turn.user for turn in made.turns] == ["Where is parcel 17?", "More?"]


def test_a_model_that_failed(tmp_path: Path) -> None:
    imported = load(tmp_path, [root(outputs=None, error="x"), run(2, "llm", error="429")])
    assert imported.runs[0].infrastructure_errors == ("429",)


def test_a_wrong_run_among_right_ones(tmp_path: Path) -> None:
    imported = load(tmp_path, [root(), {**tool(2, "{}", "x"), "id": 3}, tool(4, "{}", "y")])
    assert len(calls(imported)) == 1
    assert imported.dropped == {"span that cannot be read": 1}
    assert [item.code for item in imported.findings] == ["IRU020"]
