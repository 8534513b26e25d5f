"""OpenTelemetry GenAI spans: every spelling, and the rules that make runs of them."""

from __future__ import annotations

import base64
import json
import random
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from assay.errors import InputError
from assay.files.reading import parse_json
from assay.intake.document import Document
from assay.intake.node import Node, Source
from assay.intake.runs import RunImport, read_runs
from assay.intake.runs.formats.spans import otel_genai
from assay.models.run import ObservedRun
from tests.intake.formats.otlp import (
    START,
    TRACE,
    agent,
    asks,
    chat,
    gives,
    otlp,
    pairs,
    span,
    text,
    tool,
)
from tests.intake.support import put

ARGS = {"parcel": "17"}
PLACE = {"place": "depot", "km": 4.5}
NAMES = {"eval.case_id": "parcel-17"}
QUESTION = text("user", "Where is parcel 17?")
ANSWER = text("assistant", "At the depot.")
CALL = asks(("c1", "track", ARGS))


def load(folder: Path, content: Any, name: str = "x.json") -> RunImport:
    return read_runs(put(folder, name, content))


def one(folder: Path, *spans: Any) -> ObservedRun:
    (run,) = load(folder, otlp(*spans)).runs
    return run


def whole(path: Path) -> Document:
    value = parse_json(path.read_text("utf-8"), name=path.name)
    source = Source(path.name)
    return Document(source, "json", (Node(value, source),))


def calls(run: ObservedRun) -> list[Any]:
    return [
        (c.name, c.id, c.args, c.outcome, c.result, c.parallel_group) for _, c in run.tool_calls
    ]


def talk(run: ObservedRun) -> list[Any]:
    return [(turn.user, turn.answer, [call.name for call in turn.tool_calls]) for turn in run.turns]


WHOLE = (
    agent(attributes=NAMES),
    chat(2, [QUESTION], [CALL], at=1),
    tool(3, "track", ARGS, PLACE, at=10, lasts=12, attributes={"gen_ai.tool.call.id": "c1"}),
    chat(4, [QUESTION, CALL, gives("c1", PLACE)], [ANSWER], at=30),
)
EXACT = {"place": "depot", "km": Decimal("4.5")}


def test_a_whole_run(tmp_path: Path) -> None:
    imported = load(tmp_path, otlp(*WHOLE, resource={"service.name": "s"}))
    (run,) = imported.runs
    assert (run.case_id, run.trace_id, run.agent, run.model) == ("parcel-17", TRACE, "desk", "m-1")
    assert run.started_at == "2026-11-30T18:24:14Z"
    assert talk(run) == [("Where is parcel 17?", "At the depot.", ["track"])]
    assert calls(run) == [("track", "c1", ARGS, "ok", EXACT, None)]
    ((_, call),) = run.tool_calls
    assert (call.started_at, call.duration_ms) == ("2026-11-30T18:24:14.010000Z", 12)
    assert run.unknown == ("planning_steps", "final_state", "tokens", "cost")
    assert imported.dropped == {}
    assert imported.findings == ()


@pytest.mark.parametrize("seed", range(5))
def test_the_order_in_the_file_means_nothing(tmp_path: Path, seed: int) -> None:
    spans = list(WHOLE)
    random.Random(seed).shuffle(spans)
    assert one(tmp_path, *spans) == one(tmp_path, *WHOLE)
    lines = "".join(json.dumps(otlp(item)) + "\n" for item in spans)
    (run,) = load(tmp_path, lines, "x.jsonl").runs
    assert run == one(tmp_path, *WHOLE)


# -- wrappings ----------------------------------------------------------------


def sdk(made: dict[str, Any]) -> dict[str, Any]:
    """The span as the SDK for Python writes it."""
    parent = made["parentSpanId"]
    plain = {item["key"]: next(iter(item["value"].values())) for item in made["attributes"]}
    return {
        "name": made["name"],
        "context": {"trace_id": f"0x{made['traceId']}", "span_id": f"0x{made['spanId']}"},
        "kind": "SpanKind.INTERNAL",
        "parent_id": f"0x{parent}" if parent else None,
        "start_time": _iso(made["startTimeUnixNano"]),
        "end_time": _iso(made["endTimeUnixNano"]),
        "status": {"status_code": "UNSET"},
        "attributes": plain,
        "events": [],
        "resource": {"attributes": {"service.name": "s"}},
    }


