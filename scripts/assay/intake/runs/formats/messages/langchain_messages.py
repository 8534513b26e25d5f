"""LangChain's messages, in every form in which they are written down, and states of LangGraph.

A record is a list of messages with what stands beside them (``messages``), or the state of a graph
(``values`` with the messages, and the thread); a file may also be the list of messages of one
conversation.
"""

from __future__ import annotations

from typing import Any

from assay.intake.document import Document
from assay.intake.node import Node, shorten
from assay.intake.runs.formats.messages.batch import message_of
from assay.intake.runs.formats.messages.chat import Chat
from assay.intake.runs.formats.messages.dialects import conversations, message_list, speak
from assay.intake.runs.formats.messages.head import Meter, read_head
from assay.intake.runs.formats.messages.langchain_acts import Messages
from assay.intake.runs.imported import Piece, RawRun
from assay.models.run import RunField

NAME = "langchain-messages"
TITLE = "LangChain messages (`type` human, ai, tool …; dumps, dictionaries), LangGraph states"
STREAMS = True


def fits(document: Document) -> bool:
    """Whether the file holds conversations in LangChain's messages, or is the list of one."""
    lists = conversations(document)
    return lists is not None and speak(lists, "langchain")


def read(document: Document) -> list[Piece]:
    """One run for every conversation; of several states of one thread the fullest one counts."""
    if all(message_list(record.value) is None for record in document.records):
        return [(document.first, _conversation)]
    kept: dict[tuple[str, str] | int, Node] = {}
    for index, record in enumerate(document.records):
        key = _thread(record.value)
        place = ("thread", key) if key is not None else index
        before = kept.get(place)
        if before is not None:
            document.source.drop("earlier state of a thread")
        if before is None or _length(record.value) > _length(before.value):
            kept[place] = record
    return [(record, _conversation) for record in kept.values()]


def _length(value: Any) -> int:
    return len(message_list(value) or [])


def _thread(value: Any) -> str | None:
    """The thread of a graph's state; plain records with messages are conversations of their own."""
    if not isinstance(value, dict) or not isinstance(value.get("values"), dict):
        return None
    config = value.get("config")
    inner = config.get("configurable") if isinstance(config, dict) else None
    for holder in (value, inner, value.get("checkpoint")):
        if isinstance(holder, dict) and isinstance(holder.get("thread_id"), str):
            return str(holder["thread_id"])
    return None


def _conversation(record: Node) -> RawRun:
    raw = RawRun(record, unknown=set(CANNOT))
    chat, meter = Chat(record.source), Meter()
    reader = Messages(raw, chat, meter)
    if isinstance(record.value, list):
        reader.read(record.items())
    else:
        read_head(record, raw)
        holder = record if record.has("messages") else record.need("values")
        reader.read(holder.need("messages").items())
        _state(record, raw)
    raw.turns = chat.turns
    meter.finish(raw)
    return raw


def _state(record: Node, raw: RawRun) -> None:
    """What a graph's state tells beside the messages."""
    named = record.get("thread_id")
    raw.trace_id = named.text() or None if named is not None else _thread(record.value)
    status = record.get("status")
    if status is not None and status.value == "error":
        said = message_of(record.get("error"))
        raw.infrastructure_errors.append(said or "The thread ended in an error.")
    tasks = record.get("tasks")
    for task in tasks.items() if tasks is not None else []:
        error = task.get("error") if isinstance(task.value, dict) else None
        if error is not None:
            raw.infrastructure_errors.append(shorten(message_of(error) or "A task failed.", 500))


CANNOT: frozenset[RunField] = frozenset({"planning_steps", "final_state", "cost", "started_at"})
"""What messages have no place for; a record may give the final state beside them."""
