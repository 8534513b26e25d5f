"""States of LangGraph's threads: snapshots, histories of snapshots, and threads of its server.

A history holds every state that a thread went through, each with all messages up to it: the one
with most messages is the conversation.
"""

from __future__ import annotations

from typing import Any

from assay.intake.document import Document
from assay.intake.node import Node, shorten
from assay.intake.runs.blame import open_to_both
from assay.intake.runs.formats.messages.batch import message_of
from assay.intake.runs.formats.messages.dialects import speak
from assay.intake.runs.formats.messages.langchain_messages import read_messages
from assay.intake.runs.imported import Piece, RawRun

NAME = "langgraph-states"
TITLE = "LangGraph states (`values` with LangChain messages, and the thread)"
STREAMS = False
"""States of one thread may stand on any lines."""


def fits(document: Document) -> bool:
    """Whether the file holds states with messages of LangChain."""
    if document.layout == "table":
        return False
    lists = [_messages(record.value) for record in document.records]
    found = [item for item in lists if item is not None]
    return len(found) == len(lists) and speak(found, "langchain")


def _messages(value: Any) -> list[Any] | None:
    values = value.get("values") if isinstance(value, dict) else None
    messages = values.get("messages") if isinstance(values, dict) else None
    return messages if isinstance(messages, list) and "messages" not in value else None


def read(document: Document) -> list[Piece]:
    """One run for every thread; a state that names no thread is one of its own."""
    kept: dict[str | int, Node] = {}
    for index, record in enumerate(document.records):
        place = _thread(record.value) or index
        before = kept.get(place)
        if before is not None:
            document.source.drop("earlier state of a thread")
        if before is None or _length(record) > _length(before):
            kept[place] = record
    return [(record, _state) for record in kept.values()]


def _length(record: Node) -> int:
    return len(_messages(record.value) or [])


def _thread(value: Any) -> str | None:
    if not isinstance(value, dict):
        return None
    config = value.get("config")
    inner = config.get("configurable") if isinstance(config, dict) else None
    for holder in (value, inner, value.get("checkpoint")):
        if isinstance(holder, dict) and isinstance(holder.get("thread_id"), str):
            return str(holder["thread_id"]) or None
    return None


def _state(record: Node) -> RawRun:
    raw = read_messages(record, record.need("values").need("messages"))
    raw.trace_id = _thread(record.value)
    status = record.get("status")
    if status is not None and status.value == "error":
        said = message_of(record.get("error"))
        _failed(record, raw, said or "The thread ended in an error.")
    tasks = record.get("tasks")
    for task in tasks.items() if tasks is not None else []:
        error = task.get("error") if isinstance(task.value, dict) else None
        if error is not None:
            _failed(task, raw, shorten(message_of(error) or "A task failed.", 500))
    return raw


def _failed(node: Node, raw: RawRun, said: str) -> None:
    """An error that ended the thread. Nobody but the agent fills its context: that is its own end,
    as a limit of steps is.
    """
    if open_to_both(said):
        node.source.note("IRU008", f"The thread ended with `{shorten(said, 200)}`.", node=node)
    else:
        raw.infrastructure_errors.append(said)
