"""Traces of the OpenAI Agents SDK: objects ``trace`` and ``trace.span``, as ``export()`` does.

Source: ``agents.tracing``. A ``response`` span carries only the id of the response and the tokens,
so that what was said is unknown, unless a processor writes its ``input`` and ``response`` beside
them. A function's output is text that Python printed. After a handoff the next agent goes on with
the turn.
"""

from __future__ import annotations

from collections import defaultdict

from assay.errors import InputError
from assay.intake.document import Document
from assay.intake.node import Node, shorten
from assay.intake.runs.formats.spans.attributes import Attributes, count_in, text_in
from assay.intake.runs.formats.spans.clock import nanos
from assay.intake.runs.formats.spans.literal import printed
from assay.intake.runs.formats.spans.messages import messages
from assay.intake.runs.formats.spans.runs import read_traces
from assay.intake.runs.formats.spans.said import Said, plain_result, read_arguments
from assay.intake.runs.formats.spans.span import LeftOut, Span, Step
from assay.intake.runs.imported import Call, Piece
from assay.models.base import JsonValue

NAME = "openai-agents"
TITLE = "OpenAI Agents SDK traces (`object`: `trace`, `trace.span`)"
STREAMS = False

_GROUP = "group_id"
_TRACE = "#trace"


def fits(document: Document) -> bool:
    """Whether the file holds traces and spans of the SDK."""
    records = _records(document)
    return (
        document.layout != "table"
        and bool(records)
        and all(_object(record) in ("trace", "trace.span") for record in records)
    )


def _object(record: Node) -> JsonValue:
    return record.value.get("object") if isinstance(record.value, dict) else None


def _records(document: Document) -> list[Node]:
    """The records; the exporter sends them as a list under ``data``."""
    found: list[Node] = []
    for record in document.records:
        data = record.value.get("data") if isinstance(record.value, dict) else None
        if isinstance(data, list) and _object(record) is None:
            found += record.child("data").items()
        else:
            found.append(record)
    return found


def read(document: Document) -> list[Piece]:
    """One run for every trace, or for every group."""
    spans: list[Span] = []
    for record in _records(document):
        try:
            spans.append(_trace(record) if _object(record) == "trace" else _span(record))
        except InputError as error:
            document.source.drop("span that cannot be read")
            document.source.failed(error, "IRU020")
    _turns(spans)
    _guardrails(spans, document)
    return read_traces(document, spans, step_of, (_GROUP,), foreign="span of another kind")


def _trace(node: Node) -> Span:
    """The trace itself as a span above the others, which carries the metadata."""
    trace_id = node.need("id").text(empty=False)
    metadata = node.get("metadata")
    attributes: Attributes = dict(metadata.object()) if metadata is not None else {}
    for name in ("workflow_name", _GROUP):
        given = node.get(name)
        if given is not None:
            attributes.setdefault(name, given.value)
    return Span(node, id=_TRACE, trace_id=trace_id, attributes=attributes)


def _span(node: Node) -> Span:
    data = node.need("span_data")
    parent = node.get("parent_id")
    error = node.get("error")
    name = data.get("name")
    started, ended = node.get("started_at"), node.get("ended_at")
    return Span(
        node,
        id=node.need("id").text(empty=False),
        trace_id=node.need("trace_id").text(empty=False),
        parent=(parent.text() or None) if parent is not None else None,
        name=name.text() if name is not None else "",
        start=nanos(started.value) if started is not None else None,
        end=nanos(ended.value) if ended is not None else None,
        attributes=dict(data.object()),
        failed=error is not None,
        message=_words(error) if error is not None else "",
    )


def _words(error: Node) -> str:
    if isinstance(error.value, str):
        return error.value
    said, data = error.get("message"), error.get("data")
    inner = data.get("error") if data is not None and isinstance(data.value, dict) else None
    words = [node.value for node in (said, inner) if node is not None]
    return ": ".join(word for word in words if isinstance(word, str)) or "error"


def _turns(spans: list[Span]) -> None:
    """Name the turns: an agent that another handed over to goes on with the same turn."""
    by_trace: dict[str, list[Span]] = defaultdict(list)
    for span in spans:
        by_trace[span.trace_id].append(span)
    for trace_id, group in by_trace.items():
        handed: set[JsonValue] = set()
        number = 0
        known = {span.id for span in group}
        for span in sorted(group, key=lambda item: (item.start or 0, item.end or 0, item.id)):
            kind = span.attributes.get("type")
            if kind == "handoff":
                to = span.attributes.get("to_agent")
                if isinstance(to, str):
                    handed.add(to)
            elif kind == "agent" and (span.parent is None or span.parent not in known):
                if span.name in handed:
                    handed.discard(span.name)
                else:
                    number += 1
                span.attributes["#turn"] = f"{trace_id}#{number}"


def _guardrails(spans: list[Span], document: Document) -> None:
    """A guardrail that tripped ended the agent: no failure of the harness."""
    tripped: set[str] = set()
    for span in spans:
        given = span.attributes
        if given.get("type") == "guardrail" and given.get("triggered") is True:
            tripped.add(span.trace_id)
            document.source.note(
                "IRU024",
                f"The guardrail `{shorten(span.name, 60)}` was triggered.",
                node=span.node,
            )
    for span in spans:
        if span.trace_id in tripped and span.attributes.get("type") != "function":
            span.failed, span.message = False, ""


def step_of(span: Span) -> Step | None:
    """What a span means."""
    given = span.attributes
    kind = given.get("type")
    if kind == "function":
        return _tool(span)
    if kind in ("generation", "response"):
        return _model(span)
    if kind == "agent":
        turn = text_in(given, "#turn")
        return Step("agent", span, name=span.name or None, turn=turn, failure=span.error())
    if kind == "custom" and span.name == "task":
        return Step("agent", span, failure=span.error())
    if span.id == _TRACE:
        raise LeftOut("")
    raise LeftOut(f"{kind} span")


def _tool(span: Span) -> Step:
    given = span.attributes
    call = Call(span.name or "tool", {})
    mcp = given.get("mcp_data")
    if isinstance(mcp, dict):
        call.server = text_in(mcp, "server")
    step = Step("tool", span, call=call)
    step.args_known = given.get("input") is not None
    if step.args_known:
        read_arguments(call, given["input"])
    output = given.get("output")
    step.result_known = output is not None
    value = plain_result(output)
    call.result = printed(value) if isinstance(value, str) else value
    error = span.error()
    if error is not None:
        call.outcome, call.error = "error", error
    elif call.error is not None:
        call.outcome = "error"
    else:
        call.outcome = "ok" if step.result_known or span.end is not None else "unknown"
    return step


def _model(span: Span) -> Step:
    given = span.attributes
    usage = given.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    response = given.get("response")
    response = response if isinstance(response, dict) else {}
    output = given.get("output", response.get("output"))
    return Step(
        "model",
        span,
        _said(given.get("input"), "user"),
        _said(output, "assistant"),
        model=text_in(given, "model") or text_in(response, "model"),
        tokens_in=count_in(usage, "input_tokens", "prompt_tokens"),
        tokens_out=count_in(usage, "output_tokens", "completion_tokens"),
        failure=span.error(),
    )


def _said(value: JsonValue, role: str) -> list[Said] | None:
    if value is None:
        return None
    if isinstance(value, str):
        return [Said(role, value)]
    return [item for item in messages(value) if item.role != "system"]
