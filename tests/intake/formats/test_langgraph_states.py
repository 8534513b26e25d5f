"""LangGraph: one conversation for every thread, and how a thread ended."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.intake.formats.support import endures, imported, one
from tests.intake.formats.test_langchain_messages import MESSAGES


def state(thread: str, messages: list[Any], **more: Any) -> dict[str, Any]:
    config = {"configurable": {"thread_id": thread, "checkpoint_id": "k"}}
    return {"values": {"messages": messages}, "config": config, "next": [], **more}


def test_of_the_states_of_a_thread_the_fullest_counts(tmp_path: Path) -> None:
    history = [
        state("t1", MESSAGES, metadata={"case_id": "a"}),
        state("t1", MESSAGES[:3]),
        state("t2", MESSAGES[:6], metadata={"case_id": "b"}),
        state("t1", MESSAGES[:2]),
    ]
    imports = imported(tmp_path, history)
    assert [(run.case_id, run.trace_id, len(run.turns)) for run in imports.runs] == [
        ("a", "t1", 2),
        ("b", "t2", 1),
    ]
    assert imports.dropped["earlier state of a thread"] == 2


def test_a_thread_that_ended_in_an_error(tmp_path: Path) -> None:
    thread = {"thread_id": "t1", "status": "error", "values": {"messages": MESSAGES}}
    run = one(tmp_path, thread)
    assert (run.trace_id, run.infrastructure_errors) == ("t1", ("The thread ended in an error.",))
    tasks = [{"id": "1", "name": "agent", "error": "TimeoutError()"}, {"id": "2", "error": None}]
    run = one(tmp_path, state("t1", MESSAGES, tasks=tasks))
    assert run.infrastructure_errors == ("TimeoutError()",)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("GraphRecursionError('Recursion limit of 25 reached without a stop.')", "IRU034"),
        ("BadRequestError: Error code: 400 - context_length_exceeded", "IRU008"),
    ],
)
def test_an_end_of_the_agents_own(tmp_path: Path, words: str, code: str) -> None:
    imports = imported(tmp_path, state("t1", MESSAGES, tasks=[{"id": "1", "error": words}]))
    (run,) = imports.runs
    assert run.infrastructure_errors == ()
    assert [item.code for item in imports.findings] == ["IRU005", code]


def test_states_without_a_thread_are_conversations_of_their_own(tmp_path: Path) -> None:
    made = {"values": {"messages": MESSAGES}, "metadata": {"case_id": "a"}}
    imports = imported(tmp_path, [made, made], "s.jsonl")
    assert imports.format == "langgraph-states"
    assert [(run.case_id, run.trial) for run in imports.runs] == [("a", 0), ("a", 1)]


def test_junk_is_refused_or_read(tmp_path: Path) -> None:
    endures(tmp_path, state("t1", MESSAGES[1:4], tasks=[{"error": "x"}], status="error"))
