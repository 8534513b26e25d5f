"""Records of single benchmarks and services: smart grid, AssetOpsBench, Vertex, tRPC-Agent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assay.intake.runs import read_runs
from assay.models.run import ObservedPlanStep, ToolCall
from tests.intake.formats.support import bad, codes, endures, imported, ok, one, turn

SCENARIO = {"id": "SGT-007", "text": "Is T-012 overloaded?", "expected_tools": ["iot.load"]}
PLANNED: dict[str, Any] = {
    "question": "Is T-012 overloaded?",
    "answer": "No.",
    "success": False,
    "raw_plan": [],
    "plan": [
        {"step": 1, "task": "Read the load", "server": "iot", "tool": "load"},
        {"step": 2, "task": "Say what it means", "server": "none", "tool": "none"},
    ],
    "history": [
        {
            "step": 1,
            "server": "iot",
            "tool": "load",
            "tool_args": {"id": "T-012", "last": 1.50},
            "response": '{"amps": 40.0}',
            "success": True,
            "error": None,
        },
        {
            "step": 2,
            "server": "iot",
            "tool": "rating",
            "tool_args": {},
            "response": "Error executing tool rating: id is required",
            "success": True,
            "error": None,
        },
        {
            "step": 3,
            "server": "iot",
            "tool": "rating",
            "tool_args": {"id": "T-99"},
            "response": "",
            "success": False,
            "error": "T-99 is not known.",
        },
        {"step": 4, "server": "none", "tool": "none", "response": "A list.", "success": True},
    ],
    "scenario": SCENARIO,
}
TURNS: dict[str, Any] = {
    "question": "Is T-012 overloaded?",
    "answer": "No.",
    "success": True,
    "tool_call_count": 2,
    "usage": {"input_tokens": 30, "output_tokens": 4},
    "history": [
        {
            "turn": 1,
            "role": "assistant",
            "content": "Let me look.",
            "tool_calls": [
                {"name": "load", "arguments": {"id": "T-012"}, "call_id": "c1", "output": {"a": 1}},
                {"name": "rating", "arguments": {}, "call_id": "c2", "output": [{"error": "none"}]},
            ],
        },
        {"turn": 2, "role": "assistant", "content": "No.", "tool_calls": []},
    ],
    "runner_meta": {"model_id": "lark-2"},
    "scenario": SCENARIO,
}


@pytest.mark.parametrize(
    ("error", "failures"),
    [
        ("litellm.RateLimitError: slow down", 1),
        ("Error code: 503 - upstream", 1),
        ("MaxTurnsExceeded: Max turns (30) exceeded", 0),
    ],
)
def test_whose_failure_ended_a_run(tmp_path: Path, error: str, failures: int) -> None:
    run = one(tmp_path, {**PLANNED, "error": error})
    assert len(run.infrastructure_errors) == failures


def test_a_plan_and_its_steps(tmp_path: Path) -> None:
    result = imported(tmp_path, PLANNED, "x_run03.json")
    (run,) = result.runs
    assert (run.case_id, run.trial, run.agent, run.model) == ("SGT-007", 2, "plan-execute", None)
    assert run.planning_steps == (
        ObservedPlanStep(agent="iot", instruction="Read the load"),
        ObservedPlanStep(agent=None, instruction="Say what it means"),
    )
    said = "Error executing tool rating: id is required"
    more: dict[str, Any] = {"server": "iot"}
    assert run.turns == (
        turn(
            "Is T-012 overloaded?",
            "No.",
            ok("load", {"id": "T-012", "last": 1.5}, {"amps": 40}, None, **more),
            bad("rating", {}, said, None, **more),
            bad("rating", {"id": "T-99"}, "", None, error="T-99 is not known.", **more),
        ),
    )
    assert result.dropped == {"step without a tool": 1, "what the scenario expects": 1}
    assert codes(result) == ["IRU030"]


def test_turns_of_a_model(tmp_path: Path) -> None:
    result = imported(tmp_path, TURNS)
    (run,) = result.runs
    assert (run.model, run.tokens_in, run.tokens_out) == ("lark-2", 30, 4)
    first, second = run.turns[0].tool_calls
    assert first == ok("load", {"id": "T-012"}, {"a": 1}, "c1")
    assert (second.outcome, second.error, second.parallel_group) == ("error", "none", None)
    assert "parallel_groups" in run.unknown, "a turn holds the calls of several answers"
    alone = {**TURNS, "runner_meta": {"parallel_tool_calls": False}}
    assert "parallel_groups" not in one(tmp_path, alone).unknown
    assert result.dropped == {"text before the answer": 1, "what the scenario expects": 1}
    assert "planning_steps" in run.unknown


def test_a_run_that_was_not_kept(tmp_path: Path) -> None:
    result = imported(
        tmp_path, {**TURNS, "history": [], "answer": "", "error": "Max turns (30) exceeded"}
    )
    (run,) = result.runs
    assert run.final_answer is None
    assert {"tool_calls", "call_results"} <= set(run.unknown)
    assert not {"answer", "final_answer"} & set(run.unknown), "it is known to have given none"
    assert run.infrastructure_errors == ()
    assert codes(result) == ["IRU008"]


# -- AssetOpsBench ----------------------------------------------------------------------------

TRAJECTORY: dict[str, Any] = {
    "run_id": "a-1",
    "scenario_id": "chiller-06",
    "runner": "react",
    "model": "lark-2",
    "question": "Which sensors are there?",
    "answer": "Two.",
    "trajectory": {
        "started_at": "2026-09-30T22:05:26.070840+00:00",
        "turns": [
            {"text": "", "tool_calls": [], "input_tokens": 2, "output_tokens": 1},
            {
                "text": "",
                "tool_calls": [
                    {
                        "name": "mcp__iot__sensors",
                        "input": {"asset": "c6"},
                        "id": "t1",
                        "output": "[1, 2]",
                        "duration_ms": 3.7,
                    },
                    {"name": "latest", "input": {}, "id": "t2", "output": None},
                ],
            },
        ],
    },
}
MEASURED: dict[str, Any] = {
    "_note": "shortened copy",
    "run_id": "a-1",
    "scenario_id": "chiller-06",
    "grading": {"score": {"passed": False, "score": 0.80}},
    "metrics": {
        "input_tokens": 70,
        "output_tokens": 9,
        "tool_calls": [
            {
                "timestamp": "2026-09-30T22:05:32Z",
                "name": "mcp__iot__latest",
                "server": "iot",
                "arguments": {},
                "output": '{"v": 1}',
                "duration_ms": 4,
                "error": None,
            },
            {"name": "other", "server": "iot", "arguments": {}, "output": None, "error": "gone"},
        ],
    },
    "status": "completed",
    "execution_start": "2026-09-30T22:05:24Z",
}


def step(action: str, given: Any, seen: str = "") -> dict[str, Any]:
    return {
        "step": 1,
        "thought": "so",
        "action": action,
        "action_input": given,
        "observation": seen,
    }


LOG: dict[str, Any] = {
    "_note": "prompts left out",
    "id": 12,
    "text": "What can fail?",
    "trajectory": [
        {
            "task_description": "List the sites",
            "agent_name": "IoT",
            "logs": {"trajectroy_log": [step("sites", "{}", '{"sites": ["A"]}'), step("", None)]},
        },
        {
            "task_description": "(task 2 not read)",
            "agent_name": "FMSR",
            "logs": {
                "trajectroy_log": [
                    step("modes", "Chiller 6", "a, b ...(the rest was cut)"),
                    step("Finish", "Two modes: a and b (cut: it repeats itself)"),
                ]
            },
        },
    ],
}


def test_a_trajectory(tmp_path: Path) -> None:
    result = imported(tmp_path, TRAJECTORY)
    (run,) = result.runs
    assert (run.case_id, run.trace_id, run.agent, run.model) == (
        "chiller-06", "a-1", "react", "lark-2",
    )  # fmt: skip
    first, second = run.turns[0].tool_calls
    assert first == ok(
        "sensors", {"asset": "c6"}, [1, 2], "t1", server="iot", parallel_group=0, duration_ms=3
    )
    assert (second.outcome, second.result) == ("unknown", None)
    assert {"call_results", "call_outcomes", "tokens"} <= set(run.unknown)
    assert result.dropped == {"tokens of a turn": 1}
    assert codes(result) == ["IRU026"]


def test_a_measurement(tmp_path: Path) -> None:
    result = imported(tmp_path, MEASURED)
    (run,) = result.runs
    assert (run.tokens_in, run.tokens_out, run.outcome_given) == (70, 9, "failed")
    assert str(run.score_given) in ("0.8", "0.80")
    assert run.turns[0].tool_calls == (
        ok("latest", {}, {"v": 1}, None, server="iot", started_at="2026-09-30T22:05:32Z",
           duration_ms=4),
        ToolCall(name="other", server="iot", outcome="error", error="gone"),
    )  # fmt: skip
    assert {"user", "answer", "final_answer"} <= set(run.unknown)
    assert codes(result) == ["IRU025"]
    assert one(tmp_path, {**MEASURED, "status": "timeout"}).infrastructure_errors == (
        "status: timeout",
    )


def test_a_log_of_tasks_names_what_was_cut(tmp_path: Path) -> None:
    result = imported(tmp_path, LOG)
    (run,) = result.runs
    assert run.planning_steps == (ObservedPlanStep(agent="IoT", instruction="List the sites"),)
    first, second = run.turns[0].tool_calls
    assert (first.name, first.server, first.args, first.result) == (
        "sites",
        "IoT",
        {},
        {"sites": ["A"]},
    )
    assert second.args == {"action_input": "Chiller 6"}
    assert run.final_answer == "Two modes: a and b"
    assert {
        "call_results", "call_arguments", "final_answer", "answer", "planning_steps",
    } <= set(run.unknown)  # fmt: skip
    places = sorted((item.code, item.pointer.rsplit("/", 1)[-1]) for item in result.findings)
    assert places == [
        ("IRU025", "_note"),
        ("IRU025", "action_input"),
        ("IRU025", "observation"),
        ("IRU025", "task_description"),
    ]
    assert result.dropped == {"step without an action": 1}


# -- Vertex and tRPC-Agent ----------------------------------------------------------------------

ROW: dict[str, Any] = {
    "case_id": "p-1",
    "prompt": "Where is it?",
    "response": "Here.",
    "predicted_trajectory": [{"tool_name": "track", "tool_input": {"parcel": "17", "n": 2.50}}],
    "reference_trajectory": [{"tool_name": "track", "tool_input": {}}],
}


def test_a_row_of_vertex(tmp_path: Path) -> None:
    result = imported(tmp_path, [ROW, {**ROW, "case_id": 7, "failure": 1}], "rows.jsonl")
    second, first = result.runs
    assert first.turns == (
        turn("Where is it?", "Here.", ToolCall(name="track", args={"parcel": "17", "n": 2.5})),
    )
    assert (second.case_id, len(second.infrastructure_errors)) == ("7", 1)
    assert result.dropped == {"expected trajectory": 2}


def test_a_table_of_vertex(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    trajectory = json.dumps(ROW["predicted_trajectory"]).replace('"', '""')
    path.write_text(
        "case_id,prompt,response,predicted_trajectory,failure\n"
        f'p-1,Where is it?,Here.,"{trajectory}",0\np-2,Where?,,"[",0\np-3,Where?,,,0\n'
    )
    result = read_runs(path, name="rows.csv")
    assert [run.case_id for run in result.runs] == ["p-1", "p-3"]
    assert result.runs[0].tool_calls[0][1].args == {"parcel": "17", "n": 2.5}
    assert result.runs[1].final_answer is None
    assert [(item.code, item.line) for item in result.findings] == [("IRU002", 3)]


INVOCATION: dict[str, Any] = {
    "invocationId": "i-1",
    "userContent": {"role": "user", "content": "Where is it?"},
    "finalResponse": {"role": "assistant", "content": "Here."},
    "tools": [
        {"id": "c1", "name": "track", "arguments": {"parcel": "17"}, "result": {"place": "hub"}},
        {"id": "c2", "name": "map", "arguments": {}},
    ],
}


def test_an_invocation_of_trpc(tmp_path: Path) -> None:
    run = one(tmp_path, INVOCATION)
    assert run.trace_id == "i-1"
    assert run.turns == (
        turn(
            "Where is it?",
            "Here.",
            ok("track", {"parcel": "17"}, {"place": "hub"}, "c1"),
            ToolCall(name="map", id="c2"),
        ),
    )
    assert "call_results" in run.unknown
    two = one(tmp_path, [INVOCATION, {**INVOCATION, "tools": []}])
    assert len(two.turns) == 2
    assert len(imported(tmp_path, [INVOCATION, INVOCATION], "x.jsonl").runs) == 2


@pytest.mark.parametrize(
    "value", [PLANNED, TURNS, TRAJECTORY, MEASURED, LOG, ROW, INVOCATION],
    ids=["planned", "turns", "trajectory", "measured", "log", "row", "invocation"],
)  # fmt: skip
def test_junk_never_ends_in_a_traceback(tmp_path: Path, value: Any) -> None:
    endures(tmp_path, value)
