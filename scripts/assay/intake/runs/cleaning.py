"""A run without secrets and addresses, before it is written."""

from __future__ import annotations

from typing import TypeVar

from assay.intake.runs.formats.records.native import run_line
from assay.models.base import JsonValue, Model
from assay.models.run import ObservedRun, ObservedTurn, ToolCall
from assay.redaction import NOTHING, Found, Redaction, Spared
from assay.redaction.quick import might_hold

_RUN = ("trace_id", "agent", "model", "final_answer", "final_state", "infrastructure_errors")
_CALL = ("server", "id", "args", "result", "error")
_STEP = ("agent", "instruction")
_TURN = ("user", "answer")

M = TypeVar("M", bound=Model)


def clean_run(run: ObservedRun, spared: Spared = NOTHING) -> tuple[ObservedRun, tuple[Found, ...]]:
    """A run with placeholders, and what was replaced; the run itself where nothing was.

    Placeholders are numbered within the run. What the user says is numbered first: so an address
    in the question has the same number in every run of the case, and in the case itself.
    Names of runs, cases and tools, policies and times are left alone.
    """
    if not might_hold(run_line(run)):
        return run, ()
    redaction = Redaction(spared)
    for turn in run.turns:
        redaction.look(turn.user)
    for turn in run.turns:
        redaction.look(turn.answer)
        for call in turn.tool_calls:
            _look(redaction, call, _CALL)
    for step in run.planning_steps:
        _look(redaction, step, _STEP)
    _look(redaction, run, _RUN)
    if redaction.is_clean:
        return run, ()
    found: list[Found] = []
    changes = {
        "turns": tuple(
            _turn(redaction, turn, found, f"/turns/{index}") for index, turn in enumerate(run.turns)
        ),
        "planning_steps": tuple(
            _rewritten(redaction, step, _STEP, found, f"/planning_steps/{index}")
            for index, step in enumerate(run.planning_steps)
        ),
    }
    cleaned = _rewritten(redaction, run, _RUN, found, "")
    return cleaned.model_copy(update=changes), tuple(found)


def _look(redaction: Redaction, model: Model, names: tuple[str, ...]) -> None:
    for name in names:
        redaction.look(getattr(model, name))


def _turn(
    redaction: Redaction, turn: ObservedTurn, found: list[Found], pointer: str
) -> ObservedTurn:
    calls = tuple(
        _call(redaction, call, found, f"{pointer}/tool_calls/{index}")
        for index, call in enumerate(turn.tool_calls)
    )
    cleaned = _rewritten(redaction, turn, _TURN, found, pointer)
    return cleaned.model_copy(update={"tool_calls": calls})


def _call(redaction: Redaction, call: ToolCall, found: list[Found], pointer: str) -> ToolCall:
    return _rewritten(redaction, call, _CALL, found, pointer)


def _rewritten(
    redaction: Redaction, model: M, names: tuple[str, ...], found: list[Found], pointer: str
) -> M:
    """A model with some fields rewritten; the model itself where nothing changed."""
    changes: dict[str, JsonValue] = {}
    for name in names:
        before = getattr(model, name)
        after = redaction.rewrite(before, found, f"{pointer}/{name}")
        if after is not before:
            changes[name] = tuple(after) if isinstance(before, tuple) else after  # type: ignore[arg-type]
    return model.model_copy(update=changes) if changes else model
