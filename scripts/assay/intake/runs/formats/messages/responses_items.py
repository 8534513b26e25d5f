"""Items of OpenAI's Responses interface as acts of a conversation.

- Calls that the agent's own program carries out, and that follow each other without a result
  between them, were issued together.
- A tool of the provider (searches, MCP, code) stands there with its result.
- A request for approval is a call that was blocked until it is answered with yes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from assay.files.canonical import canonical_json
from assay.intake.node import Node, shorten
from assay.intake.runs.formats.messages.batch import message_of
from assay.intake.runs.formats.messages.chat import (
    Chat,
    error_text,
    fill_arguments,
    optional_text,
    read_result,
    settle,
    text_of,
)
from assay.intake.runs.formats.messages.head import compacted, missing
from assay.intake.runs.imported import Call, RawRun
from assay.models.base import JsonValue


class _Own(NamedTuple):
    """A call that the agent's program carries out: its tool, and where its arguments stand."""

    tool: str
    field: str
    wrapped: bool = False
    """Whether the field is one argument, not the object of all."""


_OWN = {
    "computer_call": _Own("computer", "action"),
    "local_shell_call": _Own("local_shell", "action"),
    "shell_call": _Own("shell", "action"),
    "apply_patch_call": _Own("apply_patch", "operation"),
    "program": _Own("program", "code", wrapped=True),
}
_HOSTED = {
    "file_search_call": ("file_search", "queries", "results"),
    "code_interpreter_call": ("code_interpreter", "code", "outputs"),
    "image_generation_call": ("image_generation", "revised_prompt", None),
}
"""Item to tool, the field that is its argument, and the field that is its result."""

_UNSAID = {
    "reasoning": "thinking",
    "mcp_list_tools": "list of tools",
    "additional_tools": "list of tools",
    "tool_search_call": "list of tools",
    "tool_search_output": "list of tools",
    "configuration_update": "configuration",
    "compaction_trigger": "configuration",
}
CALLS = frozenset(
    {*_OWN, *_HOSTED, "function_call", "custom_tool_call", "web_search_call", "mcp_call"}
)
OUTPUTS = frozenset(
    {
        "function_call_output",
        "custom_tool_call_output",
        "computer_call_output",
        "local_shell_call_output",
        "shell_call_output",
        "apply_patch_call_output",
        "program_output",
    }
)
ITEMS = CALLS | OUTPUTS | frozenset(_UNSAID) | {
    "message", "compaction", "item_reference", "mcp_approval_request", "mcp_approval_response"
}  # fmt: skip


