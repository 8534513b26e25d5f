"""Result files of tau-bench: tasks with their conversation, reward and gold actions.

Rules of this format:

- a result that begins with ``Error`` or with ``Unknown action`` is an error: so the benchmark's
  environment reports a call that failed;
- the mark ``###STOP###`` ends the conversation: the user's message that carries it is dropped, for
  nobody was to answer it;
- a run whose ``info`` holds an ``error`` is the harness's failure;
- a run without ``reward_info`` was cut off by the limit of steps.
"""

from __future__ import annotations

from assay.intake.document import Document
from assay.intake.node import Node, shorten
from assay.intake.runs.formats.messages.chat import Chat, text_of
from assay.intake.runs.formats.messages.openai_chat import CANNOT
from assay.intake.runs.formats.messages.openai_roles import read_chat
from assay.intake.runs.imported import Piece, RawRun

NAME = "tau-bench"
TITLE = "tau-bench results (list of `task_id`, `reward`, `info`, `traj`)"
STREAMS = True
STOP = "###STOP###"
"""What the simulated user writes when the conversation is over."""


def fits(document: Document) -> bool:
    """Whether the file holds results of tau-bench."""
    records = document.records
    return (
        document.layout != "table"
        and bool(records)
        and all(record.has_all("task_id", "traj") for record in records)
    )


def read(document: Document) -> list[Piece]:
    """One run for every result."""
    return [(record, _result) for record in document.records]


def task_id(record: Node) -> str:
    """The task's number, or its name, as text."""
    node = record.need("task_id")
    return node.text(empty=False) if isinstance(node.value, str) else str(node.whole())


def failure(text: str) -> str | None:
    """The error that a tool result of tau-bench reports, if it does."""
    return text if text.startswith(("Error", "Unknown action")) else None


def _result(record: Node) -> RawRun:
    raw = RawRun(record, case_id=task_id(record), unknown=set(CANNOT))
    trial = record.get("trial")
    raw.trial = trial.whole() if trial is not None else None
    reward = record.get("reward")
    if reward is not None:
        raw.score = reward.number()
        raw.outcome = raw.score == 1
    info = record.get("info")
    error = info.get("error") if info is not None else None
    if error is not None:
        raw.infrastructure_errors.append(shorten(error.text(empty=False), 500))
    messages = record.need("traj").items()
    messages, stopped = _without_stop(messages, record)
    chat = Chat(record.source)
    read_chat(messages, chat, failure)
    raw.turns = chat.turns
    scored = info is not None and info.get("reward_info") is not None
    if info is not None and not scored and not stopped and error is None:
        record.source.note(
            "IRU008",
            f"Task {raw.case_id}, trial {raw.trial or 0}: neither the user nor a tool ended the"
            " conversation; the limit of steps did, and the benchmark gave no reward.",
            node=record,
            case_id=raw.case_id,
        )
    return raw


def _without_stop(messages: list[Node], record: Node) -> tuple[list[Node], bool]:
    if not messages:
        return messages, False
    last = messages[-1]
    role = last.get("role")
    text = text_of(last.get("content"))
    if role is None or role.value != "user" or text is None or STOP not in text:
        return messages, False
    words = text.replace(STOP, "").strip()
    record.source.drop("closing words of the user" if words else "stop mark")
    return messages[:-1], True