def _iso(nanos: str) -> str:
    rest = int(nanos) - START
    return f"2026-11-30T18:24:14.{rest // 1000:06d}Z"


def test_the_sdk_s_own_form(tmp_path: Path) -> None:
    spans = [sdk(item) for item in WHOLE]
    (run,) = load(tmp_path, spans).runs
    assert run == one(tmp_path, *WHOLE).model_copy(update={"trace_id": f"0x{TRACE}"})
    lines = "".join(json.dumps(item) + "\n" for item in reversed(spans))
    assert load(tmp_path, lines, "x.jsonl").runs == (run,)


def test_base64_ids_become_hex(tmp_path: Path) -> None:
    def coded(text: str) -> str:
        return base64.b64encode(bytes.fromhex(text)).decode()

    spans = [
        {**s, **{k: coded(s[k]) for k in ("traceId", "spanId", "parentSpanId")}} for s in WHOLE
    ]
    assert one(tmp_path, *spans) == one(tmp_path, *WHOLE)


def test_enums_and_numbers_in_every_form(tmp_path: Path) -> None:
    usage = {"gen_ai.usage.input_tokens": 12, "gen_ai.usage.output_tokens": 3}
    for code in (2, "STATUS_CODE_ERROR"):
        failed = tool(3, "track", ARGS, at=10, status={"code": code, "message": "gone"})
        model = chat(4, [QUESTION], [ANSWER], at=30, attributes=usage)
        model["startTimeUnixNano"] = int(model["startTimeUnixNano"])
        model["attributes"][-1]["value"] = {"intValue": 3}
        run = one(tmp_path, agent(), failed, model)
        assert [(c.outcome, c.error, c.result) for _, c in run.tool_calls] == [
            ("error", "gone", None)
        ]
        assert (run.tokens_in, run.tokens_out) == (12, 3)


def test_structured_attributes(tmp_path: Path) -> None:
    given = {
        "gen_ai.tool.call.arguments": {"parcel": "17", "deep": True, "tags": ["a", 1]},
        "gen_ai.tool.call.result": {"km": 4.5},
        "gen_ai.tool.call.id": "c1",
    }
    run = one(tmp_path, agent(), tool(3, "track", attributes=given))
    assert calls(run) == [
        (
            "track",
            "c1",
            {"parcel": "17", "deep": True, "tags": ["a", 1]},
            "ok",
            {"km": Decimal("4.5")},
            None,
        )
    ]


# -- spellings of messages ----------------------------------------------------------------

OPENAI_CALL = {
    "id": "c1",
    "type": "function",
    "function": {"name": "track", "arguments": '{"parcel": "17"}'},
}


def models(first: dict[str, Any], second: dict[str, Any]) -> list[Any]:
    """A run known from two calls of a model alone."""
    return [
        agent(),
        chat(2, at=1, attributes=first.pop("attributes", {}), **first),
        chat(4, at=30, attributes=second.pop("attributes", {}), **second),
    ]


