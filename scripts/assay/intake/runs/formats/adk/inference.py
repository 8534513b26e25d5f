"""Inference results of the ADK's evaluation: `google.adk.evaluation.InferenceResult`."""

from __future__ import annotations

from assay.intake.document import Document
from assay.intake.node import Node
from assay.intake.runs.formats.adk.events import Trace
from assay.intake.runs.formats.adk.turns import finish, read_invocations
from assay.intake.runs.imported import Piece, RawRun

NAME = "adk-inference"
TITLE = "ADK inference result (before it is evaluated)"
STREAMS = True
_FAILURE = 2


def fits(document: Document) -> bool:
    """Whether the file holds inference results."""
    records = document.records
    return (
        document.layout != "table"
        and bool(records)
        and all(record.has_all("eval_case_id", "inferences") for record in records)
    )


def read(document: Document) -> list[Piece]:
    """One run for every inference result."""
    return [(record, _inference) for record in document.records]


def _inference(node: Node) -> RawRun:
    raw = RawRun(node, case_id=node.need("eval_case_id").text(empty=False))
    app = node.get("app_name")
    raw.agent = app.text() or None if app is not None else None
    trace = Trace(node.source)
    inferences = node.get("inferences")
    if inferences is not None:
        raw.unknown |= read_invocations(inferences.items(), trace)
    raw.unknown |= {"planning_steps", "final_state", "cost"}
    finish(raw, trace)
    status = node.get("status")
    message = node.get("error_message")
    failed = status is not None and status.value in (_FAILURE, "FAILURE")
    if failed or message is not None or inferences is None:
        said = message.text() if message is not None else ""
        raw.infrastructure_errors.append(said or "The inference failed and gives no reason.")
    return raw
