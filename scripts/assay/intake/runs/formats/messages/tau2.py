"""Results of tau2-bench: simulations with their messages, reward and reason of the end.

Rules of this format:

- Calls of the simulated user, and their results, are no calls of the agent: they are left out and
  counted.
- The agent's greeting before the user has spoken is the benchmark's own text.
- The marks with which the user ends the conversation are no words of the user; a message that holds
  nothing else is left out, and so is the agent's own mark.
- How the simulation ended decides whose failure it is: see `_INFRASTRUCTURE` and `_CUT_OFF`.
- Times are local times without a zone, hence no instants: the start is unknown.
"""

from __future__ import annotations

from functools import partial

from assay.intake.document import Document
from assay.intake.node import Node, shorten
from assay.intake.runs.formats.messages.chat import (
    Chat,
    error_text,
    fill_arguments,
    optional_text,
    read_result,
    text_of,
)
from assay.intake.runs.formats.messages.head import Meter
from assay.intake.runs.imported import Call, Piece, RawRun
from assay.models.run import RunField

NAME = "tau2"
TITLE = "tau2-bench results (`simulations`), or one simulation of a results folder"
STREAMS = True

MARKS = ("###STOP###", "###TRANSFER###", "###OUT-OF-SCOPE###")
"""What the simulated user, or the agent, writes when the conversation is over."""

_INFRASTRUCTURE = {
    "infrastructure_error": "the infrastructure failed",
    "unexpected_error": "the benchmark failed",
    "user_error": "the simulated user failed",
    "context_window_exceeded": "the context window was exceeded; the benchmark does not count it",
}
"""Ends that are not the agent's; the benchmark leaves the first and the last out of its figures."""

_CUT_OFF = {
    "max_steps": "the limit of steps",
    "timeout": "the limit of time",
    "too_many_errors": "too many tool errors in a row",
    "agent_error": "an invalid message of the agent",
}
"""Ends that the benchmark counts as the agent's, with reward 0."""


def fits(document: Document) -> bool:
    """Whether the file holds results of tau2-bench, or simulations."""
    records = document.records
    return (
        document.layout != "table"
        and bool(records)
        and all(
            record.has("simulations")
            or record.has_all("simulation_index", "tasks")
            or record.has_all("task_id", "termination_reason")
            for record in records
        )
    )


def read(document: Document) -> list[Piece]:
    """One run for every simulation.

    Raises:
        InputError: the file is the index of a folder of simulations and holds none itself.
    """
    pieces: list[Piece] = []
    for record in document.records:
        if not record.has("simulations", "simulation_index"):
            pieces.append((record, partial(_simulation, None)))
            continue
        listed = record.get("simulations")
        nodes = listed.items() if listed is not None else []
        index = record.get("simulation_index")
        if not nodes and index is not None and index.items():
            folder = record.source.name.rpartition("/")[0]
            raise index.error(
                f"The file only lists {len(index.items())} simulations; each is a file of its own.",
                f"assay runs import {f'{folder}/' if folder else ''}simulations/*.json",
            )
        pieces += [(node, partial(_simulation, record.get("info"))) for node in nodes]
    return pieces


def _simulation(info: Node | None, record: Node) -> RawRun:
    named = record.need("task_id")
    case_id = str(named.whole()) if isinstance(named.value, int) else named.text(empty=False)
    raw = RawRun(record, case_id=case_id, unknown=set(CANNOT))
    trial = record.get("trial")
    raw.trial = trial.whole() if trial is not None else None
    raw.trace_id = optional_text(record, "id") or None
    _agent(info, raw)
    reward = record.get("reward_info")
    given = reward.get("reward") if reward is not None else None
    if given is not None:
        raw.score = given.number()
        raw.outcome = raw.score == 1
    cost = record.get("agent_cost")
    raw.cost = cost.number() if cost is not None else None
    _end(record, raw)
    messages = record.get("messages")
    if messages is None and record.get("ticks") is not None:
        raise record.error(
            "The simulation is spoken: it holds ticks and no messages.",
            "import simulations of the half-duplex mode; spoken ones are not read",
        )
    chat, meter = Chat(record.source), Meter()
    for message in messages.items() if messages is not None else []:
        _message(message, chat, meter)
    raw.turns = chat.turns
    meter.finish(raw)
    return raw


