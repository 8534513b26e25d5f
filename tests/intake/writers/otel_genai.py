"""Observed runs as OTLP JSON lines, each run in another spelling of the conventions, shuffled."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from assay.models.run import ObservedRun
from tests.intake.span_writers import Made, clocked, spans_of, usages
from tests.intake.writers import dumps, result_text

FORMAT = "otel-genai"
carried = clocked


def any_value(value: Any) -> dict[str, Any]:
    """A value as OTLP writes it."""
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, Decimal):
        return {"doubleValue": value}
    return {"stringValue": value}


def key_values(attributes: dict[str, Any]) -> list[dict[str, Any]]:
    """Attributes as OTLP writes them."""
    return [
        {"key": key, "value": any_value(value)}
        for key, value in attributes.items()
        if value is not None
    ]


def parts(item: dict[str, Any]) -> dict[str, Any]:
    """A message in parts."""
    if "calls" in item:
        made = [
            {"type": "tool_call", "id": c.id, "name": c.name, "arguments": c.args}
            for c in item["calls"]
        ]
        return {"role": "assistant", "parts": made}
    if item["role"] == "tool":
        call = item["call"]
        response = {"type": "tool_call_response", "id": call.id, "response": call.result}
        return {"role": "tool", "parts": [response]}
    return {"role": item["role"], "parts": [{"type": "text", "content": item["content"]}]}


def said(made: Made) -> dict[str, Any]:
    """What came out of a model, in OpenAI's form."""
    if made.calls:
        return {"role": "assistant", "calls": made.calls}
    return {"role": "assistant", "content": made.text}


def chat(item: dict[str, Any]) -> dict[str, Any]:
    """A message in OpenAI's form, calls and all."""
    if "calls" in item:
        calls = [
            {
                "id": c.id,
                "type": "function",
                "function": {"name": c.name, "arguments": dumps(c.args)},
            }
            for c in item["calls"]
        ]
        return {"role": "assistant", "tool_calls": calls}
    if item["role"] == "tool":
        return {"role": "tool", "id": item["call"].id, "content": item["content"]}
    return {"role": item["role"], "content": item["content"]}


def newest(made: Made) -> tuple[dict[str, Any], list[Any]]:
    """Messages as attributes in JSON."""
    attributes = {
        "gen_ai.input.messages": dumps([parts(item) for item in made.history]),
        "gen_ai.output.messages": dumps([parts(said(made))]),
        "gen_ai.provider.name": "acme",
    }
    return attributes, []


def flattened(made: Made) -> tuple[dict[str, Any], list[Any]]:
    """Messages as OpenLLMetry writes them."""
    attributes: dict[str, Any] = {"gen_ai.system": "acme"}
    places = [(f"gen_ai.prompt.{n}", item) for n, item in enumerate(made.history)]
    for prefix, item in [*places, ("gen_ai.completion.0", said(made))]:
        attributes[f"{prefix}.role"] = item["role"]
        attributes[f"{prefix}.content"] = item.get("content")
        if item["role"] == "tool":
            attributes[f"{prefix}.tool_call_id"] = item["call"].id
        for n, call in enumerate(item.get("calls", ())):
            attributes[f"{prefix}.tool_calls.{n}.id"] = call.id
            attributes[f"{prefix}.tool_calls.{n}.name"] = call.name
            attributes[f"{prefix}.tool_calls.{n}.arguments"] = dumps(call.args)
    return attributes, []


def events(made: Made) -> tuple[dict[str, Any], list[Any]]:
    """Messages as events of the span."""
    found: list[dict[str, Any]] = []
    for item in made.history:
        fields = {k: v if isinstance(v, str) else dumps(v) for k, v in chat(item).items()}
        found.append({"name": f"gen_ai.{item['role']}.message", "attributes": key_values(fields)})
    choice = {"index": 0, "finish_reason": "stop", "message": dumps(chat(said(made)))}
    found.append({"name": "gen_ai.choice", "attributes": key_values(choice)})
    for event in found:
        event["timeUnixNano"] = str(made.start)
    return {"gen_ai.system": "acme"}, found


SPELLINGS = (newest, flattened, events)


def _span(run: ObservedRun, made: Made, tokens: dict[str, Any], trace: str) -> dict[str, Any]:
    status: dict[str, Any] = {}
    found: list[Any] = []
    if made.kind == "agent":
        attributes: dict[str, Any] = {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": "desk",
            "gen_ai.conversation.id": f"conversation {run.trial}",
            "eval.case_id": run.case_id,
            "eval.trial": run.trial,
        }
    elif made.kind == "model":
        attributes, found = SPELLINGS[run.trial % 3](made)
        old = run.trial % 3 != 0
        tokens_in, tokens_out = tokens[made.id]
        attributes |= {
            "gen_ai.operation.name": "chat",
            "gen_ai.request.model": run.model,
            f"gen_ai.usage.{'prompt' if old else 'input'}_tokens": tokens_in,
            f"gen_ai.usage.{'completion' if old else 'output'}_tokens": tokens_out,
        }
    else:
        call = made.call
        assert call is not None
        attributes = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": call.name,
            "gen_ai.tool.call.id": call.id,
            "gen_ai.tool.call.arguments": dumps(call.args),
            "gen_ai.tool.call.result": result_text(call),
        }
        if call.outcome == "error":
            attributes["error.type"] = "tool_error"
            status = {"code": 2, "message": call.error}
    return {
        "traceId": trace,
        "spanId": made.id,
        "parentSpanId": made.parent or "",
        "name": made.kind,
        "startTimeUnixNano": str(made.start),
        "endTimeUnixNano": str(made.end),
        "attributes": key_values(attributes),
        "events": found,
        "status": status,
    }


def write(runs: list[ObservedRun]) -> tuple[str, bytes]:
    """One line for every trace, the last ones first, and the first span of each at the end."""
    lines = []
    for run in runs:
        tokens = usages(run)
        for number, turn in enumerate(spans_of(run)):
            trace = f"{run.trial:016x}{number:016x}"
            spans = [_span(run, made, tokens, trace) for made in reversed(turn)]
            scoped = {"scope": {"name": "desk"}, "spans": spans}
            lines.append(dumps({"resourceSpans": [{"resource": {}, "scopeSpans": [scoped]}]}))
    return "spans.jsonl", "".join(f"{line}\n" for line in reversed(lines)).encode()
