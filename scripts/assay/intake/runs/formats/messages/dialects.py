"""Which kind of messages a list holds: told from names of fields and types of parts alone.

Plain text between a user and an assistant looks alike everywhere and has no dialect; it is read as
OpenAI's chat.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from assay.intake.document import Document
from assay.intake.node import camel

Dialect = Literal["openai", "anthropic", "langchain", "other"]

_ANTHROPIC = frozenset(
    {
        "tool_use",
        "tool_result",
        "thinking",
        "redacted_thinking",
        "server_tool_use",
        "mcp_tool_use",
        "mcp_tool_result",
        "web_search_tool_result",
        "web_fetch_tool_result",
        "code_execution_tool_result",
        "bash_code_execution_tool_result",
        "text_editor_code_execution_tool_result",
        "tool_search_tool_result",
        "image",
        "document",
        "search_result",
        "container_upload",
    }
)
_OPENAI = frozenset({"image_url", "input_audio", "file", "refusal"})
_OTHER = frozenset({"input_text", "output_text", "input_image", "tool-call", "tool-result"})
_LANGCHAIN = frozenset(
    {"human", "ai", "tool", "system", "function", "chat", "remove", "developer"}
    | {f"{kind}MessageChunk" for kind in ("AI", "Human", "Tool", "System", "Function", "Chat")}
)


def message_list(value: Any) -> list[Any] | None:
    """The messages of a record.

    An answer of Anthropic's interface that stands beside them is the last one.
    """
    messages = value.get("messages") if isinstance(value, dict) else None
    if not isinstance(messages, list):
        return None
    answer = value.get("response")
    return [*messages, answer] if is_answer(answer) else messages


def is_answer(value: Any) -> bool:
    """Whether it is what Anthropic's interface answers with; items of others lack the rest."""
    return (
        isinstance(value, dict)
        and value.get("type") == "message"
        and isinstance(value.get("content"), list)
        and ("stop_reason" in value or "usage" in value)
    )


def conversations(document: Document) -> list[list[Any]] | None:
    """The lists of messages of a file: one of every record, or the file is one itself.

    None where a record has none.
    """
    if document.layout == "table":
        return None
    found = [message_list(record.value) for record in document.records]
    lists = [item for item in found if item is not None]
    if lists:
        return lists if len(lists) == len(found) else None
    whole = document.first.value
    return [whole] if document.layout == "json" and isinstance(whole, list) else None


def speak(lists: Iterable[list[Any]], kind: Dialect, *, plainly: bool = False) -> bool:
    """Whether the lists are messages of one kind, and of no other.

    Args:
        lists: lists of messages.
        kind: the kind.
        plainly: whether messages that could be of any kind are enough.
    """
    found = plainly
    for messages in lists:
        for message in messages:
            if not isinstance(message, dict) or not ("role" in message or _is_langchain(message)):
                return False
            spoken = dialect(message)
            if spoken is not None and spoken != kind:
                return False
            found = found or spoken is not None
    return found


_OPENAI_ROLES = ("tool", "function", "developer")
_PLAIN = frozenset({"content", "name", "role", "tool_call_id"})
"""Most messages have nothing else, and are told apart by their role alone."""


def dialect(message: dict[str, Any]) -> Dialect | None:
    """The kind of one message; None where it could be any."""
    if message.keys() <= _PLAIN and isinstance(message.get("content"), str):
        return "openai" if message.get("role") in _OPENAI_ROLES else None
    if _is_langchain(message):
        return "langchain"
    parts = _parts(message)
    if "requestor" in message or parts & _OTHER:
        return "other"
    # What the API answers with is put into the list as it is.
    if message.get("type") == "message" or "stop_reason" in message or parts & _ANTHROPIC:
        return "anthropic"
    calls = _field(message, "tool_calls")
    for call in calls if isinstance(calls, list) else []:
        if isinstance(call, dict) and not isinstance(call.get("function"), dict | type(None)):
            return "other"
        if isinstance(call, dict) and "function" not in call and "custom" not in call:
            return "other"
    if calls or _field(message, "function_call") or parts & _OPENAI:
        return "openai"
    return "openai" if message.get("role") in _OPENAI_ROLES else None


def _is_langchain(message: dict[str, Any]) -> bool:
    if "lc" in message and isinstance(message.get("kwargs"), dict):
        return True
    kind = message.get("type")
    return (
        isinstance(kind, str) and kind in _LANGCHAIN and ("role" not in message or kind == "chat")
    )


def _parts(message: dict[str, Any]) -> set[Any]:
    """The types of the parts of a message's content."""
    content = message.get("content")
    if not isinstance(content, list):
        return set()
    kinds = [part.get("type") for part in content if isinstance(part, dict)]
    return {kind for kind in kinds if isinstance(kind, str)}


def _field(message: dict[str, Any], name: str) -> Any:
    return message.get(name, message.get(camel(name)))
