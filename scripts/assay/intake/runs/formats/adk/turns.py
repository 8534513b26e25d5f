"""Invocations of the ADK, as evaluations record them, to turns."""

from __future__ import annotations

from assay.intake.instants import of_epoch
from assay.intake.node import Node
from assay.intake.runs.formats.adk.events import (
    Trace,
    find_call,
    message_text,
    read_call,
    read_step_events,
    settle,
)
from assay.intake.runs.formats.messages.chat import fill_arguments
from assay.intake.runs.imported import Call, RawRun, Turn
from assay.models.base import JsonValue
from assay.models.run import RunField


def read_invocations(nodes: list[Node], trace: Trace) -> set[RunField]:
    """Read invocations into turns.

    Returns:
        What they do not tell: without ``intermediate_data`` it is unknown whether tools were
        called; ``tool_uses`` without ``tool_responses`` do not tell what came back.
    """
    unknown: set[RunField] = set()
    for node in nodes:
        turn = Turn(
            user=message_text(node.get("user_content")),
            answer=message_text(node.get("final_response")),
        )
        trace.turns.append(turn)
        created = node.get("creation_timestamp")
        if created is not None and trace.started_at is None:
            trace.started_at = of_epoch(created.number())
        data = node.get("intermediate_data")
        if data is not None and data.has("invocation_events"):
            events = data.get("invocation_events")
            read_step_events(events.items() if events is not None else [], turn, trace)
        elif data is not None:
            unknown |= _lists(data, turn, trace)
        elif node.has("tools"):
            unknown |= _tools(node, turn)
        else:
            unknown |= {
                "tool_calls",
                "call_arguments",
                "call_results",
                "call_outcomes",
                "parallel_groups",
            }
    return unknown


def _lists(data: Node, turn: Turn, trace: Trace) -> set[RunField]:
    """Calls and results in two lists."""
    uses = data.get("tool_uses")
    calls = [read_call(item) for item in uses.items()] if uses is not None else []
    turn.calls += calls
    said = data.get("intermediate_responses")
    trace.source.drop("text before the answer", len(said.items()) if said is not None else 0)
    responses = data.get("tool_responses")
    given = responses.items() if responses is not None else []
    for item in given:
        _match(item, calls, trace)
    unknown: set[RunField] = {"parallel_groups"}
    if uses is None:
        unknown |= {"tool_calls", "call_arguments"}
    if calls and not given:
        unknown |= {"call_results", "call_outcomes"}
    return unknown


def _match(item: Node, calls: list[Call], trace: Trace) -> None:
    call_id, name = item.get("id"), item.get("name")
    call = find_call(
        calls,
        call_id.text() if call_id is not None else None,
        name.text() if name is not None else None,
    )
    if call is None:
        trace.source.drop("tool result without its call")
        trace.source.note("IRU004", "A tool result belongs to no call.", node=item)
        return
    value = item.get("response")
    settle(call, value.value if value is not None else None)


def _tools(node: Node, turn: Turn) -> set[RunField]:
    """Calls together with their results, as tRPC-Agent writes them."""
    unknown: set[RunField] = {"parallel_groups"}
    tools = node.get("tools")
    said = node.get("intermediate_responses")
    node.source.drop("text before the answer", len(said.items()) if said is not None else 0)
    for item in tools.items() if tools is not None else []:
        call_id = item.get("id")
        call = Call(
            item.need("name").text(empty=False),
            {},
            id=call_id.text() if call_id is not None else None,
        )
        fill_arguments(call, item.get("arguments"))
        turn.calls.append(call)
        result = item.get("result")
        if result is not None:
            settle(call, result.value)
        elif call.outcome == "unknown":
            unknown |= {"call_results", "call_outcomes"}
    return unknown


def finish(raw: RawRun, trace: Trace) -> None:
    """Take over into a run what the events told."""
    raw.turns = trace.turns
    raw.infrastructure_errors += [error for error in trace.errors if error]
    raw.tokens_in, raw.tokens_out = trace.tokens_in, trace.tokens_out
    raw.started_at = raw.started_at or trace.started_at
    if raw.agent is None and trace.authors:
        raw.agent = trace.authors[0]
    if trace.models:
        raw.model = trace.models[0]
    if len(trace.models) > 1:
        trace.source.note(
            "IRU007",
            f"Several models took part: {', '.join(trace.models)}; the first one is named.",
            node=raw.record,
            case_id=raw.case_id,
        )


def state_of(node: Node | None) -> tuple[dict[str, JsonValue] | None, int]:
    """The state of a session without the ADK's own bookkeeping, and how much of that there was."""
    if node is None:
        return None, 0
    state = node.object()
    kept = {key: value for key, value in state.items() if key != "__llm_request_key__"}
    return kept, len(state) - len(kept)
