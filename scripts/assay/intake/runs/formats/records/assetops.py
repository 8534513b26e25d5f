"""Run records of AssetOpsBench: a trajectory of turns, its measurement, or a log of tasks.

- *Trajectory*: ``trajectory.turns[]`` of the model, each with its calls; a call whose ``output``
  is null was recorded without one.
- *Measurement*: ``metrics.tool_calls[]`` with what came back; the conversation is not in it.
- *Task log*: ``trajectory[]`` of tasks that agents worked off by thought, action, action input and
  observation. The last ``Finish`` is the answer. An action input that is no JSON object stands
  as the one argument ``action_input``.

What whoever passed a record on has cut is named: the record's ``_note``, and every text that
ends in a remark such as ``(… cut)`` or ``(… not read)``. A cut result or answer is unknown, so that
what is missing from it never counts as missing.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from assay.errors import InputError
from assay.files.reading import parse_json
from assay.intake.document import Document
from assay.intake.node import Node, shorten
from assay.intake.runs.formats.messages.chat import read_result
from assay.intake.runs.imported import Call, Piece, RawRun, Turn
from assay.models.base import JsonValue
from assay.models.run import RunField

NAME = "assetops"
TITLE = "AssetOpsBench records (`trajectory`, or `metrics.tool_calls`)"
STREAMS = True
CANNOT: frozenset[RunField] = frozenset({"final_state", "cost"})
"""What these records have no place for."""

_CUT = re.compile(r"\((?:cut: .*|[^()]*\b(?:cut|not read|left out)\s*)\)\s*\Z", re.DOTALL)


def fits(document: Document) -> bool:
    """Whether the file holds such records."""
    records = document.records
    return bool(records) and all(_reader(record) is not None for record in records)


def read(document: Document) -> list[Piece]:
    """One run for every record."""
    return [(record, reader) for record in document.records if (reader := _reader(record))]


def _reader(record: Node) -> Callable[[Node], RawRun] | None:
    trajectory = record.object().get("trajectory") if isinstance(record.value, dict) else None
    if isinstance(trajectory, dict) and "turns" in trajectory and record.has("scenario_id"):
        return _trajectory
    if isinstance(trajectory, list) and any(
        isinstance(task, dict) and "logs" in task for task in trajectory
    ):
        return _tasks
    metrics = record.object().get("metrics") if isinstance(record.value, dict) else None
    if isinstance(metrics, dict) and "tool_calls" in metrics and record.has("scenario_id"):
        return _measurement
    return None


def _head(record: Node, *unknown: RunField) -> RawRun:
    raw = RawRun(record, unknown={*CANNOT, *unknown})
    for name in ("scenario_id", "id"):
        found = record.get(name)
        if found is not None:
            whole = isinstance(found.value, int)
            raw.case_id = str(found.whole()) if whole else found.text(empty=False)
            break
    for name, field in (("run_id", "trace_id"), ("runner", "agent"), ("model", "model")):
        given = record.get(name)
        if given is not None:
            setattr(raw, field, given.text() or None)
    note = record.get("_note")
    if note is not None:
        record.source.note(
            "IRU025",
            f"Whoever passed this record on says: {shorten(note.text(), 240)}",
            node=note,
            case_id=raw.case_id,
        )
    return raw


def _time(node: Node | None) -> str | None:
    return node.text() or None if node is not None else None


def _duration(node: Node | None) -> int | None:
    return int(node.number()) if node is not None else None


def _tool(name: str) -> tuple[str, str | None]:
    """Tool and server of ``mcp__server__tool``; a name of another form has no server."""
    parts = name.split("__", 2)
    return (parts[2], parts[1]) if len(parts) == 3 and parts[0] == "mcp" else (name, None)


def _trajectory(record: Node) -> RawRun:
    raw = _head(record, "planning_steps", "tokens")
    trajectory = record.need("trajectory")
    raw.started_at = _time(trajectory.get("started_at"))
    answer = record.get("answer")
    turn = Turn(record.need("question").text(), answer.text() or None if answer else None)
    for step in trajectory.need("turns").items():
        listed = step.get("tool_calls")
        calls = [_called(node) for node in listed.items()] if listed is not None else []
        said = step.get("text")
        record.source.drop(
            "text before the answer", bool(calls and said is not None and said.value)
        )
        record.source.drop("tokens of a turn", step.has("input_tokens", "output_tokens"))
        turn.add(calls)
    if any(call.outcome == "unknown" for call in turn.calls):
        raw.unknown |= {"call_results", "call_outcomes"}
        missing = [call.name for call in turn.calls if call.outcome == "unknown"]
        record.source.note(
            "IRU026",
            f"The record has no result for {', '.join(missing[:5])}; it counts as unknown.",
            node=record,
            case_id=raw.case_id,
            hint="the measurement of the same run may have it",
            count=len(missing),
        )
    raw.turns = [turn]
    return raw


def _called(node: Node) -> Call:
    name, server = _tool(node.need("name").text(empty=False))
    args = node.get("input", "arguments")
    call_id = node.get("id")
    call = Call(
        name,
        dict(args.object()) if args is not None else {},
        server or (found.text() if (found := node.get("server")) is not None else None),
        call_id.text() if call_id is not None else None,
        started_at=_time(node.get("timestamp")),
        duration_ms=_duration(node.get("duration_ms")),
    )
    output, error = node.get("output"), node.get("error")
    if error is not None:
        call.outcome, call.error = "error", error.text()
    if output is not None:
        text = isinstance(output.value, str)
        call.result = read_result(output.text()) if text else output.value
        call.outcome = call.outcome if error is not None else "ok"
    return call


def _measurement(record: Node) -> RawRun:
    raw = _head(record, "user", "answer", "final_answer", "planning_steps", "parallel_groups")
    raw.started_at = _time(record.get("execution_start"))
    metrics = record.need("metrics")
    for name, field in (("input_tokens", "tokens_in"), ("output_tokens", "tokens_out")):
        count = metrics.get(name)
        if count is not None:
            setattr(raw, field, count.whole())
    turn = Turn()
    for node in metrics.need("tool_calls").items():
        turn.calls.append(_called(node))
    raw.turns = [turn]
    grading = record.get("grading")
    score = grading.get("score") if grading is not None else None
    if score is not None:
        passed, value = score.get("passed"), score.get("score")
        raw.outcome = passed.boolean() if passed is not None else None
        raw.score = value.number() if value is not None else None
    status = record.get("status")
    if status is not None and status.text() not in ("completed", "success"):
        raw.infrastructure_errors.append(f"status: {status.text()}")
    return raw


def _tasks(record: Node) -> RawRun:
    raw = _head(record, "parallel_groups", "tokens", "call_outcomes")
    asked = record.get("text")
    turn = Turn(asked.text() if asked is not None else None)
    raw.turns = [turn]
    for task in record.need("trajectory").items():
        agent = _kept(task.get("agent_name"), raw)
        described = _kept(task.get("task_description"), raw)
        if described:
            raw.planning_steps.append((agent, described))
        else:
            raw.unknown.add("planning_steps")
        logs = task.get("logs")
        steps = logs.get("trajectroy_log", "trajectory_log") if logs is not None else None
        for step in steps.items() if steps is not None else []:
            _logged(step, agent, turn, raw)
    return raw


def _kept(node: Node | None, raw: RawRun) -> str | None:
    """A text, or nothing where only a remark about it was passed on."""
    if node is None or not node.text().strip():
        return None
    if _is_cut(node.text()):
        _name_cut(node, raw)
        rest = _CUT.sub("", node.text()).strip()
        return rest or None
    return node.text()


def _is_cut(text: str) -> bool:
    return _CUT.search(text) is not None


def _name_cut(node: Node, raw: RawRun) -> None:
    node.source.note(
        "IRU025",
        f"{node.name} was cut by whoever passed the record on; what is missing counts as unknown.",
        node=node,
        case_id=raw.case_id,
    )


def _logged(step: Node, agent: str | None, turn: Turn, raw: RawRun) -> None:
    action = step.get("action")
    if action is None or not action.text().strip():
        step.source.drop("step without an action")
        return
    given = step.get("action_input")
    cut = given is not None and isinstance(given.value, str) and _is_cut(given.value)
    if given is not None and cut:
        _name_cut(given, raw)
    if action.text().strip().lower() == "finish":
        turn.answer = _CUT.sub("", given.text()).strip() or None if given is not None else None
        if cut:
            raw.unknown |= {"answer", "final_answer"}
        return
    call = Call(action.text().strip(), {}, agent)
    call.args, plain = _arguments(given)
    if plain or cut:
        raw.unknown.add("call_arguments")
    observation = step.get("observation")
    if observation is not None:
        call.result = read_result(observation.text())
        if _is_cut(observation.text()):
            _name_cut(observation, raw)
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
