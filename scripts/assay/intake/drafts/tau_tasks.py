"""Tasks of tau-bench, from its result files or from lists of tasks."""

from __future__ import annotations

from dataclasses import dataclass

from assay.errors import InputError
from assay.files.canonical import canonical_json
from assay.intake.document import Document
from assay.intake.node import Node
from assay.intake.runs.formats.messages.chat import text_of
from assay.intake.runs.formats.messages.tau_bench import STOP, task_id
from assay.models.base import JsonValue


@dataclass
class Action:
    """One gold action."""

    name: str
    """The tool."""
    args: dict[str, JsonValue]
    """All its arguments."""


@dataclass
class Task:
    """One task of the benchmark."""

    number: str
    """Its number, as text."""
    node: Node
    """Where it stands."""
    instruction: str
    """What the simulated user is told."""
    user_id: str | None
    """The user's id in the benchmark's database."""
    actions: list[Action]
    """The gold actions, in order."""
    outputs: list[str]
    """What the agent must say."""
    opening: str | None = None
    """First message of the user in the trial that comes first."""
    order: int = 0
    """That trial."""


def read_tasks(document: Document) -> list[Task]:
    """The tasks of a file, each once, by number; what is wrong with one is a finding."""
    tasks: dict[str, Task] = {}
    for index, record in enumerate(document.records):
        try:
            task = _task(record, index)
        except InputError as error:
            document.source.drop("task that cannot be read")
            document.source.failed(error, "IRU002")
            continue
        if task is None:
            continue
        known = tasks.setdefault(task.number, task)
        if known is task:
            continue
        if _meaning(known) != _meaning(task):
            document.source.note(
                "IDR008",
                f"Task {task.number} stands there with other actions or outputs; the first one is"
                " drafted from.",
                node=record,
            )
        if task.opening is not None and (known.opening is None or task.order < known.order):
            known.opening, known.order = task.opening, task.order
    return sorted(tasks.values(), key=lambda task: _key(task.number))


def _key(number: str) -> tuple[int, int, str]:
    return (0, int(number), "") if number.isdigit() and len(number) < 10 else (1, 0, number)


def _meaning(task: Task) -> str:
    actions: list[JsonValue] = [[action.name, action.args] for action in task.actions]
    return canonical_json([task.instruction, actions, list(task.outputs)])


def _task(record: Node, index: int) -> Task | None:
    info = record.get("info") if record.has("info") else None
    node = info.get("task") if info is not None else None
    if node is None and record.has_all("instruction", "actions"):
        node = record
    if node is None:
        return None
    number = task_id(record) if record.has("task_id") else str(index)
    user = node.get("user_id")
    outputs = node.get("outputs")
    trial = record.get("trial") if record is not node else None
    return Task(
        number,
        node,
        node.need("instruction").text(empty=False),
        user.text() if user is not None else None,
        [_action(item) for item in node.need("actions").items()],
        [item.text() for item in outputs.items()] if outputs is not None else [],
        _opening(record) if record is not node else None,
        trial.whole() if trial is not None else 0,
    )


def _action(node: Node) -> Action:
    given = node.get("kwargs", "arguments")
    return Action(
        node.need("name").text(empty=False), dict(given.object()) if given is not None else {}
    )


def _opening(record: Node) -> str | None:
    messages = record.get("traj")
    for message in messages.items() if messages is not None else []:
        role = message.get("role")
        if role is not None and role.value == "user":
            text = text_of(message.get("content"))
            return text.replace(STOP, "").strip() if text else None
    return None


def called_tools(document: Document) -> set[str]:
    """Names of the tools that agents called anywhere in the file."""
    names: set[str] = set()
    for record in document.records:
        messages = record.get("traj") if record.has("traj") else None
        listed = messages.value if messages is not None else None
        for message in listed if isinstance(listed, list) else []:
            calls = message.get("tool_calls") if isinstance(message, dict) else None
            for call in calls if isinstance(calls, list) else []:
                function = call.get("function") if isinstance(call, dict) else None
                called = function.get("name") if isinstance(function, dict) else None
                if isinstance(called, str) and called:
                    names.add(called)
    return names
