"""OpenInference spans: Arize Phoenix and its instrumentations.

Source: OpenInference's semantic conventions (``openinference.semconv.trace.SpanAttributes``). The
kind says what a span is: TOOL, LLM, AGENT, CHAIN; the others (retrievers, embeddings, rerankers,
guardrails, evaluators, prompts) are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from assay.intake.document import Document
from assay.intake.node import Node
from assay.intake.runs.formats.spans.attributes import (
    Attributes,
    amount_in,
    count_in,
    decoded,
    indexed,
    text_in,
    whole,
)
from assay.intake.runs.formats.spans.envelope import holds_spans, is_openinference, read_spans
from assay.intake.runs.formats.spans.io_values import said_in
from assay.intake.runs.formats.spans.messages import message
from assay.intake.runs.formats.spans.runs import read_traces
from assay.intake.runs.formats.spans.said import Said, plain_result, read_arguments
from assay.intake.runs.formats.spans.sdk import KIND
from assay.intake.runs.formats.spans.span import LeftOut, Span, Step
from assay.intake.runs.imported import Call, Piece, RawRun
from assay.models.base import JsonValue

NAME = "openinference"
TITLE = "OpenInference spans (Phoenix; OTLP JSON, the SDK's own, or Phoenix's export)"
STREAMS = False

_RANDOM = re.compile(
    r"(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{16,})", re.IGNORECASE
)
"""Ids that a generator made: they name no case."""


def fits(document: Document) -> bool:
    """Whether one of the file's spans carries OpenInference's kind."""
    return holds_spans(document) and is_openinference(document)


def read(document: Document) -> list[Piece]:
    """One run for every trace, or for every session."""
    pieces = read_traces(document, read_spans(document), step_of, ("session.id",))
    return [(node, _naming(reader)) for node, reader in pieces]


def _naming(reader: Callable[[Node], RawRun]) -> Callable[[Node], RawRun]:
    return lambda record: _named(reader(record))


def _named(raw: RawRun) -> RawRun:
    """A session that is no random id names the case where nothing else does."""
    session = raw.attributes.get("session.id")
    if raw.case_id is None and isinstance(session, str) and not _RANDOM.fullmatch(session):
        raw.case_id = session or None
    return raw


def step_of(span: Span) -> Step | None:
    """What a span means."""
    given = span.attributes
    kind = given.get(KIND)
    if not isinstance(kind, str):
        return None
    kind = kind.upper()
    if kind == "TOOL":
        return _tool(span)
    if kind == "LLM":
        return _model(span)
    if kind in ("AGENT", "CHAIN"):
        return Step(
            "agent",
            span,
            _value(given, "input", "user"),
            _value(given, "output", "assistant"),
            name=_agent(span) if kind == "AGENT" else text_in(given, "agent.name"),
            failure=span.error(),
        )
    raise LeftOut(f"{kind.lower()} span")


def _value(given: Attributes, name: str, role: str) -> list[Said] | None:
    """What went in or came out; plain text is no JSON, whatever it looks like."""
    value = given.get(f"{name}.value")
    if given.get(f"{name}.mime_type") == "text/plain" and isinstance(value, str):
        return [Said(role, value)] if value else None
    return said_in(value, role)


def _agent(span: Span) -> str | None:
    name = text_in(span.attributes, "agent.name", "graph.node.id")
    return name or span.name or None


def _tool(span: Span) -> Step:
    given = span.attributes
    call = Call(
        text_in(given, "tool.name") or span.name or "tool",
        {},
        id=text_in(given, "tool_call.id", "tool.id"),
    )
    step = Step("tool", span, call=call)
    value = whole(given, "input.value")
    if value is None:
        value = _parameters(given)
    step.args_known = value is not None
    if value is not None:
        read_arguments(call, _bare(value))
    result = whole(given, "output.value")
    step.result_known = result is not None
    call.result = _content(result)
    error = span.error()
    if error is not None:
        call.outcome, call.error = "error", error
    elif call.error is not None:
        call.outcome = "error"
    else:
        call.outcome = "ok" if span.end is not None or step.result_known else "unknown"
    return step


def _parameters(given: Attributes) -> JsonValue:
    """``tool.parameters`` where it holds values; a JSON Schema is no arguments."""
    value = whole(given, "tool.parameters")
    if isinstance(value, dict) and value.get("type") == "object" and "properties" in value:
        return None
    return value


def _bare(value: JsonValue) -> JsonValue:
    """Arguments without the frame of a call that LangChain's tools are given."""
    if isinstance(value, dict) and value.get("type") == "tool_call" and "args" in value:
        return value["args"]
    return value


