"""Messages in OpenAI's chat form, by role, as acts of a conversation."""

from __future__ import annotations

from collections.abc import Callable

from assay.intake.node import Node, shorten
from assay.intake.runs.formats.messages.chat import (
    Chat,
    fill_arguments,
    optional_text,
    read_result,
    text_in,
)
from assay.intake.runs.imported import Call

Failed = Callable[[str], str | None]
"""Given the text of a tool result, the error that it reports, if it does."""


def read_chat(messages: list[Node], chat: Chat, failed: Failed = lambda text: None) -> None:
    """Read messages into turns.

    Raises:
        InputError: a message has no role, or a field has a wrong type.
    """
    for message in messages:
        role = message.words("role") or message.need("role").text()
        if role in ("system", "developer"):
            chat.source.drop("system message")
        elif role == "user":
            chat.user(text_in(message, "content"))
        elif role == "assistant":
            read_assistant(message, chat)
        elif role in ("tool", "function"):
            text = text_in(message, "content")
            chat.result(
                message,
                optional_text(message, "tool_call_id"),
                optional_text(message, "name"),
                read_result(text),
                failed(text) if text is not None else None,
            )
        else:
            raise message.need("role").error(
                f"A message has the role `{shorten(role, 30)}`.",
                "roles are system, developer, user, assistant, tool, function",
            )


def read_assistant(message: Node, chat: Chat) -> None:
    """A message of the assistant: text or a refusal, and calls in the current or the old form."""
    text = text_in(message, "content")
    if text is None:
        text = text_in(message, "refusal")
    chat.assistant(text, read_calls(message))


def read_calls(message: Node) -> list[Call]:
    """The calls of a message, in the current form and in the old one of a single call."""
    listed = message.get("tool_calls")
    calls = [_call(node) for node in (listed.items() if listed is not None else [])]
    single = message.get("function_call")
    if single is not None:
        calls.append(_function(single, None))
    return calls


def _call(node: Node) -> Call:
    call_id = optional_text(node, "id")
    custom = node.get("custom")
    if custom is not None and not node.has("function"):
        name = custom.need("name").text(empty=False)
        given = optional_text(custom, "input")
        return Call(name, {} if given is None else {"input": given}, id=call_id)
    return _function(node.need("function"), call_id)


def _function(function: Node, call_id: str | None) -> Call:
    name = function.words("name") or function.need("name").text(empty=False)
    call = Call(name, {}, id=call_id)
    fill_arguments(call, function.get("arguments"))
    return call
