"""Secrets and addresses in runs, replaced before anything is written.

Placeholders are numbered within a run of one case, in the order in which things were said: the same
address is the same placeholder all over it, and no other run changes the numbers. What the
suite's own cases and labels hold stays, since a label may ask for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from assay.files.reading import read_bytes
from assay.intake.runs.formats.records.native import run_line
from assay.models.base import JsonValue
from assay.models.run import ObservedPlanStep, ObservedRun, ObservedTurn, ToolCall
from assay.redaction import ADDRESS, NOTHING, Found, Kind, Redaction, Spared
from assay.redaction.suspicion import suspicious


def clean_run(run: ObservedRun, spared: Spared = NOTHING) -> tuple[ObservedRun, Counter[Kind]]:
    """The run without secrets and addresses, and how many of each kind stood in it.

    Looked at are what was said, calls with arguments, results and errors, the plan, the final
    answer and state, and failures of the harness; ids, names of tools, times and figures are not.
    """
    if not suspicious(run_line(run)):
        return run, Counter()
    parts: list[JsonValue] = [
        [_turn(turn) for turn in run.turns],
        run.final_answer,
        run.final_state,
        [[step.agent, step.instruction] for step in run.planning_steps],
        list(run.infrastructure_errors),
    ]
    redaction = Redaction(spared)
    redaction.look(parts)
    if redaction.is_clean:
        return run, Counter()
    found: list[Found] = []
    turns, answer, state, plan, errors = _list(redaction.rewrite(parts, found))
    update = {
        "turns": tuple(_turned(old, new) for old, new in zip(run.turns, _list(turns), strict=True)),
        "final_answer": answer,
        "final_state": state,
        "planning_steps": tuple(
            ObservedPlanStep(agent=agent, instruction=words)  # type: ignore[arg-type]
            for agent, words in map(_list, _list(plan))
        ),
        "infrastructure_errors": tuple(_list(errors)),
    }
    return run.model_copy(update=update), Counter(hit.kind for hit in found)


def _turn(turn: ObservedTurn) -> JsonValue:
    calls: list[JsonValue] = [[call.args, call.result, call.error] for call in turn.tool_calls]
    return [turn.user, calls, turn.answer]


def _turned(turn: ObservedTurn, value: JsonValue) -> ObservedTurn:
    user, calls, answer = _list(value)
    made: list[ToolCall] = []
    for call, parts in zip(turn.tool_calls, _list(calls), strict=True):
        args, result, error = _list(parts)
        made.append(call.model_copy(update={"args": args, "result": result, "error": error}))
    return turn.model_copy(update={"user": user, "tool_calls": tuple(made), "answer": answer})


def _list(value: JsonValue) -> list[JsonValue]:
    assert isinstance(value, list)
    return value


def words(counts: Counter[Kind]) -> str:
    """``2 e-mail addresses and 1 token``."""
    told = []
    for kind in sorted(counts):
        plural = {ADDRESS: "e-mail addresses"}.get(kind, f"{kind}s")
        told.append(f"{counts[kind]:,} {kind if counts[kind] == 1 else plural}")
    return " and ".join([*([", ".join(told[:-1])] if told[:-1] else []), *told[-1:]])


def spared_by(folders: Iterable[Path], *, addresses: bool = False) -> Spared:
    """What stays: everything that stands in the cases and labels of a suite.

    Args:
        folders: folders of JSON files; one that does not exist holds nothing.
        addresses: keep every address.

    Raises:
        InputError: a file cannot be read.
    """
    texts = [
        read_bytes(path, name=path.as_posix()).decode("utf-8", "replace")
        for folder in folders
        if folder.is_dir()
        for path in sorted(folder.rglob("*.json"))
    ]
    known = "\n".join(texts)
    low = known.lower()
    return Spared(
        addresses=addresses,
        known_address=lambda address: address in low,
        known_value=lambda value: len(value) > 2 and f'"{value}"' in known,
    )
