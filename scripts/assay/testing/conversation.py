"""A conversation with an agent: each turn of the user, and what the agent did about it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from inspect import isawaitable
from typing import Any

from assay.errors import UsageError


@dataclass(frozen=True)
class Reply:
    """What an agent did in one turn."""

    answer: str | None
    """What it answered; None where it gave no answer."""
    calls: Sequence[Any] | None = None
    """Its tool calls in order: `ToolCall`, mapping, or (name, arguments[, result]); None where
    they are not known, which is not the same as none.
    """


Say = Callable[[str], Any]
"""An agent: given what the user says, what it did about it."""


@dataclass
class Conversation:
    """The turns of a case as far as they were played."""

    turns: list[tuple[str, Any]] = field(default_factory=list)
    """What the user said, and what the agent gave back for it."""


def play(turns: Sequence[str], say: Say) -> Conversation:
    """Give each turn to an agent, in order.

    Raises:
        UsageError: the agent is asynchronous.
    """
    conversation = Conversation()
    for text in turns:
        given = say(text)
        if isawaitable(given):
            close = getattr(given, "close", None)
            if close is not None:
                close()
            raise UsageError("The agent is asynchronous.", hint="await assay_case.aconverse(agent)")
        conversation.turns.append((text, given))
    return conversation


async def play_async(turns: Sequence[str], say: Callable[[str], Awaitable[Any]]) -> Conversation:
    """Give each turn to an asynchronous agent, in order."""
    conversation = Conversation()
    for text in turns:
        given = say(text)
        conversation.turns.append((text, await given if isawaitable(given) else given))
    return conversation
