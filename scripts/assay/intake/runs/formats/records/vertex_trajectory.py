"""Rows of the Vertex evaluation service: a prompt, a response, and the trajectory in between.

``predicted_trajectory`` holds tools and their input, never what came back; in a table it is JSON
text. ``failure`` other than zero says that the agent could not be asked.
"""

from __future__ import annotations

from assay.errors import InputError
from assay.files.reading import parse_json
from assay.intake.document import Document
from assay.intake.node import Node
from assay.intake.runs.imported import Call, Piece, RawRun, Turn
from assay.models.run import RunField

NAME = "vertex-trajectory"
TITLE = "Vertex evaluation rows (`prompt`, `response`, `predicted_trajectory`)"
STREAMS = True
CANNOT: frozenset[RunField] = frozenset(
    {
        "call_results",
        "call_outcomes",
        "parallel_groups",
        "planning_steps",
        "final_state",
        "tokens",
        "cost",
    }
)
"""What such rows have no place for."""

_CASE_IDS = ("case_id", "eval_id", "id")


def fits(document: Document) -> bool:
    """Whether the file holds such rows."""
    if document.layout == "table":
        return "predicted_trajectory" in document.columns
    records = document.records
    return bool(records) and all(record.has("predicted_trajectory") for record in records)


def read(document: Document) -> list[Piece]:
    """One run for every row."""
    return [(record, _row) for record in document.records]


def _row(record: Node) -> RawRun:
    raw = RawRun(record, unknown=set(CANNOT))
    named = _cell(record, *_CASE_IDS)
    if named is not None:
        whole = isinstance(named.value, int)
        raw.case_id = str(named.whole()) if whole else named.text(empty=False)
    prompt, response = _cell(record, "prompt", "instruction"), _cell(record, "response")
    if prompt is None:
        raw.unknown.add("user")
    if not record.has("response"):
        raw.unknown |= {"answer", "final_answer"}
    record.source.drop("expected trajectory", _cell(record, "reference_trajectory") is not None)
    turn = Turn(prompt.text() if prompt else None, response.text() if response else None)
    for node in _trajectory(record):
        given = node.get("tool_input", "args", "arguments")
        args = _decoded(given) if given is not None else None
        turn.calls.append(
            Call(
                node.need("tool_name").text(empty=False),
                dict(args.object()) if args is not None else {},
            )
        )
    raw.turns = [turn]
    failed = _cell(record, "failure")
    if failed is not None and str(failed.value).strip().lower() not in ("0", "0.0", "false", "no"):
        raw.infrastructure_errors.append("the row says that the agent failed to answer")
    return raw


def _cell(node: Node, *names: str) -> Node | None:
    found = node.get(*names)
    return None if found is None or found.value == "" else found


def _trajectory(record: Node) -> list[Node]:
    found = _cell(record, "predicted_trajectory")
    return _decoded(found).items() if found is not None else []


def _decoded(node: Node) -> Node:
    """The value, or the JSON value of a text."""
    if not isinstance(node.value, str):
        return node
    try:
        value = parse_json(node.value, name=node.source.name)
    except InputError as error:
        raise node.error(f"{node.name} is no JSON: {error.message}") from None
    return Node(value, node.source, node.pointer, node.line)
