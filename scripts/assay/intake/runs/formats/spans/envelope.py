"""From a file to its spans, whichever way they are wrapped, log records attached."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from assay.errors import InputError
from assay.intake.document import Document
from assay.intake.node import Node
from assay.intake.runs.formats.spans.otlp import LogRecord, is_otlp, read_otlp
from assay.intake.runs.formats.spans.sdk import KIND, is_log, is_span, read_log, read_span
from assay.intake.runs.formats.spans.span import Span, plain_id

GENAI = ("gen_ai.", "gcp.vertex.agent.", "traceloop.", "mcp.", "llm.request.type")
"""How names of the conventions for GenAI begin, and those of instrumentations that came before."""


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
    return any(name == KIND for record in _records(document) for name in _names(record))


def is_genai(document: Document) -> bool:
    """Whether one of the spans or log records has a name of the conventions for GenAI."""
    return any(name.startswith(GENAI) for record in _records(document) for name in _names(record))


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


def _names(record: Node) -> Iterator[str]:
    """Names of attributes and events in a record; in OTLP they are values of ``key``."""
    value = record.value
    if not isinstance(value, dict):
        return
    if "span_kind" in value:
        yield KIND
    for name in value:
        if name.startswith("attributes."):
            yield name.removeprefix("attributes.")
    attributes = value.get("attributes")
    if isinstance(attributes, dict):
        yield from attributes
        for name in ("openinference", "gen_ai"):
            if isinstance(attributes.get(name), dict):
                # Phoenix nests the names.
                yield KIND if name == "openinference" else "gen_ai."
    for event in _items(value, "events"):
        yield from _own_names(event)
    for frame, scopes, inner in _OTLP:
        for outer in _items(value, *frame):
            for scoped in _items(outer, *scopes):
                for item in _items(scoped, *inner):
                    yield from _own_names(item)
                    for event in _items(item, "events"):
                        yield from _own_names(event)


_OTLP = (
    (
        ("resourceSpans", "resource_spans"),
        ("scopeSpans", "scope_spans", "instrumentationLibrarySpans"),
        ("spans",),
    ),
    (
        ("resourceLogs", "resource_logs"),
        ("scopeLogs", "scope_logs", "instrumentationLibraryLogs"),
        ("logRecords", "log_records"),
    ),
)


def _own_names(item: object) -> Iterator[str]:
    if not isinstance(item, dict):
        return
    for name in ("name", "eventName"):
        if isinstance(item.get(name), str):
            yield item[name]
    attributes = item.get("attributes")
    for pair in attributes if isinstance(attributes, list) else []:
        if isinstance(pair, dict) and isinstance(pair.get("key"), str):
            yield pair["key"]


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
