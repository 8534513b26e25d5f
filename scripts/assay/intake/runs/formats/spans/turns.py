"""Steps of one or several traces to the turns of a conversation.

- Every outermost span of an agent or workflow is a turn, and so is every further trace of the
  conversation; where the format names its turns itself, that decides.
- Without such spans, a call of a model whose messages hold a further message of the user begins
  one.
- The user's message is what went into the outermost agent, else the last message of the user that
  the first model of the turn was given. The answer is what came out of the outermost agent, else
  the last text without calls of a model at the depth of the turn's first model, else of any.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.intake.runs.formats.spans.calls import Calls
from assay.intake.runs.formats.spans.placing import Placed
from assay.intake.runs.formats.spans.said import Said, last_text
from assay.intake.runs.formats.spans.span import Step
from assay.intake.runs.formats.spans.tree import Tree
from assay.intake.runs.imported import Turn
from assay.models.run import RunField


@dataclass
class _Turn:
    """A turn while it is put together."""

    trace: Tree
    outer: Step | None = None
    name: str | None = None
    calls: Calls = field(default_factory=Calls)
    agents: list[Step] = field(default_factory=list)
    models: list[Placed] = field(default_factory=list)
    tools: int = 0


@dataclass
class Conversation:
    """The turns of a run."""

    turns: list[Turn] = field(default_factory=list)
    unknown: set[RunField] = field(default_factory=set)
    failures: list[str] = field(default_factory=list)
    earlier: int = 0
    """Messages of turns before the first one that was recorded."""


class Talk:
    """Puts a conversation together, step by step."""

    def __init__(self) -> None:
        self.turns: list[_Turn] = []
        self.users: list[str] = []
        """What the user has said so far, as the models were told."""
        self.earlier = 0
        self.owner: dict[int, _Turn] = {}
        """Outermost agent to its turn: agents that run side by side do not cut each other up."""

    def take(self, placed: Placed) -> None:
        """The next step."""
        step = placed.step
        owner = self.owner.get(id(placed.outer)) if placed.outer is not None else None
        if owner is None or (step.kind == "model" and owner is self.turns[-1]):
            owner = None
            if self._begins(placed):
                self.turns.append(_Turn(placed.trace))
        turn = owner or self.turns[-1]
        if placed.outer is not None:
            self.owner[id(placed.outer)] = turn
            turn.outer = placed.outer
        turn.name = turn.name or step.turn
        if step.kind == "agent":
            turn.agents.append(step)
        elif step.kind == "tool":
            turn.tools += 1
            turn.calls.run(step)
        else:
            self._model(turn, placed)

    def _begins(self, placed: Placed) -> bool:
        """Whether a turn begins here."""
        if not self.turns:
            return True
        turn, step = self.turns[-1], placed.step
        if step.turn is not None and turn.name is not None:
            return step.turn != turn.name
        if turn.outer is not None and placed.outer is not None and placed.outer is not turn.outer:
            return True
        if step.kind == "model" and step.input is not None and turn.models:
            first = turn.models[0]
            users = _users(step.input)
            if placed.depth <= first.depth and _extends(self.users, users):
                return True
            if turn.trace is not placed.trace:
                return users != self.users
        return turn.trace is not placed.trace and step.kind != "tool"

    def _model(self, turn: _Turn, placed: Placed) -> None:
        step = placed.step
        if step.input is not None:
            told, since = _since_the_user(step.input)
            users = _users(step.input)
            if not turn.models and len(self.turns) == 1:
                self.earlier += sum(item.role != "system" for item in told[:-1])
            if not turn.models or _extends(self.users, users):
                self.users = users
            turn.calls.hear(since)
        turn.models.append(placed)
        for item in step.output or ():
            if item.calls:
                turn.calls.ask(item.calls)

    def finished(self) -> Conversation:
        """The turns, and what is not known of them."""
        made = Conversation(earlier=self.earlier)
        ran = any(turn.tools for turn in self.turns)
        for turn in self.turns:
            result = Turn(user=_user(turn), answer=_answer(turn))
            result.calls, unknown = turn.calls.finished()
            made.unknown |= unknown | _unknown(turn, result, ran)
            made.turns.append(result)
            made.failures += _failures(turn)
        return made


def _users(said: list[Said]) -> list[str]:
    return [item.text for item in said if item.role == "user" and item.text is not None]


def _extends(before: list[str], users: list[str]) -> bool:
    """Whether messages of the user go on from those known: all of them, or the last ones."""
    if not users or before[-len(users) :] == users:
        return False
    for length in range(min(len(before), len(users) - 1), 0, -1):
        if users[:length] == before[-length:]:
            return True
    return False


def _since_the_user(said: list[Said]) -> tuple[list[Said], list[Said]]:
    """Messages up to the last one of the user, and those after it."""
    for index in range(len(said) - 1, -1, -1):
        if said[index].role == "user" and said[index].text is not None:
            return said[: index + 1], said[index + 1 :]
    return [], said


def _user(turn: _Turn) -> str | None:
    for agent in turn.agents:
        text = last_text(agent.input, "user")
        if text is not None:
            return text
    for placed in turn.models:
        text = last_text(placed.step.input, "user")
        if text is not None:
            return text
    return None


def _answer(turn: _Turn) -> str | None:
    if turn.agents:
        text = last_text(turn.agents[0].output, "assistant")
        if text is not None:
            return text
    main = [item for item in turn.models if item.depth == turn.models[0].depth]
    for models in (main, turn.models):
        for placed in reversed(models):
            if placed.step.failure is not None and placed.step.output is None:
                continue
            text = last_text(placed.step.output, "assistant")
            if text is not None:
                return text
            if any(item.calls for item in placed.step.output or ()):
                # It acted at the end: what it said before is no answer, but that of an agent
                # which took over is.
                break
    for agent in turn.agents[1:]:
        text = last_text(agent.output, "assistant")
        if text is not None:
            return text
    return None


def _unknown(turn: _Turn, result: Turn, ran: bool) -> set[RunField]:
    unknown: set[RunField] = set()
    if result.user is None:
        unknown.add("user")
    silent = [item for item in turn.models if item.step.output is None and not item.step.failure]
    told = turn.models and turn.models[-1].step.output is not None
    failed = turn.models and turn.models[-1].step.failure is not None
    if result.answer is None and not told and not failed:
        unknown |= {"answer", "final_answer"}
    if (silent or not turn.models) and not ran and not result.calls:
        unknown |= {
            "tool_calls",
            "call_arguments",
            "call_results",
            "call_outcomes",
            "parallel_groups",
        }
    if any(not call.answered and call.outcome == "unknown" for call in result.calls) and (
        any(item.step.input is None for item in turn.models[1:]) or not turn.models
    ):
        unknown |= {"call_results", "call_outcomes"}
    return unknown


def _failures(turn: _Turn) -> list[str]:
    """A call of a model that failed, and no later one of the turn worked."""
    if turn.models:
        last = turn.models[-1].step.failure
        return [last] if last is not None else []
    failed = [agent.failure for agent in turn.agents[:1] if agent.failure is not None]
    return failed if not turn.tools else []
