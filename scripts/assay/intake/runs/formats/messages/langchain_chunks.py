"""LangChain's messages out of their wrapping, and chunks of one message put together."""

from __future__ import annotations

from assay.intake.node import Node
from assay.intake.runs.formats.messages.chat import optional_text
from assay.models.base import JsonValue

Message = tuple[str, Node]
"""The kind of a message (``human``, ``ai`` …; ``aichunk`` for a chunk) and its fields."""


def unwrapped(node: Node) -> Message:
    """A message, whatever it is wrapped in.

    Raises:
        InputError: it is no object, or names no kind.
    """
    if "lc" in node.object():
        fields = node.need("kwargs")
        path = node.get("id")
        names = path.items() if path is not None else []
        kind = optional_text(fields, "type") or (names[-1].text() if names else "")
        return _kind(kind or node.need("type").text()), fields
    data = node.get("data")
    fields = data if data is not None and isinstance(data.value, dict) else node
    return _kind(node.need("type").text()), fields


def _kind(name: str) -> str:
    short = name.removesuffix("MessageChunk").removesuffix("Message").lower()
    return f"{short}chunk" if name == "AIMessageChunk" else short


def merged(messages: list[Message]) -> list[Message]:
    """The messages, with chunks of one message that follow each other as one."""
    result: list[Message] = []
    chunks: list[Node] = []
    for kind, node in messages:
        if chunks and (kind != "aichunk" or _id(node) != _id(chunks[0])):
            result.append(("ai", _together(chunks)))
            chunks = []
        if kind == "aichunk":
            chunks.append(node)
        else:
            result.append((kind, node))
    if chunks:
        result.append(("ai", _together(chunks)))
    return result


def _id(node: Node) -> str | None:
    return optional_text(node, "id")


def _together(chunks: list[Node]) -> Node:
    first = chunks[0]
    if len(chunks) == 1:
        return first
    first.source.drop("partial message that was put together", len(chunks) - 1)
    made: dict[str, JsonValue] = {"content": _contents(chunks)}
    calls = _calls(chunks)
    if calls:
        made["tool_calls"] = calls
    usage: dict[str, JsonValue] = {}
    metadata: dict[str, JsonValue] = {}
    for chunk in chunks:
        given = chunk.get("usage_metadata")
        for name in ("input_tokens", "output_tokens") if given is not None else ():
            part = given.get(name) if given is not None else None
            before = usage.get(name, 0)
            if part is not None and isinstance(before, int):
                usage[name] = before + part.whole()
        told = chunk.get("response_metadata")
        metadata.update(told.object() if told is not None else {})
        named = chunk.get("name")
        if named is not None:
            made.setdefault("name", named.value)
    if usage:
        made["usage_metadata"] = usage
    made["response_metadata"] = metadata
    return Node(made, first.source, first.pointer, first.line)


def _contents(chunks: list[Node]) -> JsonValue:
    """The content of chunks: one text, or all blocks where any has blocks."""
    given = [node for chunk in chunks if (node := chunk.get("content")) is not None]
    if all(isinstance(node.value, str) for node in given):
        return "".join(node.text() for node in given)
    blocks: list[JsonValue] = []
    for node in given:
        blocks += [node.value] if isinstance(node.value, str) else [b.value for b in node.items()]
    return blocks


def _calls(chunks: list[Node]) -> list[JsonValue]:
    """Calls whose name, id and arguments came in pieces, by their index."""
    pieces: dict[str, dict[str, str]] = {}
    for chunk in chunks:
        listed = chunk.get("tool_call_chunks")
        for piece in listed.items() if listed is not None else []:
            index = piece.get("index")
            key = str(index.value) if index is not None else f"alone {len(pieces)}"
            call = pieces.setdefault(key, {})
            for name in ("name", "args", "id"):
                text = optional_text(piece, name)
                if text is not None:
                    call[name] = call.get(name, "") + text if name == "args" else text
    return [dict(call) for call in pieces.values()]
