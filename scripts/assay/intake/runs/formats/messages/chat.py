"""A conversation as acts: what every format of messages is translated to.

A user says something, the assistant says something or calls tools, a result comes back. What these
acts mean for turns, answers and calls is said here once:

- A user's message begins a turn; messages of a user without anything between them are one.
- The answer of a turn is its last message of the assistant without tool calls.
- Calls of one message were issued together.
- A result belongs to the call with its id among the calls that were issued last and are still
  open: ids repeat within real conversations, so that an id alone names no call.
- Results that are JSON objects or lists are read as such; every other content stays text.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.errors import InputError
from assay.files.reading import parse_json
from assay.intake.node import Node, Source, shorten
from assay.intake.runs.imported import Call, Turn
from assay.models.base import JsonValue


@dataclass
class Chat:
    """A conversation while it is read."""

    source: Source
    turns: list[Turn] = field(default_factory=list)
    open: list[Call] = field(default_factory=list)
    """Calls of the last message with calls, and older ones that were never answered."""

    def user(self, text: str | None) -> None:
        """The user says something, or sends a message without text."""
        last = self.turns[-1] if self.turns else None
        if last is not None and last.user is not None and last.answer is None and not last.calls:
            last.user = last.user if text is None else f"{last.user}\n{text}"
            return
        self.turns.append(Turn(user=text))

    def assistant(self, text: str | None, calls: list[Call]) -> None:
        """A message of the assistant: text, calls that it issued together, or both."""
        turn = self._acts()
        if calls:
            self.source.drop("text before the answer", bool(text))
            turn.add(calls)
            self.open = [call for call in self.open if not call.answered] + calls
        elif text is not None:
            turn.answer = text

    def result(
        self,
        node: Node,
        call_id: str | None,
        name: str | None,
        value: JsonValue,
        error: str | None = None,
        *,
        blocked: bool = False,
    ) -> Call | None:
        """What a tool gave back.

        Args:
            node: where the result stands.
            call_id: the call that it answers, where it says so.
            name: the tool, where it says so.
            value: the result.
            error: the error, where the format says that there was one.
            blocked: whether the error is that the call was not allowed to run.

        Returns:
            The call, or none where it belongs to no call that is open.
        """
        call = self._answered(call_id, name)
        if call is None:
            self.source.drop("tool result without its call")
            self.source.note(
                "IRU004", f"A result of `{name or '?'}` belongs to no call.", node=node
            )
            return None
        self._acts()
        settle(call, value, error, blocked=blocked)
        return call

    def before_answer(self, text: str | None) -> None:
        """Count text that the assistant says on its way."""
        self.source.drop("text before the answer", bool(text))

    def _acts(self) -> Turn:
        """The turn in which the assistant acts: what it said last was not the end of it."""
        if not self.turns:
            self.turns.append(Turn())
        turn = self.turns[-1]
        if turn.answer is not None:
            self.source.drop("text before the answer")
            turn.answer = None
        return turn

    def _answered(self, call_id: str | None, name: str | None) -> Call | None:
        waiting = [call for call in self.open if not call.answered]
        if call_id is not None:
            fitting = [call for call in waiting if call.id == call_id]
            return fitting[-1] if fitting else None
        return next((call for call in waiting if name in (None, call.name)), None)


def settle(
    call: Call, value: JsonValue, error: str | None = None, *, blocked: bool = False
) -> None:
    """Write a result into its call."""
    call.answered = True
    call.result = value
    if error is None:
        call.outcome, call.error = "ok", None
    else:
        call.outcome, call.error = "blocked" if blocked else "error", error


def text_in(message: Node, name: str) -> str | None:
    """The text of a field as `text_of` takes it."""
    words = message.words(name)
    return words if words is not None else text_of(message.get(name))


def text_of(node: Node | None) -> str | None:
    """The text of a content: text, or a list of parts that hold text; None where there is none.

    Parts may be text themselves.
    """
    if node is None:
        return None
    if isinstance(node.value, str):
        return node.value
    texts: list[str] = []
    for part in node.items():
        text = part if isinstance(part.value, str) else part.get("text", "refusal")
        if text is None:
            part.source.drop("content part without text")
        else:
            texts.append(text.text())
    return "".join(texts) if texts else None


def error_text(failed: bool, said: JsonValue) -> str | None:
    """The error of a call that failed: what the tool said, where it said something."""
    if not failed:
        return None
    return said if isinstance(said, str) and said else "The tool gives no reason."


def read_result(text: str | None) -> JsonValue:
    """A tool result: a JSON object or list as such, every other content as text."""
    if text is None or text.lstrip()[:1] not in ("{", "["):
        return text
    try:
        return parse_json(text, name="")
    except InputError:
        return text


def fill_arguments(call: Call, given: Node | None) -> None:
    """Read the arguments of a call: an object, or JSON text that holds one.

    Where they cannot be read, the call is kept without arguments, with the text as its error.
    """
    if given is None or given.value == "":
        return
    if isinstance(given.value, dict):
        call.args = dict(given.value)
        return
    try:
        value = parse_json(given.text(), name=given.source.name)
    except InputError as error:
        problem = error.message
    else:
        if isinstance(value, dict):
            call.args = value
            return
        problem = "They are no JSON object." if value is not None else ""
    if problem:
        unreadable(call, given, problem)


def unreadable(call: Call, given: Node, problem: str) -> None:
    """Keep a call whose arguments cannot be read, and say so."""
    shown = given.value if isinstance(given.value, str) else ""
    call.outcome = "error"
    call.error = f"The arguments cannot be read: {problem} {shorten(shown, 200)}".rstrip()
    given.source.note(
        "IRU003",
        f"The arguments of `{shorten(call.name, 40)}` cannot be read: {problem}"
        " The call is kept without arguments.",
        node=given,
    )


def optional_text(node: Node, *names: str) -> str | None:
    """The text of the first of the fields that is there; None where none is."""
    words = node.words(names[0])
    if words is not None:
        return words
    given = node.get(*names)
    return given.text() if given is not None else None
