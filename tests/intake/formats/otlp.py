"""Small builders of spans, for tests."""

from __future__ import annotations

import json
from typing import Any

START = 1_796_063_054 * 10**9
TRACE = "0af7651916cd43dd8448eb211c80319c"


def value(given: Any) -> dict[str, Any]:
    """A value as OTLP writes it."""
    if isinstance(given, bool):
        return {"boolValue": given}
    if isinstance(given, int):
        return {"intValue": str(given)}
    if isinstance(given, float):
        return {"doubleValue": given}
    if isinstance(given, list):
        return {"arrayValue": {"values": [value(item) for item in given]}}
    if isinstance(given, dict):
        pairs = [{"key": key, "value": value(item)} for key, item in given.items()]
        return {"kvlistValue": {"values": pairs}}
    return {"stringValue": given}


def pairs(attributes: dict[str, Any]) -> list[dict[str, Any]]:
    """Attributes as OTLP writes them."""
    return [{"key": key, "value": value(item)} for key, item in attributes.items()]


def span(
    number: int,
    attributes: dict[str, Any],
    *,
    parent: int | None = 1,
    at: int = 0,
    lasts: int = 5,
    trace: str = TRACE,
    **more: Any,
) -> dict[str, Any]:
    """A span: its number is its id, times are milliseconds after the start."""
    return {
        "traceId": trace,
        "spanId": f"{number:016x}",
        "parentSpanId": "" if parent is None else f"{parent:016x}",
        "name": f"span {number}",
        "startTimeUnixNano": str(START + at * 10**6),
        "endTimeUnixNano": str(START + (at + lasts) * 10**6),
        "attributes": pairs(attributes),
        **more,
    }


def otlp(*spans: dict[str, Any], resource: dict[str, Any] | None = None) -> dict[str, Any]:
    """Spans in the frame of OTLP."""
    scoped = [{"scope": {"name": "test"}, "spans": list(spans)}]
    frame = {"resource": {"attributes": pairs(resource or {})}, "scopeSpans": scoped}
    return {"resourceSpans": [frame]}


def agent(number: int = 1, **more: Any) -> dict[str, Any]:
    """The span of an agent."""
    attributes = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "desk"}
    attributes |= more.pop("attributes", {})
    return span(number, attributes, **{"parent": None, "lasts": 100, **more})


def tool(number: int, name: str, args: Any = None, result: Any = None, **more: Any) -> Any:
    """The span of a tool that ran."""
    attributes = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name}
    if args is not None:
        attributes["gen_ai.tool.call.arguments"] = json.dumps(args)
    if result is not None:
        text = result if isinstance(result, str) else json.dumps(result)
        attributes["gen_ai.tool.call.result"] = text
    attributes |= more.pop("attributes", {})
    return span(number, attributes, **more)


def text(role: str, words: str) -> dict[str, Any]:
    """A message of text in parts."""
    return {"role": role, "parts": [{"type": "text", "content": words}]}


def asks(*calls: tuple[str, str, dict[str, Any]]) -> dict[str, Any]:
    """A message that asks for calls: id, name, arguments."""
    made = [{"type": "tool_call", "id": i, "name": n, "arguments": a} for i, n, a in calls]
    return {"role": "assistant", "parts": made}


def gives(call_id: str | None, response: Any) -> dict[str, Any]:
    """A message with what a tool gave back."""
    part = {"type": "tool_call_response", "id": call_id, "response": response}
    return {"role": "tool", "parts": [part]}


def chat(number: int, given: Any = None, said: Any = None, **more: Any) -> dict[str, Any]:
    """The span of a model's call."""
    attributes = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m-1"}
    if given is not None:
        attributes["gen_ai.input.messages"] = json.dumps(given)
    if said is not None:
        attributes["gen_ai.output.messages"] = json.dumps(said)
    attributes |= more.pop("attributes", {})
    return span(number, attributes, **more)
