"""Invocations of tRPC-Agent: one turn, or a list of the turns of one conversation; and sessions.

A message carries ``content`` instead of parts; ``tools`` holds each call with its result. Sessions
of tRPC-Agent-Go are read by `trpc_session`.
"""

from __future__ import annotations

from collections.abc import Callable

from assay.intake.document import Document
from assay.intake.node import Node
from assay.intake.runs.formats.adk.events import Trace
from assay.intake.runs.formats.adk.trpc_session import is_session, read_session
from assay.intake.runs.formats.adk.turns import finish, read_invocations
from assay.intake.runs.formats.left import left_out
from assay.intake.runs.imported import Piece, RawRun
from assay.models.run import RunField

NAME = "trpc"
TITLE = "tRPC-Agent invocations (`userContent` with `content`, `tools`), or sessions"
STREAMS = False
CANNOT: frozenset[RunField] = frozenset({"planning_steps", "final_state", "cost"})
"""What invocations have no place for; a session has its state."""

_READ = frozenset(
    {
        "invocation_id",
        "user_content",
        "final_response",
        "tools",
        "intermediate_data",
        "intermediate_responses",
        "creation_timestamp",
    }
)


def fits(document: Document) -> bool:
    """Whether the file holds invocations whose messages carry text, or sessions."""
    records = document.records
    return bool(records) and (all(map(is_session, records)) or _are_invocations(records))


def _are_invocations(records: tuple[Node, ...]) -> bool:
    return all(
        record.has("user_content")
        and record.has("final_response", "tools", "intermediate_data")
        and not record.has("eval_id", "conversation", "events")
        and record.need("user_content").has("content")
        for record in records
    )


def read(document: Document) -> list[Piece]:
    """One run for a list, whose elements are its turns; one for every line of JSON lines, and for
    every session.
    """
    if all(map(is_session, document.records)):
        return [(record, read_session) for record in document.records]
    if document.layout == "lines":
        return [(record, _conversation([record])) for record in document.records]
    return [(document.first, _conversation(list(document.records)))]


def _conversation(turns: list[Node]) -> Callable[[Node], RawRun]:
    def conversation(first: Node) -> RawRun:
        raw = RawRun(first)
        trace = Trace(first.source)
        raw.unknown |= read_invocations(turns, trace)
        raw.unknown |= CANNOT
        for turn in turns:
            left_out(turn, _READ)
        named = turns[0].get("invocation_id")
        raw.trace_id = named.text() or None if named is not None else None
        finish(raw, trace)
        return raw

    return conversation
