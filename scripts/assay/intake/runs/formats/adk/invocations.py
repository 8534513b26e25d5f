"""Bare invocations of the ADK: one turn, or a list of the turns of one conversation."""

from __future__ import annotations

from assay.intake.document import Document
from assay.intake.node import Node
from assay.intake.runs.formats.adk.events import Trace
from assay.intake.runs.formats.adk.turns import finish, read_invocations
from assay.intake.runs.imported import Piece, RawRun

NAME = "adk-invocations"
TITLE = "ADK invocation, or a list of them (`user_content`, `intermediate_data`)"
STREAMS = False


def fits(document: Document) -> bool:
    """Whether the file holds invocations with parts."""
    records = document.records
    return (
        document.layout == "json"
        and bool(records)
        and all(
            record.has("user_content")
            and record.has("intermediate_data", "final_response")
            and record.need("user_content").has("parts")
            for record in records
        )
    )


def read(document: Document) -> list[Piece]:
    """One run: the invocations are its turns. The format names no case."""

    def conversation(first: Node) -> RawRun:
        raw = RawRun(first)
        trace = Trace(document.source)
        raw.unknown |= read_invocations(list(document.records), trace)
        raw.unknown |= {"planning_steps", "final_state", "cost"}
        finish(raw, trace)
        return raw

    return [(document.first, conversation)]
