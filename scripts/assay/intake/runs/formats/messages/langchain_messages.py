"""LangChain's messages, in every form in which they are written down.

A record is a list of messages with what stands beside them (``messages``); a file may also be the
list of messages of one conversation.
"""

from __future__ import annotations

from assay.intake.document import Document
from assay.intake.node import Node
from assay.intake.runs.formats.messages.chat import Chat, optional_text
from assay.intake.runs.formats.messages.dialects import conversations, speak
from assay.intake.runs.formats.messages.head import Meter, read_head
from assay.intake.runs.formats.messages.langchain_acts import Messages
from assay.intake.runs.imported import Piece, RawRun
from assay.models.run import RunField

NAME = "langchain-messages"
TITLE = "LangChain messages (`type` human, ai, tool …; as dictionaries, flat, or dumped)"
STREAMS = True


def fits(document: Document) -> bool:
    """Whether the file holds conversations in LangChain's messages, or is the list of one."""
    lists = conversations(document)
    return lists is not None and speak(lists, "langchain")


def read(document: Document) -> list[Piece]:
    """One run for every conversation."""
    if not any(record.has("messages") for record in document.records):
        return [(document.first, _conversation)]
    return [(record, _conversation) for record in document.records]


def _conversation(record: Node) -> RawRun:
    if isinstance(record.value, list):
        return read_messages(record, record)
    raw = read_messages(record, record.need("messages"))
    raw.trace_id = optional_text(record, "thread_id") or None
    return raw


def read_messages(record: Node, messages: Node) -> RawRun:
    """The run of a record with messages in it.

    Raises:
        InputError: a field has a wrong type, or a message no type that is known.
    """
    raw = RawRun(record, unknown=set(CANNOT))
    chat, meter = Chat(record.source), Meter()
    if isinstance(record.value, dict):
        read_head(record, raw)
    Messages(raw, chat, meter).read(messages.items())
    raw.turns = chat.turns
    meter.finish(raw)
    return raw


CANNOT: frozenset[RunField] = frozenset({"planning_steps", "final_state", "cost", "started_at"})
"""What messages have no place for; a record may give the final state beside them."""
