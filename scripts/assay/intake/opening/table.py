"""Tables: rows under a header, separated by comma, tab or semicolon."""

from __future__ import annotations

import csv
import io
from collections import Counter

from assay.errors import InputError
from assay.intake.document import Document
from assay.intake.node import Node, Source
from assay.models.base import JsonValue

SUFFIXES = (".csv", ".tsv")


def has_header(text: str) -> bool:
    """Whether a text without such a suffix begins with the header of a table of verdicts."""
    head = text.lstrip().partition("\n")[0]
    return head[:1] not in ("{", "[", '"') and "case_id" in head


def read_table(text: str, source: Source) -> Document:
    """The rows of a table.

    Raises:
        InputError: no table, a row that does not fit the header, an empty file.
    """
    head = text.partition("\n")[0]
    delimiter = next((mark for mark in (",", "\t", ";") if mark in head), ",")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    columns: tuple[str, ...] = ()
    nodes: list[Node] = []
    try:
        for row in reader:
            line = reader.line_num
            if not any(cell.strip() for cell in row):
                continue
            if not columns:
                columns = _header(row, source, line)
                continue
            if len(row) != len(columns):
                raise InputError(
                    f"The row has {len(row)} fields and the header {len(columns)}.",
                    path=source.name,
                    line=line,
                    hint="quote fields that contain the separator",
                )
            cells: dict[str, JsonValue] = {
                column: cell.strip() for column, cell in zip(columns, row, strict=True)
            }
            nodes.append(Node(cells, source, "", line))
    except csv.Error as error:
        raise InputError(
            f"Not a valid table: {error}.",
            path=source.name,
            line=max(reader.line_num, 1),
            hint="is a quote missing?",
        ) from None
    if not columns:
        raise InputError("The table is empty.", path=source.name, line=1, hint="write a header")
    return Document(source, "table", tuple(nodes), columns)


def _header(row: list[str], source: Source, line: int) -> tuple[str, ...]:
    columns = tuple(cell.strip() for cell in row)
    doubled = sorted(column for column, count in Counter(columns).items() if count > 1)
    if doubled:
        raise InputError(
            f"The column `{doubled[0]}` stands there twice.",
            path=source.name,
            line=line,
            hint="keep one of them",
        )
    return columns
