"""OpenTelemetry spans by the conventions for generative AI, of every age.

Sources: the semantic conventions for GenAI spans, agent spans, events and MCP; their older
spellings (``gen_ai.system``, ``gen_ai.prompt``, message events); OpenLLMetry's indexed attributes;
the ADK's own ``gcp.vertex.agent`` attributes.
"""

from __future__ import annotations

from assay.intake.document import Document
from assay.intake.runs.formats.spans.attributes import (
    Attributes,
    count_in,
    text_in,
    whole,
)
from assay.intake.runs.formats.spans.envelope import (
    holds_spans,
    is_genai,
    is_openinference,
    read_spans,
)
from assay.intake.runs.formats.spans.genai_messages import input_of, output_of
from assay.intake.runs.formats.spans.runs import read_traces
from assay.intake.runs.formats.spans.said import plain_result, read_arguments
from assay.intake.runs.formats.spans.span import Kind, LeftOut, Span, Step
from assay.intake.runs.imported import Call, Piece
from assay.models.base import JsonValue

NAME = "otel-genai"
TITLE = "OpenTelemetry GenAI spans (OTLP JSON, or the SDK's own)"
STREAMS = False

CONVERSATION = (
    "gen_ai.conversation.id",
    "gcp.vertex.agent.session_id",
    "traceloop.association.properties.session_id",
    "session.id",
)
_OPERATIONS: dict[str, Kind] = {
    "chat": "model",
    "generate_content": "model",
    "text_completion": "model",
    "completion": "model",
    "execute_tool": "tool",
    "invoke_agent": "agent",
    "invoke_workflow": "agent",
}
_TRACELOOP: dict[str, Kind] = {"workflow": "agent", "agent": "agent", "tool": "tool"}
_MERGED = "(merged tools)"
_ELIDED = ("<not specified>", "<elided>", "<not serializable>", "N/A")
"""What the ADK writes where it does not tell."""
_ADK = "gcp.vertex.agent."


def fits(document: Document) -> bool:
    """Whether the file holds spans with names of the GenAI conventions, none of OpenInference."""
    return holds_spans(document) and is_genai(document) and not is_openinference(document)


def read(document: Document) -> list[Piece]:
    """One run for every trace, or for every conversation."""
    return read_traces(document, read_spans(document), step_of, CONVERSATION)


def step_of(span: Span) -> Step | None:
    """What a span means."""
    given = span.attributes
    kind = _kind(span)
    if kind is None:
        return None
    if kind == "tool":
        return _tool(span)
    step = Step(
        kind,
        span,
        input_of(span),
        output_of(span),
        name=text_in(given, "gen_ai.agent.name", "traceloop.entity.name")
        if kind == "agent" or "gen_ai.agent.name" in given
        else None,
        turn=text_in(given, f"{_ADK}invocation_id"),
        failure=span.error(),
        tokens_in=count_in(given, "gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"),
        tokens_out=count_in(given, "gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"),
    )
    if kind == "model":
        step.model = text_in(given, "gen_ai.response.model", "gen_ai.request.model")
    return step


def _kind(span: Span) -> Kind | None:
    given = span.attributes
    operation = given.get("gen_ai.operation.name")
    if isinstance(operation, str):
        return _OPERATIONS.get(operation)
    if given.get("mcp.method.name") == "tools/call":
        return "tool"
    if "gen_ai.tool.name" in given:
        return "tool"
    if f"{_ADK}tool_call_args" in given:
        return "tool"
    kind = given.get("traceloop.span.kind")
    if isinstance(kind, str):
        return _TRACELOOP.get(kind)
    if text_in(given, f"{_ADK}llm_request") or text_in(given, "llm.request.type") in (
        "chat",
        "completion",
    ):
        return "model"
    if any(name.startswith(("gen_ai.prompt", "gen_ai.completion")) for name in given):
        return "model"
    if "gen_ai.request.model" in given and "gen_ai.usage.output_tokens" in given:
        return "model"
    return "agent" if "gen_ai.agent.name" in given else None


def _tool(span: Span) -> Step | None:
    given = span.attributes
    name = text_in(given, "gen_ai.tool.name", "mcp.tool.name", "traceloop.entity.name")
    if name is None:
        name = span.name.removeprefix("execute_tool ").removeprefix("tools/call ") or "tool"
    if name == _MERGED:
        raise LeftOut("span of merged tools")
    call_id = text_in(given, "gen_ai.tool.call.id")
    call = Call(name, {}, id=None if call_id in _ELIDED else call_id)
    call.server = text_in(given, "mcp.server.name", "gen_ai.tool.server", "mcp.server")
    step = Step("tool", span, call=call)
    step.args_known = _arguments(call, given)
    step.result_known = _result(call, span)
    error = span.error()
    if error is not None:
        call.outcome, call.error = "error", error
    elif call.error is not None:
        call.outcome = "error"
    else:
        call.outcome = "ok" if span.end is not None or step.result_known else "unknown"
    return step


def _arguments(call: Call, given: Attributes) -> bool:
    """Read the arguments. False where they are not told."""
    for name in (
        "gen_ai.tool.call.arguments",
        "mcp.tool.arguments",
        "mcp.request.argument",
        f"{_ADK}tool_call_args",
        "traceloop.entity.input",
    ):
        value = whole(given, name)
        if value is None or value in _ELIDED or (name.startswith(_ADK) and value == {}):
            continue
        inner = value.get("inputs", value.get("kwargs")) if isinstance(value, dict) else None
        if name == "traceloop.entity.input" and isinstance(inner, dict):
            value = inner
        read_arguments(call, value)
        return True
    return False


def _result(call: Call, span: Span) -> bool:
    """Read the result. False where it is not told."""
    given = span.attributes
    for name in (
        "gen_ai.tool.call.result",
        "mcp.tool.result",
        f"{_ADK}tool_response",
        "traceloop.entity.output",
    ):
        value = whole(given, name)
        if value is None or value in _ELIDED or (name.startswith(_ADK) and value == {}):
            continue
        call.result = plain_result(value)
        return True
    for event in span.events:
        if event.name == "gen_ai.tool.message":
            found: JsonValue = event.body if event.body is not None else event.attributes
            inner = found.get("content") if isinstance(found, dict) else found
            if inner is not None and inner not in _ELIDED:
                call.result = plain_result(inner)
                return True
    return False
