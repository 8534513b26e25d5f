"""Invocations of tRPC-Agent: one turn, or a list of the turns of one conversation.

A message carries ``content`` instead of parts; ``tools`` holds each call with its result.
"""

from __future__ import annotations

from collections.abc import Callable

from assay.intake.document import Document
from assay.intake.node import Node
from assay.intake.runs.formats.adk.events import Trace
from assay.intake.runs.formats.adk.turns import finish, read_invocations
from assay.intake.runs.imported import Piece, RawRun

NAME = "trpc"
TITLE = "tRPC-Agent invocation, or a list of them (`userContent` with `content`, `tools`)"
STREAMS = False


def fits(document: Document) -> bool:
    """Whether the file holds invocations whose messages carry text."""
    records = document.records
    return bool(records) and all(
        record.has("user_content")
        and record.has("final_response", "tools", "intermediate_data")
        and not record.has("eval_id", "conversation", "events")
        and record.need("user_content").has("content")
        for record in records
    )


def read(document: Document) -> list[Piece]:
    """One run for a list, whose elements are its turns; one for every line of JSON lines."""
    if document.layout == "lines":
        return [(record, _conversation([record])) for record in document.records]
    return [(document.first, _conversation(list(document.records)))]


def _conversation(turns: list[Node]) -> Callable[[Node], RawRun]:
    def conversation(first: Node) -> RawRun:
        raw = RawRun(first)
        trace = Trace(first.source)
        raw.unknown |= read_invocations(turns, trace)
        raw.unknown |= {"planning_steps", "final_state", "cost"}
        named = turns[0].get("invocation_id")
        raw.trace_id = named.text() or None if named is not None else None
        finish(raw, trace)
        return raw

    return conversation