@dataclass
class Items:
    """Reads items of one conversation."""

    raw: RawRun
    chat: Chat
    _calls: list[Call] = field(default_factory=list)
    """Calls that were issued together, as far as they were read."""
    _asked: dict[str, Call] = field(default_factory=dict)
    """Calls that wait for an approval, by its id."""

    def read(self, items: list[Node]) -> None:
        """Read items into turns.

        Raises:
            InputError: an item is no object, or a field has a wrong type.
        """
        for item in items:
            kind = optional_text(item, "type") or "message"
            if kind in _UNSAID:
                item.source.drop(_UNSAID[kind])
                self._listing_failed(item, kind)
            elif kind in _OWN or kind in ("function_call", "custom_tool_call"):
                self._calls.append(_own_call(item, kind))
            else:
                self.flush()
                reader = _READERS.get(kind)
                if reader is not None:
                    reader(self, item)
                elif kind in OUTPUTS:
                    self._output(item, kind)
                elif kind in _HOSTED:
                    self._hosted(item, *_HOSTED[kind])
                else:
                    item.source.drop("item that is no message and no call")
        self.flush()

    def flush(self) -> None:
        """Hand on the calls that were issued together."""
        if self._calls:
            self.chat.assistant(None, self._calls)
            self._calls = []

    def _listing_failed(self, item: Node, kind: str) -> None:
        error = item.get("error") if kind == "mcp_list_tools" else None
        if error is not None:
            server = optional_text(item, "server_label") or "?"
            said = message_of(error)
            self.raw.infrastructure_errors.append(f"The tools of {server} are not listed: {said}")

    def _message(self, item: Node) -> None:
        role = item.need("role").text()
        text = text_of(item.get("content"))
        if role in ("system", "developer"):
            item.source.drop("system message")
        elif role == "user":
            self.chat.user(text)
        elif role != "assistant":
            raise item.need("role").error(
                f"A message has the role `{shorten(role, 30)}`.",
                "roles are system, developer, user, assistant",
            )
        elif optional_text(item, "phase") == "commentary":
            self.chat.before_answer(text)
        else:
            self.chat.assistant(text, [])

    def _output(self, item: Node, kind: str) -> None:
        given = item.get("output", "result")
        value: JsonValue
        if given is None or isinstance(given.value, str):
            value = read_result(text_of(given))
        elif kind == "shell_call_output":
            value = given.value
        elif kind == "computer_call_output":
            item.source.drop("content part without text")
            value = None
        else:
            value = read_result(text_of(given))
        error = error_text(optional_text(item, "status") == "failed", value)
        call_id = optional_text(item, "call_id", "id")
        self.chat.result(item, call_id, optional_text(item, "name"), value, error)

    def _hosted(self, item: Node, tool: str, asked: str, told: str | None) -> None:
        argument = item.get(asked)
        call = Call(tool, {asked: argument.value} if argument is not None else {})
        result = item.get(told) if told is not None else None
        if told is None and item.get("result") is not None:
            item.source.drop("content part without text")
        self._done(item, call, result.value if result is not None else None)

    def _web_search(self, item: Node) -> None:
        action = item.get("action")
        args = dict(action.object()) if action is not None else {}
        self._done(item, Call("web_search", args), args.pop("sources", None))

    def _done(self, item: Node, call: Call, result: JsonValue, error: str | None = None) -> None:
        """Add a call that the provider carried out."""
        call.id = optional_text(item, "id")
        status = optional_text(item, "status")
        if error is None and status == "failed":
            error = message_of(item.get("error")) or "The tool gives no reason."
        self.chat.assistant(None, [call])
        if error is not None or status in (None, "completed"):
            settle(call, result, error)

    def _mcp(self, item: Node) -> None:
        call = _mcp_call(item)
        asked = self._asked.pop(optional_text(item, "approval_request_id") or "", None)
        told = item.get("error")
        error = _mcp_error(told) if told is not None else None
        result = read_result(optional_text(item, "output"))
        if asked is None:
            self._done(item, call, result, error)
            return
        asked.name, asked.server, asked.args = call.name, call.server, call.args
        if optional_text(item, "status") == "failed" and error is None:
            error = "The tool gives no reason."
        settle(asked, result, error)

    def _approval(self, item: Node) -> None:
        call = _mcp_call(item)
        call.id = item.need("id").text(empty=False)
        self.chat.assistant(None, [call])
        settle(call, None, "The call waits for an approval.", blocked=True)
        self._asked[call.id] = call

    def _approved(self, item: Node) -> None:
        asked = self._asked.get(item.need("approval_request_id").text())
        if asked is None or item.need("approve").boolean():
            return
        reason = optional_text(item, "reason")
        asked.error = f"The call was not approved: {reason}" if reason else "It was not approved."

    def _compaction(self, item: Node) -> None:
        compacted(self.raw, self.chat, item)

    def _reference(self, item: Node) -> None:
        missing(self.raw, item, "An item is only referred to; what it says is not in the file.")


_READERS: dict[str, Callable[[Items, Node], None]] = {
    "message": Items._message,
    "web_search_call": Items._web_search,
    "mcp_call": Items._mcp,
    "mcp_approval_request": Items._approval,
    "mcp_approval_response": Items._approved,
    "compaction": Items._compaction,
    "item_reference": Items._reference,
}


def _own_call(item: Node, kind: str) -> Call:
    call_id = optional_text(item, "call_id", "id")
    own = _OWN.get(kind)
    if own is not None:
        call = Call(own.tool, {}, id=call_id)
        given = item.get(own.field)
        if own.wrapped and given is not None:
            call.args = {own.field: given.value}
        else:
            fill_arguments(call, given)
        return call
    call = Call(item.need("name").text(empty=False), {}, id=call_id)
    call.server = optional_text(item, "namespace")
    if kind == "function_call":
        fill_arguments(call, item.get("arguments"))
    else:
        call.args = {"input": item.need("input").text()}
    return call


def _mcp_call(item: Node) -> Call:
    call = Call(item.need("name").text(empty=False), {})
    call.server = optional_text(item, "server_label")
    fill_arguments(call, item.get("arguments"))
    return call


def _mcp_error(error: Node) -> str:
    """The words of a failed MCP call: of the protocol, or of the tool itself."""
    if isinstance(error.value, dict):
        content = error.get("content")
        if content is not None:
            try_text = content.value
            if isinstance(try_text, list) and all(
                isinstance(part, dict) and isinstance(part.get("text"), str) for part in try_text
            ):
                return text_of(content) or "The tool gives no reason."
            return canonical_json(try_text)
    return message_of(error) or "The tool gives no reason."
