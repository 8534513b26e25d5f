"""Logs of tasks of AssetOpsBench: thought, action, action input, observation."""

from __future__ import annotations

from assay.errors import InputError
from assay.files.reading import parse_json
from assay.intake.node import Node
from assay.intake.runs.formats.left import left_out
from assay.intake.runs.formats.messages.chat import read_result
from assay.intake.runs.formats.records.assetops_head import HEAD, head
from assay.intake.runs.formats.records.cut import kept, name_cut
from assay.intake.runs.imported import Call, RawRun, Turn
from assay.models.base import JsonValue
from assay.models.run import RunField


def read_tasks(record: Node) -> RawRun:
    """The run of a log: tasks are its plan, actions its calls, the last finish its answer."""
    raw = head(record, "parallel_groups", "tokens", "call_outcomes")
    asked = record.get("text")
    turn = Turn(asked.text() if asked is not None else None)
    raw.turns = [turn]
    for task in record.need("trajectory").items():
        agent = _said(task.get("agent_name"), raw)
        described = _said(task.get("task_description"), raw)
        if described:
            raw.planning_steps.append((agent, described))
        else:
            raw.unknown.add("planning_steps")
        logs = task.get("logs")
        steps = logs.get("trajectroy_log", "trajectory_log") if logs is not None else None
        for step in steps.items() if steps is not None else []:
            _logged(step, agent, turn, raw)
    left_out(record, HEAD | {"text"})
    return raw


def _said(node: Node | None, raw: RawRun) -> str | None:
    """A text, or nothing where only a remark about it was passed on."""
    if node is None or not node.text().strip():
        return None
    rest = kept(node.text())
    if rest is None:
        return node.text()
    name_cut(node, raw)
    return rest or None


def _logged(step: Node, agent: str | None, turn: Turn, raw: RawRun) -> None:
    action = step.get("action")
    if action is None or not action.text().strip():
        step.source.drop("step without an action")
        return
    given = step.get("action_input")
    rest = kept(given.value) if given is not None and isinstance(given.value, str) else None
    if given is not None and rest is not None:
        name_cut(given, raw)
    if action.text().strip().lower() == "finish":
        step.source.drop("answer of a task before the last one", turn.answer is not None)
        said = given.text() if given is not None else ""
        turn.answer = (said if rest is None else rest).strip() or None
        cut: set[RunField] = {"answer", "final_answer"}
        raw.unknown = raw.unknown - cut if rest is None else raw.unknown | cut
        return
    call = Call(action.text().strip(), {}, agent)
    call.args, plain = _arguments(given)
    if plain or rest is not None:
        raw.unknown.add("call_arguments")
    raw.arguments_as_text = raw.arguments_as_text or plain
    observation = step.get("observation")
    if observation is not None:
        call.result = read_result(observation.text())
        if kept(observation.text()) is not None:
            name_cut(observation, raw, f"The observation of `{call.name}`")
            raw.unknown.add("call_results")
    turn.calls.append(call)


def _arguments(node: Node | None) -> tuple[dict[str, JsonValue], bool]:
    """Arguments, and whether they were a text without names."""
    if node is None or node.value == "":
        return {}, False
    if isinstance(node.value, dict):
        return dict(node.value), False
    try:
        value = parse_json(node.text(), name=node.source.name)
    except InputError:
        value = None
    if isinstance(value, dict):
        return value, False
    return {"action_input": node.text()}, True
