"""Conversations in the form of Anthropic's messages: content in blocks, results from the user.

Beside lists of messages these are read: an answer of the interface alone; messages with the answer
that came back (``response``); lines of a batch's results.
"""

from __future__ import annotations

from typing import Any

from assay.intake.document import Document
from assay.intake.node import Node
from assay.intake.runs.formats.messages.anthropic_blocks import Blocks
from assay.intake.runs.formats.messages.batch import message_of
from assay.intake.runs.formats.messages.chat import Chat
from assay.intake.runs.formats.messages.dialects import is_answer, message_list, speak
from assay.intake.runs.formats.messages.head import Meter, read_head
from assay.intake.runs.imported import Piece, RawRun
from assay.models.run import RunField

NAME = "anthropic-messages"
TITLE = "Anthropic messages (`messages` with `tool_use` and `tool_result` blocks), or batch results"
STREAMS = True


def fits(document: Document) -> bool:
    """Whether the file holds conversations in blocks, or is the list of messages of one."""
    if document.layout == "table":
        return False
    if _is_bare(document):
        return True
    records = document.records
    if not records or not all(isinstance(record.value, dict) for record in records):
        return False
    if all(is_answer(record.value) or _is_batch(record.value) for record in records):
        return True
    lists = [message_list(record.value) for record in records]
    found = [item for item in lists if item is not None]
    return len(found) == len(lists) and speak(found, "anthropic")


def takes(document: Document) -> bool:
    """Whether records can be read as this format, in a file that has it: plain text can, too."""
    lists = [message_list(record.value) for record in document.records]
    found = [item for item in lists if item is not None]
    plain = len(found) == len(lists) and speak(found, "anthropic", plainly=True)
    return plain or fits(document)


def _is_bare(document: Document) -> bool:
    whole = document.first.value
    return (
        document.layout == "json"
        and isinstance(whole, list)
        and speak([whole], "anthropic")
        and not all(is_answer(item) for item in whole)
    )


def _is_batch(value: Any) -> bool:
    result = value.get("result")
    return (
        "custom_id" in value
        and isinstance(result, dict)
        and result.get("type") in ("succeeded", "errored", "canceled", "expired")
    )


def read(document: Document) -> list[Piece]:
    """One run for every conversation, answer or line of a batch."""
    if _is_bare(document):
        return [(document.first, _conversation)]
    return [(record, _conversation) for record in document.records]


def _conversation(record: Node) -> RawRun:
    raw = RawRun(record, unknown=set(CANNOT))
    chat, meter = Chat(record.source), Meter()
    blocks = Blocks(raw, chat, meter)
    if isinstance(record.value, list):
        blocks.read(record.items())
    elif is_answer(record.value):
        _alone(record, raw, blocks)
        read_head(record, raw)
    else:
        read_head(record, raw)
        _record(record, raw, blocks)
    raw.turns = chat.turns
    meter.finish(raw)
    return raw


def _record(record: Node, raw: RawRun, blocks: Blocks) -> None:
    result = record.get("result")
    if result is not None and _is_batch(record.value):
        kind = result.need("type").text()
        if kind == "succeeded":
            _alone(result.need("message"), raw, blocks)
            return
        error = result.get("error")
        inner = error.get("error") if error is not None else None
        said = message_of(inner or error)
        raw.infrastructure_errors.append(said or f"the request of the batch was {kind}")
        return
    if record.get("system") is not None:
        record.source.drop("system message")
    messages = record.need("messages").items()
    answer = record.get("response")
    blocks.read(messages if answer is None else [*messages, answer])
    if raw.tokens_in is None:
        # A sum beside the messages is taken where the answers themselves tell nothing.
        blocks.usage(record.get("usage"), only_if_none=True)


def _alone(answer: Node, raw: RawRun, blocks: Blocks) -> None:
    """An answer without what was asked."""
    raw.unknown |= {"user"}
    blocks.read([answer])
    named = answer.get("id")
    raw.trace_id = named.text() or None if named is not None else None
    if any(not call.answered for call in blocks.chat.open):
        raw.unknown |= {"call_results", "call_outcomes"}


CANNOT: frozenset[RunField] = frozenset({"planning_steps", "final_state", "cost", "started_at"})
"""What messages have no place for; a line may give the final state beside them."""