def flattened() -> list[Any]:
    prompt = {"gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "Where is parcel 17?"}
    more = {
        "gen_ai.prompt.1.role": "assistant",
        "gen_ai.prompt.1.tool_calls.0.id": "c1",
        "gen_ai.prompt.1.tool_calls.0.name": "track",
        "gen_ai.prompt.1.tool_calls.0.arguments": json.dumps(ARGS),
        "gen_ai.prompt.2.role": "tool",
        "gen_ai.prompt.2.tool_call_id": "c1",
        "gen_ai.prompt.2.content": json.dumps(PLACE),
    }
    asked = {
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.finish_reason": "tool_calls",
        "gen_ai.completion.0.tool_calls.0.id": "c1",
        "gen_ai.completion.0.tool_calls.0.name": "track",
        "gen_ai.completion.0.tool_calls.0.arguments": json.dumps(ARGS),
    }
    said = {
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.content": "At the depot.",
    }
    return models({"attributes": prompt | asked}, {"attributes": prompt | more | said})


def event(name: str, **fields: Any) -> dict[str, Any]:
    plain = {k: v if isinstance(v, str) else json.dumps(v) for k, v in fields.items()}
    return {"name": name, "timeUnixNano": str(START), "attributes": pairs(plain)}


def message_events() -> list[Any]:
    user = event("gen_ai.user.message", content="Where is parcel 17?")
    asked = {"role": "assistant", "tool_calls": [OPENAI_CALL]}
    first = {"events": [user, event("gen_ai.choice", index="0", message=asked)]}
    second = {
        "events": [
            event("gen_ai.system.message", content="Be kind."),
            user,
            event("gen_ai.assistant.message", tool_calls=[OPENAI_CALL]),
            event("gen_ai.tool.message", id="c1", content=json.dumps(PLACE)),
            event("gen_ai.choice", message={"role": "assistant", "content": "At the depot."}),
        ]
    }
    return models(first, second)


def details_event() -> list[Any]:
    name = "gen_ai.client.inference.operation.details"
    first = [[QUESTION], [CALL]]
    second = [[QUESTION, CALL, gives("c1", PLACE)], [ANSWER]]
    made = []
    for given, said in (first, second):
        fields = {"gen_ai.input.messages": given, "gen_ai.output.messages": said}
        made.append({"events": [event(name, **fields)]})
    return models(*made)


def content_events() -> list[Any]:
    user = {"role": "user", "content": "Where is parcel 17?"}
    asked = {"role": "assistant", "tool_calls": [OPENAI_CALL]}
    result = {"role": "tool", "tool_call_id": "c1", "content": json.dumps(PLACE)}
    said = {"role": "assistant", "content": "At the depot."}
    pairs_ = ([user], [asked]), ([user, asked, result], [said])
    return models(
        *(
            {
                "events": [
                    event("gen_ai.content.prompt", **{"gen_ai.prompt": given}),
                    event("gen_ai.content.completion", **{"gen_ai.completion": out}),
                ]
            }
            for given, out in pairs_
        )
    )


def adk_attributes() -> list[Any]:
    user = {"role": "user", "parts": [{"text": "Where is parcel 17?"}]}
    asked = {
        "role": "model",
        "parts": [{"function_call": {"id": "c1", "name": "track", "args": ARGS}}],
    }
    result = {
        "role": "user",
        "parts": [{"function_response": {"id": "c1", "name": "track", "response": PLACE}}],
    }
    said = {"role": "model", "parts": [{"text": "Hm.", "thought": True}, {"text": "At the depot."}]}
    made = []
    for given, out in (([user], asked), ([user, asked, result], said)):
        attributes = {
            "gcp.vertex.agent.llm_request": json.dumps({"model": "m-1", "contents": given}),
            "gcp.vertex.agent.llm_response": json.dumps({"content": out}),
            "gcp.vertex.agent.invocation_id": "i1",
        }
        made.append({"attributes": attributes})
    return models(*made)


SPELLINGS = {
    "parts": lambda: models(
        {"given": [QUESTION], "said": [CALL]},
        {"given": [QUESTION, CALL, gives("c1", PLACE)], "said": [ANSWER]},
    ),
    "flattened": flattened,
    "message-events": message_events,
    "details-event": details_event,
    "content-events": content_events,
    "adk": adk_attributes,
}


@pytest.mark.parametrize("spelling", sorted(SPELLINGS))
def test_messages_in_every_spelling(tmp_path: Path, spelling: str) -> None:
    run = one(tmp_path, *SPELLINGS[spelling]())
    assert talk(run) == [("Where is parcel 17?", "At the depot.", ["track"])]
    assert calls(run) == [("track", "c1", ARGS, "ok", EXACT, None)]
    assert run.unknown == ("planning_steps", "final_state", "tokens", "cost")


def test_log_records_beside_spans(tmp_path: Path) -> None:
    records = []
    for number, item in enumerate(message_events()[1:]):
        for made in item.pop("events"):
            body = {p["key"]: next(iter(p["value"].values())) for p in made["attributes"]}
            if "message" in body:
                body["message"] = json.loads(body["message"])
            if "tool_calls" in body:
                body["tool_calls"] = json.loads(body["tool_calls"])
            records.append(
                {
                    "traceId": TRACE,
                    "spanId": f"{2 if number == 0 else 4:016x}",
                    "timeUnixNano": made["timeUnixNano"],
                    "eventName": made["name"],
                    "body": {
                        "kvlistValue": {
                            "values": [{"key": k, "value": _any(v)} for k, v in body.items()]
                        }
                    },
                }
            )
    spans = message_events()
    for item in spans:
        item.pop("events", None)
    logs = {"resourceLogs": [{"scopeLogs": [{"logRecords": records}]}]}
    lines = f"{json.dumps(logs)}\n{json.dumps(otlp(*spans))}\n"
    (run,) = load(tmp_path, lines, "x.jsonl").runs
    assert talk(run) == [("Where is parcel 17?", "At the depot.", ["track"])]
    assert calls(run) == [("track", "c1", ARGS, "ok", EXACT, None)]


def _any(given: Any) -> dict[str, Any]:
    from tests.intake.formats.otlp import value

    return value(given)


def test_tools_of_the_adk_and_of_mcp(tmp_path: Path) -> None:
    adk = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "track",
        "gcp.vertex.agent.tool_call_args": json.dumps(ARGS),
        "gcp.vertex.agent.tool_response": json.dumps(PLACE),
    }
    hidden = adk | {
        "gcp.vertex.agent.tool_call_args": "{}",
        "gcp.vertex.agent.tool_response": "{}",
        "gen_ai.tool.call.id": "<not specified>",
    }
    mcp = {"mcp.method.name": "tools/call", "gen_ai.tool.name": "track"}
    listing = {"mcp.method.name": "tools/list"}
    merged = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "(merged tools)"}
    imported = load(
        tmp_path,
        otlp(
            agent(),
            span(2, adk, at=1),
            span(3, hidden, at=10),
            span(4, mcp, at=20),
            span(5, listing, at=30),
            span(6, merged, at=40),
        ),
    )
    (run,) = imported.runs
    assert calls(run) == [
        ("track", None, ARGS, "ok", EXACT, None),
        ("track", None, {}, "ok", None, None),
        ("track", None, {}, "ok", None, None),
    ]
    assert {"call_arguments", "call_results", "parallel_groups"} <= set(run.unknown)
    assert imported.dropped == {"span of another instrumentation": 1, "span of merged tools": 1}


