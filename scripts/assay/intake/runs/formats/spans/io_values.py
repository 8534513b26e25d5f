"""Inputs and outputs of chains and agents: a text, messages, or an object that holds either.

What frameworks hand to a chain has no schema. A text is a message. Of an object, these fields are
looked at: messages, then one that is usual for a question or an answer; an object with one field
that is text is that text. Anything else says nothing.
"""

from __future__ import annotations

from assay.intake.runs.formats.spans.attributes import decoded
from assay.intake.runs.formats.spans.messages import message, messages
from assay.intake.runs.formats.spans.said import Said
from assay.models.base import JsonValue

_QUESTION = ("input", "query", "question", "user_input", "prompt", "text", "content")
_ANSWER = ("output", "answer", "response", "result", "final_output", "text", "content")


def said_in(value: JsonValue, role: str) -> list[Said] | None:
    """The messages of an input (`role` user) or an output (`role` assistant); None for nothing."""
    value = decoded(value)
    if isinstance(value, str):
        return [Said(role, value)] if value else None
    if isinstance(value, list):
        return _spoken(messages(value), role) if value else None
    if not isinstance(value, dict):
        return None
    inner = value.get("messages")
    if isinstance(inner, list):
        return _spoken(messages(inner), role)
    if inner is not None and "role" not in value:
        return said_in(inner, role)
    if "role" in value or value.get("type") in ("human", "ai") or "lc" in value:
        made = message(value)
        return _spoken([made], role) if made is not None else None
    for name in _QUESTION if role == "user" else _ANSWER:
        given = value.get(name)
        if isinstance(given, str):
            return [Said(role, given)]
        if isinstance(given, dict | list) and given:
            return said_in(given, role)
    texts = [item for item in value.values() if isinstance(item, str)]
    return [Said(role, texts[0])] if len(value) == 1 and texts else None


def _spoken(said: list[Said], role: str) -> list[Said] | None:
    kept = [item for item in said if item.role != "system"]
    if role == "assistant" and len(kept) == 1 and kept[0].role == "user":
        # A bare text in a list.
        kept[0].role = "assistant"
    return kept or None
