"""Whatever an agent gave back, as an observed run: the same readers as for files of runs."""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, get_args

from assay.errors import AssayError, InputError, UsageError
from assay.files.model_text import compact_text
from assay.files.writing import write_text
from assay.intake.runs.case_ids import KnownCases
from assay.intake.runs.read import RunOptions, read_runs
from assay.models.base import JsonValue
from assay.models.run import ObservedRun, ObservedTurn, RunField, ToolCall
from assay.testing.calls import calls_of
from assay.testing.conversation import Conversation, Reply
from assay.testing.values import json_value

FIELDS: Final[tuple[RunField, ...]] = get_args(RunField)

NOT_GIVEN: Final = object()
"""Stands for a final state that is not known; None is a state as well."""

_USER = frozenset({"user", "human"})


@dataclass(frozen=True)
class Asked:
    """Which case, run and trial something was observed of, and what else the caller knows."""

    case_id: str
    turns: tuple[str, ...]
    run: str
    trial: int
    known: KnownCases = field(default_factory=KnownCases)
    calls: Sequence[Any] | None = None
    final_state: Any = NOT_GIVEN
    agent: str | None = None
    model: str | None = None
    format: str | None = None


def observe(given: Any, asked: Asked) -> ObservedRun:
    """What an agent did on a case.

    Args:
        given: an `ObservedRun`; a `Conversation`; a `Reply`, an answer, or an answer with calls;
            or anything that ``assay runs import`` reads: messages, events, spans, items.
        asked: the case.

    Raises:
        UsageError: it cannot be an observation of this case.
        InputError: it has no format that is known.
    """
    if inspect.isawaitable(given):
        close = getattr(given, "close", None)
        if close is not None:
            close()
        raise UsageError(
            "The agent is asynchronous; what it gave back was not awaited.",
            hint="assay_case.check(await my_agent(…))",
        )
    if isinstance(given, Conversation):
        run = _of_conversation(given, asked)
    else:
        reply = _reply(given, asked.calls)
        if reply is not None:
            run = _plain([(_only_turn(asked), reply)], asked)
        elif asked.calls is not None:
            raise UsageError(
                "`calls` belongs to a plain answer; what was given carries its own calls.",
                hint="leave `calls` out",
            )
        elif isinstance(given, ObservedRun):
            run = _named(given, asked)
        else:
            run = _read(json_value(given), asked)
    return _finished(run, asked)


def broken(message: str, asked: Asked) -> ObservedRun:
    """A run of which nothing is known but that the harness failed."""
    return _finished(
        ObservedRun(
            run=asked.run,
            case_id=asked.case_id,
            infrastructure_errors=(message.strip() or "unknown",),
            unknown=FIELDS,
        ),
        asked,
    )


def _finished(run: ObservedRun, asked: Asked) -> ObservedRun:
    changes: dict[str, object] = {
        "run": asked.run,
        "case_id": asked.case_id,
        "trial": asked.trial,
        "agent": asked.agent or run.agent,
        "model": asked.model or run.model,
    }
    known: set[str] = {name for name in ("agent", "model") if changes[name] is not None}
    if asked.final_state is not NOT_GIVEN:
        changes["final_state"] = json_value(asked.final_state, "/final_state")
        known.add("final_state")
    changes["unknown"] = tuple(name for name in run.unknown if name not in known)
    # Validated anew: what was copied came from the caller.
    return ObservedRun.model_validate({**dict(run), **changes})


def _reply(given: Any, calls: Sequence[Any] | None) -> Reply | None:
    """A plain answer; None where something else was given."""
    if isinstance(given, Reply):
        return given if calls is None else Reply(given.answer, calls)
    if given is None or isinstance(given, str):
        return Reply(given, calls)
    if isinstance(given, tuple) and len(given) == 2 and calls is None:
        answer, listed = given
        if (answer is None or isinstance(answer, str)) and isinstance(listed, list | tuple):
            return Reply(answer, listed)
    return None


def _only_turn(asked: Asked) -> str | None:
    if len(asked.turns) > 1:
        raise UsageError(
            f"{asked.case_id} has {len(asked.turns)} turns; one answer does not say what was"
            " answered in which.",
            hint="assay_case.check(assay_case.converse(agent)), or give all messages",
        )
    return asked.turns[0] if asked.turns else None


