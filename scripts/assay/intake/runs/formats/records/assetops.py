"""Run records of AssetOpsBench: a trajectory of turns or steps, its measurement, a log of tasks.

- *Trajectory*: ``trajectory.turns[]`` of the model, each with its calls; a call whose ``output``
  is null was recorded without one. Turns of agents that the first one called lie in between.
- *Steps*: ``trajectory[]`` of a plan that an executor carried out, each with tool and response.
- *Measurement*: ``metrics.tool_calls[]`` with what came back; the conversation is not in it.
- *Task log*: ``trajectory[]`` of tasks that agents worked off by thought, action, action input and
  observation. The last ``Finish`` is the answer. An action input that is no JSON object stands
  as the one argument ``action_input``.

What whoever passed a record on has cut is named: the record's ``_note``, and every text that ends
in a remark such as ``(… cut)``. A cut result or answer is unknown, so that what is missing from it
never counts as missing.
"""

from __future__ import annotations

from collections.abc import Callable

from assay.intake.document import Document
from assay.intake.node import Node
from assay.intake.runs.formats.left import left_out
from assay.intake.runs.formats.messages.chat import read_result
from assay.intake.runs.formats.records.assetops_head import CANNOT, HEAD, asked, head
from assay.intake.runs.formats.records.assetops_log import read_tasks
from assay.intake.runs.formats.records.cut import hold_to_count, kept, name_cut
from assay.intake.runs.formats.records.plan_steps import read_plan, read_step
from assay.intake.runs.formats.spans.clock import instant, nanos
from assay.intake.runs.imported import Call, Piece, RawRun, Turn

NAME = "assetops"
TITLE = "AssetOpsBench records (`trajectory`, or `metrics.tool_calls`)"
STREAMS = True
__all__ = ["CANNOT", "NAME", "STREAMS", "TITLE", "fits", "read"]


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
    parts = trajectory if isinstance(trajectory, list) else []
    if any(isinstance(task, dict) and "logs" in task for task in parts):
        return read_tasks
    if record.has_all("runner", "question") and any(
        isinstance(step, dict) and step.keys() >= {"task", "server", "response"} for step in parts
    ):
        return _steps
    metrics = record.object().get("metrics") if isinstance(record.value, dict) else None
    if isinstance(metrics, dict) and "tool_calls" in metrics and record.has("scenario_id"):
        return _measurement
    return None


def _time(node: Node | None) -> str | None:
    return node.text() or None if node is not None else None


def _duration(node: Node) -> int | None:
    found = node.get("duration_ms")
    return int(found.number()) if found is not None else None


def _started(node: Node) -> str | None:
    """When a call began: an event of its end is dated by its end."""
    stamp, kind = node.get("timestamp"), node.get("kind")
    if stamp is None or kind is None or kind.value != "tool_end":
        return _time(stamp)
    ended, lasted = nanos(stamp.value), node.get("duration_ms")
    if ended is None or lasted is None:
        return None
    return instant(ended - int(lasted.number() * 1_000_000))


def _tool(name: str) -> tuple[str, str | None]:
    """Tool and server of ``mcp__server__tool``; a name of another form has no server."""
    parts = name.split("__", 2)
    return (parts[2], parts[1]) if len(parts) == 3 and parts[0] == "mcp" else (name, None)


def _trajectory(record: Node) -> RawRun:
    raw = head(record, "planning_steps", "tokens")
    trajectory = record.need("trajectory")
    raw.started_at = _time(trajectory.get("started_at"))
    turn = asked(record, raw)
    for step in trajectory.need("turns").items():
        listed = step.get("tool_calls")
        agent = step.get("agent")
        by = agent.text() if agent is not None and agent.value != "root" else None
        calls = [_called(node, raw, by) for node in listed.items()] if listed is not None else []
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
    left_out(record, HEAD | {"question", "answer"})
    return raw


def _steps(record: Node) -> RawRun:
    raw = head(record, "parallel_groups", "tokens", "started_at")
    turn = asked(record, raw)
    steps = record.need("trajectory").items()
    read_plan(steps, raw)
    for step in steps:
        read_step(step, raw, turn)
    left_out(record, HEAD | {"question", "answer"})
    return raw


def _called(node: Node, raw: RawRun, by: str | None = None) -> Call:
    """A call; one of an agent that another one called is named after that agent, where no server
    is known.
    """
    name, server = _tool(node.need("name").text(empty=False))
    args = node.get("input", "arguments")
    call_id = node.get("id")
    call = Call(
        name,
        dict(args.object()) if args is not None else {},
        server or (found.text() if (found := node.get("server")) is not None else by),
        call_id.text() if call_id is not None else None,
        started_at=_started(node),
        duration_ms=_duration(node),
    )
    output, error = node.get("output"), node.get("error")
    if error is not None:
        call.outcome, call.error = "error", error.text()
    if output is not None:
        text = isinstance(output.value, str)
        call.result = read_result(output.text()) if text else output.value
        call.outcome = call.outcome if error is not None else "ok"
        if text and kept(output.text()) is not None:
            raw.unknown.add("call_results")
            name_cut(output, raw, f"The result of `{call.name}`")
    return call


def _measurement(record: Node) -> RawRun:
    raw = head(record, "user", "answer", "final_answer", "planning_steps", "parallel_groups")
    raw.started_at = _time(record.get("execution_start"))
    metrics = record.need("metrics")
    for name, field in (("input_tokens", "tokens_in"), ("output_tokens", "tokens_out")):
        count = metrics.get(name)
        if count is not None:
            setattr(raw, field, count.whole())
    turn = Turn()
    for node in metrics.need("tool_calls").items():
        turn.calls.append(_called(node, raw))
    raw.turns = [turn]
    hold_to_count(metrics.get("tool_call_count"), raw)
    grading = record.get("grading")
    score = grading.get("score") if grading is not None else None
    if score is not None:
        passed, value = score.get("passed"), score.get("score")
        raw.outcome = passed.boolean() if passed is not None else None
        raw.score = value.number() if value is not None else None
    status = record.get("status")
    if status is not None and status.text() not in ("completed", "success"):
        raw.infrastructure_errors.append(f"status: {status.text()}")
    read = HEAD | {"grading", "metrics", "status", "execution_start", "execution_end"}
    left_out(record, read)
    return raw
