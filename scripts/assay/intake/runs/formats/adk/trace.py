"""Eval sets in trace mode: what was recorded stands in ``actual_conversation``."""

from __future__ import annotations

from assay.intake.document import Document
from assay.intake.node import Node
from assay.intake.runs.formats.adk.events import Trace
from assay.intake.runs.formats.adk.turns import finish, read_invocations
from assay.intake.runs.imported import Piece, RawRun

NAME = "adk-trace"
TITLE = "eval set in trace mode (`actual_conversation`)"
STREAMS = True


def fits(document: Document) -> bool:
    """Whether the file is an eval set that holds recorded conversations."""
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


def _recorded(case: Node) -> Node | None:
    """The conversation that was recorded for a case, if any was."""
    if not isinstance(case.value, dict):
        return None
    actual = case.get("actual_conversation")
    if actual is not None:
        return actual
    mode = case.get("eval_mode")
    return case.get("conversation") if mode is not None and mode.value == "trace" else None


def read(document: Document) -> list[Piece]:
    """One run for every case with a recorded conversation."""
    cases = _cases(document)
    recorded = [case for case in cases if _recorded(case) is not None]
    document.source.drop("case without a recorded conversation", len(cases) - len(recorded))
    return [(case, _trace) for case in recorded]


def _trace(case: Node) -> RawRun:
    raw = RawRun(case, case_id=case.need("eval_id").text(empty=False))
    recorded = _recorded(case)
    assert recorded is not None
    if recorded.pointer.endswith("/conversation"):
        case.source.note(
            "IRU014",
            "The case is in trace mode without `actual_conversation`; its `conversation` is"
            " read as the recording.",
            node=recorded,
            case_id=raw.case_id,
        )
    session = case.get("session_input")
    app = session.get("app_name") if session is not None else None
    raw.agent = app.text() or None if app is not None else None
    trace = Trace(case.source)
    raw.unknown |= read_invocations(recorded.items(), trace)
    raw.unknown |= {"planning_steps", "final_state", "cost"}
    finish(raw, trace)
    return raw
