"""A foreign file as a whole: one JSON document, JSON lines, or a table."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assay.errors import InputError
from assay.files.reading import json_lines, parse_json, read_text
from assay.intake.node import Node, Source
from assay.models.base import JsonValue

Layout = Literal["json", "lines", "table"]

_LINES = (".jsonl", ".ndjson")
_TABLES = (".csv", ".tsv")


@dataclass(frozen=True)
class Document:
    """What stands in a file, before anybody asks what it means."""

    source: Source
    """The file."""
    layout: Layout
    """One JSON value, one JSON value a line, or rows under a header."""
    nodes: tuple[Node, ...]
    """The JSON value; or the value of every line; or every row, header to text."""
    columns: tuple[str, ...] = ()
    """Header of a table."""
    encoded: bool = False
    """True where the JSON value was a text that held JSON again."""

    @property
    def first(self) -> Node:
        """The first value; a node of null in a file without any."""
        return self.nodes[0] if self.nodes else Node(None, self.source)

    @property
    def records(self) -> tuple[Node, ...]:
        """The elements of a JSON list, or the value of every line, or the one value."""
        if self.layout == "json" and isinstance(self.first.value, list):
            return tuple(self.first.items())
        return self.nodes


def open_document(path: Path, *, name: str | None = None) -> Document:
    """Read a file whose format is not known yet.

    The layout follows from the suffix (``.jsonl``, ``.csv`` …) and otherwise from the content.

    Raises:
        InputError: unreadable, empty, not UTF-8, neither JSON nor JSON lines nor a table.
    """
    label = name or path.as_posix()
    suffix = path.suffix.lower()
    source = Source(label)
    if suffix in _LINES:
        return _lines(path, source)
    text = read_text(path, name=label)
    if suffix in _TABLES or (suffix not in (".json",) and _table_header(text)):
        return _table(text, source)
    try:
        value = parse_json(text, name=label)
    except InputError:
        if not _first_line_is_json(text):
            raise
        return _lines(path, source)
    source.text = text
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        inner = parse_json(value, name=f"{label} (JSON inside a JSON text)")
        source.text = ""
        return Document(source, "json", (Node(inner, source),), encoded=True)
    return Document(source, "json", (Node(value, source),))


def _lines(path: Path, source: Source) -> Document:
    nodes = tuple(
        Node(value, source, "", line) for line, value in json_lines(path, name=source.name)
    )
    if not nodes:
        raise InputError(
            "Not valid JSON lines: the file is empty.",
            path=source.name,
            line=1,
            hint="one record a line",
        )
    return Document(source, "lines", nodes)


def _first_line_is_json(text: str) -> bool:
    head, found, tail = text.lstrip().partition("\n")
    if not found or not tail.strip() or head[:1] != "{":
        return False
    try:
        parse_json(head, name="")
    except InputError:
        return False
    return True


def _table_header(text: str) -> bool:
    head = text.lstrip().partition("\n")[0]
    return head[:1] not in ("{", "[", '"') and "case_id" in head


def _table(text: str, source: Source) -> Document:
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
    doubled = sorted({column for column in columns if columns.count(column) > 1})
    if doubled:
        raise InputError(
            f"The column `{doubled[0]}` stands there twice.",
            path=source.name,
            line=line,
            hint="keep one of them",
        )
    return columns
