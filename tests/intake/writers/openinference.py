"""Observed runs as OpenInference spans in the form of the OpenTelemetry SDK, one a line."""

from __future__ import annotations

from typing import Any

from assay.models.run import ObservedRun
from tests.intake.span_writers import Made, clocked, iso, spans_of, usages
from tests.intake.writers import dumps, result_text
from tests.intake.writers.otel_genai import said

FORMAT = "openinference"
carried = clocked


def flattened(prefix: str, items: list[dict[str, Any]]) -> dict[str, Any]:
    """Messages under dotted names."""
    made: dict[str, Any] = {}
    for number, item in enumerate(items):
        start = f"{prefix}.{number}.message"
        made[f"{start}.role"] = item["role"]
        if "content" in item:
            made[f"{start}.content"] = item["content"]
        if item["role"] == "tool":
            made[f"{start}.tool_call_id"] = item["call"].id
        for n, call in enumerate(item.get("calls", ())):
            inner = f"{start}.tool_calls.{n}.tool_call"
            made[f"{inner}.id"] = call.id
            made[f"{inner}.function.name"] = call.name
            made[f"{inner}.function.arguments"] = dumps(call.args)
    return made


def _attributes(run: ObservedRun, made: Made, tokens: dict[str, Any]) -> dict[str, Any]:
    if made.kind == "agent":
        found: dict[str, Any] = {
            "openinference.span.kind": "AGENT",
            "agent.name": "desk",
            "session.id": f"session {run.trial}",
            "metadata": dumps({"case_id": run.case_id, "trial": run.trial}),
            "input.value": made.user,
            "input.mime_type": "text/plain",
        }
        if made.text is not None:
            found |= {"output.value": made.text, "output.mime_type": "text/plain"}
        return found
    if made.kind == "model":
        tokens_in, tokens_out = tokens[made.id]
        found = {
            "openinference.span.kind": "LLM",
            "llm.model_name": run.model,
            "llm.token_count.prompt": tokens_in,
            "llm.token_count.completion": tokens_out,
            **flattened("llm.input_messages", made.history),
            **flattened("llm.output_messages", [said(made)]),
        }
        return {name: value for name, value in found.items() if value is not None}
    call = made.call
    assert call is not None
    return {
        "openinference.span.kind": "TOOL",
        "tool.name": call.name,
        "tool_call.id": call.id,
        "input.value": dumps(call.args),
        "input.mime_type": "application/json",
        "output.value": result_text(call),
    }


def write(runs: list[ObservedRun]) -> tuple[str, bytes]:
    """One line for every span, the last ones first."""
    lines = []
    for run in runs:
        tokens = usages(run)
        for number, turn in enumerate(spans_of(run)):
            for made in turn:
                failed = made.call is not None and made.call.outcome == "error"
                status: dict[str, Any] = {"status_code": "UNSET"}
                if failed:
                    assert made.call is not None
                    status = {"status_code": "ERROR", "description": made.call.error}
                span = {
                    "name": "desk",
                    "context": {
                        "trace_id": f"0x{run.trial:016x}{number:016x}",
                        "span_id": f"0x{made.id}",
                    },
                    "kind": "SpanKind.INTERNAL",
                    "parent_id": None if made.parent is None else f"0x{made.parent}",
                    "start_time": iso(made.start),
                    "end_time": iso(made.end),
                    "status": status,
                    "attributes": _attributes(run, made, tokens),
                    "events": [],
                }
                lines.append(dumps(span))
    return "spans.jsonl", "".join(f"{line}\n" for line in reversed(lines)).encode()
