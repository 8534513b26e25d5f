"""Runs: one conversation in every format is one observed run, but for what a format cannot say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assay.errors import InputError, UsageError
from assay.intake.runs import FORMATS, read_runs, run_line
from assay.intake.runs.imported import ALL_FIELDS
from assay.models.run import ObservedRun, RunField
from tests.intake.support import (
    ANSWER,
    CASE_SHAPES,
    QUESTION,
    RESULT,
    RUN_SHAPES,
    adk_set,
    adk_turn,
    put,
)


def same(run: ObservedRun) -> Any:
    """What must agree between formats: all that was said and done."""
    return (
        [
            (
                turn.user,
                turn.answer,
                [(c.name, c.args, c.outcome, c.result, c.error) for c in turn.tool_calls],
            )
            for turn in run.turns
        ],
        run.final_answer,
        run.infrastructure_errors,
    )


WANTED = (
    [(QUESTION, ANSWER, [("track_parcel", {"parcel_id": "17"}, "ok", RESULT, None)])],
    ANSWER,
    (),
)

_CHAT: set[RunField] = {
    "planning_steps", "final_state", "cost", "started_at", "agent", "model", "tokens"
}  # fmt: skip
UNKNOWN: dict[str, set[RunField]] = {
    "adk-session": {"planning_steps", "cost", "tokens"},
    "adk-session-camel": {"planning_steps", "cost", "tokens"},
    "adk-session-lines": {"planning_steps", "cost", "tokens"},
    "adk-events": {"planning_steps", "cost", "tokens", "final_state"},
    "adk-result": {"planning_steps", "cost", "tokens", "model", "started_at"},
    "adk-result-twice-encoded": {"planning_steps", "cost", "tokens", "model", "started_at"},
    "adk-result-camel": {"planning_steps", "cost", "tokens", "model", "started_at"},
    "adk-inference": {
        "planning_steps", "cost", "tokens", "model", "started_at", "final_state"
    },
    "adk-trace": _CHAT | {"parallel_groups"},
    "adk-invocations": _CHAT - {"agent"},
    "adk-invocations-list": _CHAT | {"parallel_groups"},
    "openai-chat": _CHAT,
    "openai-chat-lines": _CHAT,
    "openai-chat-bare": _CHAT,
    "tau-bench": _CHAT,
    "anthropic-messages": _CHAT,
    "anthropic-messages-bare": _CHAT,
    "openai-responses": _CHAT,
    "openai-responses-bare": _CHAT,
    "langchain-messages": _CHAT,
    "langchain-messages-bare": _CHAT,
    "langgraph-states": _CHAT,
    "tau2": _CHAT,
    "tau2-alone": _CHAT,
    "native": set(),
}  # fmt: skip


@pytest.mark.parametrize("shape", sorted(RUN_SHAPES))
def test_one_conversation_in_every_format(tmp_path: Path, shape: str) -> None:
    name, value = RUN_SHAPES[shape]
    imported = read_runs(put(tmp_path, name, value), run="r", name=name)
    (run,) = imported.runs
    assert same(run) == WANTED
    assert (run.run, run.trial) == ("r", 0)
    assert run.case_id == ("17" if shape == "tau-bench" else "parcel-17")
    assert imported.read == 1
    assert set(imported.unknown) == UNKNOWN[shape] == set(run.unknown)
    assert not [item for item in imported.findings if item.severity == "error"]


@pytest.mark.parametrize("shape", sorted(RUN_SHAPES))
def test_the_format_may_be_named(tmp_path: Path, shape: str) -> None:
    name, value = RUN_SHAPES[shape]
    path = put(tmp_path, name, value)
    found = read_runs(path)
    assert read_runs(path, format=found.format) == found


@pytest.mark.parametrize("shape", sorted(RUN_SHAPES))
def test_lines_read_back(tmp_path: Path, shape: str) -> None:
    name, value = RUN_SHAPES[shape]
    runs = read_runs(put(tmp_path, name, value)).runs
    lines = [run_line(run) for run in runs]
    assert all("\n" not in line for line in lines)
    again = read_runs(put(tmp_path, "again.jsonl", "".join(f"{line}\n" for line in lines)))
    assert again.runs == runs
    assert again.format == "native"
    assert [run_line(run) for run in again.runs] == lines


def test_unknown_fields_stand_in_the_order_of_the_model(tmp_path: Path) -> None:
    name, value = RUN_SHAPES["adk-trace"]
    unknown = read_runs(put(tmp_path, name, value)).unknown
    assert list(unknown) == [part for part in ALL_FIELDS if part in unknown]


def test_what_nothing_fits_is_refused_with_all_names(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_runs(put(tmp_path, "x.json", [{"start_time": 1, "end_time": 2, "attributes": {}}]))
    message = caught.value.message
    assert "OpenTelemetry spans without an agent" in message
    for known in FORMATS:
        assert known.name in message
    assert caught.value.hint


@pytest.mark.parametrize("shape", ["adk", "adk-camel", "trpc", "cookbook", "legacy-named"])
def test_cases_are_no_runs(tmp_path: Path, shape: str) -> None:
    with pytest.raises(InputError) as caught:
        read_runs(put(tmp_path, "x.json", CASE_SHAPES[shape]))
    if shape != "legacy-named":
        assert "assay cases import" in caught.value.hint


@pytest.mark.parametrize("value", [{}, [], [1], 3, '"text"', {"messages": []}, {"role": "user"}])
def test_other_files_are_refused(tmp_path: Path, value: Any) -> None:
    with pytest.raises(InputError):
        read_runs(put(tmp_path, "x.json", value))


def test_an_unknown_format_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="There is no format"):
        read_runs(put(tmp_path, "x.json", {}), format="nonsense")


def test_a_named_format_reads_what_it_can(tmp_path: Path) -> None:
    path = put(tmp_path, "x.json", [{"task_id": 1}, RUN_SHAPES["tau-bench"][1][0]])
    imported = read_runs(path, format="tau-bench")
    assert imported.read == 1
    (error,) = imported.findings
    assert (error.code, error.pointer, error.line) == ("IRU002", "/0", 2)
    assert imported.dropped["run that cannot be read"] == 1


def test_formats_have_names_of_their_own() -> None:
    names = [known.name for known in FORMATS]
    assert len(set(names)) == len(names)


def test_at_most_one_format_fits(tmp_path: Path) -> None:
    from assay.intake.opening.feed import open_document

    for number, (name, value) in enumerate(RUN_SHAPES.values()):
        document = open_document(put(tmp_path, f"{number}/{name}", value))
        assert len([known for known in FORMATS if known.fits(document)]) == 1


def test_trials_are_counted_or_given(tmp_path: Path) -> None:
    messages = RUN_SHAPES["openai-chat"][1]["messages"]
    lines = [
        {"case_id": "a", "messages": messages},
        {"case_id": "a", "messages": messages},
        {"case_id": "b", "messages": messages, "trial": 3},
        {"case_id": "b", "messages": messages},
        {"case_id": "b", "messages": messages, "trial": 3},
    ]
    path = put(tmp_path, "x.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    imported = read_runs(path)
    assert [(run.case_id, run.trial) for run in imported.runs] == [
        ("a", 0), ("a", 1), ("b", 0), ("b", 3)
    ]  # fmt: skip
    (error,) = [item for item in imported.findings if item.severity == "error"]
    assert (error.code, error.line) == ("IRU006", 5)


def test_trace_mode_without_a_recording(tmp_path: Path) -> None:
    case = {"eval_id": "a", "eval_mode": "trace", "conversation": [adk_turn()]}
    imported = read_runs(put(tmp_path, "x.json", adk_set(case)))
    (run,) = imported.runs
    assert [call.outcome for _, call in run.tool_calls] == ["unknown"]
    assert {"call_results", "call_outcomes"} <= set(run.unknown)
    assert [item.code for item in imported.findings] == ["IRU014"]


def test_without_intermediate_data_calls_are_unknown(tmp_path: Path) -> None:
    turn = adk_turn()
    del turn["intermediate_data"]
    case = {"eval_id": "a", "actual_conversation": [turn]}
    (run,) = read_runs(put(tmp_path, "x.json", adk_set(case))).runs
    assert "tool_calls" in run.unknown
    turn["intermediate_data"] = {"tool_uses": []}
    (run,) = read_runs(put(tmp_path, "x.json", adk_set(case))).runs
    assert "tool_calls" not in run.unknown
    assert run.tool_calls == ()


def test_chat_may_give_the_final_state(tmp_path: Path) -> None:
    line = {**RUN_SHAPES["openai-chat"][1], "final_state": {"parcels": {"17": "lost"}}}
    (run,) = read_runs(put(tmp_path, "x.json", line)).runs
    assert run.final_state == {"parcels": {"17": "lost"}}
    assert "final_state" not in run.unknown
    (run,) = read_runs(put(tmp_path, "y.json", {**line, "final_state": {}})).runs
    assert run.final_state == {}
    assert "final_state" not in run.unknown
