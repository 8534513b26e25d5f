"""Rows of the Vertex evaluation service: a prompt, a response, and the trajectory in between.

``predicted_trajectory`` holds tools and their input, never what came back; in a table it is JSON
text. ``failure`` other than zero says that the agent could not be asked: the service then writes
its own words into ``response``, which are no answer. Rows of one file are different cases.
"""

from __future__ import annotations

import re
from decimal import Decimal

from assay.errors import InputError
from assay.files.reading import parse_json
from assay.intake.document import Document
from assay.intake.node import Node
from assay.intake.runs.formats.left import left_out
from assay.intake.runs.formats.records.vertex_rows import COLUMN, call_after_place, rows
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

_PYTHON = re.compile(r"\s*[\[{]\s*[{']")
_CASE_IDS = ("case_id", "eval_id", "id")


_READ = frozenset(
    {
        *_CASE_IDS,
        "prompt",
        "instruction",
        "response",
        "predicted_trajectory",
        "reference_trajectory",
        "failure",
        "human_ratings",
        "human_rating",
    }
)
_NOT_CALLED: frozenset[RunField] = frozenset({"tool_calls", "call_arguments"})


def fits(document: Document) -> bool:
    """Whether the file holds such rows."""
    if document.layout == "table":
        return COLUMN in document.columns
    records = document.records
    return bool(records) and all(record.has(COLUMN) for record in records)


def read(document: Document) -> list[Piece]:
    """One run for every row."""
    return [(row, _row) for row in rows(document)]


def _row(record: Node) -> RawRun:
    raw = RawRun(record, unknown=set(CANNOT))
    named = _cell(record, *_CASE_IDS)
    if named is not None:
        whole = isinstance(named.value, int)
        raw.case_id = str(named.whole()) if whole else named.text(empty=False)
    else:
        call_after_place(record, raw)
    prompt, response = _cell(record, "prompt", "instruction"), _cell(record, "response")
    if prompt is None:
        raw.unknown.add("user")
    record.source.drop("expected trajectory", _cell(record, "reference_trajectory") is not None)
    turn = Turn(prompt.text() if prompt else None, response.text() if response else None)
    raw.turns = [turn]
    if _failed(_cell(record, "failure")):
        raw.infrastructure_errors.append(turn.answer or "The row says that the agent failed.")
        turn.answer = None
        raw.unknown |= _NOT_CALLED
    elif not record.has("response"):
        raw.unknown |= {"answer", "final_answer"}
    calls = _trajectory(record)
    if calls is None:
        raw.unknown |= _NOT_CALLED
    turn.calls = [_call(node) for node in calls or []]
    rated = _cell(record, "human_ratings", "human_rating")
    if rated is not None:
        raw.score = _rating(rated)
    left_out(record, _READ)
    return raw


def _failed(node: Node | None) -> bool:
    return node is not None and str(node.value).strip().lower() not in ("0", "0.0", "false", "no")


def _rating(node: Node) -> int | Decimal | None:
    """A rating that is a number; of any other one only that it is there is known."""
    value = _decoded(node).value if isinstance(node.value, str) else node.value
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        return value
    node.source.drop("rating that is no number")
    return None


def _call(node: Node) -> Call:
    given = node.get("tool_input", "args", "arguments")
    args = _decoded(given) if given is not None and given.value != "" else None
    return Call(
        node.need("tool_name").text(empty=False), dict(args.object()) if args is not None else {}
    )


def _cell(node: Node, *names: str) -> Node | None:
    """A cell that holds something; an empty cell of a table holds nothing."""
    for name in names:
        found = node.get(name)
        if found is not None and found.value != "":
            return found
    return None


def _trajectory(record: Node) -> list[Node] | None:
    """The calls; None where the cell holds nothing, which is not the same as no call."""
    found = _cell(record, COLUMN)
    return _decoded(found).items() if found is not None else None


def _decoded(node: Node) -> Node:
    """The value, or the JSON value of a text."""
    if not isinstance(node.value, str):
        return node
    try:
        value = parse_json(node.value, name=node.source.name)
    except InputError as error:
        if _PYTHON.match(node.value):
            raise node.error(
                f"{node.name} is Python, not JSON: `to_csv` writes lists so.",
                'metrics_table.to_json("rows.jsonl", orient="records", lines=True)',
            ) from None
        raise node.error(f"{node.name} is no JSON: {error.message}") from None
    return Node(value, node.source, node.pointer, node.line)
