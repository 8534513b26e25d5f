"""Data sets of the agent platform."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assay.errors import InputError
from assay.intake.runs import RunImport, read_runs
from tests.intake.support import (
    ANSWER,
    PLATFORM,
    QUESTION,
    RESULT,
    answer_of,
    call,
    camel,
    message,
    put,
)


def load(folder: Path, *cases: Any) -> RunImport:
    return read_runs(put(folder, "x.json", {"eval_cases": list(cases)}))


def event(author: str, *parts: Any, **more: Any) -> dict[str, Any]:
    role = "user" if author == "user" else "model"
    return {"author": author, "content": {"role": role, "parts": list(parts)}, **more}


def case(*turns: list[Any], **more: Any) -> dict[str, Any]:
    listed = [{"turn_index": n, "events": events} for n, events in enumerate(turns)]
    return {"eval_case_id": "parcel-17", "agent_data": {"turns": listed}, **more}


FIRST = [
    event("user", {"text": QUESTION}, event_time="2026-11-30T18:24:14Z"),
    event("desk", {"text": "Let me look."}, call()),
    event("desk", answer_of()),
    event("desk", {"text": ANSWER}),
]


def test_turns(tmp_path: Path) -> None:
    more = [event("user", {"text": "And 18?"}), event("desk", {"text": "No."})]
    made = case(FIRST, more)
    made["agent_data"]["turns"].reverse()
    imported = load(tmp_path, made)
    (run,) = imported.runs
    assert [(t.user, t.answer, len(t.tool_calls)) for t in run.turns] == [
        (QUESTION, ANSWER, 1),
        ("And 18?", "No.", 0),
    ]
    ((_, done),) = run.tool_calls
    assert (done.name, done.args, done.outcome, done.result) == (
        "track_parcel",
        {"parcel_id": "17"},
        "ok",
        RESULT,
    )
    assert (run.case_id, run.agent, run.started_at) == (
        "parcel-17",
        "desk",
        "2026-11-30T18:24:14Z",
    )
    assert imported.dropped == {"text before the answer": 1}


def test_camel_case_and_the_shape_of_cases(tmp_path: Path) -> None:
    snake = read_runs(put(tmp_path, "a.json", {"eval_cases": [case(FIRST)]})).runs
    assert read_runs(put(tmp_path, "a.json", camel({"eval_cases": [case(FIRST)]}))).runs == snake
    (run,) = read_runs(put(tmp_path, "b.json", PLATFORM)).runs
    assert [c.outcome for _, c in run.tool_calls] == ["unknown"]


def test_a_prompt_with_responses(tmp_path: Path) -> None:
    made = {
        "eval_case_id": "parcel-17",
        "prompt": message(QUESTION, "user"),
        "responses": [{"response": message(ANSWER, "model")}, {"response": message("?", "model")}],
    }
    imported = load(tmp_path, made, {"eval_case_id": "only-asked", "prompt": message("?", "user")})
    (run,) = imported.runs
    assert (run.turns[0].user, run.final_answer) == (QUESTION, ANSWER)
    assert "tool_calls" in run.unknown
    assert imported.dropped == {
        "case without a recorded conversation": 1,
        "response of another candidate": 1,
    }
    known = {**made, "intermediate_events": [event("desk", call()), event("desk", answer_of())]}
    (run,) = load(tmp_path, known).runs
    assert (len(run.tool_calls), run.final_answer) == (1, ANSWER)
    assert "tool_calls" not in run.unknown


def test_trials_and_a_wrong_case(tmp_path: Path) -> None:
    wrong = {"eval_case_id": "w", "agent_data": {"turns": [{"events": 3}]}}
    imported = load(tmp_path, case(FIRST), wrong, case(FIRST))
    assert [(run.case_id, run.trial) for run in imported.runs] == [
        ("parcel-17", 0),
        ("parcel-17", 1),
    ]
    assert imported.dropped == {"run that cannot be read": 1, "text before the answer": 2}
    assert "IRU002" in {item.code for item in imported.findings}


def test_cases_without_a_run_are_cases(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="eval cases and no recorded run"):
        load(tmp_path, {"eval_case_id": "a", "prompt": message("?", "user")})