# -- one call, seen twice -------------------------------------------------------------------


def test_ids_that_differ_are_paired_by_name_and_order(tmp_path: Path) -> None:
    asked = asks(("x", "track", {"n": 1}), ("y", "track", {"n": 2}))
    run = one(
        tmp_path,
        agent(),
        chat(2, [QUESTION], [asked], at=1),
        tool(3, "track", {"n": 2}, "two", at=10, attributes={"gen_ai.tool.call.id": "b"}),
        tool(4, "track", {"n": 1}, "one", at=20, attributes={"gen_ai.tool.call.id": "a"}),
    )
    assert calls(run) == [
        ("track", "a", {"n": 1}, "ok", "one", 0),
        ("track", "b", {"n": 2}, "ok", "two", 0),
    ]


def test_a_tool_that_ran_twice_is_two_calls(tmp_path: Path) -> None:
    again = {"gen_ai.tool.call.id": "c1"}
    run = one(
        tmp_path,
        agent(),
        chat(2, [QUESTION], [CALL], at=1),
        tool(3, "track", ARGS, "gone", at=10, attributes=again | {"error.type": "Timeout"}),
        tool(4, "track", ARGS, PLACE, at=20, attributes=again),
        chat(5, [QUESTION, CALL, gives("c1", PLACE)], [ANSWER], at=30),
    )
    assert [(c.outcome, c.error) for _, c in run.tool_calls] == [("error", "Timeout"), ("ok", None)]


