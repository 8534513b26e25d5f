"""Sessions of the Model Context Protocol: the JSON-RPC messages that client and server exchanged.

Source: the MCP specification. A line is a message, a batch of them, or ``{direction, message}``. An
answer belongs to the open request with its id that the other side sent; after a further
``initialize``, ids begin anew. The user and the answer are on no wire and so unknown.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.errors import InputError
from assay.files.canonical import canonical_json
from assay.intake.document import Document
from assay.intake.node import Node, shorten
from assay.intake.runs.formats.spans.attributes import decoded
from assay.intake.runs.formats.spans.clock import instant, milliseconds, nanos
from assay.intake.runs.formats.spans.said import plain_result
from assay.intake.runs.imported import Call, Piece, RawRun, Turn
from assay.models.base import JsonValue
from assay.models.run import RunField

NAME = "mcp-session"
TITLE = "MCP session (JSON-RPC messages, bare or as `direction` and `message`)"
STREAMS = False

CANNOT: frozenset[RunField] = frozenset(
    {"user", "answer", "final_answer", "planning_steps", "final_state"}
)
_SIDES = ("direction", "from", "sender")
_TIMES = ("timestamp", "time", "ts")


def fits(document: Document) -> bool:
    """Whether every record is a JSON-RPC message, or one with its direction."""
    if document.layout == "table" or not document.records:
        return False
    return all(_is_message(record.value) for record in document.records)


def _is_message(value: JsonValue) -> bool:
    if isinstance(value, list):
        return bool(value) and all(map(_is_message, value))
    if not isinstance(value, dict):
        return False
    inner = decoded(value.get("message"))
    return "jsonrpc" in value or (
        any(name in value for name in (*_SIDES, *_TIMES)) and _is_rpc(inner)
    )


def _is_rpc(value: JsonValue) -> bool:
    if isinstance(value, list):
        return bool(value) and all(map(_is_rpc, value))
    return isinstance(value, dict) and "jsonrpc" in value


@dataclass
class _Request:
    method: str
    side: JsonValue
    call: Call | None
    time: int | None


@dataclass
class _Session:
    """Messages while they are read."""

    turn: Turn = field(default_factory=Turn)
    open: dict[str, list[_Request]] = field(default_factory=dict)
    """Id to the requests with it that are not answered, one side's or both."""
    server: str | None = None
    started: int | None = None
    waiting: list[Call] = field(default_factory=list)
    """Calls that were sent and not answered."""
    together: int | None = None


def read(document: Document) -> list[Piece]:
    """One run: the session. The format names no case."""

    def session(first: Node) -> RawRun:
        raw = RawRun(first, unknown=set(CANNOT))
        made = _Session()
        for record in document.records:
            for message, side, time in _messages(record):
                try:
                    _message(message, side, time, made)
                except InputError as error:
                    document.source.drop("message that cannot be read")
                    document.source.failed(error, "IRU020")
        for call in made.waiting:
            call.error = "No answer is recorded."
        raw.turns = [made.turn]
        raw.started_at = instant(made.started)
        calls = made.turn.calls
        if len(calls) > 1 and any(call.group is None for call in calls):
            raw.unknown.add("parallel_groups")
        return raw

    return [(document.first, session)]


def _messages(record: Node) -> list[tuple[Node, JsonValue, int | None]]:
    """The messages of a record, each with the side that sent it and the time, where it is told."""
    if isinstance(record.value, list):
        return [found for item in record.items() for found in _messages(item)]
    value = record.object()
    if "jsonrpc" in value:
        return [(record, None, None)]
    side = next((value[name] for name in _SIDES if name in value), None)
    time = next((nanos(value[name]) for name in _TIMES if name in value), None)
    inner = record.child("message")
    if isinstance(inner.value, str):
        inner = Node(decoded(inner.value), inner.source, inner.pointer, inner.line)
    listed = inner.items() if isinstance(inner.value, list) else [inner]
    return [(node, side, time) for node in listed]


