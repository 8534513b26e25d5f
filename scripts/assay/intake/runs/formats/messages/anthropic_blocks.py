"""The content blocks of Anthropic's messages as acts of a conversation.

- Results stand in messages of the user; text beside them is the user speaking.
- Tools that run at the provider (``server_tool_use``, ``mcp_tool_use``) have their results in the
  same message, between the texts of the assistant; what it says after the last of them answers.
- Text in a message that calls one of the agent's own tools is never the answer.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.intake.node import Node, shorten
from assay.intake.runs.formats.messages.chat import (
    Chat,
    error_text,
    fill_arguments,
    optional_text,
    read_result,
    text_of,
)
from assay.intake.runs.formats.messages.head import Meter, compacted, stopped
from assay.intake.runs.imported import Call, RawRun
from assay.models.base import JsonValue

_CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
_THINKING = frozenset({"thinking", "redacted_thinking"})
_CUT_OFF = ("max_tokens", "model_context_window_exceeded", "refusal")
_IN = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


@dataclass
class Blocks:
    """Reads messages of one conversation."""

    raw: RawRun
    chat: Chat
    meter: Meter
    _calls: list[Call] = field(default_factory=list)
    """Calls of the message that is read, whose results are not there yet."""

    def read(self, messages: list[Node]) -> None:
        """Read messages into turns.

        Raises:
            InputError: a message has no role that is known, or a field has a wrong type.
        """
        for message in messages:
            role = message.need("role").text()
            if role == "system":
                self.chat.source.drop("system message")
            elif role == "user":
                self._user(message.get("content"))
            elif role == "assistant":
                self._assistant(message)
            else:
                raise message.need("role").error(
                    f"A message has the role `{shorten(role, 30)}`.",
                    "roles are system, user, assistant",
                )

    def usage(self, usage: Node | None, *, only_if_none: bool = False) -> None:
        """Add the tokens of an answer; those that came from or went to a cache count as read."""
        if not only_if_none or self.meter.tokens_in is None:
            self.meter.tokens(usage, _IN, ("output_tokens",))

    def _user(self, content: Node | None) -> None:
        if content is None or isinstance(content.value, str):
            self.chat.user(text_of(content))
            return
        texts: list[str] = []
        results = 0
        for block in content.items():
            kind = optional_text(block, "type")
            if kind is not None and kind.endswith("tool_result"):
                results += 1
                self._result(block, kind)
            elif block.get("text") is not None:
                texts.append(block.need("text").text())
            else:
                block.source.drop("content part without text")
        if texts or not results:
            self.chat.user("".join(texts) if texts else None)

    def _assistant(self, message: Node) -> None:
        self.meter.model(message.get("model"))
        self.usage(message.get("usage"))
        content = message.get("content")
        if content is None or isinstance(content.value, str):
            self.chat.assistant(text_of(content), [])
        else:
            self._content(content.items())
        reason = message.get("stop_reason")
        if reason is not None and reason.value in _CUT_OFF:
            stopped(self.raw, f"`stop_reason` is `{reason.value}`")

    def _content(self, blocks: list[Node]) -> None:
        texts: list[str] = []
        own = acted = False
        self._calls = []
        for block in blocks:
            kind = optional_text(block, "type") or ""
            if kind in _CALLS or kind.endswith("tool_result"):
                acted = True
                self.chat.before_answer("".join(texts))
                texts = []
                if kind in _CALLS:
                    own = own or kind == "tool_use"
                    self._calls.append(_call(block))
                else:
                    self._result(block, kind)
            elif kind in _THINKING:
                block.source.drop("thinking")
            elif kind == "compaction":
                compacted(self.raw, self.chat, block)
            elif block.get("text") is not None:
                texts.append(block.need("text").text())
            else:
                block.source.drop("content part without text")
        self._flush()
        text = "".join(texts) if texts else None
        if own:
            self.chat.before_answer(text)
        elif text is not None or not acted:
            self.chat.assistant(text, [])

    def _flush(self) -> None:
        """Hand on the calls that were issued together."""
        if self._calls:
            self.chat.assistant(None, self._calls)
            self._calls = []

    def _result(self, block: Node, kind: str) -> None:
        self._flush()
        content = block.get("content")
        flagged = block.get("is_error")
        failed = flagged is not None and flagged.boolean()
        value: JsonValue
        error: str | None = None
        if kind in ("tool_result", "mcp_tool_result"):
            text = text_of(content)
            value = read_result(text)
            error = error_text(failed, text)
        else:
            value = content.value if content is not None else None
            code = value.get("error_code") if isinstance(value, dict) else None
            error = code if isinstance(code, str) else None
        self.chat.result(block, block.need("tool_use_id").text(), None, value, error)


def _call(block: Node) -> Call:
    call = Call(
        block.need("name").text(empty=False),
        {},
        server=optional_text(block, "server_name", "toolset_name"),
        id=optional_text(block, "id"),
    )
    fill_arguments(call, block.get("input"))
    return call
