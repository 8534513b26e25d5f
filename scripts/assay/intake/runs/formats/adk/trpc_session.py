"""Sessions of tRPC-Agent-Go: events that each hold an answer of the model, or of tools.

Source: ``session.Session``, ``event.Event``, ``model.Response`` of trpc-agent-go. What is
``[]byte`` there is base64 in JSON: the arguments of calls, and every value of the state. Rules:

- events marked partial, and what the framework says on its own (preparations, transfers, the end of
  the runner, which repeats the answer), are left out and counted;
- a message of the user begins a turn, and of several choices of the model the first counts; results
  of tools stand one in a choice;
- an ``error`` of an event is the model's service failing.
"""

from __future__ import annotations

import base64
import binascii

from assay.errors import InputError
from assay.files.reading import parse_json
from assay.intake.node import Node, shorten
from assay.intake.runs.formats.adk.session import has_choices
from assay.intake.runs.formats.left import left_out
from assay.intake.runs.formats.messages.chat import (
    Chat,
    fill_arguments,
    optional_text,
    read_result,
    text_of,
)
from assay.intake.runs.formats.messages.head import Meter
from assay.intake.runs.imported import Call, RawRun
from assay.models.base import JsonValue

_OWN = ("preprocessing.", "postprocessing.", "agent.transfer", "runner.completion", "state.update")
_READ = frozenset(
    {"id", "app_name", "user_id", "userID", "state", "events", "created_at", "updated_at"}
)
_ZERO = "0001-01-01"


def is_session(record: Node) -> bool:
    """Whether a record is such a session."""
    return (
        record.has_all("id", "events") and record.has("app_name", "state") and has_choices(record)
    )


def read_session(record: Node) -> RawRun:
    """The run of a session. The format names no case."""
    raw = RawRun(record, unknown={"planning_steps", "cost"})
    raw.trace_id = record.need("id").text() or None
    raw.agent = optional_text(record, "app_name") or None
    created = optional_text(record, "created_at")
    raw.started_at = None if created is None or created.startswith(_ZERO) else created or None
    state = record.get("state")
    if state is None:
        raw.unknown.add("final_state")
    else:
        raw.final_state = {key: _decoded(value) for key, value in state.object().items()}
    chat, meter, seen = Chat(record.source), Meter(), set[str]()
    for event in record.need("events").items():
        _event(event, raw, chat, meter, seen)
    raw.turns = chat.turns
    meter.finish(raw)
    left_out(record, _READ)
    return raw


def _event(event: Node, raw: RawRun, chat: Chat, meter: Meter, seen: set[str]) -> None:
    partial = event.get("is_partial", "partial")
    if partial is not None and partial.boolean():
        event.source.drop("partial event")
        return
    named = optional_text(event, "id")
    if named:
        if named in seen:
            event.source.drop("repeated event")
            return
        seen.add(named)
    error = event.get("error")
    if error is not None:
        said = optional_text(error, "message") or optional_text(error, "type") or "an error"
        raw.infrastructure_errors.append(shorten(said, 500))
    kind = optional_text(event, "object") or ""
    if kind.startswith(_OWN):
        event.source.drop("event of the framework")
        return
    choices = event.get("choices")
    if choices is None:
        return
    meter.model(event.get("model"))
    meter.tokens(event.get("usage"), ("prompt_tokens",), ("completion_tokens",))
    _choices([choice.need("message") for choice in choices.items()], chat)


def _choices(messages: list[Node], chat: Chat) -> None:
    taken = False
    for message in messages:
        role = optional_text(message, "role") or "assistant"
        text = _text(message)
        if role == "tool":
            chat.result(
                message,
                optional_text(message, "tool_id") or None,
                optional_text(message, "tool_name") or None,
                read_result(text),
            )
        elif taken:
            message.source.drop("choice beside the first one")
        elif role == "user":
            chat.user(text)
            taken = True
        elif role == "system":
            message.source.drop("system message")
        else:
            chat.assistant(text, _calls(message))
            taken = True


def _text(message: Node) -> str | None:
    """The text; an empty one, which Go leaves out, is none."""
    return text_of(message.get("content_parts")) or optional_text(message, "content") or None


def _calls(message: Node) -> list[Call]:
    listed = message.get("tool_calls")
    calls: list[Call] = []
    for node in listed.items() if listed is not None else []:
        function = node.need("function")
        call = Call(
            function.need("name").text(empty=False), {}, id=optional_text(node, "id") or None
        )
        given = function.get("arguments")
        if given is not None:
            value = _text_of_bytes(given.value)
            given = Node(value, given.source, given.pointer, given.line)
        fill_arguments(call, given)
        calls.append(call)
    return calls


def _text_of_bytes(value: JsonValue) -> JsonValue:
    """The text of base64; anything else, JSON text for instance, as it is."""
    if not isinstance(value, str) or not value or value[0] in "{[":
        return value
    try:
        return base64.b64decode(value, validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return value


def _decoded(value: JsonValue) -> JsonValue:
    """A value of the state: JSON where it is JSON, else text."""
    text = _text_of_bytes(value)
    if not isinstance(text, str):
        return text
    try:
        return parse_json(text, name="")
    except InputError:
        return text
