"""OpenInference spans: the SDK's form, OTLP, Phoenix's export, and its names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from assay.intake.runs import RunImport, read_runs
from assay.models.run import ObservedRun
from tests.intake.formats.otlp import otlp, span
from tests.intake.support import put

ARGS = {"parcel": "17"}
PLACE = {"place": "depot"}


def load(folder: Path, content: Any, name: str = "x.json") -> RunImport:
    return read_runs(put(folder, name, content))


def kind(name: str, **attributes: Any) -> dict[str, Any]:
    return {"openinference.span.kind": name, **attributes}


AGENT = kind(
    "AGENT",
    **{
        "agent.name": "desk",
        "input.value": "Where is parcel 17?",
        "output.value": "At the depot.",
        "session.id": "parcel-17",
    },
)
MODEL = kind(
    "LLM",
    **{
        "llm.model_name": "m-1",
        "llm.token_count.prompt": 10,
        "llm.token_count.completion": 4,
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.content": "Where is parcel 17?",
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.tool_calls.0.tool_call.id": "c1",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "track",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": json.dumps(ARGS),
    },
)
TOOL = kind(
    "TOOL",
    **{
        "tool.name": "track",
        "tool.parameters": json.dumps(ARGS),
        "output.value": json.dumps(PLACE),
        "output.mime_type": "application/json",
    },
)
SPANS = (
    span(1, AGENT, parent=None, lasts=50),
    span(2, MODEL, at=1),
    span(3, TOOL, at=10),
    span(4, kind("RETRIEVER"), at=20),
)


def check(run: ObservedRun) -> None:
    assert (run.case_id, run.agent, run.model) == ("parcel-17", "desk", "m-1")
    assert (run.tokens_in, run.tokens_out) == (10, 4)
    assert [(t.user, t.answer) for t in run.turns] == [("Where is parcel 17?", "At the depot.")]
    assert [(c.name, c.id, c.args, c.outcome, c.result) for _, c in run.tool_calls] == [
        ("track", "c1", ARGS, "ok", PLACE)
    ]
    assert run.unknown == ("planning_steps", "final_state", "cost")


def test_otlp(tmp_path: Path) -> None:
    imported = load(tmp_path, otlp(*SPANS))
    assert imported.format == "openinference"
    assert imported.dropped == {"retriever span": 1}
    check(imported.runs[0])


def _parent(item: dict[str, Any]) -> str | None:
    return item["parentSpanId"] or None


def plain(item: dict[str, Any]) -> dict[str, Any]:
    values = [(p["key"], next(iter(p["value"].values()))) for p in item["attributes"]]
    return {k: int(v) if k.startswith("llm.token") else v for k, v in values}


def nested(flat: dict[str, Any]) -> dict[str, Any]:
    root: dict[str, Any] = {}
    for name, value in flat.items():
        place = root
        *path, last = name.split(".")
        for step in path:
            place = place.setdefault(step, {})
        place[last] = value
    return listed(root)


def listed(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    made = {key: listed(item) for key, item in value.items()}
    return list(made.values()) if made and all(k.isdigit() for k in made) else made


def test_phoenix_nested(tmp_path: Path) -> None:
    rows = []
    for item in SPANS:
        flat = plain(item)
        rows.append(
            {
                "name": item["name"],
                "context": {"trace_id": item["traceId"], "span_id": item["spanId"]},
                "span_kind": flat.pop("openinference.span.kind"),
                "parent_id": _parent(item),
                "start_time": f"2026-11-30T18:24:14.{len(rows):06d}+00:00",
                "end_time": f"2026-11-30T18:24:15.{len(rows):06d}+00:00",
                "status_code": "OK",
                "status_message": "",
                "attributes": nested(flat),
                "events": [],
            }
        )
    check(load(tmp_path, rows).runs[0])
    lines = "".join(json.dumps(row) + "\n" for row in reversed(rows))
    check(load(tmp_path, lines, "x.jsonl").runs[0])


def test_phoenix_table(tmp_path: Path) -> None:
    """Rows of the dataframe: dotted names of columns, lists of messages in one of them."""
    rows = []
    for item in SPANS:
        flat = plain(item)
        row = {
            "name": item["name"],
            "span_kind": flat.pop("openinference.span.kind"),
            "parent_id": _parent(item),
            "start_time": f"2026-11-30T18:24:14.{len(rows):06d}+00:00",
            "status_code": "UNSET",
            "context.span_id": item["spanId"],
            "context.trace_id": item["traceId"],
        }
        messages = nested({k: v for k, v in flat.items() if "_messages" in k})
        for name, value in messages.get("llm", {}).items():
            row[f"attributes.llm.{name}"] = value
        row |= {f"attributes.{k}": v for k, v in flat.items() if "_messages" not in k}
        rows.append(row)
    check(load(tmp_path, rows).runs[0])


def test_errors_costs_and_metadata(tmp_path: Path) -> None:
    metadata = {"metadata": json.dumps({"case_id": "k", "trial": 3}), "session.id": "s"}
    failed = {"code": 2, "message": "gone"}
    imported = load(
        tmp_path,
        otlp(
            span(1, kind("CHAIN", **metadata, **{"input.value": '{"input": "?"}'}), parent=None),
            span(2, MODEL | {"llm.cost.total": 0.25}, at=1),
            span(3, TOOL, at=2, status=failed),
        ),
    )
    (run,) = imported.runs
    assert (run.case_id, run.trial, run.turns[0].user) == ("k", 3, "?")
    assert str(run.cost) == "0.25"
    assert "cost" not in run.unknown
    assert [(c.outcome, c.error) for _, c in run.tool_calls] == [("error", "gone")]


def test_random_sessions_name_no_case(tmp_path: Path) -> None:
    session = AGENT | {"session.id": "0b5c5a3e-8c1f-4c1e-9b0e-2f4f5a6b7c8d"}
    imported = load(tmp_path, otlp(span(1, session, parent=None)), "parcel-17.json")
    assert imported.runs[0].case_id == "parcel-17"
    assert [item.code for item in imported.findings] == ["IRU005"]


def test_a_schema_is_no_arguments(tmp_path: Path) -> None:
    schema = json.dumps({"type": "object", "properties": {"parcel": {"type": "string"}}})
    tool = kind("TOOL", **{"tool.name": "track", "tool.parameters": schema})
    (run,) = load(tmp_path, otlp(span(1, AGENT, parent=None), span(2, tool))).runs
    assert "call_arguments" in run.unknown