def _plain(turns: Sequence[tuple[str | None, Reply]], asked: Asked) -> ObservedRun:
    """A run from answers and calls; what was not said is unknown, never empty."""
    unknown: set[RunField] = set(FIELDS) - {"user", "answer", "final_answer"}
    made: list[ObservedTurn] = []
    calls: list[ToolCall] = []
    told = all(reply.calls is not None for _, reply in turns)
    results = True
    for user, reply in turns:
        found, with_results = calls_of(reply.calls or ())
        results = results and with_results
        calls += found
        made.append(ObservedTurn(user=user, answer=reply.answer, tool_calls=tuple(found)))
    if told:
        unknown -= {"tool_calls", "call_arguments"}
        if results:
            unknown.discard("call_results")
        if all(call.outcome != "unknown" for call in calls):
            unknown.discard("call_outcomes")
    answers = [turn.answer for turn in made if turn.answer is not None]
    return ObservedRun(
        run=asked.run,
        case_id=asked.case_id,
        turns=tuple(made),
        final_answer=answers[-1] if answers else None,
        unknown=tuple(name for name in FIELDS if name in unknown),
    )


def _of_conversation(conversation: Conversation, asked: Asked) -> ObservedRun:
    replies = [(text, _reply(given, None)) for text, given in conversation.turns]
    plain = [(text, reply) for text, reply in replies if reply is not None]
    if len(plain) == len(replies):
        return _plain(plain, asked)
    if plain:
        raise UsageError(
            "The agent gave back a plain answer in one turn and messages in another.",
            hint="give back the same kind in every turn",
        )
    played = [(text, _messages(given)) for text, given in conversation.turns]
    whole = played[-1][1]
    if len(played) > 1 and sum(map(_is_user, whole)) >= len(played):
        return _read(whole, asked)  # The agent gives back the whole history each time.
    joined: list[JsonValue] = []
    for text, messages in played:
        if not any(map(_is_user, messages)):
            first = messages[0] if messages else {}
            typed = isinstance(first, Mapping) and "role" not in first and "type" in first
            joined.append(
                {"type": "human", "content": text} if typed else {"role": "user", "content": text}
            )
        joined += messages
    return _read(joined, asked)


def _messages(given: Any) -> list[JsonValue]:
    value = json_value(given)
    if isinstance(value, dict) and isinstance(value.get("messages"), list):
        value = value["messages"]
    if isinstance(value, list):
        return value
    return [value]


def _is_user(message: JsonValue) -> bool:
    return isinstance(message, dict) and (
        message.get("role") in _USER or ("role" not in message and message.get("type") in _USER)
    )


def _read(value: JsonValue, asked: Asked) -> ObservedRun:
    """The one run in a value, read as a file with it would be."""
    try:
        return _named(_read_one(value, asked), asked)
    except InputError:
        if not isinstance(value, list):
            raise
        try:  # Some formats know messages only beside their name.
            return _named(_read_one({"messages": value}, asked), asked)
        except AssayError:
            pass
        raise


def _read_one(value: JsonValue, asked: Asked) -> ObservedRun:
    label = f"{asked.case_id}.json"
    options = RunOptions(run=asked.run, agent=asked.agent, model=asked.model)
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:
        path = Path(folder) / label
        write_text(path, compact_text(value) + "\n")
        imported = read_runs(path, asked.format, name=label, options=options)
    for finding in imported.findings:
        if finding.severity == "error":
            raise InputError(
                finding.message,
                path="given to check()",
                pointer=finding.pointer,
                hint=finding.hint,
            )
    if len(imported.runs) != 1:
        raise UsageError(
            f"What was given holds {len(imported.runs)} runs; a case is checked on one.",
            hint="give the messages of this case alone",
        )
    return imported.runs[0]


def _named(run: ObservedRun, asked: Asked) -> ObservedRun:
    if asked.known.resolve(run.case_id) != asked.case_id:
        raise UsageError(
            f"What was given belongs to the case {run.case_id}; this is {asked.case_id}.",
            hint="give each case what the agent did on it",
        )
    return run
