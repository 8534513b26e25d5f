"""The rules by which events and messages become turns and calls, and what is left out."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from assay.intake.runs import RunImport, read_runs
from tests.intake.support import (
    ANSWER,
    QUESTION,
    RESULT,
    adk_events,
    adk_session,
    answer_of,
    call,
    chat_messages,
    event,
    put,
    tau_result,
)


def session(folder: Path, events: list[dict[str, Any]], **more: Any) -> RunImport:
    return read_runs(put(folder, "s.json", adk_session(events, **more)))


def chat(folder: Path, messages: list[dict[str, Any]]) -> RunImport:
    return read_runs(put(folder, "c.json", {"case_id": "a", "messages": messages}))


def calls(imported: RunImport) -> list[tuple[str, Any, str, Any]]:
    (run,) = imported.runs
    return [(c.name, c.args, c.outcome, c.result) for _, c in run.tool_calls]


WANTED = [("track_parcel", {"parcel_id": "17"}, "ok", RESULT)]

# -- events of the ADK ----------------------------------------------------------------------


def test_partial_events_are_dropped_and_counted(tmp_path: Path) -> None:
    events = adk_events()
    events.insert(3, event("desk", [{"text": "Parcel"}], partial=True))
    events.insert(4, event("desk", [{"text": "Parcel 17"}], partial=True))
    imported = session(tmp_path, events)
    assert imported.dropped == {"partial event": 2}
    assert imported.runs[0].final_answer == ANSWER
    assert calls(imported) == WANTED


def test_repeated_events_are_dropped_and_counted(tmp_path: Path) -> None:
    events = adk_events()
    imported = session(tmp_path, [*events[:3], events[1], events[2], events[3]])
    assert imported.dropped == {"repeated event": 2}
    assert calls(imported) == WANTED


def test_a_merged_event_repeats_calls_and_results(tmp_path: Path) -> None:
    other = call("c2", {"parcel_id": "18"})
    events = adk_events()
    events[1:3] = [
        event("desk", [call()], id="a"),
        event("desk", [call(), other], id="b"),
        event("desk", [answer_of()], id="c"),
        event("desk", [answer_of(), answer_of("c2", {"place": "van"})], id="d"),
    ]
    imported = session(tmp_path, events)
    assert imported.dropped == {"repeated call": 1, "repeated tool result": 1}
    assert calls(imported) == [
        *WANTED,
        ("track_parcel", {"parcel_id": "18"}, "ok", {"place": "van"}),
    ]


def test_the_same_id_after_an_answer_is_another_call(tmp_path: Path) -> None:
    events = adk_events()
    events[3:3] = [event("desk", [call()]), event("desk", [answer_of(response={"again": 1})])]
    imported = session(tmp_path, events)
    assert [result for *_, result in calls(imported)] == [RESULT, {"again": 1}]
    assert imported.dropped == {}


def test_calls_of_one_event_were_issued_together(tmp_path: Path) -> None:
    events = adk_events()
    events[1] = event("desk", [call("a"), call("b", {"parcel_id": "18"})])
    events[2] = event("desk", [answer_of("b"), answer_of("a")])
    events.insert(3, event("desk", [call("c", {"parcel_id": "19"})]))
    (run,) = session(tmp_path, events).runs
    assert [c.parallel_group for _, c in run.tool_calls] == [0, 0, None]
    assert [c.outcome for _, c in run.tool_calls] == ["ok", "ok", "unknown"]


@pytest.mark.parametrize(
    ("response", "outcome", "error"),
    [
        ({"error": "no such parcel"}, "error", "no such parcel"),
        ({"error": {"code": 404}}, "error", '{"code":404}'),
        ({"error": None, "place": "depot"}, "ok", None),
        ({"error": ""}, "ok", None),
        ({"error": False}, "ok", None),
        ({"isError": True, "content": ["gone"]}, "error", '["gone"]'),
        ({"isError": False, "content": []}, "ok", None),
        ({"error": "This tool call is rejected."}, "blocked", "This tool call is rejected."),
        ({"status": "error"}, "ok", None),
        ({}, "ok", None),
    ],
)
def test_outcomes(tmp_path: Path, response: Any, outcome: str, error: str | None) -> None:
    events = adk_events()
    events[2] = event("desk", [answer_of(response=response)])
    (run,) = session(tmp_path, events).runs
    ((_, made),) = run.tool_calls
    assert (made.outcome, made.error, made.result) == (outcome, error, response)


def test_a_late_result_replaces_the_first(tmp_path: Path) -> None:
    events = adk_events()
    events[2] = event("desk", [answer_of(response={"status": "pending"})], id="e3")
    late = event("user", [answer_of()], id="e5", invocation_id="i2")
    said = event("desk", [{"text": "It is here."}], id="e6", invocation_id="i2")
    imported = session(tmp_path, [*events, late, said])
    assert calls(imported) == WANTED
    assert imported.dropped == {"tool result that was replaced": 1}
    assert [turn.user for turn in imported.runs[0].turns] == [QUESTION, None]
    assert imported.runs[0].final_answer == "It is here."


def test_thinking_and_words_on_the_way_are_no_answer(tmp_path: Path) -> None:
    events = adk_events()
    events[1] = event("desk", [{"text": "Let me see."}, call()])
    events[3] = event("desk", [{"text": "Hm.", "thought": True}, {"text": ANSWER}])
    imported = session(tmp_path, events)
    assert imported.runs[0].final_answer == ANSWER
    assert imported.dropped == {"text before the answer": 1, "thinking": 1}


@pytest.mark.parametrize(
    ("parts", "answer"),
    [
        ([], None),
        ([{"text": None}], None),
        ([{"text": ""}], ""),
        ([{"text": "a"}, {"text": "b"}], "ab"),
    ],
)
def test_absent_and_empty_answers_differ(tmp_path: Path, parts: Any, answer: str | None) -> None:
    events = adk_events()
    events[3] = event("desk", parts)
    assert session(tmp_path, events).runs[0].final_answer == answer


def test_turns_follow_invocations(tmp_path: Path) -> None:
    more = [
        event("user", [{"text": "And 18?"}], invocation_id="i2"),
        event("desk", [{"text": "Lost."}], invocation_id="i2"),
    ]
    (run,) = session(tmp_path, adk_events() + more).runs
    assert [(turn.user, turn.answer) for turn in run.turns] == [
        (QUESTION, ANSWER),
        ("And 18?", "Lost."),
    ]


def test_state_tokens_model_and_start(tmp_path: Path) -> None:
    events = adk_events()
    usage = {"prompt_token_count": 10, "candidates_token_count": 3, "thoughts_token_count": 2}
    events[1]["usage_metadata"] = usage
    events[3]["usage_metadata"] = usage
    state = {"tier": "gold", "__llm_request_key__": "x"}
    imported = session(tmp_path, events, state=state)
    (run,) = imported.runs
    assert run.final_state == {"tier": "gold"}
    assert (run.tokens_in, run.tokens_out) == (20, 10)
    assert (run.agent, run.model) == ("desk", "m-1")
    assert run.started_at == "2026-11-30T18:24:14.250000Z"
    assert imported.dropped == {"bookkeeping key of the state": 1}


def test_an_error_of_the_harness_is_told_from_the_agent_s_end(tmp_path: Path) -> None:
    for code, wanted in (("429", 1), ("MAX_TOKENS", 0), ("SAFETY", 0)):
        events = [*adk_events()[:3], event("desk", [], error_code=code, error_message="!")]
        (run,) = session(tmp_path, events).runs
        assert len(run.infrastructure_errors) == wanted


def test_a_failed_inference_is_the_harness_s(tmp_path: Path) -> None:
    value = {"eval_case_id": "a", "inferences": None, "status": 2, "error_message": "no quota"}
    (run,) = read_runs(put(tmp_path, "i.json", value)).runs
    assert run.infrastructure_errors == ("no quota",)
    assert run.turns == ()


def test_a_result_without_invocations(tmp_path: Path) -> None:
    value = {"eval_case_results": [{"eval_id": "a", "eval_metric_result_per_invocation": []}]}
    (run,) = read_runs(put(tmp_path, "r.json", value)).runs
    assert len(run.infrastructure_errors) == 1


def test_a_result_without_its_call(tmp_path: Path) -> None:
    events = adk_events()
    del events[1]
    imported = session(tmp_path, events)
    assert imported.dropped == {"tool result without its call": 1}
    assert [item.code for item in imported.findings if item.severity == "warning"] == ["IRU004"]


def test_several_models_are_named(tmp_path: Path) -> None:
    events = adk_events()
    events[3]["model_version"] = "m-2"
    imported = session(tmp_path, events)
    assert imported.runs[0].model == "m-1"
    assert "IRU007" in [item.code for item in imported.findings]


def test_a_rewound_session_is_named(tmp_path: Path) -> None:
    events = [*adk_events(), event("user", [], actions={"rewind_before_invocation_id": "i1"})]
    assert "IRU009" in [item.code for item in session(tmp_path, events).findings]


# -- chat messages -----------------------------------------------------------------------------


def tool_message(call_id: str, content: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def asks(*ids: str, arguments: str = "{}", name: str = "t") -> dict[str, Any]:
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": i, "type": "function", "function": {"name": name, "arguments": arguments}}
            for i in ids
        ],
    }


def test_ids_repeat_within_a_conversation(tmp_path: Path) -> None:
    messages = [
        {"role": "user", "content": "?"},
        asks("c1", arguments='{"n": 1}'),
        tool_message("c1", '{"v": 1}'),
        asks("c1", arguments='{"n": 2}'),
        tool_message("c1", '{"v": 2}'),
        {"role": "assistant", "content": "!"},
    ]
    imported = chat(tmp_path, messages)
    assert [(args, result) for _, args, _, result in calls(imported)] == [
        ({"n": 1}, {"v": 1}),
        ({"n": 2}, {"v": 2}),
    ]


def test_parallel_calls_are_answered_in_any_order(tmp_path: Path) -> None:
    messages = [
        {"role": "user", "content": "?"},
        asks("a", "b"),
        tool_message("b", "2"),
        tool_message("a", "1"),
    ]
    (run,) = chat(tmp_path, messages).runs
    assert [(c.id, c.result, c.parallel_group) for _, c in run.tool_calls] == [
        ("a", "1", 0), ("b", "2", 0)
    ]  # fmt: skip
    assert run.final_answer is None


@pytest.mark.parametrize(
    ("arguments", "args", "bad"),
    [
        ("", {}, False),
        ("{}", {}, False),
        ("null", {}, False),
        ('{"a": 0.10}', {"a": Decimal("0.10")}, False),
        ('{"a": 1', {}, True),
        ("[1]", {}, True),
        ('{"a": 1, "a": 2}', {}, True),
        ('{"a": NaN}', {}, True),
        ("plain words", {}, True),
    ],
)
def test_arguments(tmp_path: Path, arguments: str, args: Any, bad: bool) -> None:
    messages = [{"role": "user", "content": "?"}, asks("a", arguments=arguments)]
    imported = chat(tmp_path, messages)
    ((_, made),) = imported.runs[0].tool_calls
    assert made.args == args
    assert made.outcome == ("error" if bad else "unknown")
    assert (made.error is not None) == bad
    assert ("IRU003" in [item.code for item in imported.findings]) == bad


@pytest.mark.parametrize(
    ("content", "result"),
    [
        ('{"a": 1}', {"a": 1}),
        ("[1, 2]", [1, 2]),
        ("255.0", "255.0"),
        ("", ""),
        ("{broken", "{broken"),
        ("Error: no such user", "Error: no such user"),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "ab"),
    ],
)
def test_results(tmp_path: Path, content: Any, result: Any) -> None:
    messages = [{"role": "user", "content": "?"}, asks("a"), tool_message("a", content)]
    ((_, _, outcome, made),) = calls(chat(tmp_path, messages))
    assert (outcome, made) == ("ok", result)


def test_the_older_form_of_calls(tmp_path: Path) -> None:
    messages = [
        {"role": "user", "content": "?"},
        {"role": "assistant", "function_call": {"name": "t", "arguments": '{"a": 1}'}},
        {"role": "function", "name": "t", "content": "done"},
        {"role": "assistant", "content": "!"},
    ]
    assert calls(chat(tmp_path, messages)) == [("t", {"a": 1}, "ok", "done")]


def test_what_is_said_before_the_end_is_no_answer(tmp_path: Path) -> None:
    messages = [
        {"role": "user", "content": "?"},
        {"role": "user", "content": "Hello?"},
        {"role": "assistant", "content": "One moment."},
        {**asks("a"), "content": "I look it up."},
        tool_message("a", "x"),
        {"role": "assistant", "content": "Here."},
        {"role": "user", "content": "Thanks."},
        {"role": "assistant", "content": None, "refusal": "I must stop."},
    ]
    imported = chat(tmp_path, messages)
    (run,) = imported.runs
    assert [(turn.user, turn.answer) for turn in run.turns] == [
        ("?\nHello?", "Here."),
        ("Thanks.", "I must stop."),
    ]
    assert imported.dropped == {"text before the answer": 2}


def test_an_assistant_may_begin(tmp_path: Path) -> None:
    messages = [{"role": "assistant", "content": "Hello."}, *chat_messages()[1:]]
    (run,) = chat(tmp_path, messages).runs
    assert [(turn.user, turn.answer) for turn in run.turns] == [
        (None, "Hello."),
        (QUESTION, ANSWER),
    ]


def test_a_foreign_role_is_one_wrong_run(tmp_path: Path) -> None:
    imported = chat(tmp_path, [{"role": "wizard", "content": "?"}])
    assert [item.code for item in imported.findings] == ["IRU002"]
    assert "wizard" in imported.findings[0].message


def test_what_stands_beside_the_messages(tmp_path: Path) -> None:
    value = {
        "custom_id": "a-1",
        "model": "m-1",
        "agent": "desk",
        "usage": {"prompt_tokens": 7, "completion_tokens": 2},
        "messages": chat_messages(),
    }
    (run,) = read_runs(put(tmp_path, "c.json", value)).runs
    assert (run.case_id, run.model, run.agent) == ("a-1", "m-1", "desk")
    assert (run.tokens_in, run.tokens_out) == (7, 2)
    assert not {"model", "agent", "tokens"} & set(run.unknown)


# -- tau-bench ------------------------------------------------------------------------------


def tau(folder: Path, *results: dict[str, Any]) -> RunImport:
    return read_runs(put(folder, "t.json", list(results)))


def test_errors_as_tau_bench_writes_them(tmp_path: Path) -> None:
    result = tau_result()
    result["traj"][3]["content"] = "Error: user not found"
    ((_, made),) = tau(tmp_path, result).runs[0].tool_calls
    assert (made.outcome, made.error) == ("error", "Error: user not found")
    assert made.result == "Error: user not found"


@pytest.mark.parametrize(
    ("last", "dropped"),
    [("###STOP###", "stop mark"), ("Thanks! ###STOP###", "closing words of the user")],
)
def test_the_mark_ends_the_conversation(tmp_path: Path, last: str, dropped: str) -> None:
    result = tau_result(traj=[*chat_messages(), {"role": "user", "content": last}])
    imported = tau(tmp_path, result)
    assert len(imported.runs[0].turns) == 1
    assert imported.dropped == {dropped: 1, "system message": 1}


def test_a_conversation_may_end_on_a_tool(tmp_path: Path) -> None:
    (run,) = tau(tmp_path, tau_result(traj=chat_messages()[:4])).runs
    assert len(run.turns) == 1
    assert run.final_answer is None
    assert [c.outcome for _, c in run.tool_calls] == ["ok"]


def test_reward_and_verdict(tmp_path: Path) -> None:
    imported = tau(
        tmp_path,
        tau_result(),
        tau_result(trial=1, reward=0.5),
        tau_result(trial=2, reward=None),
    )
    assert [(run.score_given, run.outcome_given) for run in imported.runs] == [
        (1, "passed"), (Decimal("0.5"), "failed"), (None, None)
    ]  # fmt: skip


def test_a_crash_of_the_benchmark_is_the_harness_s(tmp_path: Path) -> None:
    result = tau_result(info={"error": "timeout", "traceback": "…"}, traj=[], reward=0.0)
    (run,) = tau(tmp_path, result).runs
    assert run.infrastructure_errors == ("timeout",)


def test_a_run_that_was_cut_off_is_named(tmp_path: Path) -> None:
    result = tau_result(traj=chat_messages())
    del result["info"]["reward_info"]
    imported = tau(tmp_path, result)
    assert [item.code for item in imported.findings] == ["IRU008"]


# -- tables --------------------------------------------------------------------------------


def test_tables(tmp_path: Path) -> None:
    text = (
        "case_id,trial,passed,score,colour\n012,0,true,0.50,red\n1.10,0,FAIL,,\nb,2,1,1,\nb,3,,,\n"
    )
    imported = read_runs(put(tmp_path, "v.csv", text))
    assert [
        (run.case_id, run.trial, run.outcome_given, run.score_given) for run in imported.runs
    ] == [
        ("012", 0, "passed", Decimal("0.50")),
        ("1.10", 0, "failed", None),
        ("b", 2, "passed", 1),
        ("b", 3, None, None),
    ]
    assert imported.dropped == {"column `colour`": 4}
    assert {"tool_calls", "final_answer", "user"} <= set(imported.unknown)
    assert sorted(item.code for item in imported.findings) == ["IRU011", "IRU013"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("a,0,maybe,", "`passed` is 'maybe'"),
        ("a,x,true,", "`trial` is 'x'"),
        ("a,1.5,true,", "whole number"),
        ("a,-1,true,", "whole number"),
        ("a,0,true,NaN", "`score` is 'NaN'"),
        ("a,0,true,high", "no number"),
        (",0,true,", "`case_id` is empty"),
    ],
)
def test_a_wrong_row_costs_one_row(tmp_path: Path, row: str, message: str) -> None:
    text = f"case_id,trial,passed,score\ngood,0,true,1\n{row}\n"
    imported = read_runs(put(tmp_path, "v.csv", text))
    assert [run.case_id for run in imported.runs] == ["good"]
    (error,) = [item for item in imported.findings if item.severity == "error"]
    assert message in error.message
    assert error.line == 3


def test_verdicts_as_json_lines(tmp_path: Path) -> None:
    lines = [{"case_id": "a", "passed": True, "score": 1}, {"case_id": "b", "passed": False}]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    imported = read_runs(put(tmp_path, "v.jsonl", text))
    assert imported.format == "table"
    assert [run.outcome_given for run in imported.runs] == ["passed", "failed"]