def test_spans_that_overlap_were_issued_together(tmp_path: Path) -> None:
    run = one(
        tmp_path,
        agent(),
        tool(2, "a", {}, "1", at=1, lasts=10),
        tool(3, "b", {}, "2", at=5, lasts=10),
        tool(4, "c", {}, "3", at=50),
    )
    assert [c.parallel_group for _, c in run.tool_calls] == [0, 0, None]
    assert "parallel_groups" in run.unknown
    run = one(tmp_path, agent(), *(tool(n, "a", {}, "1", at=n, lasts=10) for n in (2, 3)))
    assert "parallel_groups" not in run.unknown


def test_a_call_that_was_asked_for_and_not_run(tmp_path: Path) -> None:
    run = one(tmp_path, agent(), chat(2, [QUESTION], [CALL], at=1))
    assert calls(run) == [("track", "c1", ARGS, "unknown", None, None)]
    assert talk(run) == [("Where is parcel 17?", None, ["track"])]
    assert "answer" not in run.unknown


def test_a_span_within_its_own_span(tmp_path: Path) -> None:
    inner = {"mcp.method.name": "tools/call", "gen_ai.tool.name": "track", "error.type": "E"}
    imported = load(
        tmp_path,
        otlp(
            agent(),
            chat(2, [QUESTION], None, at=1, lasts=20),
            chat(3, None, [CALL], parent=2, at=2),
            tool(4, "track", ARGS, "no", at=30, lasts=10),
            span(5, inner, parent=4, at=31),
        ),
    )
    (run,) = imported.runs
    assert calls(run) == [("track", "c1", ARGS, "error", "no", None)]
    assert imported.dropped == {
        "model span within its own span": 1,
        "tool span within its own span": 1,
    }


def test_exceptions(tmp_path: Path) -> None:
    raised = {
        "name": "exception",
        "attributes": pairs({"exception.type": "KeyError", "exception.message": "17"}),
    }
    failed = tool(3, "track", ARGS, at=10, status={"code": 2}, events=[raised])
    run = one(tmp_path, agent(), failed)
    assert [c.error for _, c in run.tool_calls] == ["KeyError: 17"]


def test_a_model_that_failed_is_the_harness_s_failure_unless_another_call_worked(
    tmp_path: Path,
) -> None:
    broken = chat(2, [QUESTION], at=1, status={"code": 2, "message": "429"})
    assert one(tmp_path, agent(), broken).infrastructure_errors == ("429",)
    worked = chat(3, [QUESTION], [ANSWER], at=10)
    run = one(tmp_path, agent(), broken, worked)
    assert run.infrastructure_errors == ()
    assert run.final_answer == "At the depot."


def test_arguments_that_cannot_be_read(tmp_path: Path) -> None:
    given = {"gen_ai.tool.call.arguments": "{parcel", "gen_ai.tool.call.result": "?"}
    run = one(tmp_path, agent(), tool(2, "track", attributes=given))
    ((_, call),) = run.tool_calls
    assert (call.args, call.outcome) == ({}, "error")
    assert call.error is not None
    assert call.error.startswith("The arguments cannot be read")


# -- turns ----------------------------------------------------------------

MORE = text("user", "And parcel 18?")
LAST = text("assistant", "On its way.")
OTHER = "1af7651916cd43dd8448eb211c80319c"


def test_a_conversation_over_two_traces(tmp_path: Path) -> None:
    named = NAMES | {"gen_ai.conversation.id": "k"}
    second = [
        agent(11, attributes=named, trace=OTHER, at=1000),
        chat(12, [QUESTION, ANSWER, MORE], [LAST], parent=11, trace=OTHER, at=1001),
    ]
    first = [agent(attributes=named), chat(2, [QUESTION], [ANSWER], at=1)]
    imported = load(tmp_path, otlp(*second, *first))
    (run,) = imported.runs
    assert talk(run) == [
        ("Where is parcel 17?", "At the depot.", []),
        ("And parcel 18?", "On its way.", []),
    ]
    assert run.final_answer == "On its way."
    assert run.trace_id == TRACE
    assert imported.findings == ()


def test_traces_of_another_trial_are_another_run(tmp_path: Path) -> None:
    named = NAMES | {"gen_ai.conversation.id": "k"}
    spans = [
        agent(attributes=named | {"trial": 0}),
        agent(11, attributes=named | {"trial": 1}, trace=OTHER, at=1000),
    ]
    runs = load(tmp_path, otlp(*spans)).runs
    assert [(run.case_id, run.trial) for run in runs] == [("parcel-17", 0), ("parcel-17", 1)]


