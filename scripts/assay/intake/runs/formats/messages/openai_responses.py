"""Conversations of OpenAI's Responses interface: items, responses, chains of responses.

A record holds the items of a conversation (``items``), or what was asked and what came back
(``input`` and ``output``; ``request`` and ``response``), or a response alone, or the responses of
one conversation (``responses``). Responses that name each other by ``previous_response_id`` are one
conversation, wherever in the file they stand.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from assay.intake.document import Document
from assay.intake.node import Node
from assay.intake.runs.formats.messages.batch import body_of, kind_of
from assay.intake.runs.formats.messages.exchanges import (
    Exchange,
    conversation,
    exchange_of,
    paths,
)
from assay.intake.runs.formats.messages.head import read_head
from assay.intake.runs.formats.messages.responses_items import CALLS, ITEMS, OUTPUTS
from assay.intake.runs.imported import Piece, RawRun

NAME = "openai-responses"
TITLE = "OpenAI Responses (`items`, `input` and `output`, response objects, batch output)"
STREAMS = False
"""What a response answers to may stand on any other line."""


def fits(document: Document) -> bool:
    """Whether the file holds items or responses, or is the list of items of one conversation."""
    if document.layout == "table":
        return False
    if _is_bare(document):
        return True
    values = [record.value for record in document.records]
    batch = {body_of(value) for value in values}
    if batch <= {"response", "error"} and "response" in batch:
        return True
    return bool(values) and all(_is_record(value) for value in values)


def _is_bare(document: Document) -> bool:
    """Whether the file is a list of items; plain messages in it need a part of this interface."""
    whole = document.first.value
    if document.layout != "json" or not isinstance(whole, list) or not _are_items(whole):
        return False
    return any(_is_marked(item) for item in whole)


def _is_marked(item: Any) -> bool:
    if item.get("type") in CALLS | OUTPUTS:
        return True
    content = item.get("content")
    return isinstance(content, list) and any(
        isinstance(part, dict) and part.get("type") in ("input_text", "output_text")
        for part in content
    )


def _are_items(value: Any) -> bool:
    """Whether it is a list of items, some of which are known: new kinds come all the time."""
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        return False
    kinds = [item.get("type", "message" if "role" in item else None) for item in value]
    return all(isinstance(kind, str) for kind in kinds) and not ITEMS.isdisjoint(kinds)


def _is_record(value: Any) -> bool:
    if not isinstance(value, dict) or "messages" in value or "run_type" in value:
        return False
    if _are_items(value.get("items")) or _is_response(value):
        return True
    several = value.get("responses")
    if isinstance(several, list) and several:
        return all(map(_is_response, several))
    inner = value.get("response")
    return isinstance(inner, dict) and _is_response(inner)


def _is_response(value: Any) -> bool:
    if kind_of(value) != "response":
        return False
    return value.get("object") == "response" or _are_items(value.get("output"))


def read(document: Document) -> list[Piece]:
    """One run for every conversation."""
    if _is_bare(document):
        bare = Exchange(document.first, output=document.first)
        return [(document.first, lambda node: conversation([bare]))]
    pieces: list[Piece] = []
    linked: list[Node] = []
    for record in document.records:
        value = record.value
        if isinstance(value, dict) and "items" in value:
            pieces.append((record, _items))
        elif isinstance(value, dict) and "responses" in value:
            pieces.append((record, _several))
        elif body_of(value) is not None:
            pieces.append((record, lambda node: conversation([exchange_of(node)])))
        else:
            linked.append(record)
    return pieces + [(path[-1], _path(path)) for path in paths(linked)]


def _items(record: Node) -> RawRun:
    return conversation([Exchange(record, record.need("items"), response=_beside(record))])


def _beside(record: Node) -> Node | None:
    return record if record.has("usage", "model") else None


def _several(record: Node) -> RawRun:
    listed = record.need("responses").items()
    raw = conversation([exchange_of(node) for node in listed])
    raw.record = record
    read_head(record, raw)
    return raw


def _path(path: list[Node]) -> Callable[[Node], RawRun]:
    return lambda node: conversation([exchange_of(record) for record in path])
