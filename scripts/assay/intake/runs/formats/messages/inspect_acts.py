"""Messages and tool events of Inspect as acts of a conversation.

- An error of type ``approval`` means that the call was not allowed to run.
- A summary with which Inspect makes a conversation shorter is no word of the user: the log keeps
  what it stands for.
- Calls that stand in events only, such as those of agents that a tool runs, or of messages that
  were cut to fit the context, follow the call that came before them. ``submit`` is the way in
  which Inspect's own agent ends, and no tool of the world.
"""

from __future__ import annotations

from assay.intake.node import Node, shorten
from assay.intake.runs.formats.messages.chat import (
    Chat,
    fill_arguments,
    optional_text,
    read_result,
    settle,
    unreadable,
)
from assay.intake.runs.imported import Call, Turn

SUBMIT = "submit"


def read_messages(messages: list[Node], chat: Chat) -> None:
    """Read messages into turns.

    Raises:
        InputError: a message has no role that is known, or a field has a wrong type.
    """
    for message in messages:
        role = message.need("role").text()
        if role == "system":
            message.source.drop("system message")
        elif role == "user":
            _user(message, chat)
        elif role == "assistant":
            _assistant(message, chat)
        elif role == "tool":
            _tool(message, chat)
        else:
            raise message.need("role").error(
                f"A message has the role `{shorten(role, 30)}`.",
                "roles are system, user, assistant, tool",
            )


def _user(message: Node, chat: Chat) -> None:
    metadata = message.get("metadata")
    if metadata is not None and metadata.has("summary"):
        message.source.drop("summary of what came before")
        return
    chat.user(_text(message))


def _text(message: Node) -> str | None:
    """The text of a message, its parts on lines of their own, as Inspect joins them."""
    content = message.get("content")
    if content is None or isinstance(content.value, str):
        return content.text() if content is not None else None
    texts: list[str] = []
    for part in content.items():
        kind = optional_text(part, "type")
        if kind == "text":
            texts.append(part.need("text").text())
        elif kind != "tool_use":
            part.source.drop("thinking" if kind == "reasoning" else "content part without text")
    return "\n".join(texts) if texts else None


def _assistant(message: Node, chat: Chat) -> None:
    content = message.get("content")
    parts = content.items() if content is not None and isinstance(content.value, list) else []
    for part in parts:
        if optional_text(part, "type") == "tool_use":
            _of_provider(part, chat)
    listed = message.get("tool_calls")
    calls = [_call(node) for node in (listed.items() if listed is not None else [])]
    chat.assistant(_text(message), calls)


def _of_provider(part: Node, chat: Chat) -> None:
    """A tool that the model's provider ran: the call with its result."""
    call = Call(part.need("name").text(empty=False), {}, id=optional_text(part, "id"))
    call.server = optional_text(part, "context")
    fill_arguments(call, part.get("arguments"))
    chat.assistant(None, [call])
    settle(call, read_result(optional_text(part, "result")), optional_text(part, "error"))


def _call(node: Node) -> Call:
    call = Call(node.need("function").text(empty=False), {}, id=optional_text(node, "id"))
    problem = optional_text(node, "parse_error")
    given = node.get("arguments")
    if problem is not None:
        unreadable(call, given or node, problem)
    else:
        fill_arguments(call, given)
    return call


def _tool(message: Node, chat: Chat) -> None:
    error = message.get("error")
    said, blocked = _error(error) if error is not None else (None, False)
    chat.result(
        message,
        optional_text(message, "tool_call_id"),
        optional_text(message, "function"),
        read_result(_text(message)),
        said,
        blocked=blocked,
    )


def _error(error: Node) -> tuple[str, bool]:
    """The words of a tool's error, and whether the call was not allowed to run."""
    kind = optional_text(error, "type") or "unknown"
    said = optional_text(error, "message")
    return said or f"The tool gives no reason ({kind}).", kind == "approval"


def read_events(events: list[Node], turns: list[Turn]) -> None:
    """Add what the events of tools tell: times, and calls that stand in no message."""
    known: dict[str, list[Call]] = {}
    for turn in turns:
        for call in turn.calls:
            known.setdefault(call.id or "", []).append(call)
    last: Call | None = None
    for event in events:
        call_id = optional_text(event, "id") or ""
        waiting = known.get(call_id)
        if waiting:
            last = waiting.pop(0)
        elif waiting is None and optional_text(event, "function") == SUBMIT:
            event.source.drop("call that submits the answer")
            continue
        elif waiting is None:
            last = _insert(_of_event(event, call_id), last, turns)
            known[call_id] = []
        else:
            continue
        _times(last, event)


def _insert(call: Call, after: Call | None, turns: list[Turn]) -> Call:
    """Put a call behind another one, or in front of all."""
    if not turns:
        turns.append(Turn())
    for turn in turns:
        for index, other in enumerate(turn.calls):
            if other is after:
                turn.calls.insert(index + 1, call)
                return call
    turns[0].calls.insert(0, call)
    return call


def _of_event(event: Node, call_id: str) -> Call:
    call = Call(event.need("function").text(empty=False), {}, id=call_id or None)
    fill_arguments(call, event.get("arguments"))
    pending = event.get("pending")
    if pending is not None and pending.boolean():
        return call
    result, error = event.get("result"), event.get("error")
    value = result.value if result is not None else None
    said, blocked = _error(error) if error is not None else (None, False)
    settle(call, read_result(value) if isinstance(value, str) else value, said, blocked=blocked)
    return call


def _times(call: Call, event: Node) -> None:
    call.started_at = optional_text(event, "timestamp") or None
    worked = event.get("working_time")
    if worked is not None and worked.number() >= 0:
        call.duration_ms = int(worked.number() * 1000)