def test_turns_of_bare_models(tmp_path: Path) -> None:
    """No agent's span: the messages of the user tell the turns."""
    spans = [
        chat(2, [QUESTION], [CALL], parent=None, at=1),
        chat(3, [QUESTION, CALL, gives("c1", PLACE)], [ANSWER], parent=None, at=10),
        chat(
            4,
            [QUESTION, CALL, gives("c1", PLACE), ANSWER, MORE],
            [LAST],
            parent=None,
            at=20,
        ),
    ]
    run = one(tmp_path, *spans)
    assert talk(run) == [
        ("Where is parcel 17?", "At the depot.", ["track"]),
        ("And parcel 18?", "On its way.", []),
    ]


def test_an_agent_as_a_tool_and_an_agent_that_takes_over(tmp_path: Path) -> None:
    helper = text("assistant", "Depot, it says.")
    inner = [
        agent(5, parent=4, at=11, attributes={"gen_ai.agent.name": "helper"}),
        chat(6, [text("user", "find 17")], [helper], parent=5, at=12),
    ]
    ran = tool(4, "helper", {"q": "find 17"}, "Depot, it says.", at=10, lasts=50)
    asked = asks(("c1", "helper", {"q": "find 17"}))
    last = chat(7, [QUESTION, asked, gives("c1", "Depot, it says.")], [ANSWER], at=70)
    run = one(tmp_path, agent(), chat(2, [QUESTION], [asked], at=1), ran, *inner, last)
    assert talk(run) == [("Where is parcel 17?", "At the depot.", ["helper"])]
    assert run.agent == "desk"
    run = one(tmp_path, agent(), chat(2, [QUESTION], [asked], at=1), ran, *inner)
    assert talk(run) == [("Where is parcel 17?", "Depot, it says.", ["helper"])]


def test_a_run_that_began_before_the_file(tmp_path: Path) -> None:
    imported = load(tmp_path, otlp(agent(), chat(2, [QUESTION, ANSWER, MORE], [LAST])))
    (run,) = imported.runs
    assert talk(run) == [("And parcel 18?", "On its way.", [])]
    assert imported.dropped == {"message of an earlier turn": 2}
    assert [item.code for item in imported.findings if item.code != "IRU005"] == ["IRU022"]


def test_calls_that_only_the_messages_tell(tmp_path: Path) -> None:
    """One span at the end that carries the whole turn."""
    run = one(tmp_path, chat(2, [QUESTION, CALL, gives("c1", PLACE)], [ANSWER], parent=None))
    assert calls(run) == [("track", "c1", ARGS, "ok", EXACT, None)]


# -- damage ----------------------------------------------------------------


def test_spans_sent_twice_cut_traces_and_other_instrumentations(tmp_path: Path) -> None:
    started = {**WHOLE[2], "endTimeUnixNano": "0", "attributes": WHOLE[2]["attributes"][:2]}
    foreign = span(9, {"http.request.method": "POST"}, parent=3, at=11)
    orphan = tool(10, "late", {}, "1", parent=99, at=60)
    imported = load(tmp_path, otlp(started, *WHOLE, WHOLE[1], foreign, orphan))
    (run,) = imported.runs
    assert calls(run)[0] == ("track", "c1", ARGS, "ok", EXACT, None)
    assert imported.dropped == {"repeated span": 2, "span of another instrumentation": 1}
    assert [item.code for item in imported.findings] == ["IRU021"]
    assert talk(run) == [("Where is parcel 17?", "At the depot.", ["track", "late"])]


def test_a_circle_of_parents(tmp_path: Path) -> None:
    run = one(tmp_path, agent(1, parent=2), tool(2, "a", {}, "1", parent=1))
    assert [call.name for _, call in run.tool_calls] == ["a"]


def test_a_deep_trace_is_read_in_time(tmp_path: Path) -> None:
    spans = [agent()]
    spans += [span(n, {"x": 1}, parent=n - 1, at=n) for n in range(2, 5000)]
    spans += [tool(5000, "a", {}, "1", parent=4999, at=5000)]
    assert len(one(tmp_path, *spans).tool_calls) == 1


