"""Conversations in the form of OpenAI's chat messages, with tool calls."""

from __future__ import annotations

from assay.intake.document import Document
from assay.intake.node import Node
from assay.intake.runs.formats.messages.chat import Chat, read_chat
from assay.intake.runs.imported import Piece, RawRun
from assay.models.run import RunField

NAME = "openai-chat"
TITLE = "OpenAI chat messages (`messages` with `role`, `content`, `tool_calls`)"
STREAMS = True
CASE_IDS = ("case_id", "eval_id", "task_id", "custom_id")
"""Fields that may name the case, in this order."""

_OTHER_PARTS = frozenset({"tool_use", "tool_result", "input_text", "output_text", "tool-call"})


def fits(document: Document) -> bool:
    """Whether the file holds conversations, or is the list of messages of one."""
    if document.layout == "table":
        return False
    lists = [record.get("messages") for record in document.records if record.has("messages")]
    if lists:
        return len(lists) == len(document.records) and all(
            node is not None and _are_messages(node) for node in lists
        )
    return document.layout == "json" and _are_messages(document.first)


def _are_messages(node: Node) -> bool:
    if not isinstance(node.value, list) or not node.value:
        return False
    return all(isinstance(item, dict) and _is_message(item) for item in node.value)


def _is_message(item: dict[str, object]) -> bool:
    content = item.get("content")
    kinds = (
        {part.get("type") for part in content if isinstance(part, dict)}
        if isinstance(content, list)
        else set()
    )
    calls = item.get("tool_calls")
    bare = isinstance(calls, list) and any(
        isinstance(call, dict) and "function" not in call for call in calls
    )
    return "role" in item and not kinds & _OTHER_PARTS and not bare


def read(document: Document) -> list[Piece]:
    """One run for every conversation."""
    if document.layout == "json" and _are_messages(document.first):
        return [(document.first, _conversation)]
    return [(record, _conversation) for record in document.records]


def _conversation(record: Node) -> RawRun:
    raw = RawRun(record, unknown=set(CANNOT))
    messages = record
    if not isinstance(record.value, list):
        messages = record.need("messages")
        _head(record, raw)
        world = record.get("final_state")
        if world is not None:
            raw.final_state = world.object()
            raw.unknown.discard("final_state")
    chat = Chat(record.source)
    read_chat(messages.items(), chat)
    raw.turns = chat.turns
    return raw


def _head(record: Node, raw: RawRun) -> None:
    """What stands beside the messages."""
    named = record.get(*CASE_IDS)
    if named is not None:
        raw.case_id = (
            str(named.whole()) if isinstance(named.value, int) else named.text(empty=False)
        )
    trial = record.get("trial")
    raw.trial = trial.whole() if trial is not None else None
    for name in ("agent", "model"):
        given = record.get(name)
        if given is not None:
            setattr(raw, name, given.text() or None)
    usage = record.get("usage")
    if usage is not None:
        for name, field in (("prompt_tokens", "tokens_in"), ("completion_tokens", "tokens_out")):
            given = usage.get(name)
            if given is not None:
                setattr(raw, field, given.whole())


CANNOT: frozenset[RunField] = frozenset({"planning_steps", "final_state", "cost", "started_at"})
"""What chat messages have no place for; a line may give the final state beside them."""
