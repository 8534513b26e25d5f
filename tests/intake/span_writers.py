"""What the writers of span formats share: a clock, and the spans of a run before they are spelt."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from typing import Any

from assay.models.run import ObservedRun, ObservedTurn, ToolCall
from tests.intake.writers import groups, result_text

BASE = 1_796_063_054 * 10**9
STEP = 250 * 10**6
HOUR = 3600 * 10**9
"""Turns begin an hour after each other: so many steps fit between."""


def iso(nanos: int) -> str:
    """An instant as the importer writes it."""
    made = datetime.datetime.fromtimestamp(nanos // 10**9, datetime.UTC)
    made = made.replace(microsecond=nanos % 10**9 // 1000)
    return made.isoformat().replace("+00:00", "Z")


@dataclass
class Made:
    """A span that a run would leave behind."""

    kind: str
    """``agent``, ``model`` or ``tool``."""
    id: str
    parent: str | None
    start: int
    end: int
    turn: int
    call: ToolCall | None = None
    history: list[dict[str, Any]] = field(default_factory=list)
    """Messages in OpenAI's form that went into a model."""
    text: str | None = None
    calls: list[ToolCall] = field(default_factory=list)
    """What came out of a model: text, or calls."""
    user: str | None = None


def spans_of(run: ObservedRun) -> list[list[Made]]:
    """The spans of every turn: the agent's, one for each call of the model, one for each tool."""
    result: list[list[Made]] = []
    history: list[dict[str, Any]] = []
    for number, turn in enumerate(run.turns):
        result.append(_turn(turn, number, history))
    return result


def _turn(turn: ObservedTurn, number: int, history: list[dict[str, Any]]) -> list[Made]:
    clock = BASE + number * HOUR
    root = Made("agent", f"{number:08x}{0:08x}", None, clock, 0, number)
    root.user, root.text = turn.user, turn.answer
    made = [root]
    history.append({"role": "user", "content": turn.user})

    def add(kind: str, start: int) -> Made:
        span = Made(kind, f"{number:08x}{len(made):08x}", root.id, start, start + STEP, number)
        made.append(span)
        return span

    for group in groups(turn):
        clock += STEP
        model = add("model", clock)
        model.history, model.calls = list(history), group
        history.append({"role": "assistant", "calls": group})
        for call in group:
            clock += STEP
            add("tool", clock).call = call
            history.append({"role": "tool", "call": call, "content": result_text(call)})
    if turn.answer is not None:
        clock += STEP
        last = add("model", clock)
        last.history, last.text = list(history), turn.answer
        history.append({"role": "assistant", "content": turn.answer})
    root.end = clock + 2 * STEP
    return made


def clocked(run: ObservedRun, **more: Any) -> ObservedRun:
    """The run with the times that its spans have."""
    times = {
        made.call.id: made.start for turn in spans_of(run) for made in turn if made.call is not None
    }
    turns = [
        turn.model_copy(
            update={
                "tool_calls": tuple(
                    call.model_copy(
                        update={"started_at": iso(times[call.id]), "duration_ms": STEP // 10**6}
                    )
                    for call in turn.tool_calls
                )
            }
        )
        for turn in run.turns
    ]
    return run.model_copy(
        update={"agent": "desk", "started_at": iso(BASE), "turns": tuple(turns), **more}
    )


def shares(total: int | None, models: int) -> list[int | None]:
    """A number of tokens in parts, one for every call of a model."""
    if total is None or not models:
        return [None] * models
    return [total - (total // models) * (models - 1)] + [total // models] * (models - 1)


def usages(run: ObservedRun) -> dict[str, tuple[int | None, int | None]]:
    """Id of a model's span to its tokens."""
    models = [made.id for turn in spans_of(run) for made in turn if made.kind == "model"]
    tokens = zip(
        shares(run.tokens_in, len(models)), shares(run.tokens_out, len(models)), strict=True
    )
    return dict(zip(models, tokens, strict=True))
