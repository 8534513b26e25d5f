"""What was cut in records is named, and counts as unknown; fields that nobody reads are counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assay.intake.runs.formats.records.cut import kept
from assay.intake.runs.formats.records.plan_steps import blocks
from assay.models.run import ObservedPlanStep
from tests.intake.formats.support import bad, codes, endures, imported, ok, one, turn
from tests.intake.formats.test_records import LOG, MEASURED, PLANNED, TRAJECTORY, TURNS, step

CUT = [
    ("[1, 2\n...[truncated 75 chars]", "[1, 2"),
    ("a, b ...(the rest was cut)", "a, b"),
    ("a, b … (truncated)", "a, b"),
    ("Two (cut: it (really) repeats itself)", "Two"),
    ("(task 2 not read)", ""),
    ("[truncated]", ""),
]
WHOLE = [
    "",
    "and so on ...",
    "see [1]",
    "[1, 2]",
    "pay fell (10 % pay cut)",
    "prices … (cut by 10 %)",
    "(cut off)",
    "truncated",
    "f(truncated)",
    "(" * 4000 + "cut)",
]


@pytest.mark.parametrize(("text", "rest"), CUT)
def test_a_text_that_was_cut(text: str, rest: str) -> None:
    assert kept(text) == rest


@pytest.mark.parametrize("text", WHOLE)
def test_a_text_that_is_whole(text: str) -> None:
    assert kept(text) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}\n{"a": 2}', [{"a": 1}, {"a": 2}]),
        ('{\n  "a": 1\n}\n{\n  "b": "}\\n{"\n}\n{}', [{"a": 1}, {"b": "}\n{"}, {}]),
        ('{"a": 1}', {"a": 1}),
        ("", ""),
        ('{"a": 1}\n{"a', '{"a": 1}\n{"a'),
        ("x }\n{ y", "x }\n{ y"),
    ],
)
def test_blocks_of_one_response(text: str, value: Any) -> None:
    assert blocks(text) == value


def test_results_that_a_harness_cut(tmp_path: Path) -> None:
    long = '{"values": [1,\n...[truncated 75 chars]'
    planned = {**PLANNED, "history": [{**PLANNED["history"][0], "response": long}]}
    result = imported(tmp_path, planned)
    (run,) = result.runs
    assert run.tool_calls[0][1].result == long
    assert "call_results" in run.unknown
    assert [(f.code, f.pointer) for f in result.findings] == [("IRU025", "/history/0/response")]
    assert "`load`" in result.findings[0].message
    call = {**TURNS["history"][0]["tool_calls"][0], "output": long}
    turns = {**TURNS, "history": [{"tool_calls": [call]}], "tool_call_count": 1}
    assert "call_results" in one(tmp_path, turns).unknown
    assert "call_results" not in one(tmp_path, TURNS).unknown


def test_calls_that_are_counted_and_not_there(tmp_path: Path) -> None:
    for value in (
        {**TURNS, "tool_call_count": 3},
        {**MEASURED, "metrics": {**MEASURED["metrics"], "tool_call_count": 3}},
    ):
        result = imported(tmp_path, value)
        assert "tool_calls" in result.runs[0].unknown
        (found,) = [f for f in result.findings if f.pointer.endswith("/tool_call_count")]
        assert "counts 3 calls and holds 2" in found.message


def test_fields_that_nobody_reads_are_counted(tmp_path: Path) -> None:
    for value in (PLANNED, TURNS, TRAJECTORY, MEASURED, LOG):
        dropped = imported(tmp_path, {**value, "weather": "fine", "nothing": None}).dropped
        assert [rule for rule in dropped if rule.startswith("field")] == ["field `weather`"]


def test_a_plan_that_was_tidied(tmp_path: Path) -> None:
    raw = [*PLANNED["plan"], {"step": 3, "task": "Sum up", "server": "none", "tool": "none"}]
    raw[0] = {**raw[0], "server": "wo"}
    dropped = imported(tmp_path, {**PLANNED, "raw_plan": raw}).dropped
    assert dropped["step of the plan before it was tidied"] == 2


# -- AssetOpsBench: steps of a plan, agents that others called, times ---------------------------

STEPS: dict[str, Any] = {
    "run_id": "a-2",
    "scenario_id": None,
    "runner": "plan-execute",
    "model": "lark-2",
    "question": "Is it warm?",
    "answer": "No.",
    "trajectory": [
        {
            "step_number": 1,
            "task": "Read it",
            "server": "iot",
            "tool": "read",
            "tool_args": {"asset": "c6"},
            "response": '{"t": 4.50}',
            "error": None,
            "duration_ms": 900.5,
        },
        {
            "step_number": 2,
            "task": "Order it",
            "server": "wo",
            "tool": "order",
            "response": "",
            "error": "Blocked by unavailable dependencies: 1",
            "failure_kind": "failed_dependency",
        },
        {
            "step_number": 3,
            "task": "Again",
            "server": "iot",
            "tool": "read",
            "response": "",
            "error": "gone",
            "failure_kind": "tool_error",
            "recovery_attempted": True,
        },
        {"step_number": 4, "task": "Tell", "server": "none", "tool": "none", "response": "x"},
    ],
}


def test_steps_of_a_plan(tmp_path: Path) -> None:
    result = imported(tmp_path, STEPS, "warm.json")
    (run,) = result.runs
    assert (result.format, run.case_id, run.trace_id, run.agent) == (
        "assetops", "warm", "a-2", "plan-execute",
    )  # fmt: skip
    assert run.planning_steps == (
        ObservedPlanStep(agent="iot", instruction="Read it"),
        ObservedPlanStep(agent="wo", instruction="Order it"),
        ObservedPlanStep(agent="iot", instruction="Again"),
        ObservedPlanStep(agent=None, instruction="Tell"),
    )
    second = bad("order", {}, "", None, server="wo", error="Blocked by unavailable dependencies: 1")
    assert run.turns == (
        turn(
            "Is it warm?",
            "No.",
            ok("read", {"asset": "c6"}, {"t": 4.5}, None, server="iot"),
            second.model_copy(update={"outcome": "blocked"}),
            bad("read", {}, "", None, server="iot", error="gone"),
        ),
    )
    assert result.dropped == {"attempt before a retry": 1, "step without a tool": 1}
    endures(tmp_path, STEPS)


def test_agents_that_others_called(tmp_path: Path) -> None:
    call = {"name": "fit", "input": {}, "output": "done"}
    turns = [
        {"agent": "root", "depth": 0, "tool_calls": [{**call, "name": "tsfm_agent"}]},
        {"agent": "tsfm_agent", "depth": 1, "tool_calls": [call, {**call, "server": "tsfm"}]},
    ]
    run = one(tmp_path, {**TRAJECTORY, "trajectory": {"turns": turns}})
    assert [(c.name, c.server) for _, c in run.tool_calls] == [
        ("tsfm_agent", None), ("fit", "tsfm_agent"), ("fit", "tsfm"),
    ]  # fmt: skip


def test_an_event_of_the_end_of_a_call(tmp_path: Path) -> None:
    call = {**MEASURED["metrics"]["tool_calls"][0], "kind": "tool_end", "duration_ms": 250.5}
    for stamp, wanted in (
        ("2026-09-30T22:05:32.555920+00:00", "2026-09-30T22:05:32.305420Z"),
        ("yesterday", None),
    ):
        metrics = {**MEASURED["metrics"], "tool_calls": [{**call, "timestamp": stamp}]}
        (made,) = [c for _, c in one(tmp_path, {**MEASURED, "metrics": metrics}).tool_calls]
        assert (made.started_at, made.duration_ms) == (wanted, 250)


def test_a_cut_answer_is_unknown(tmp_path: Path) -> None:
    result = imported(tmp_path, {**TRAJECTORY, "answer": "Two, and ...(cut)"})
    assert result.runs[0].final_answer == "Two, and"
    assert {"answer", "final_answer"} <= set(result.runs[0].unknown)
    assert codes(result) == ["IRU026", "IRU025"]


def test_only_the_last_finish_is_the_answer(tmp_path: Path) -> None:
    first, second = (step("Finish", text) for text in ("One (cut: it goes on)", "Two"))
    tasks = [
        {"task_description": "t", "agent_name": "a", "logs": {"trajectory_log": [each]}}
        for each in (first, second)
    ]
    result = imported(tmp_path, {**LOG, "trajectory": tasks})
    (run,) = result.runs
    assert run.final_answer == "Two"
    assert "final_answer" not in run.unknown
    assert result.dropped == {"answer of a task before the last one": 1}
    assert not run.arguments_as_text
    assert one(tmp_path, LOG).arguments_as_text
