"""OTLP in JSON: ``resourceSpans`` and ``resourceLogs``, as exporters and the collector write them.

Source: the OTLP specification's JSON mapping. Ids are hex there and kept exactly; the base64 that
plain protobuf-JSON writes instead becomes hex, as backends show ids. Enums are numbers or names,
64-bit numbers are text or numbers, the older ``instrumentationLibrarySpans`` are read too.
"""

from __future__ import annotations

from collections.abc import Callable

from assay.errors import InputError
from assay.intake.node import Node
from assay.intake.runs.formats.spans.attributes import Attributes, any_value, key_values
from assay.intake.runs.formats.spans.clock import nanos
from assay.intake.runs.formats.spans.span import Span, SpanEvent, hex_id

Failed = Callable[[InputError], None]
"""Told of every span that cannot be read."""

LogRecord = tuple[str, str, SpanEvent]
"""Trace id, span id, and what the record says."""


def is_otlp(record: Node) -> bool:
    """Whether a record holds OTLP spans or logs."""
    return record.has("resource_spans", "resource_logs")


def read_otlp(record: Node, failed: Failed) -> tuple[list[Span], list[LogRecord]]:
    """The spans and the log records of one OTLP message.

    Raises:
        InputError: the frame around the spans is wrong.
    """
    spans: list[Span] = []
    logs: list[LogRecord] = []
    for frame, names, inner, read in (
        ("resource_spans", ("scope_spans", "instrumentation_library_spans"), "spans", _span),
        ("resource_logs", ("scope_logs", "instrumentation_library_logs"), "log_records", None),
    ):
        listed = record.get(frame)
        for outer in listed.items() if listed is not None else []:
            resource = outer.get("resource")
            attributes = key_values(resource.get("attributes") if resource is not None else None)
            for scoped in _each(outer, *names):
                for number, item in enumerate(_each(scoped, inner)):
                    try:
                        if read is not None:
                            spans.append(read(item, attributes))
                        else:
                            logs.append(_log(item, number))
                    except InputError as error:
                        failed(error)
    return spans, logs


def _each(node: Node, *names: str) -> list[Node]:
    listed = node.get(*names)
    return listed.items() if listed is not None else []


def _span(node: Node, resource: Attributes) -> Span:
    status = node.get("status")
    code = status.get("code") if status is not None else None
    said = status.get("message") if status is not None else None
    span_id = node.need("span_id").text(empty=False)
    parent = node.get("parent_span_id")
    name = node.get("name")
    return Span(
        node,
        id=hex_id(span_id, 8),
        trace_id=hex_id(node.need("trace_id").text(empty=False), 16),
        parent=(hex_id(parent.text(), 8) or None) if parent is not None else None,
        name=name.text() if name is not None else "",
        start=_time(node, "start_time_unix_nano"),
        end=_time(node, "end_time_unix_nano"),
        attributes=key_values(node.get("attributes")),
        resource=resource,
        events=[_event(item, number) for number, item in enumerate(_each(node, "events"))],
        failed=code is not None and code.value in (2, "2", "STATUS_CODE_ERROR", "ERROR"),
        message=said.text() if said is not None else "",
    )


def _time(node: Node, *names: str) -> int | None:
    given = node.get(*names)
    return nanos(given.value) if given is not None else None


def _event(node: Node, number: int) -> SpanEvent:
    name = node.get("name")
    return SpanEvent(
        name.text() if name is not None else "",
        _time(node, "time_unix_nano"),
        key_values(node.get("attributes")),
        index=number,
    )


def _log(node: Node, number: int) -> LogRecord:
    attributes = key_values(node.get("attributes"))
    given = node.get("event_name")
    name = given.text() if given is not None else attributes.get("event.name")
    body = node.get("body")
    trace_id, span_id = node.get("trace_id"), node.get("span_id")
    event = SpanEvent(
        name if isinstance(name, str) else "",
        _time(node, "time_unix_nano", "observed_time_unix_nano"),
        attributes,
        any_value(body.value) if body is not None else None,
        number,
    )
    return (
        hex_id(trace_id.text(), 16) if trace_id is not None else "",
        hex_id(span_id.text(), 8) if span_id is not None else "",
        event,
    )
