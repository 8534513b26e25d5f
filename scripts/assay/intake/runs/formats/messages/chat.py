"""Chat messages in OpenAI's form to turns: the rules that every chat format shares.

- A user's message begins a turn; messages of a user without anything between them are one.
- The answer of a turn is its last message of the assistant without tool calls.
- A result belongs to the call with its id among the calls that were issued last and are still
  open: ids repeat within real conversations, so that an id alone names no call.
- Results that are JSON objects or lists are read as such; every other content stays text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from assay.errors import InputError
from assay.files.reading import parse_json
from assay.intake.node import Node, Source, shorten
from assay.intake.runs.imported import Call, Turn
from assay.models.base import JsonValue

NotRun = Callable[[str], str | None]
"""Given the text of a tool result, the error that it reports, if it does."""


@dataclass
class Chat:
    """A conversation while it is read."""

    source: Source
    failed: NotRun = lambda text: None
    turns: list[Turn] = field(default_factory=list)
    open: list[Call] = field(default_factory=list)
    """Calls of the last message with calls, and older ones that were never answered."""


def read_chat(messages: list[Node], chat: Chat) -> None:
    """Read messages into turns.

    Raises:
        InputError: a message has no role, or a field has a wrong type.
    """
    for message in messages:
        role = message.need("role").text()
        reader = _ROLES.get(role)
        if reader is None:
            raise message.need("role").error(
                f"A message has the role `{shorten(role, 30)}`.",
                "roles are system, developer, user, assistant, tool, function",
            )
        reader(message, chat)


def text_of(node: Node | None) -> str | None:
    """The text of a content: text, or a list of parts that hold text; None where there is none."""
    if node is None:
        return None
    if isinstance(node.value, str):
        return node.value
    texts: list[str] = []
    for part in node.items():
        text = part.get("text", "refusal")
        if text is None:
            part.source.drop("content part without text")
        else:
            texts.append(text.text())
    return "".join(texts) if texts else None


def _system(message: Node, chat: Chat) -> None:
    chat.source.drop("system message")


def _user(message: Node, chat: Chat) -> None:
    text = text_of(message.get("content"))
    last = chat.turns[-1] if chat.turns else None
    if last is not None and last.user is not None and last.answer is None and not last.calls:
        last.user = last.user if text is None else f"{last.user}\n{text}"
        return
    chat.turns.append(Turn(user=text))


def _assistant(message: Node, chat: Chat) -> None:
    if not chat.turns:
        chat.turns.append(Turn())
    turn = chat.turns[-1]
    text = text_of(message.get("content"))
    if text is None:
        text = text_of(message.get("refusal"))
    listed = message.get("tool_calls")
    nodes = listed.items() if listed is not None else []
    calls = [_call(node, node.need("function")) for node in nodes]
    single = message.get("function_call")
    if single is not None:
        calls.append(_call(message, single))
    if turn.answer is not None:
        # Something came after it, so it was not the end of the turn.
        chat.source.drop("text before the answer")
        turn.answer = None
    if calls:
        chat.source.drop("text before the answer", bool(text))
        turn.add(calls)
        chat.open = [call for call in chat.open if not call.answered] + calls
    elif text is not None:
        turn.answer = text


def _call(node: Node, function: Node) -> Call:
    name = function.need("name").text(empty=False)
    call_id = node.get("id") if "function" in node.object() else None
    call = Call(name, {}, id=call_id.text() if call_id is not None else None)
    given = function.get("arguments")
    if given is None or given.value == "":
        return call
    if isinstance(given.value, dict):
        call.args = dict(given.value)
        return call
    try:
        value = parse_json(given.text(), name=given.source.name)
    except InputError as error:
        problem = error.message
    else:
        if isinstance(value, dict):
            call.args = value
            return call
        problem = "They are no JSON object." if value is not None else ""
    if problem:
        call.outcome = "error"
        call.error = f"The arguments cannot be read: {problem} {shorten(given.text(), 200)}"
        given.source.note(
            "IRU003",
            f"The arguments of `{shorten(name, 40)}` cannot be read: {problem}"
            " The call is kept without arguments.",
            node=given,
        )
    return call


def _tool(message: Node, chat: Chat) -> None:
    call_id = message.get("tool_call_id")
    name = message.get("name")
    call = _answered(
        chat.open,
        call_id.text() if call_id is not None else None,
        name.text() if name is not None else None,
    )
    if call is None:
        chat.source.drop("tool result without its call")
        shown = name.text() if name is not None else "?"
        chat.source.note("IRU004", f"A result of `{shown}` belongs to no call.", node=message)
        return
    if chat.turns and chat.turns[-1].answer is not None:
        chat.source.drop("text before the answer")
        chat.turns[-1].answer = None
    text = text_of(message.get("content"))
    call.answered = True
    call.result = read_result(text)
    error = chat.failed(text) if text is not None else None
    if error is not None:
        call.outcome, call.error = "error", error
    else:
        call.outcome = "ok"


def _answered(calls: list[Call], call_id: str | None, name: str | None) -> Call | None:
    waiting = [call for call in calls if not call.answered]
    if call_id is not None:
        fitting = [call for call in waiting if call.id == call_id]
        return fitting[-1] if fitting else None
    return next((call for call in waiting if name in (None, call.name)), None)


def read_result(text: str | None) -> JsonValue:
    """A tool result: a JSON object or list as such, every other content as text."""
    if text is None or text.lstrip()[:1] not in ("{", "["):
        return text
    try:
        return parse_json(text, name="")
    except InputError:
        return text


_ROLES: dict[str, Callable[[Node, Chat], None]] = {
    "system": _system,
    "developer": _system,
    "user": _user,
    "assistant": _assistant,
    "tool": _tool,
    "function": _tool,
}