def _agent(info: Node | None, raw: RawRun) -> None:
    agent = info.get("agent_info") if info is not None else None
    if agent is not None:
        raw.agent = optional_text(agent, "implementation") or None
        raw.model = optional_text(agent, "llm") or None


def _end(record: Node, raw: RawRun) -> None:
    """How the simulation ended, and whose doing that was."""
    reason = optional_text(record, "termination_reason") or ""
    if reason in _INFRASTRUCTURE:
        info = record.get("info")
        told = info.get("error", "error_message") if info is not None else None
        said = told.value if told is not None and isinstance(told.value, str) else ""
        words = f"{reason}: {said or _INFRASTRUCTURE[reason]}"
        raw.infrastructure_errors.append(shorten(words, 500))
    elif reason not in ("user_stop", "agent_stop", ""):
        record.source.note(
            "IRU008",
            f"Task {raw.case_id}, trial {raw.trial or 0}: neither the user nor the agent ended the"
            f" conversation; {_CUT_OFF.get(reason, f'`{shorten(reason, 40)}`')} did.",
            node=record,
            case_id=raw.case_id,
        )


def _message(message: Node, chat: Chat, meter: Meter) -> None:
    several = message.get("tool_messages")
    if several is not None:
        for node in several.items():
            _tool(node, chat)
        return
    role = message.need("role").text()
    if role == "system":
        message.source.drop("system message")
    elif role == "tool":
        _tool(message, chat)
    elif role == "user":
        calls = message.get("tool_calls")
        message.source.drop("tool call of the user", len(calls.items()) if calls is not None else 0)
        text = _said(message)
        if text or (calls is None and text is not None):
            chat.user(text)
    elif role == "assistant":
        meter.tokens(message.get("usage"), ("prompt_tokens",), ("completion_tokens",))
        _assistant(message, chat)
    else:
        raise message.need("role").error(
            f"A message has the role `{shorten(role, 30)}`.",
            "roles are system, user, assistant, tool",
        )


def _assistant(message: Node, chat: Chat) -> None:
    listed = message.get("tool_calls")
    calls = [_call(node) for node in (listed.items() if listed is not None else [])]
    if not chat.turns and not calls:
        message.source.drop("greeting before the first question")
        return
    text = _said(message)
    if calls or text is not None:
        chat.assistant(text, calls)


def _said(message: Node) -> str | None:
    """What a message says without the marks that end the conversation; None where that is all."""
    text = text_of(message.get("content"))
    if text is None or not any(mark in text for mark in MARKS):
        return text
    for mark in MARKS:
        text = text.replace(mark, "")
    text = text.strip()
    if optional_text(message, "role") == "user":
        # Nobody was to answer it: the conversation is over.
        message.source.drop("closing words of the user" if text else "stop mark")
        return None
    message.source.drop("stop mark")
    return text or None


def _call(node: Node) -> Call:
    call = Call(node.need("name").text(empty=False), {}, id=optional_text(node, "id") or None)
    fill_arguments(call, node.get("arguments"))
    return call


def _tool(message: Node, chat: Chat) -> None:
    if optional_text(message, "requestor") == "user":
        message.source.drop("tool result for the user")
        return
    text = text_of(message.get("content"))
    flagged = message.get("error")
    failed = flagged is not None and flagged.boolean()
    call_id = optional_text(message, "id") or None
    chat.result(message, call_id, None, read_result(text), error_text(failed, text))


CANNOT: frozenset[RunField] = frozenset({"planning_steps", "final_state"})
"""What results have no place for; the database at the end is not in them."""