def _message(node: Node, side: JsonValue, time: int | None, made: _Session) -> None:
    value = node.object()
    method = value.get("method")
    made.started = made.started if made.started is not None else time
    if isinstance(method, str) and "id" in value:
        _request(node, method, side, time, made)
    elif isinstance(method, str):
        _notification(node, method, made)
    elif "result" in value or "error" in value:
        _answer(node, side, time, made)
    else:
        raise node.error("The message is no request, no answer and no notification.")


def _request(node: Node, method: str, side: JsonValue, time: int | None, made: _Session) -> None:
    if method == "initialize":
        made.open.clear()
        made.server = None
    call: Call | None = None
    if method == "tools/call":
        params = node.need("params")
        arguments = params.get("arguments")
        call = Call(
            params.need("name").text(empty=False),
            dict(arguments.object()) if arguments is not None else {},
            server=made.server,
            id=_id_text(node.child("id").value),
            started_at=instant(time),
        )
        made.turn.calls.append(call)
        if made.waiting:
            # Sent while another was under way: issued together with it.
            first = made.waiting[0]
            if first.group is None:
                first.group = made.turn.groups
                made.turn.groups += 1
            call.group = first.group
        made.waiting.append(call)
    elif method != "initialize":
        node.source.drop("message of another method")
    key = canonical_json(node.child("id").value)
    made.open.setdefault(key, []).append(_Request(method, side, call, time))


def _id_text(value: JsonValue) -> str | None:
    return value if isinstance(value, str) else None if value is None else str(value)


def _notification(node: Node, method: str, made: _Session) -> None:
    if method != "notifications/cancelled":
        progress = method == "notifications/progress"
        node.source.drop("progress" if progress else "message of another method")
        return
    params = node.get("params")
    wanted = params.get("request_id") if params is not None else None
    reason = params.get("reason") if params is not None else None
    for request in made.open.get(canonical_json(wanted.value), []) if wanted is not None else []:
        call = request.call
        if call is not None and not call.answered:
            said = reason.text() if reason is not None else ""
            call.outcome = "error"
            call.error = f"cancelled: {said}" if said else "cancelled"
            call.answered = True
            made.waiting = [other for other in made.waiting if other is not call]


def _answer(node: Node, side: JsonValue, time: int | None, made: _Session) -> None:
    key = canonical_json(node.object().get("id"))
    requests = made.open.get(key, [])
    fitting = [item for item in requests if item.side is None or item.side != side]
    if not fitting:
        node.source.drop("answer without its request")
        return
    request = fitting[-1]
    requests.remove(request)
    if request.method == "initialize":
        result = node.get("result")
        info = result.get("server_info") if result is not None else None
        name = info.get("name") if info is not None else None
        made.server = (name.text() or None) if name is not None else None
    call = request.call
    if call is None:
        return
    made.waiting = [other for other in made.waiting if other is not call]
    if call.answered:
        node.source.drop("answer to a call that was cancelled")
        return
    call.answered = True
    call.duration_ms = milliseconds(request.time, time)
    error = node.get("error")
    if error is not None:
        said = error.get("message")
        call.outcome = "error"
        call.error = said.text() if said is not None and said.value else "JSON-RPC error"
        return
    _result(node.need("result"), call)


def _result(node: Node, call: Call) -> None:
    """What a tool gave back: its structured content, else its text, else its blocks."""
    content = node.get("content")
    plain = plain_result(content.value) if content is not None else None
    structured = node.get("structured_content")
    call.result = structured.value if structured is not None else plain
    failed = node.get("is_error")
    if failed is not None and failed.boolean():
        call.outcome = "error"
        said = plain if isinstance(plain, str) else canonical_json(call.result)
        call.error = shorten(said, 500) or "error"
    else:
        call.outcome = "ok"
