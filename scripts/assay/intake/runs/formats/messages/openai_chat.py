"""Conversations in the form of OpenAI's chat messages, with tool calls; and chat completions.

Beside lists of messages these are read: a completion alone, as it is stored; messages with the
completion that came back (``response``); lines of a batch's output.
"""

from __future__ import annotations

from typing import Any

from assay.intake.document import Document
from assay.intake.instants import of_epoch
from assay.intake.node import Node
from assay.intake.runs.formats.messages.batch import body_of, failed, kind_of
from assay.intake.runs.formats.messages.chat import Chat
from assay.intake.runs.formats.messages.dialects import message_list, speak
from assay.intake.runs.formats.messages.head import Meter, read_head, stopped
from assay.intake.runs.formats.messages.openai_roles import read_assistant, read_chat
from assay.intake.runs.imported import Piece, RawRun
from assay.models.run import RunField

NAME = "openai-chat"
TITLE = "OpenAI chat messages (`messages` with `role`, `content`, `tool_calls`), or completions"
STREAMS = True


def fits(document: Document) -> bool:
    """Whether the file holds conversations, or is the list of messages of one."""
    if document.layout == "table":
        return False
    if _is_bare(document):
        return True
    records = document.records
    return bool(records) and all(_is_record(record.value) for record in records)


def _is_bare(document: Document) -> bool:
    whole = document.first.value
    return document.layout == "json" and isinstance(whole, list) and _is_chat(whole)


def _is_chat(messages: list[Any]) -> bool:
    return bool(messages) and speak([messages], "openai", plainly=True)


def _is_record(value: Any) -> bool:
    if not isinstance(value, dict) or "termination_reason" in value:
        return False
    if "messages" in value:
        messages = message_list(value)
        return messages is not None and _is_chat(messages)
    if kind_of(value) == "completion" or kind_of(value.get("response")) == "completion":
        return True
    return body_of(value) in ("completion", "error")


def read(document: Document) -> list[Piece]:
    """One run for every conversation."""
    if _is_bare(document):
        return [(document.first, _conversation)]
    return [(record, _conversation) for record in document.records]


def _conversation(record: Node) -> RawRun:
    raw = RawRun(record, unknown=set(CANNOT))
    chat = Chat(record.source)
    if isinstance(record.value, list):
        read_chat(record.items(), chat)
        raw.turns = chat.turns
        return raw
    read_head(record, raw)
    meter = Meter()
    meter.tokens(record.get("usage"), ("prompt_tokens",), ("completion_tokens",))
    if body_of(record.value) is not None and failed(record, raw):
        return raw
    messages = record.get("messages")
    if messages is not None:
        read_chat(messages.items(), chat)
    else:
        raw.unknown |= {"user"}
    answer = _completion(record)
    if answer is not None:
        if answer.pointer != record.pointer:
            read_head(answer, raw)
            meter.tokens(answer.get("usage"), ("prompt_tokens",), ("completion_tokens",))
        _answer(answer, raw, chat)
    elif messages is None:
        record.need("messages")
    raw.turns = chat.turns
    if answer is not None and chat.turns and any(not call.answered for call in chat.open):
        # A completion ends where its calls begin: what came back stands in no later message.
        raw.unknown |= {"call_results", "call_outcomes"}
    meter.finish(raw)
    return raw


def _completion(record: Node) -> Node | None:
    """The completion of a record: itself, its response, or the body of that."""
    if record.has("choices"):
        return record
    response = record.get("response")
    if response is None or not isinstance(response.value, dict):
        return None
    body = response.get("body") or response
    return body if kind_of(body.value) == "completion" else None


def _answer(completion: Node, raw: RawRun, chat: Chat) -> None:
    choices = completion.need("choices").items()
    completion.source.drop("choice beside the first one", max(len(choices) - 1, 0))
    if not choices:
        raise completion.need("choices").error("The completion has no choice.")
    first = choices[0]
    read_assistant(first.need("message"), chat)
    reason = first.get("finish_reason")
    if reason is not None and reason.value in ("length", "content_filter"):
        stopped(raw, f"`finish_reason` is `{reason.value}`")
    named = completion.get("id")
    raw.trace_id = named.text() or None if named is not None else None
    created = completion.get("created")
    if created is not None:
        raw.started_at = of_epoch(created.number())


CANNOT: frozenset[RunField] = frozenset({"planning_steps", "final_state", "cost", "started_at"})
"""What chat messages have no place for; a line may give the final state beside them."""
