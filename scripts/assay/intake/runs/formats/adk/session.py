"""Sessions of the ADK: `google.adk.sessions.Session`, exported or stored, and bare events."""

from __future__ import annotations

from assay.intake.document import Document
from assay.intake.node import Node, Source
from assay.intake.runs.formats.adk.events import Trace, read_events
from assay.intake.runs.formats.adk.turns import finish, state_of
from assay.intake.runs.imported import Piece, RawRun
from assay.models.run import RunField

NAME = "adk-session"
TITLE = "ADK session (JSON export), or its events"
STREAMS = False


def fits(document: Document) -> bool:
    """Whether the file holds sessions or events of sessions."""
    records = document.records
    if document.layout == "table" or not records:
        return False
    return _is_events(document) or all(
        record.has_all("events", "id")
        and record.has("app_name", "user_id", "state")
        and not has_choices(record)
        for record in records
    )


def has_choices(record: Node) -> bool:
    """Whether the events of a session hold a model's answers, as those of tRPC-Agent-Go do."""
    events = record.object().get("events")
    return isinstance(events, list) and any(
        isinstance(event, dict) and "choices" in event for event in events
    )


def _is_events(document: Document) -> bool:
    return all(
        record.has_all("author", "invocation_id") and record.has("content", "actions")
        for record in document.records
    )


def read(document: Document) -> list[Piece]:
    """One run for every session; bare events are one session."""
    if not _is_events(document):
        return [(record, session) for record in document.records]

    def bare(first: Node) -> RawRun:
        raw = RawRun(first, unknown={"final_state"})
        _read(list(document.records), raw, document.source)
        return raw

    return [(document.first, bare)]


def session(node: Node) -> RawRun:
    """The run that a session holds."""
    raw = RawRun(node)
    app = node.get("app_name")
    raw.agent = app.text() or None if app is not None else None
    state, removed = state_of(node.get("state"))
    node.source.drop("bookkeeping key of the state", removed)
    raw.final_state = state
    if state is None:
        raw.unknown.add("final_state")
    _read(node.need("events").items(), raw, node.source)
    return raw


def _read(events: list[Node], raw: RawRun, source: Source) -> None:
    trace = Trace(source)
    read_events(events, trace)
    finish(raw, trace)
    raw.unknown |= _CANNOT
    for event in events:
        actions = event.get("actions")
        if actions is not None and actions.get("rewind_before_invocation_id") is not None:
            source.note(
                "IRU009",
                "The session was rewound; calls of the part that was undone are kept, for they"
                " happened.",
                node=event,
            )


_CANNOT: frozenset[RunField] = frozenset({"planning_steps", "cost"})
