"""Data sets of the agent platform's evaluation service: turns with the events of an agent.

Source: ``EvaluationDataset``, ``EvalCase`` and ``AgentData`` of Google's evaluation SDK. Events are
those of the ADK and are read by the same rules. A case without agent data may hold a prompt and a
response: then whether tools were called is unknown.
"""

from __future__ import annotations

from assay.intake.document import Document
from assay.intake.node import Node
from assay.intake.runs.formats.adk.events import Trace, message_text, read_events
from assay.intake.runs.formats.adk.turns import finish
from assay.intake.runs.formats.spans.clock import instant, nanos
from assay.intake.runs.imported import Piece, RawRun, Turn
from assay.models.run import RunField

NAME = "agent-platform"
TITLE = "agent-platform data set (`eval_cases` with `agent_data` or `responses`)"
STREAMS = False

CANNOT: frozenset[RunField] = frozenset({"planning_steps", "final_state", "cost"})
_TOOLS: frozenset[RunField] = frozenset(
    {"tool_calls", "call_arguments", "call_results", "call_outcomes", "parallel_groups"}
)
_RUN = ("agent_data", "responses", "intermediate_events")


def fits(document: Document) -> bool:
    """Whether the file is a data set whose cases hold what an agent did."""
    records = document.records
    return (
        document.layout != "table"
        and bool(records)
        and all(record.has("eval_cases") for record in records)
        and any(map(_recorded, _cases(document)))
    )


def _cases(document: Document) -> list[Node]:
    return [
        case
        for record in document.records
        if isinstance(record.need("eval_cases").value, list)
        for case in record.need("eval_cases").items()
    ]


def _recorded(case: Node) -> bool:
    if not isinstance(case.value, dict):
        return False
    return any((given := case.get(name)) is not None and given.value for name in _RUN)


def read(document: Document) -> list[Piece]:
    """One run for every case with something of an agent in it."""
    cases = _cases(document)
    recorded = [case for case in cases if _recorded(case)]
    document.source.drop("case without a recorded conversation", len(cases) - len(recorded))
    return [(case, _case) for case in recorded]


def _case(case: Node) -> RawRun:
    named = case.get("eval_case_id", "eval_id")
    raw = RawRun(case, unknown=set(CANNOT))
    raw.case_id = (named.text() or None) if named is not None else None
    trace = Trace(case.source)
    data = case.get("agent_data")
    if data is not None:
        _agent_data(data, trace)
    else:
        raw.unknown |= _response(case, trace)
    finish(raw, trace)
    agents = data.get("agents") if data is not None else None
    if raw.agent is None and agents is not None and isinstance(agents.value, dict):
        raw.agent = next(iter(sorted(agents.value)), None)
    return raw


def _agent_data(data: Node, trace: Trace) -> None:
    turns = data.get("turns")
    listed = turns.items() if turns is not None else []
    done: list[Turn] = []
    for turn in sorted(listed, key=_number):
        given = turn.get("events")
        events = given.items() if given is not None else []
        for event in events:
            time = event.get("event_time")
            if time is not None and trace.started_at is None:
                trace.started_at = instant(nanos(time.value))
        trace.turns = []
        read_events(events, trace)
        done += trace.turns
    trace.turns = done


def _number(turn: Node) -> int:
    """The place of a turn; turns that give none keep theirs."""
    given = turn.get("turn_index")
    return given.whole() if given is not None else 0


def _response(case: Node, trace: Trace) -> set[RunField]:
    """A prompt, the events between, and the first response."""
    turn = Turn(user=message_text(case.get("prompt")))
    events = case.get("intermediate_events")
    if events is not None:
        trace.turns = []
        read_events(events.items(), trace)
        for step in trace.turns:
            turn.calls += step.calls
            turn.answer = step.answer if step.answer is not None else turn.answer
    responses = case.get("responses")
    listed = responses.items() if responses is not None else []
    case.source.drop("response of another candidate", max(len(listed) - 1, 0))
    for response in listed[:1]:
        inner = response.get("response")
        turn.answer = message_text(inner if inner is not None else response)
    trace.turns = [turn]
    return set() if events is not None else set(_TOOLS)
