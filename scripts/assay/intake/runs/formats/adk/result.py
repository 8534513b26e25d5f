"""Results of the ADK's evaluation, and of tRPC-Agent's: ``*.evalset_result.json``.

Older versions of the ADK wrote the JSON as text inside a JSON text; that is undone on reading.
"""

from __future__ import annotations

from assay.intake.document import Document
from assay.intake.node import Node
from assay.intake.runs.formats.adk import session as adk_session
from assay.intake.runs.formats.adk.events import Trace
from assay.intake.runs.formats.adk.turns import finish, read_invocations, state_of
from assay.intake.runs.imported import Piece, RawRun

NAME = "adk-result"
TITLE = "ADK or tRPC-Agent evaluation result (*.evalset_result.json, also doubly encoded)"
STREAMS = True
_VERDICTS = {"1": True, "2": False, "PASSED": True, "FAILED": False}


def fits(document: Document) -> bool:
    """Whether the file holds evaluation results."""
    records = document.records
    return (
        document.layout != "table"
        and bool(records)
        and all(record.has("eval_case_results") for record in records)
    )


def read(document: Document) -> list[Piece]:
    """One run for every case result; results of one case are its trials."""
    return [
        (item, _result)
        for record in document.records
        for item in record.need("eval_case_results").items()
    ]


def _result(node: Node) -> RawRun:
    raw = RawRun(node, case_id=node.need("eval_id").text(empty=False))
    per_turn = node.get("eval_metric_result_per_invocation")
    turns = per_turn.items() if per_turn is not None else []
    actual = [item.need("actual_invocation") for item in turns]
    session = node.get("session_details")
    if not actual and session is not None:
        # Evaluation never came to the turns; what the agent did stands in the session alone.
        from_session = adk_session.session(session)
        from_session.record, from_session.case_id = node, raw.case_id
        raw = from_session
    else:
        trace = Trace(node.source)
        raw.unknown |= read_invocations(actual, trace)
        finish(raw, trace)
        _session(session, raw)
        if not actual:
            raw.infrastructure_errors.append("The result holds no invocation of this case.")
    raw.unknown |= {"planning_steps", "cost"}
    verdict = node.get("final_eval_status")
    if verdict is not None:
        word = verdict.value
        raw.outcome = _VERDICTS.get(word.upper() if isinstance(word, str) else str(verdict.whole()))
    score = node.get("score")
    if score is not None:
        raw.score = score.number()
    return raw


def _session(session: Node | None, raw: RawRun) -> None:
    """What the session adds to the invocations: the state, the application, the start."""
    state, removed = state_of(session.get("state") if session is not None else None)
    raw.final_state = state
    if state is None:
        raw.unknown.add("final_state")
    if session is not None:
        session.source.drop("bookkeeping key of the state", removed)
        app = session.get("app_name")
        if app is not None and app.text():
            raw.agent = app.text()
