"""Rows of a table however it was written: lines, a list, or an object of columns."""

from __future__ import annotations

import re

from assay.files.locate import escape
from assay.intake.document import Document
from assay.intake.ids import stem
from assay.intake.node import Node
from assay.intake.runs.imported import RawRun
from assay.models.base import JsonValue

COLUMN = "predicted_trajectory"
_INDEX = re.compile(r"/([0-9]+)\Z")


def rows(document: Document) -> list[Node]:
    """The rows, in order; those of a data frame that was written column by column too.

    Raises:
        InputError: columns of different length.
    """
    if document.layout != "json" or not _is_columns(document.first.value):
        return list(document.records)
    whole = document.first
    columns = {name: _cells(value) for name, value in whole.object().items()}
    length = len(columns[COLUMN])
    for name, cells in columns.items():
        if len(cells) != length:
            raise whole.error(
                f"The column `{name[:40]}` has {len(cells)} values and `{COLUMN}` {length}.",
                'write rows: table.to_json("rows.jsonl", orient="records", lines=True)',
            )
    return [
        Node(
            {name: cells[index] for name, cells in columns.items()},
            whole.source,
            f"/{escape(COLUMN)}/{index}",
        )
        for index in range(length)
    ]


def _cells(value: JsonValue) -> list[JsonValue]:
    if isinstance(value, dict):
        return list(value.values())
    return list(value) if isinstance(value, list) else []


def _is_columns(value: JsonValue) -> bool:
    """Whether an object holds columns: a trajectory is a list of objects, a column is none."""
    column = value.get(COLUMN) if isinstance(value, dict) else None
    if isinstance(column, dict):
        return bool(column)
    return (
        isinstance(column, list)
        and bool(column)
        and all(cell is None or isinstance(cell, list | str) for cell in column)
    )


def call_after_place(record: Node, raw: RawRun) -> None:
    """Name the case of a row that names none after the file and the row's line or number: rows of
    one file are different cases, not trials of one.
    """
    found = _INDEX.search(record.pointer)
    place = int(found[1]) + 1 if found else record.line
    if place is None:
        return
    raw.case_id = f"{stem(record.source.name)}-{place}"
    record.source.note(
        "IRU005",
        f"The row names no case; it is called after the file and its place: {raw.case_id}.",
        node=record,
        hint="add a column case_id, or map the names with --case-id-from map.csv",
        case_id=raw.case_id,
    )
