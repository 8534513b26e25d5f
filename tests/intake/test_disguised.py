"""Which results report a failure, and which only talk about one."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from assay.intake.runs import read_runs
from assay.intake.runs.disguised import failure, refusal
from assay.models.run import CallOutcome
from tests.intake.support import put, shared_data

TEXTS = [
    "Error executing tool load: 1 validation error",
    "Error calling tool 'load': no",
    "An error occurred while running the tool. Please try again. Error: no",
    "Error invoking tool 'load' with kwargs {} with error: no",
    "Error: ValueError('x')\n Please fix your mistakes.",
    "Unknown tool: lod",
    "Error: lod is not a valid tool, try one of [load, save].",
    "lod is not a valid tool, try one of [load].",
    "Input validation error: 'id' is a required property",
    "\nI encountered an error while trying to use the tool. This was the error: no.\n Tool load",
    "1 validation error: id\n\nFix the errors and try again.",
    "MCP error -32602: bad",
    "Traceback (most recent call last):\n  File",
]
FAILED: list[tuple[Any, str]] = [
    *((text, text) for text in TEXTS),
    ({"error": "No readings."}, "No readings."),
    ({"error": {"message": "No.", "code": 4}, "status": 404}, "No."),
    ([{"error": "No readings."}], "No readings."),
    ({"isError": True, "content": []}, "The result says that it is an error."),
    ({"success": False, "message": "No such order."}, "No such order."),
    ({"ok": False, "error": "closed"}, "closed"),
    ({"status": "error", "message": "down"}, "down"),
]

FINE: list[Any] = [
    None,
    "",
    "Error rate: 4 %",
    "Error: order not found",
    "Fix the errors and try again.",
    "load is not a valid tool in this country",
    "The tool said: Error executing tool load: x",
    "Unknown tool: lod was asked for twice, see the log",
    {"error": None},
    {"error": ""},
    {"errors": []},
    {"error": "E42", "meaning": "overheated"},
    {"error": 0.25, "mean": 4},
    {"status": "failed", "amount": 40},
    {"status": "error", "orders": [1], "message": "one of two"},
    {"status": "error_free"},
    {"success": False},
    {"success": "false", "message": "x"},
    [{"error": "a"}, {"error": "b"}],
    [],
    [1],
    {"isError": False, "error": None},
    40,
    True,
]


@pytest.mark.parametrize(("result", "words"), FAILED)
def test_a_failure(result: Any, words: str) -> None:
    assert failure(result) == words


@pytest.mark.parametrize("result", FINE)
def test_an_answer(result: Any) -> None:
    assert failure(result) is None


REFUSED = [
    "This tool call requires confirmation, please approve or reject.",
    "This tool call is rejected.",
    "Tool execution was not approved.",
    "User rejected the tool call for `pay` with id 1. The tool was not executed.",
    "The user doesn't want to proceed with this tool use. The tool use was rejected.",
    "Permission to use Bash with command rm -rf x has been denied.",
]


@pytest.mark.parametrize("text", REFUSED)
def test_a_refusal(text: str) -> None:
    for result in (text, {"error": text}, [{"type": "text", "text": text}], {"content": text}):
        assert refusal(result) == text


@pytest.mark.parametrize(
    "result",
    [
        "Payment was denied by the bank.",
        "Policy 3.2: refunds over 100 EUR require confirmation.",
        "This tool call is rejected. Says who?",
        "The user said: Tool execution was not approved.",
        {"status": "denied", "reason": "over the limit"},
        {"log": ["This tool call is rejected."]},
        [{"text": "This tool call is rejected."}, {"text": "x"}],
        None,
        4,
    ],
)
def test_an_answer_about_refusals(result: Any) -> None:
    assert refusal(result) is None


def read_one(folder: Path, result: str, **more: Any) -> Any:
    called = {"id": "c1", "type": "function", "function": {"name": "load", "arguments": "{}"}}
    messages = [
        {"role": "user", "content": "Load."},
        {"role": "assistant", "content": None, "tool_calls": [called]},
        {"role": "tool", "tool_call_id": "c1", "content": result},
    ]
    return read_runs(put(folder, "c.json", {"case_id": "a", "messages": messages, **more}))


@pytest.mark.parametrize(
    ("result", "outcome", "code"),
    [
        ("Error executing tool load: no", "error", ["IRU030"]),
        ('{"error": "no such order"}', "error", ["IRU030"]),
        ("Tool execution was not approved.", "blocked", []),
        ('{"error": "This tool call is rejected."}', "blocked", []),
        ('{"errors": []}', "ok", []),
    ],
)
def test_in_a_run(tmp_path: Path, result: str, outcome: CallOutcome, code: list[str]) -> None:
    imported = read_one(tmp_path, result)
    (call,) = imported.runs[0].turns[0].tool_calls
    assert call.outcome == outcome
    assert [item.code for item in imported.findings] == code
    assert (call.error is None) == (outcome == "ok")


def grid_run(**more: Any) -> dict[str, Any]:
    return {
        "question": "Is it hot?",
        "answer": "",
        "history": [],
        "scenario": {"id": "s-1"},
        "runner_meta": {"model_id": "m"},
        **more,
    }


@pytest.mark.parametrize(
    ("error", "lost", "code"),
    [
        ("MaxTurnsExceeded: Max turns (30) exceeded", 0, "IRU008"),
        ("RateLimitError: Error code: 429", 1, "IRU008"),
    ],
)
def test_what_ended_a_run(tmp_path: Path, error: str, lost: int, code: str) -> None:
    imported = read_runs(put(tmp_path, "g_run01.json", grid_run(error=error)))
    assert len(imported.runs[0].infrastructure_errors) == lost
    assert [item.code for item in imported.findings] == [code]


def test_a_limit_is_no_failure_of_the_harness(tmp_path: Path) -> None:
    state = {
        "values": {"messages": [{"type": "human", "content": "Hi"}, {"type": "ai", "content": ""}]},
        "config": {"configurable": {"thread_id": "t"}},
        "status": "error",
        "error": "GraphRecursionError: Recursion limit of 25 reached",
    }  # fmt: skip
    imported = read_runs(put(tmp_path, "s.json", state))
    assert imported.runs[0].infrastructure_errors == ()
    assert "IRU034" in [item.code for item in imported.findings]
    state["error"] = "APIConnectionError: Connection error."
    imported = read_runs(put(tmp_path, "s.json", state))
    assert imported.runs[0].infrastructure_errors == ("APIConnectionError: Connection error.",)


@pytest.mark.data
def test_the_general_rules_add_nothing_to_tau_bench() -> None:
    """Its own rule goes before; 21 calls failed, and no answer looks like a failure."""
    path = shared_data("runs", "tau-bench", "gpt-4o-airline.even-tasks.json")
    calls = [call for run in read_runs(path).runs for _, call in run.tool_calls]
    assert Counter(call.outcome for call in calls) == {"ok": 556, "error": 21}
    assert all(str(call.result).startswith("Error: ") for call in calls if call.outcome == "error")


@pytest.mark.data
def test_every_failure_found_in_smart_grid_runs_says_that_it_is_one() -> None:
    """Seen one by one: 94 failures in 30 wordings, none of them an answer."""
    folder = shared_data("runs", "smart-grid", "raw")
    found: Counter[str] = Counter()
    for path in sorted(folder.glob("*/*_run*.json")):
        imported = read_runs(path)
        hidden = sum(item.count for item in imported.findings if item.code == "IRU030")
        found["hidden"] += hidden
        for run in imported.runs:
            for _, call in run.tool_calls:
                if failure(call.result) is not None:
                    found["failed"] += 1
                    assert call.outcome == "error"
                elif call.outcome == "ok":
                    assert "error" not in json.dumps(call.result, default=str).lower()[:20]
    assert found == {"hidden": 94, "failed": 119}
