"""Spans as objects: the OpenTelemetry SDK for Python, Phoenix's export, and plain records.

The SDK (``ReadableSpan.to_json``) writes ``context`` with ``trace_id`` and ``span_id`` in hex
after ``0x``, ``parent_id``, ISO times, and attributes as an object. Phoenix writes the same names,
or a row of a table with dotted ones (``context.span_id``, ``attributes.llm.model_name``),
attributes nested, and ``span_kind``. A record with ``name``, ``attributes`` and perhaps ``start``
is read as a span too.
"""

from __future__ import annotations

from assay.intake.node import Node
from assay.intake.runs.formats.spans.attributes import Attributes, decoded, flat, key_values
from assay.intake.runs.formats.spans.clock import nanos
from assay.intake.runs.formats.spans.otlp import LogRecord
from assay.intake.runs.formats.spans.span import Span, SpanEvent
from assay.models.base import JsonValue

KIND = "openinference.span.kind"


def is_span(record: Node) -> bool:
    """Whether an object is one span."""
    value = record.value
    if not isinstance(value, dict):
        return False
    if "attributes" in value:
        return "name" in value or "span_kind" in value or "context" in value
    if "context.span_id" in value or ("span_kind" in value and "name" in value):
        return True
    return "span_id" in value and any(key.startswith("attributes.") for key in value)


def is_log(record: Node) -> bool:
    """Whether an object is one log record of the SDK."""
    return record.has_all("body", "trace_id", "span_id") and not record.has("name")


def read_span(node: Node) -> Span:
    """One span.

    Raises:
        InputError: a field has a wrong type.
    """
    value = node.object()
    context = _object(value.get("context"))
    attributes = _attributes(value, node)
    kind = value.get("span_kind")
    if isinstance(kind, str) and kind and KIND not in attributes:
        attributes[KIND] = kind
    status = value.get("status")
    status = _object(status) if not isinstance(status, str) else {"status_code": status}
    code = status.get("status_code") or status.get("code") or value.get("status_code")
    said = status.get("description") or status.get("message") or value.get("status_message")
    resource = node.get("resource")
    inner = resource.get("attributes") if resource is not None else None
    span_id = _first(context.get("span_id"), value.get("context.span_id"), value.get("span_id"))
    return Span(
        node,
        id=span_id or "",
        trace_id=_first(
            context.get("trace_id"), value.get("context.trace_id"), value.get("trace_id")
        )
        or "",
        parent=_first(value.get("parent_id"), value.get("parent_span_id")),
        name=_first(value.get("name")) or "",
        start=nanos(value.get("start_time", value.get("start"))),
        end=nanos(value.get("end_time", value.get("end"))),
        attributes=attributes,
        resource=dict(inner.object()) if inner is not None else {},
        events=_events(value.get("events")),
        failed=_is_error(code),
        message=said if isinstance(said, str) else "",
    )


def read_log(node: Node) -> LogRecord:
    """One log record.

    Raises:
        InputError: a field has a wrong type.
    """
    value = node.object()
    attributes = key_values(node.get("attributes"))
    name = value.get("event_name") or attributes.get("event.name")
    event = SpanEvent(
        name if isinstance(name, str) else "",
        nanos(value.get("timestamp", value.get("observed_timestamp"))),
        attributes,
        decoded(value.get("body")),
        node.line or 0,
    )
    return node.need("trace_id").text(), node.need("span_id").text(), event


def _attributes(value: dict[str, JsonValue], node: Node) -> Attributes:
    """Attributes, flat: an object, nested or dotted, or columns of a table."""
    given = node.get("attributes")
    found = flat(key_values(given)) if given is not None else {}
    start = "attributes."
    for name, item in value.items():
        if name.startswith(start) and item is not None:
            found |= flat({name[len(start) :]: item})
    return found


def _events(value: JsonValue) -> list[SpanEvent]:
    events: list[SpanEvent] = []
    for number, item in enumerate(value if isinstance(value, list) else []):
        given = _object(item)
        name = given.get("name")
        events.append(
            SpanEvent(
                name if isinstance(name, str) else "",
                nanos(given.get("timestamp")),
                flat(_object(given.get("attributes"))),
                index=number,
            )
        )
    return events


def _is_error(code: JsonValue) -> bool:
    return code == 2 or (isinstance(code, str) and code.upper().endswith("ERROR"))


def _object(value: JsonValue) -> dict[str, JsonValue]:
    return value if isinstance(value, dict) else {}


def _first(*values: JsonValue) -> str | None:
    """The first that is text and not empty; numbers become text."""
    for value in values:
        if isinstance(value, str) and value:
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
    return None
