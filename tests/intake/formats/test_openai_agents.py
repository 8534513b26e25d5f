"""Traces of the OpenAI Agents SDK."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

from assay.intake.runs import RunImport, read_runs
from tests.intake.support import put

USER = {"role": "user", "content": "Where is parcel 17?"}
SAID = {"role": "assistant", "content": "At the depot."}


def load(folder: Path, items: list[Any]) -> RunImport:
    return read_runs(put(folder, "x.jsonl", "".join(json.dumps(item) + "\n" for item in items)))


def trace(**more: Any) -> dict[str, Any]:
    metadata = {"case_id": "parcel-17"}
    return {"object": "trace", "id": "t1", "workflow_name": "w", "metadata": metadata, **more}


def span(number: int, parent: int | None, data: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "object": "trace.span",
        "id": f"s{number}",
        "trace_id": "t1",
        "parent_id": None if parent is None else f"s{parent}",
        "started_at": f"2026-11-30T18:24:{number:02d}+00:00",
        "ended_at": f"2026-11-30T18:24:{number:02d}.250000+00:00",
        "span_data": data,
        "error": None,
        **more,
    }


def agent(name: str) -> dict[str, Any]:
    return {"type": "agent", "name": name, "handoffs": [], "tools": []}


def function(name: str, given: str | None, output: str | None, **more: Any) -> dict[str, Any]:
    return {"type": "function", "name": name, "input": given, "output": output, **more}


def test_functions(tmp_path: Path) -> None:
    error = {"message": "Error running tool", "data": {"tool_name": "b", "error": "gone"}}
    imported = load(
        tmp_path,
        [
            span(4, 1, function("c", "{}", "[1, 2]", mcp_data={"server": "desk"})),
            span(3, 1, function("b", "{}", "An error occurred."), error=error),
            span(2, 1, function("a", '{"n": 1.50}', "{'km': 4.5}")),
            span(1, None, agent("desk")),
            trace(),
        ],
    )
    (run,) = imported.runs
    assert [
        (c.name, c.server, c.args, c.outcome, c.error, c.result, c.duration_ms)
        for _, c in run.tool_calls
    ] == [
        ("a", None, {"n": Decimal("1.50")}, "ok", None, {"km": Decimal("4.5")}, 250),
        ("b", None, {}, "error", "Error running tool: gone", "An error occurred.", 250),
        ("c", "desk", {}, "ok", None, [1, 2], 250),
    ]
    assert (run.case_id, run.agent, run.trace_id) == ("parcel-17", "desk", "t1")
    assert imported.dropped == {}


def test_a_handoff_goes_on_with_the_turn(tmp_path: Path) -> None:
    generation = {"type": "generation", "model": "m-1", "usage": {"input_tokens": 3}}
    imported = load(
        tmp_path,
        [
            trace(),
            span(1, None, agent("front")),
            span(2, 1, {**generation, "input": [USER], "output": [{"role": "assistant"}]}),
            span(3, 1, {"type": "handoff", "from_agent": "front", "to_agent": "desk"}),
            span(4, None, agent("desk")),
            span(5, 4, {**generation, "input": [USER], "output": [SAID]}),
        ],
    )
    (run,) = imported.runs
    assert [(t.user, t.answer) for t in run.turns] == [("Where is parcel 17?", "At the depot.")]
    assert (run.agent, run.tokens_in) == ("front", 6)
    assert imported.dropped == {"handoff span": 1}


def test_a_response_span_tells_tokens_alone(tmp_path: Path) -> None:
    usage = {"input_tokens": 9, "output_tokens": 2}
    response = {"type": "response", "response_id": "r", "usage": usage}
    (run,) = load(tmp_path, [trace(), span(1, None, agent("d")), span(2, 1, response)]).runs
    assert {"user", "answer", "final_answer", "tool_calls"} <= set(run.unknown)
    assert (run.tokens_in, run.tokens_out) == (9, 2)
    told = {
        "input": [USER],
        "response": {
            "model": "m-2",
            "output": [
                {"type": "reasoning", "summary": []},
                {"type": "function_call", "call_id": "c", "name": "a", "arguments": '{"n": 1}'},
            ],
        },
    }
    items = [trace(), span(1, None, agent("d")), span(2, 1, {**response, **told})]
    (run,) = load(tmp_path, items).runs
    assert [(c.name, c.id, c.args) for _, c in run.tool_calls] == [("a", "c", {"n": 1})]
    assert run.model == "m-2"
    assert run.turns[0].user == "Where is parcel 17?"


def test_groups_and_guardrails(tmp_path: Path) -> None:
    second = {**span(9, None, agent("desk")), "trace_id": "t2"}
    guard = {"type": "guardrail", "name": "no secrets", "triggered": True}
    tripped = {"message": "Guardrail tripwire triggered", "data": {}}
    imported = load(
        tmp_path,
        [
            trace(group_id="g"),
            {**trace(group_id="g"), "id": "t2"},
            span(1, None, agent("desk"), error=tripped),
            span(2, 1, guard),
            second,
        ],
    )
    (run,) = imported.runs
    assert len(run.turns) == 2
    assert run.infrastructure_errors == ()
    assert [item.code for item in imported.findings] == ["IRU024"]
    assert imported.dropped == {"guardrail span": 1}


def test_the_exporter_s_frame(tmp_path: Path) -> None:
    items = [trace(), span(1, None, function("a", "{}", "x"))]
    (run,) = read_runs(put(tmp_path, "x.json", {"data": items})).runs
    assert [c.name for _, c in run.tool_calls] == ["a"]
