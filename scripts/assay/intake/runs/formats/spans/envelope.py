"""From a file to its spans, whichever way they are wrapped, log records attached."""

from __future__ import annotations

from collections import defaultdict

from assay.errors import InputError
from assay.intake.document import Document
from assay.intake.node import Node
from assay.intake.runs.formats.spans.otlp import LogRecord, is_otlp, read_otlp
from assay.intake.runs.formats.spans.sdk import KIND, is_log, is_span, read_log, read_span
from assay.intake.runs.formats.spans.span import Span, plain_id


def holds_spans(document: Document) -> bool:
    """Whether every record of a file is OTLP, a span, or a log record, and one is no mere log."""
    records = _records(document)
    return (
        document.layout != "table"
        and bool(records)
        and all(is_otlp(item) or is_span(item) or is_log(item) for item in records)
        and any(is_otlp(item) or is_span(item) for item in records)
    )


def is_openinference(document: Document) -> bool:
    """Whether one of the spans carries OpenInference's kind."""
    return any(map(_names_kind, _records(document)))


def _records(document: Document) -> list[Node]:
    """The records; lists of spans on one line, or in one field, are taken apart."""
    found: list[Node] = []
    for record in document.records:
        if isinstance(record.value, list):
            found += record.items()
            continue
        listed = record.value.get("spans") if isinstance(record.value, dict) else None
        if isinstance(listed, list) and listed and not record.has("resource_spans"):
            found += record.child("spans").items()
        else:
            found.append(record)
    return found


def _names_kind(record: Node) -> bool:
    value = record.value
    if not isinstance(value, dict):
        return False
    if "span_kind" in value or f"attributes.{KIND}" in value:
        return True
    attributes = value.get("attributes")
    if isinstance(attributes, dict):
        inner = attributes.get("openinference")
        return KIND in attributes or isinstance(inner, dict)
    # In OTLP the names are values of `key`, at one depth.
    frames = value.get("resourceSpans", value.get("resource_spans"))
    for outer in frames if isinstance(frames, list) else []:
        for scoped in _items(outer, "scopeSpans", "scope_spans", "instrumentationLibrarySpans"):
            for span in _items(scoped, "spans"):
                for item in _items(span, "attributes"):
                    if isinstance(item, dict) and item.get("key") == KIND:
                        return True
    return False


def _items(value: object, *names: str) -> list[object]:
    if isinstance(value, dict):
        for name in names:
            if isinstance(value.get(name), list):
                return list(value[name])
    return []


def read_spans(document: Document) -> list[Span]:
    """The spans of a file. One that cannot be read is reported and counted; the others are read.

    Raises:
        InputError: the frame around the spans is wrong.
    """
    source = document.source
    spans: list[Span] = []
    logs: list[LogRecord] = []

    def failed(error: InputError) -> None:
        source.drop("span that cannot be read")
        source.failed(error, "IRU020")

    for number, record in enumerate(_records(document)):
        try:
            if is_otlp(record):
                more, records = read_otlp(record, failed)
                spans += more
                logs += records
            elif is_log(record):
                logs.append(read_log(record))
            else:
                spans.append(read_span(record))
        except InputError as error:
            failed(error)
        if spans and not spans[-1].id:
            spans[-1].id = f"#{number}"
    _attach(spans, logs, document)
    return spans


def _attach(spans: list[Span], logs: list[LogRecord], document: Document) -> None:
    """Log records as events of the span that they name; events in order of time."""
    by_span: dict[tuple[str, str], list[LogRecord]] = defaultdict(list)
    for log in logs:
        by_span[(plain_id(log[0]), plain_id(log[1]))].append(log)
    for span in spans:
        for _, _, event in by_span.pop((plain_id(span.trace_id), plain_id(span.id)), ()):
            span.events.append(event)
        # Stable: events of one instant keep the order in which the exporter wrote them.
        span.events.sort(key=lambda event: event.time or 0)
    document.source.drop("log record without its span", sum(map(len, by_span.values())))
