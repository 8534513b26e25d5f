"""A run without secrets and addresses, before it is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from assay.intake.runs.formats.records.native import run_line
from assay.models.base import JsonValue, Model
from assay.models.run import ObservedRun, ObservedTurn, ToolCall
from assay.redaction import NOTHING, Found, Kind, Redaction, Spared
from assay.redaction.quick import might_hold

_RUN = ("trace_id", "agent", "model", "final_answer", "final_state", "infrastructure_errors")
_CALL = ("server", "id", "args", "result", "error")
_STEP = ("agent", "instruction")
_TURN = ("user", "answer")

M = TypeVar("M", bound=Model)


_NOBODY: Mapping[str, Kind] = {}


@dataclass(frozen=True)
class Cleaned:
    """A run that may be written."""

    run: ObservedRun
    """The run; the one that was given where nothing was replaced."""
    line: str
    """Its canonical line."""
    found: tuple[Found, ...] = ()
    """What was replaced."""
    given_away: Mapping[str, Kind] = field(default_factory=dict)
    """Secrets that names gave away here, and that other runs may hold without a name."""


def clean_run(
    run: ObservedRun, spared: Spared = NOTHING, known: Mapping[str, Kind] = _NOBODY
) -> Cleaned:
    """A run with placeholders, and what was replaced.

    Placeholders are numbered within the run. What the user says is numbered first: so an address
    in the question has the same number in every run of the case, and in the case itself.
    Names of runs, cases and tools, policies and times are left alone.

    Args:
        run: the run.
        spared: what stays.
        known: secrets that other runs gave away, to what they are.
    """
    line = run_line(run)
    if not known and not might_hold(line):
        return Cleaned(run, line)
    redaction = Redaction(spared)
    redaction.expect(known)
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
        return Cleaned(run, line)
    given_away = redaction.given_away
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
    if not found:
        return Cleaned(run, line)
    run = cleaned.model_copy(update=changes)
    return Cleaned(run, run_line(run), tuple(found), given_away)


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
