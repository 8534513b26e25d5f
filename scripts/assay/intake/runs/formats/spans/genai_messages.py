"""What went into a model or agent and what came out, in every spelling that GenAI spans had.

In this order: ``gen_ai.input.messages`` and ``gen_ai.output.messages`` on the span; the same in
the event ``gen_ai.client.inference.operation.details``; the events ``gen_ai.user.message`` …
``gen_ai.choice``; ``gen_ai.prompt`` and ``gen_ai.completion``, as JSON or indexed, on the span or
in events; the ADK's request and response; OpenLLMetry's entity input and output.
"""

from __future__ import annotations

from assay.intake.runs.formats.spans.attributes import Attributes, indexed, whole
from assay.intake.runs.formats.spans.messages import message, messages
from assay.intake.runs.formats.spans.said import Said
from assay.intake.runs.formats.spans.span import Span, SpanEvent
from assay.models.base import JsonValue

DETAILS = "gen_ai.client.inference.operation.details"
ELIDED = "<elided>"
_EVENTS = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}
_ADK = "gcp.vertex.agent."


def input_of(span: Span) -> list[Said] | None:
    """What went in; None where it is not recorded."""
    for given in (span.attributes, *_details(span)):
        found = whole(given, "gen_ai.input.messages")
        if found is not None:
            return _known(span, messages(found))
    told = [made for event in span.events if (made := _event(event)) is not None]
    if told:
        return _known(span, [item for item in told if item.text != ELIDED])
    listed = _old(span, "gen_ai.prompt", "gen_ai.content.prompt", "user")
    if listed is not None:
        return _known(span, listed)
    request = whole(span.attributes, f"{_ADK}llm_request")
    if isinstance(request, dict) and request.get("contents") is not None:
        return _known(span, messages(request["contents"]))
    return _entity(span, "traceloop.entity.input", "user")


def output_of(span: Span) -> list[Said] | None:
    """What came out; None where it is not recorded."""
    for given in (span.attributes, *_details(span)):
        found = whole(given, "gen_ai.output.messages")
        if found is not None:
            return _known(span, messages(found))
    choices = [event for event in span.events if event.name == "gen_ai.choice"]
    if choices:
        told = [made for event in choices if (made := _choice(event)) is not None]
        return _known(span, told) if told else None
    listed = _old(span, "gen_ai.completion", "gen_ai.content.completion", "assistant")
    if listed is not None:
        return _known(span, listed)
    response = whole(span.attributes, f"{_ADK}llm_response")
    if isinstance(response, dict) and response.get("content") is not None:
        return _known(span, messages([{"role": "model", "content": response["content"]}]))
    return _entity(span, "traceloop.entity.output", "assistant")


def _details(span: Span) -> list[Attributes]:
    """What the event of the newest conventions carries, as attributes or as body."""
    found: list[Attributes] = []
    for event in span.events:
        if event.name == DETAILS:
            found.append(event.attributes)
            if isinstance(event.body, dict):
                found.append(event.body)
    return found


def _known(span: Span, said: list[Said]) -> list[Said]:
    span.node.source.drop("thinking, or a part without text", sum(item.lost for item in said))
    span.node.source.drop("system message", sum(item.role == "system" for item in said))
    return [item for item in said if item.role != "system"]


def _fields(event: SpanEvent) -> dict[str, JsonValue]:
    """What an event carries: as its body, or as its attributes."""
    if isinstance(event.body, dict):
        return event.body
    if isinstance(event.body, str):
        return {"content": event.body}
    return {
        name.removeprefix("gen_ai.event."): _decoded(event.attributes, name)
        for name in event.attributes
    }


def _decoded(attributes: Attributes, name: str) -> JsonValue:
    """JSON in text is read, but for a content, which is what somebody said."""
    return attributes[name] if name == "content" else whole(attributes, name)


def _event(event: SpanEvent) -> Said | None:
    role = _EVENTS.get(event.name)
    if role is None:
        return None
    given = _fields(event)
    content = given.get("content")
    if content == ELIDED:
        return Said(role, ELIDED)
    if isinstance(content, dict) and "parts" in content:
        return message({"role": content.get("role") or role, "parts": content["parts"]})
    return message({**given, "role": role})


def _choice(event: SpanEvent) -> Said | None:
    given = _fields(event)
    inner = given.get("message")
    if isinstance(inner, str):
        return Said("assistant", inner) if inner != ELIDED else None
    body = inner if isinstance(inner, dict) else given
    content = body.get("content")
    if content == ELIDED or (content is None and not body.get("tool_calls")):
        return None
    if isinstance(content, dict) and "parts" in content:
        return message({"role": "assistant", "parts": content["parts"]})
    return message({**body, "role": "assistant"})


def _old(span: Span, name: str, event_name: str, role: str) -> list[Said] | None:
    places = [span.attributes]
    places += [event.attributes for event in span.events if event.name == event_name]
    for given in places:
        listed = indexed(given, name)
        if listed is not None:
            return [made for item in listed if (made := _indexed(item, role)) is not None]
        value = whole(given, name)
        if isinstance(value, str):
            return [Said(role, value)]
        if isinstance(value, dict):
            return messages(value)
    return None


def _indexed(item: JsonValue, role: str) -> Said | None:
    """One message of OpenLLMetry; its content may hold parts as JSON text."""
    if not isinstance(item, dict):
        return Said(role, item) if isinstance(item, str) else None
    content = item.get("content")
    if isinstance(content, str) and content.lstrip()[:2] in ("[{", "[ "):
        parts = whole({"content": content}, "content")
        if isinstance(parts, list) and all(isinstance(p, dict) and "type" in p for p in parts):
            item = {**item, "content": parts}
    return message({"role": role, **item})


def _entity(span: Span, name: str, role: str) -> list[Said] | None:
    """Input and output of a function that OpenLLMetry wraps: a text, or arguments by name."""
    value = whole(span.attributes, name)
    if isinstance(value, str):
        return [Said(role, value)]
    if not isinstance(value, dict):
        return None
    inner = value.get("inputs", value.get("outputs", value))
    if isinstance(inner, str):
        return [Said(role, inner)]
    if isinstance(inner, dict):
        if isinstance(inner.get("messages"), list):
            return _known(span, messages(inner["messages"]))
        for key in ("input", "question", "query", "output", "answer"):
            text = inner.get(key)
            if isinstance(text, str):
                return [Said(role, text)]
    return None
