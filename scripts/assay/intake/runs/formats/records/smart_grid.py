"""Runs of SmartGridBench and its kin: one question, a history of steps, and the scenario.

Two architectures write the same file. *Agent as tool* keeps the model's turns with their calls;
*plan-execute* keeps the plan in words and one step of it after the other. Rules:

- the scenario's id is the case; ``_run03`` at the end of the file's name is trial 2;
- a step without a tool (``none``) is no call; its text is the executor's own and is left out;
- a step whose ``success`` is false failed with its ``error``;
- a turn of *agent as tool* holds the calls of all answers of the model up to one with text, so that
  which were issued together is known only where the run allowed no parallel calls;
- a run that ends with an ``error`` and without history was not kept: what it did is unknown;
- what the scenario expects stands in the same file and is no part of the run.
"""

from __future__ import annotations

import re

from assay.intake.document import Document
from assay.intake.node import Node, shorten
from assay.intake.runs.blame import infrastructure
from assay.intake.runs.formats.left import left_out
from assay.intake.runs.formats.messages.chat import read_result
from assay.intake.runs.formats.records.cut import hold_to_count, kept, name_cut
from assay.intake.runs.formats.records.plan_steps import named, read_plan, read_step
from assay.intake.runs.imported import Call, Piece, RawRun, Turn
from assay.models.run import RunField

NAME = "smart-grid"
TITLE = "SmartGridBench runs (`question`, `history`, `scenario`)"
STREAMS = True
CANNOT: frozenset[RunField] = frozenset({"final_state", "cost", "started_at"})
"""What these files have no place for."""

_LOST: frozenset[RunField] = frozenset(
    {"tool_calls", "call_arguments", "call_results", "call_outcomes", "parallel_groups"}
)
_READ = frozenset(
    {
        "question",
        "effective_question",
        "answer",
        "error",
        "history",
        "plan",
        "raw_plan",
        "runner_meta",
        "scenario",
        "self_ask",
        "success",
        "tool_call_count",
        "turn_count",
        "usage",
        # What the history says already, or the harness's own view of it.
        "failed_steps",
        "failed_tools",
        "max_turns_exhausted",
        "plan_normalization_warnings",
    }
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
    case_id = scenario.get("id")
    raw.case_id = case_id.text(empty=False) if case_id is not None else None
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
        read_plan(record.need("plan").items(), raw)
        _changed(record)
        for step in record.need("history").items():
            read_step(step, raw, turn)
    else:
        raw.agent = "agent-as-tool"
        raw.unknown.add("planning_steps")
        alone = _meta(record, raw)
        if not alone:
            raw.unknown.add("parallel_groups")
        for message in record.need("history").items():
            _message(message, raw, turn)
    _ending(record, raw, turn)
    if "tool_calls" not in raw.unknown:
        hold_to_count(record.get("tool_call_count"), raw)
    left_out(record, _READ)
    return raw


def _changed(record: Node) -> None:
    """Count the steps that the planner wrote otherwise than they were carried out, or that the
    harness struck out.
    """
    kept_tasks = {
        (named(step, "server"), named(step, "tool"), named(step, "task"))
        for step in record.need("plan").items()
    }
    before = record.get("raw_plan")
    record.source.drop(
        "step of the plan before it was tidied",
        sum(
            (named(step, "server"), named(step, "tool"), named(step, "task")) not in kept_tasks
            for step in (before.items() if before is not None else [])
        ),
    )


def _ending(record: Node, raw: RawRun, turn: Turn) -> None:
    error = record.get("error")
    if error is None:
        return
    words = shorten(error.text(), 300)
    if infrastructure(error.text()) is not None:
        raw.infrastructure_errors.append(words)
    lost = not turn.calls
    if lost:
        raw.unknown |= _LOST
    record.source.note(
        "IRU008",
        f"The run ended with `{words}`" + ("; what it had done was not kept." if lost else "."),
        node=error,
        case_id=raw.case_id,
    )


def _meta(record: Node, raw: RawRun) -> bool:
    """Model and tokens; whether the model was held to one call at a time."""
    meta = record.get("runner_meta")
    model = meta.get("model_id") if meta is not None else None
    raw.model = model.text() if model is not None else None
    usage = record.get("usage")
    for name, field in (("input_tokens", "tokens_in"), ("output_tokens", "tokens_out")):
        count = usage.get(name) if usage is not None else None
        if count is not None:
            setattr(raw, field, count.whole())
    together = meta.get("parallel_tool_calls") if meta is not None else None
    return together is not None and not together.boolean()


def _message(message: Node, raw: RawRun, turn: Turn) -> None:
    listed = message.get("tool_calls")
    calls = [_call(node, raw) for node in listed.items()] if listed is not None else []
    said = message.get("content")
    message.source.drop("text before the answer", bool(calls and said is not None and said.value))
    turn.calls += calls


def _call(node: Node, raw: RawRun) -> Call:
    args = node.get("arguments")
    call_id = node.get("call_id")
    call = Call(
        node.need("name").text(empty=False),
        dict(args.object()) if args is not None else {},
        named(node, "server"),
        call_id.text() if call_id is not None else None,
    )
    output = node.field("output")
    if output is not None:
        text = isinstance(output.value, str)
        call.result = read_result(output.text()) if text else output.value
        call.outcome = "ok"
        if text and kept(output.text()) is not None:
            raw.unknown.add("call_results")
            name_cut(output, raw, f"The result of `{call.name}`")
    return call