def test_a_wrong_span_among_right_ones(tmp_path: Path) -> None:
    wrong = {**WHOLE[2], "spanId": 7}
    imported = load(tmp_path, otlp(WHOLE[0], wrong, *WHOLE[1:]))
    (run,) = imported.runs
    assert len(run.tool_calls) == 1
    assert imported.dropped == {"span that cannot be read": 1}
    (found,) = imported.findings
    assert (found.code, found.line is not None) == ("IRU020", True)
    assert "spanId" in found.message


def test_spans_without_times(tmp_path: Path) -> None:
    spans = [
        {k: v for k, v in item.items() if not k.endswith("UnixNano")}
        for item in (agent(), tool(2, "a", {}, "1"), tool(3, "b", {}, "2"))
    ]
    imported = load(tmp_path, otlp(*reversed(spans)))
    (run,) = imported.runs
    assert [call.name for _, call in run.tool_calls] == ["a", "b"]
    assert "IRU023" in {item.code for item in imported.findings}
    assert run.started_at is None


def test_a_file_without_an_agent_is_refused(tmp_path: Path) -> None:
    foreign = otlp(span(1, {"db.system": "x"}, parent=None))
    for content in (foreign, {"resourceSpans": []}, sdk(span(1, {}, parent=None))):
        with pytest.raises(InputError, match="looks like OpenTelemetry spans without an agent"):
            load(tmp_path, content)
    with pytest.raises(InputError, match="No span tells what an agent did; 1 were looked at"):
        read_runs(put(tmp_path, "x.json", foreign), format="otel-genai")


def test_several_cases_in_one_trace(tmp_path: Path) -> None:
    """A harness with one span around everything."""
    spans = [span(1, {"test.name": "all"}, parent=None, lasts=900)]
    for number, case in enumerate(["a", "b"]):
        at = 100 * (number + 1)
        spans += [
            agent(at, parent=1, at=at, attributes={"eval.case_id": case}),
            tool(at + 1, case, {}, "1", parent=at, at=at + 1),
        ]
    imported = load(tmp_path, otlp(*spans))
    assert [(r.case_id, [c.name for _, c in r.tool_calls]) for r in imported.runs] == [
        ("a", ["a"]),
        ("b", ["b"]),
    ]
    assert imported.dropped == {"span outside of every case": 1}


def test_attributes_of_the_whole_trace_are_kept(tmp_path: Path) -> None:
    """`--case-id-from` may name any of them."""
    root = span(9, {"http.route": "/"}, parent=None, lasts=200)
    path = put(tmp_path, "x.json", otlp(root, agent(parent=9, attributes={"my.label": "k"})))
    ((record, reader),) = otel_genai.read(whole(path))
    raw = reader(record)
    assert (raw.attributes["my.label"], raw.attributes["http.route"]) == ("k", "/")


def test_content_that_was_not_recorded(tmp_path: Path) -> None:
    bare = chat(2, at=1)
    run = one(tmp_path, agent(), bare)
    told = {"planning_steps", "final_state", "tokens", "cost"}
    assert set(run.unknown) - told == {
        "user",
        "answer",
        "final_answer",
        "tool_calls",
        "call_arguments",
        "call_results",
        "call_outcomes",
        "parallel_groups",
    }
    run = one(tmp_path, agent(), bare, tool(3, "track", at=10))
    assert "tool_calls" not in run.unknown
    assert {"call_arguments", "call_results"} <= set(run.unknown)
    assert [call.outcome for _, call in run.tool_calls] == ["ok"]


@pytest.mark.parametrize(
    "attributes",
    [
        {"case_id": "k"},
        {"eval.case_id": "k"},
        {"langfuse.metadata.eval_id": "k"},
        {"metadata": '{"case_id": "k"}'},
    ],
)
def test_names_of_the_case(tmp_path: Path, attributes: dict[str, Any]) -> None:
    assert one(tmp_path, agent(attributes=attributes)).case_id == "k"
    (run,) = load(tmp_path, otlp(agent(), resource=attributes)).runs
    assert run.case_id == "k"
