"""Runs of SmartGridBench and its kin: one question, a history of steps, and the scenario.

Two architectures write the same file. *Agent as tool* keeps the model's turns with their calls;
*plan-execute* keeps the plan in words and one step of it after the other. Rules:

- the scenario's id is the case; ``_run03`` at the end of the file's name is trial 2;
- a step without a tool (``none``) is no call; its text is the executor's own and is left out;
- a step whose ``success`` is false failed with its ``error``;
- a run that ends with an ``error`` and without history was not kept: what it did is unknown;
- what the scenario expects stands in the same file and is no part of the run.
"""

from __future__ import annotations

import re

from assay.intake.document import Document
from assay.intake.node import Node, shorten
from assay.intake.runs.formats.messages.chat import read_result
from assay.intake.runs.imported import Call, Piece, RawRun, Turn
from assay.intake.runs.infrastructure import infrastructure
from assay.models.run import RunField

NAME = "smart-grid"
TITLE = "SmartGridBench runs (`question`, `history`, `scenario`)"
STREAMS = True
CANNOT: frozenset[RunField] = frozenset({"final_state", "cost", "started_at"})
"""What these files have no place for."""

_LOST: frozenset[RunField] = frozenset(
    {"tool_calls", "call_arguments", "call_results", "call_outcomes", "parallel_groups"}
)
_TRIAL = re.compile(r"_run([0-9]{1,4})$")


def fits(document: Document) -> bool:
    """Whether the file holds such runs."""
    records = document.records
    return bool(records) and all(
        record.has_all("question", "history", "scenario")
        and record.has("plan", "runner_meta", "tool_call_count")
        for record in records
    )


def read(document: Document) -> list[Piece]:
    """One run for every record."""
    return [(record, _run) for record in document.records]


def _run(record: Node) -> RawRun:
    raw = RawRun(record, unknown=set(CANNOT))
    scenario = record.need("scenario")
    named = scenario.get("id")
    raw.case_id = named.text(empty=False) if named is not None else None
    record.source.drop("what the scenario expects", scenario.has("ground_truth", "expected_tools"))
    found = _TRIAL.search(record.source.name.rsplit("/", 1)[-1].rsplit(".", 1)[0])
    raw.trial = max(int(found[1]) - 1, 0) if found else None
    asked = record.need("question")
    answer = record.get("answer")
    turn = Turn(user=asked.text(), answer=(answer.text() or None) if answer is not None else None)
    raw.turns = [turn]
    if record.has("plan"):
        raw.agent = "plan-execute"
        raw.unknown |= {"parallel_groups", "tokens", "model"}
        _plan(record, raw)
        for step in record.need("history").items():
            _step(step, turn)
    else:
        raw.agent = "agent-as-tool"
        raw.unknown.add("planning_steps")
        _meta(record, raw)
        for message in record.need("history").items():
            _message(message, turn)
    _ending(record, raw, turn)
    return raw


def _ending(record: Node, raw: RawRun, turn: Turn) -> None:
    error = record.get("error")
    if error is None:
        return
    words = shorten(error.text(), 300)
    lost = not turn.calls
    if lost:
        raw.unknown |= _LOST
    if infrastructure(error.text()) is not None:
        raw.infrastructure_errors.append(words)
        return
    record.source.note(
        "IRU008",
        f"The run ended with `{words}`" + ("; what it had done was not kept." if lost else "."),
        node=error,
        case_id=raw.case_id,
    )


def _plan(record: Node, raw: RawRun) -> None:
    for step in record.need("plan").items():
        task = step.get("task")
        if task is not None and task.text().strip():
            raw.planning_steps.append((_named(step, "server"), task.text()))


def _named(node: Node, key: str) -> str | None:
    found = node.get(key)
    text = found.text().strip() if found is not None else ""
    return None if text.lower() in ("", "none", "null") else text


def _step(step: Node, turn: Turn) -> None:
    tool = _named(step, "tool")
    if tool is None:
        step.source.drop("step without a tool")
        return
    args = step.get("tool_args")
    call = Call(tool, dict(args.object()) if args is not None else {}, _named(step, "server"))
    response = step.get("response")
    call.result = read_result(response.text()) if response is not None else None
    success, error = step.get("success"), step.get("error")
    if success is not None:
        call.outcome = "ok" if success.boolean() else "error"
    if call.outcome == "error":
        call.error = error.text() if error is not None else None
    turn.calls.append(call)


def _meta(record: Node, raw: RawRun) -> None:
    meta = record.get("runner_meta")
    model = meta.get("model_id") if meta is not None else None
    raw.model = model.text() if model is not None else None
    usage = record.get("usage")
    for name, field in (("input_tokens", "tokens_in"), ("output_tokens", "tokens_out")):
        count = usage.get(name) if usage is not None else None
        if count is not None:
            setattr(raw, field, count.whole())


def _message(message: Node, turn: Turn) -> None:
    listed = message.get("tool_calls")
    calls = [_call(node) for node in listed.items()] if listed is not None else []
    said = message.get("content")
    message.source.drop("text before the answer", bool(calls and said is not None and said.value))
    turn.add(calls)


def _call(node: Node) -> Call:
    args = node.get("arguments")
    call_id = node.get("call_id")
    call = Call(
        node.need("name").text(empty=False),
        dict(args.object()) if args is not None else {},
        _named(node, "server"),
        call_id.text() if call_id is not None else None,
    )
    output = node.field("output")
    if output is not None:
        text = isinstance(output.value, str)
        call.result = read_result(output.text()) if text else output.value
        call.outcome = "ok"
    return call
