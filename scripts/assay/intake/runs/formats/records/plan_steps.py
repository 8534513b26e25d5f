"""Steps of a plan that an executor carried out one after the other, a tool call each."""

from __future__ import annotations

from assay.intake.node import Node
from assay.intake.runs.formats.messages.chat import read_result
from assay.intake.runs.formats.records.cut import kept, name_cut
from assay.intake.runs.imported import Call, RawRun, Turn
from assay.models.base import JsonValue

_NEVER_CALLED = frozenset(
    {
        "argument_resolution",
        "argument_validation",
        "failed_dependency",
        "unsupported_capability",
    }
)
"""Kinds of failure that keep the executor from calling the tool at all."""


def named(node: Node, key: str) -> str | None:
    """A name; ``none`` and ``null`` are how a planner says that there is none."""
    found = node.get(key)
    text = found.text().strip() if found is not None else ""
    return None if text.lower() in ("", "none", "null") else text


def read_plan(steps: list[Node], raw: RawRun) -> None:
    """Take the steps of a plan as planning steps: who does it, and what in words."""
    for step in steps:
        task = step.get("task")
        if task is not None and task.text().strip():
            raw.planning_steps.append((named(step, "server"), task.text()))


def read_step(step: Node, raw: RawRun, turn: Turn) -> None:
    """Take a step that was carried out as a call; one without a tool is none."""
    tool = named(step, "tool")
    if tool is None:
        step.source.drop("step without a tool")
        return
    args = step.get("tool_args")
    call = Call(tool, dict(args.object()) if args is not None else {}, named(step, "server"))
    turn.calls.append(call)
    _result(step.get("response"), call, raw)
    success, error = step.get("success"), step.get("error")
    if success is not None:
        call.outcome = "ok" if success.boolean() else "error"
    elif step.has("error"):
        call.outcome = "ok" if error is None else "error"
    if call.outcome == "error":
        call.error = error.text() if error is not None else None
        cause = step.get("failure_kind")
        if cause is not None and cause.text() in _NEVER_CALLED:
            call.outcome = "blocked"
    retried = step.get("recovery_attempted")
    step.source.drop("attempt before a retry", retried is not None and retried.boolean())


def _result(response: Node | None, call: Call, raw: RawRun) -> None:
    if response is None:
        return
    text = response.text()
    call.result = blocks(text)
    if kept(text) is not None:
        raw.unknown.add("call_results")
        name_cut(response, raw, f"The result of `{call.name}`")


def blocks(text: str) -> JsonValue:
    """The value of a response. MCP gives each element of a list as a block of its own, and the
    executor joins them by line feeds: several objects one after the other are a list.
    """
    value = read_result(text)
    if not isinstance(value, str) or "}\n{" not in value:
        return value
    # A line feed inside of JSON text is escaped, so that this never cuts a text in two.
    several = read_result("[" + value.replace("}\n{", "},{") + "]")
    return several if isinstance(several, list) else value
