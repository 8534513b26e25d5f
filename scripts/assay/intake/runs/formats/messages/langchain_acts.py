"""LangChain's messages as acts of a conversation.

- A message is written as ``{type, data}``, flat, or as the constructor call of a dump: all are one.
- Chunks of one message that follow each other are put together.
- A message's ``tool_calls`` count; blocks in its content that say the same again do not. Only where
  the list is empty, the blocks, and then the provider's own form of the calls, are read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from assay.intake.node import Node, shorten
from assay.intake.runs.formats.messages.chat import (
    Chat,
    error_text,
    fill_arguments,
    optional_text,
    read_result,
    text_of,
    unreadable,
)
from assay.intake.runs.formats.messages.head import Meter, stopped
from assay.intake.runs.formats.messages.langchain_chunks import merged, unwrapped
from assay.intake.runs.formats.messages.openai_roles import read_calls
from assay.intake.runs.imported import Call, RawRun
from assay.models.base import JsonValue

_CALLS = ("tool_call", "tool_use")
_SERVER_CALLS = ("server_tool_call", "server_tool_use", "mcp_tool_use")
_REASONS = ("length", "max_tokens", "content_filter", "refusal", "MAX_TOKENS", "SAFETY")


@dataclass
class Messages:
    """Reads messages of one conversation."""

    raw: RawRun
    chat: Chat
    meter: Meter

    def read(self, nodes: list[Node]) -> None:
        """Read messages into turns.

        Raises:
            InputError: a message has no type that is known, or a field has a wrong type.
        """
        for kind, message in merged([unwrapped(node) for node in nodes]):
            reader = _READERS.get(kind)
            if reader is None:
                raise message.error(
                    f"A message has the type `{shorten(kind, 30)}`.",
                    "types are human, ai, tool, system, function, chat, remove",
                )
            reader(self, message)

    def _system(self, message: Node) -> None:
        message.source.drop("system message")

    def _removed(self, message: Node) -> None:
        message.source.drop("removal of a message")

    def _human(self, message: Node) -> None:
        self.chat.user(text_of(message.get("content")))

    def _ai(self, message: Node) -> None:
        metadata = message.get("response_metadata")
        if metadata is not None:
            self.meter.model(metadata.get("model_name", "model"))
            reason = metadata.get("finish_reason", "stop_reason")
            if reason is not None and reason.value in _REASONS:
                stopped(self.raw, f"the reason given is `{reason.value}`")
        usage = message.get("usage_metadata")
        if usage is not None:
            self.meter.tokens(usage, ("input_tokens",), ("output_tokens",))
        elif metadata is not None:
            usage = metadata.get("token_usage", "usage")
            self.meter.tokens(
                usage, ("prompt_tokens", "input_tokens"), ("completion_tokens", "output_tokens")
            )
        named = optional_text(message, "name")
        if named and self.raw.agent is None:
            self.raw.agent = named
        self._say(message)

    def _say(self, message: Node) -> None:
        listed = message.get("tool_calls")
        calls = [_call(node, "args") for node in (listed.items() if listed is not None else [])]
        broken = message.get("invalid_tool_calls")
        calls += [_broken(node) for node in (broken.items() if broken is not None else [])]
        content = message.get("content")
        if content is None or isinstance(content.value, str):
            said, own = text_of(content), list[Call]()
        else:
            said, own = self._blocks(content.items())
        calls = calls or own
        more = message.get("additional_kwargs")
        if not calls and more is not None:
            calls = read_calls(more)
        self.chat.assistant(said, calls)

    def _blocks(self, blocks: list[Node]) -> tuple[str | None, list[Call]]:
        """Read the blocks of a content: what is said last, and calls of the agent's own tools.

        Tools of the provider have their results between the blocks.
        """
        texts: list[str] = []
        own: list[Call] = []
        for block in blocks:
            if isinstance(block.value, str):
                texts.append(block.value)
                continue
            kind = optional_text(block, "type") or ""
            if kind in _CALLS:
                own.append(_call(block, "args" if block.has("args") else "input"))
            elif kind in _SERVER_CALLS:
                self.chat.before_answer("".join(texts))
                texts = []
                self.chat.assistant(None, [_call(block, "args" if block.has("args") else "input")])
            elif kind == "server_tool_result" or kind.endswith("_tool_result"):
                self._server_result(block)
            elif kind in ("thinking", "redacted_thinking", "reasoning"):
                block.source.drop("thinking")
            elif (text := block.get("text", "refusal")) is not None:
                texts.append(text.text())
            else:
                block.source.drop("content part without text")
        return ("".join(texts) if texts else None), own

    def _server_result(self, block: Node) -> None:
        given = block.get("output", "content")
        value: JsonValue = given.value if given is not None else None
        if isinstance(value, str):
            value = read_result(value)
        failed = optional_text(block, "status") == "error" or (
            isinstance(value, dict) and isinstance(value.get("error_code"), str)
        )
        call_id = optional_text(block, "tool_call_id", "tool_use_id")
        self.chat.result(block, call_id, None, value, error_text(failed, value))

    def _tool(self, message: Node) -> None:
        text = text_of(message.get("content"))
        failed = optional_text(message, "status") == "error"
        if message.get("artifact") is not None:
            message.source.drop("artifact of a tool")
        self.chat.result(
            message,
            optional_text(message, "tool_call_id"),
            optional_text(message, "name"),
            read_result(text),
            error_text(failed, text),
        )

    def _chat(self, message: Node) -> None:
        role = message.need("role").text()
        reader = _ROLES.get(role)
        if reader is None:
            raise message.need("role").error(
                f"A message has the role `{shorten(role, 30)}`.",
                "roles are system, developer, user, assistant",
            )
        reader(self, message)


_READERS: dict[str, Callable[[Messages, Node], None]] = {
    "human": Messages._human,
    "ai": Messages._ai,
    "tool": Messages._tool,
    "function": Messages._tool,
    "system": Messages._system,
    "developer": Messages._system,
    "chat": Messages._chat,
    "remove": Messages._removed,
}
_ROLES: dict[str, Callable[[Messages, Node], None]] = {
    "system": Messages._system,
    "developer": Messages._system,
    "user": Messages._human,
    "human": Messages._human,
    "assistant": Messages._ai,
    "ai": Messages._ai,
}


def _call(node: Node, arguments: str) -> Call:
    if node.has("function") and not node.has("name"):
        node, arguments = node.need("function"), "arguments"
    call = Call(node.need("name").text(empty=False), {}, id=optional_text(node, "id"))
    call.server = optional_text(node, "server_name")
    fill_arguments(call, node.get(arguments))
    return call


def _broken(node: Node) -> Call:
    """A call that LangChain could not read."""
    call = Call(optional_text(node, "name") or "?", {}, id=optional_text(node, "id"))
    given = node.get("args") or node
    unreadable(call, given, optional_text(node, "error") or "LangChain could not read them.")
    return call
