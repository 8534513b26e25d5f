"""tau2-bench: whose calls they are, how a simulation ended, both layouts."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from assay.errors import InputError
from tests.intake.formats.support import bad, codes, endures, imported, ok, one, turn

INFO = {"agent_info": {"implementation": "llm_agent", "llm": "m-1"}, "num_trials": 2}


def call(id: str, name: str = "look", **more: Any) -> dict[str, Any]:
    return {"id": id, "name": name, "arguments": {"n": 4.0}, "requestor": "assistant", **more}


def tool(id: str, content: str | None, **more: Any) -> dict[str, Any]:
    return {"role": "tool", "id": id, "content": content, "requestor": "assistant", **more}


def agent(content: str | None, *calls: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": content, "tool_calls": list(calls) or None, **more}


def user(content: str | None, *calls: dict[str, Any]) -> dict[str, Any]:
    return {"role": "user", "content": content, "tool_calls": list(calls) or None}


USAGE = {"usage": {"prompt_tokens": 7, "completion_tokens": 3}, "cost": 0.5}
MESSAGES = [
    agent("Hi! How can I help?", cost=0.0),
    user("My phone is dead."),
    agent(None, call("c1"), call("c2", "see"), **USAGE),
    {"role": "tool", "tool_messages": [tool("c1", '{"n": 2}'), tool("c2", "gone", error=True)]},
    agent("Toggle it.", **USAGE),
    user(None, {**call("u1", "toggle"), "requestor": "user"}),
    {**tool("u1", "Toggled."), "requestor": "user"},
    user("Done."),
    agent("It works.", **USAGE),
    user("Thank you! ###STOP###"),
]


def simulation(**more: Any) -> dict[str, Any]:
    return {
        "id": "sim-1",
        "task_id": "t1",
        "trial": 1,
        "timestamp": "2026-11-30T18:24:00",
        "start_time": "2026-11-30T18:24:00",
        "duration": 5.0,
        "termination_reason": "user_stop",
        "agent_cost": 0.125,
        "user_cost": 9.0,
        "reward_info": {"reward": 1.0},
        "messages": MESSAGES,
        **more,
    }


def results(*simulations: dict[str, Any]) -> dict[str, Any]:
    return {"timestamp": "x", "info": INFO, "tasks": [], "simulations": list(simulations)}


def test_a_simulation(tmp_path: Path) -> None:
    imports = imported(tmp_path, results(simulation()))
    (run,) = imports.runs
    assert run.turns == (
        turn(
            "My phone is dead.",
            "Toggle it.",
            ok("look", {"n": 4}, {"n": 2}, "c1", parallel_group=0),
            bad("see", {"n": 4}, "gone", "c2", parallel_group=0),
        ),
        turn("Done.", "It works."),
    )
    assert (run.case_id, run.trial, run.trace_id) == ("t1", 1, "sim-1")
    assert (run.agent, run.model, run.cost) == ("llm_agent", "m-1", Decimal("0.125"))
    assert (run.tokens_in, run.tokens_out) == (21, 9)
    assert (run.score_given, run.outcome_given) == (1, "passed")
    assert set(run.unknown) == {"planning_steps", "final_state", "started_at"}
    assert imports.dropped == {
        "closing words of the user": 1,
        "greeting before the first question": 1,
        "tool call of the user": 1,
        "tool result for the user": 1,
    }
    assert imports.findings == ()


@pytest.mark.parametrize("reason", ["user_stop", "agent_stop"])
def test_ordinary_ends(tmp_path: Path, reason: str) -> None:
    imports = imported(tmp_path, simulation(termination_reason=reason))
    assert imports.findings == ()
    assert imports.runs[0].infrastructure_errors == ()


@pytest.mark.parametrize(
    "reason", ["max_steps", "timeout", "too_many_errors", "agent_error", "something_new"]
)
def test_ends_that_stay_the_agent_s(tmp_path: Path, reason: str) -> None:
    made = simulation(termination_reason=reason, reward_info={"reward": 0.0})
    imports = imported(tmp_path, made)
    assert codes(imports) == ["IRU008"]
    assert imports.runs[0].infrastructure_errors == ()
    assert imports.runs[0].outcome_given == "failed"


@pytest.mark.parametrize(
    "reason",
    ["infrastructure_error", "unexpected_error", "user_error", "context_window_exceeded"],
)
def test_ends_that_are_not_the_agent_s(tmp_path: Path, reason: str) -> None:
    made = simulation(termination_reason=reason, messages=[], info={"error": "Connection lost"})
    (error,) = one(tmp_path, made).infrastructure_errors
    assert error == f"{reason}: Connection lost"
    made = simulation(termination_reason=reason, messages=None, reward_info=None)
    run = one(tmp_path, made)
    assert run.infrastructure_errors[0].startswith(f"{reason}: the ")
    assert (run.turns, run.score_given, run.outcome_given) == ((), None, None)


@pytest.mark.parametrize("mark", ["###STOP###", "###TRANSFER###", "###OUT-OF-SCOPE###"])
def test_marks_of_the_end_are_nobody_s_words(tmp_path: Path, mark: str) -> None:
    made = simulation(messages=[user("Go"), agent("So."), user(mark)])
    imports = imported(tmp_path, made)
    assert imports.runs[0].turns == (turn("Go", "So."),)
    assert imports.dropped == {"stop mark": 1}


def test_an_agent_may_end_the_conversation_itself(tmp_path: Path) -> None:
    made = simulation(messages=[user("Go"), agent("So. ###STOP###")])
    assert one(tmp_path, made).final_answer == "So."
    made = simulation(messages=[user("Go"), agent("So."), agent("###STOP###")])
    assert one(tmp_path, made).final_answer == "So."


def test_trials_of_several_tasks(tmp_path: Path) -> None:
    made = results(
        simulation(trial=0), simulation(trial=1), simulation(task_id=7, trial=0, reward_info=None)
    )
    runs = imported(tmp_path, made).runs
    assert [(run.case_id, run.trial) for run in runs] == [("7", 0), ("t1", 0), ("t1", 1)]
    assert {run.model for run in runs} == {"m-1"}


def test_a_folder_of_simulations(tmp_path: Path) -> None:
    index = {
        "timestamp": "x",
        "info": INFO,
        "tasks": [],
        "simulation_index": [{"id": "sim-1", "task_id": "t1", "trial": 1}],
    }
    with pytest.raises(InputError, match="only lists 1 simulations") as caught:
        imported(tmp_path, index)
    assert caught.value.hint == "assay runs import simulations/*.json"
    run = one(tmp_path, simulation())
    assert run.case_id == "t1"
    assert "model" in run.unknown


def test_spoken_simulations_are_refused_one_by_one(tmp_path: Path) -> None:
    made = results(simulation(), simulation(task_id="t2", messages=None, ticks=[]))
    imports = imported(tmp_path, made)
    assert imports.read == 1
    (error,) = imports.findings
    assert (error.code, error.pointer) == ("IRU002", "/simulations/1")


def test_junk_is_refused_or_read(tmp_path: Path) -> None:
    endures(tmp_path, results(simulation(info={"error": "x"}, termination_reason="user_error")))