def _content(value: JsonValue) -> JsonValue:
    """A tool's output without the message around it."""
    made = message(value) if isinstance(value, dict) else None
    if made is not None and made.role == "tool" and made.results:
        return made.results[0].value
    return plain_result(value)


def _model(span: Span) -> Step:
    given = span.attributes
    said_in_, said_out = (
        _messages(span, "llm.input_messages"),
        _messages(span, "llm.output_messages"),
    )
    if said_in_ is None:
        prompts = indexed(given, "llm.prompts")
        if prompts:
            said_in_ = [Said("user", text) for text in map(_prompt, prompts) if text is not None]
        elif isinstance(given.get("input.value"), str):
            said_in_ = said_in(given["input.value"], "user")
    if said_out is None and isinstance(given.get("output.value"), str):
        said_out = _choices(decoded(given["output.value"]))
    return Step(
        "model",
        span,
        said_in_,
        said_out,
        name=text_in(given, "agent.name"),
        model=text_in(given, "llm.response.model_name", "llm.model_name", "llm.request.model_name"),
        tokens_in=count_in(given, "llm.token_count.prompt"),
        tokens_out=count_in(given, "llm.token_count.completion"),
        cost=amount_in(given, "llm.cost.total"),
        failure=span.error(),
    )


def _prompt(value: JsonValue) -> str | None:
    if isinstance(value, dict):
        inner = value.get("prompt")
        value = inner.get("text") if isinstance(inner, dict) else value.get("text")
    return value if isinstance(value, str) else None


def _choices(value: JsonValue) -> list[Said] | None:
    """The raw response of a model's API, where the messages are not told apart."""
    if isinstance(value, dict) and isinstance(value.get("choices"), list):
        listed = value["choices"]
        assert isinstance(listed, list)
        made = [message(item) for item in listed if isinstance(item, dict)]
        return [item for item in made if item is not None] or None
    return said_in(value, "assistant")


def _messages(span: Span, prefix: str) -> list[Said] | None:
    listed = indexed(span.attributes, prefix)
    if listed is None:
        return None
    said = [made for item in listed if (made := message(_plain(item))) is not None]
    span.node.source.drop("thinking, or a part without text", sum(item.lost for item in said))
    span.node.source.drop("system message", sum(item.role == "system" for item in said))
    return [item for item in said if item.role != "system"]


def _plain(item: JsonValue) -> JsonValue:
    """A message in OpenInference's names as one in OpenAI's."""
    inner = item.get("message") if isinstance(item, dict) else None
    if not isinstance(inner, dict):
        return item
    made = dict(inner)
    name, arguments = made.get("function_call_name"), made.get("function_call_arguments_json")
    if isinstance(name, str) and name:
        made["function_call"] = {"name": name, "arguments": arguments}
    contents = made.get("contents")
    if "content" in made:
        made.pop("contents", None)
    elif isinstance(contents, list):
        made["contents"] = [_part(part) for part in contents]
    return {**made, "role": made.get("role") or "assistant"}


def _part(part: JsonValue) -> JsonValue:
    inner = part.get("message_content") if isinstance(part, dict) else None
    return inner if inner is not None else part
