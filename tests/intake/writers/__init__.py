"""Writers: observed runs as files of a foreign format, for tests that read back what was written.

A writer is a module ``<name>.py`` with

- ``FORMAT``: the format's name;
- ``write(runs) -> (file name, bytes)``: one file that holds the runs;
- ``carried(run) -> run``, where the format cannot carry all: the run as far as it can;
- ``ONE``, where a file can hold only one run;
- ``REQUIRES``, where reading the format needs a library.
"""

from __future__ import annotations

import importlib
import pkgutil
from decimal import Decimal
from types import ModuleType
from typing import Any

from hypothesis import strategies as st

from assay.files.model_text import compact_text
from assay.models.run import ObservedRun, ObservedTurn, ToolCall


def writers() -> dict[str, ModuleType]:
    """Every writer, by the name of its format."""
    found = [
        importlib.import_module(f"{__name__}.{module.name}")
        for module in pkgutil.iter_modules(__path__)
    ]
    return {module.FORMAT: module for module in sorted(found, key=lambda item: item.__name__)}


def dumps(value: Any) -> str:
    """A value as JSON, its numbers exact."""
    return compact_text(value)


def groups(turn: ObservedTurn) -> list[list[ToolCall]]:
    """The calls of a turn, those that were issued together in one list."""
    result: list[list[ToolCall]] = []
    for call in turn.tool_calls:
        last = result[-1][-1] if result else None
        together = last is not None and last.parallel_group == call.parallel_group
        if together and call.parallel_group is not None:
            result[-1].append(call)
        else:
            result.append([call])
    return result


def result_text(call: ToolCall) -> str:
    """What a tool gave back, as text."""
    return call.result if isinstance(call.result, str) else dumps(call.result)


# -- random runs ----------------------------------------------------------------------------

_LETTERS = st.characters(codec="utf-8", exclude_characters="#")
TEXTS = st.text(_LETTERS, min_size=1, max_size=12)
NAMES = st.from_regex(r"[a-z][a-z_]{0,8}[a-z]", fullmatch=True)
NUMBERS = st.integers(-(10**20), 10**20) | st.decimals(
    -(10**6), 10**6, places=3, allow_nan=False, allow_infinity=False
)
SCALARS = st.none() | st.booleans() | NUMBERS | st.text(_LETTERS, max_size=8)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
OBJECTS = st.dictionaries(TEXTS, VALUES, max_size=3)
SAID = TEXTS.filter(lambda text: text.lstrip()[:1] not in ("{", "["))
"""Results that are text: no JSON object or list."""


@st.composite
def _turns(draw: st.DrawFn) -> tuple[ObservedTurn, ...]:
    turns: list[ObservedTurn] = []
    number = 0
    for _ in range(draw(st.integers(1, 3))):
        calls: list[ToolCall] = []
        together = 0
        for size in draw(st.lists(st.integers(1, 3), max_size=2)):
            for _ in range(size):
                number += 1
                failed = draw(st.booleans())
                said = draw(SAID) if failed else draw(OBJECTS | SAID)
                calls.append(
                    ToolCall(
                        name=draw(NAMES),
                        id=f"call-{number}",
                        args=draw(OBJECTS),
                        outcome="error" if failed else "ok",
                        result=said,
                        error=said if failed else None,
                        parallel_group=together if size > 1 else None,
                    )
                )
            together += size > 1
        answer = draw(TEXTS | st.none()) if calls else draw(TEXTS)
        turns.append(ObservedTurn(user=draw(TEXTS), answer=answer, tool_calls=tuple(calls)))
    return tuple(turns)


@st.composite
def runs(draw: st.DrawFn) -> list[ObservedRun]:
    """Runs of one file: unicode, exact numbers, turns, calls issued together, errors."""
    made: list[ObservedRun] = []
    for number in range(draw(st.integers(1, 3))):
        turns = draw(_turns())
        answers = [turn.answer for turn in turns if turn.answer is not None]
        counted = draw(st.booleans())
        made.append(
            ObservedRun(
                run="r",
                case_id=draw(st.sampled_from(["a", "b.1", "Case 7"])),
                trial=number,
                model=draw(st.none() | NAMES),
                turns=turns,
                final_answer=answers[-1] if answers else None,
                tokens_in=draw(st.integers(0, 10**6)) if counted else None,
                tokens_out=draw(st.integers(0, 10**6)) if counted else None,
            )
        )
    return sorted(made, key=lambda run: (run.case_id, run.trial))


# -- comparing ------------------------------------------------------------------------------

_CALL = {
    "call_arguments": {"args": {}},
    "call_results": {"result": None},
    "call_outcomes": {"outcome": "unknown", "error": None},
    "parallel_groups": {"parallel_group": None},
}
_RUN = {
    "planning_steps": {"planning_steps": ()},
    "final_answer": {"final_answer": None},
    "final_state": {"final_state": None},
    "agent": {"agent": None},
    "model": {"model": None},
    "started_at": {"started_at": None},
    "tokens": {"tokens_in": None, "tokens_out": None},
    "cost": {"cost": None},
}


def without(run: ObservedRun, unknown: tuple[str, ...]) -> ObservedRun:
    """The run without what is unknown, and without its name, format and trace id."""
    calls = {key: value for part in unknown for key, value in _CALL.get(part, {}).items()}
    turns = []
    for turn in run.turns:
        changes: dict[str, Any] = {part: None for part in unknown if part in ("user", "answer")}
        changes["tool_calls"] = (
            ()
            if "tool_calls" in unknown
            else tuple(call.model_copy(update=calls) for call in turn.tool_calls)
        )
        turns.append(turn.model_copy(update=changes))
    more = {key: value for part in unknown for key, value in _RUN.get(part, {}).items()}
    kept = {"run": "r", "format": None, "unknown": (), "trace_id": None, "turns": tuple(turns)}
    return run.model_copy(update={**more, **kept})


def succeeded(run: ObservedRun) -> ObservedRun:
    """The run in a format that has no sign of a failed call."""
    turns = [
        turn.model_copy(
            update={
                "tool_calls": tuple(
                    call.model_copy(update={"outcome": "ok", "error": None})
                    for call in turn.tool_calls
                )
            }
        )
        for turn in run.turns
    ]
    return run.model_copy(update={"turns": tuple(turns)})


def one_turn(run: ObservedRun) -> ObservedRun:
    """The run with its first turn alone."""
    return run.model_copy(update={"turns": run.turns[:1], "final_answer": run.turns[0].answer})


def unanswered(run: ObservedRun) -> ObservedRun:
    """One turn whose calls have nothing but a name and arguments."""
    only = one_turn(run)
    calls = tuple(ToolCall(name=c.name, args=c.args) for c in only.turns[0].tool_calls)
    return only.model_copy(
        update={"turns": (only.turns[0].model_copy(update={"tool_calls": calls}),)}
    )


def floating(value: Any) -> Any:
    """A value whose decimals passed through binary floating point."""
    if isinstance(value, Decimal):
        return Decimal(repr(float(value)))
    if isinstance(value, dict):
        return {key: floating(item) for key, item in value.items()}
    return [floating(item) for item in value] if isinstance(value, list) else value
