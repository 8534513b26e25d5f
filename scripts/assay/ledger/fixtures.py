"""Frozen data that facts rest on: tables and recorded calls, and the value at a place in them.

A fixture is a CSV or JSON file of the suite. A cassette is a JSON file whose ``interactions``
(or whose items) each hold a ``tool``, its ``args`` and its ``result``.
"""

from __future__ import annotations

import contextlib
import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path, PurePosixPath

from assay.errors import AssayError
from assay.files.canonical import canonical_json
from assay.files.locate import unescape
from assay.files.reading import parse_json, read_text
from assay.ledger.layout import CASES
from assay.models.base import JsonValue

CASSETTES = "cassettes"

_ARGS = ("args", "arguments")
_RESULTS = ("result", "response", "output")


@dataclass(frozen=True)
class Fixture:
    """A file of frozen data that could be read."""

    path: str
    """The file, relative to the root."""
    value: JsonValue
    """Its content; a table is a list of rows, each column name to text."""
    text: str
    """The file's text."""


@dataclass(frozen=True)
class Missing:
    """Why there is no value."""

    part: str
    """What is wrong: ``fixture``, ``key`` or ``field``."""
    message: str
    """In words."""


@dataclass(frozen=True)
class Found:
    """The value that stands at a place in frozen data."""

    value: JsonValue
    """The value."""
    path: str
    """The file, relative to the root."""


def load_fixture(root: Path, suite: str, name: str) -> Fixture | Missing | None:
    """A fixture or cassette of a suite.

    Args:
        root: the repository.
        suite: the suite.
        name: path below the suite's folder, or name of a cassette.

    Returns:
        None where it may lie in ``cassettes/``, which this clone has not fetched.
    """
    parts = PurePosixPath(name)
    if parts.is_absolute() or ".." in parts.parts:
        return Missing("fixture", f"`{name}` leaves the suite's folder.")
    if "\0" in name or any(len(part.encode("utf-8", "replace")) > 250 for part in parts.parts):
        return Missing("fixture", f"`{name[:60]}` cannot name a file.")
    home = f"{CASES}/{suite}"
    places = [f"{home}/{name}", f"{home}/fixtures/{name}"]
    for folder in (f"{home}/{CASSETTES}", f"{CASSETTES}/{suite}", CASSETTES):
        places += [f"{folder}/{name}", f"{folder}/{name}.json"]
    for place in places:
        if (root / place).is_file():
            return _read(root / place, place)
    if (root / f"{CASSETTES}.dvc").is_file() and not (root / CASSETTES).is_dir():
        return None
    return Missing("fixture", f"There is no fixture or cassette `{name}` in {home}.")


def suite_texts(root: Path, suite: str) -> tuple[str, ...]:
    """Texts of all fixtures and cassettes in a suite's folder, in order of path."""
    texts: list[str] = []
    for folder in ("fixtures", CASSETTES):
        top = root / CASES / suite / folder
        for path in sorted(top.rglob("*")) if top.is_dir() else ():
            if path.suffix in (".csv", ".tsv", ".json", ".jsonl") and path.is_file():
                with contextlib.suppress(AssayError):
                    texts.append(read_text(path))
    return tuple(texts)


def _read(path: Path, label: str) -> Fixture | Missing:
    try:
        text = read_text(path, name=label)
        if label.endswith((".csv", ".tsv")):
            return Fixture(label, _table(text, label), text)
        return Fixture(label, parse_json(text, name=label), text)
    except (AssayError, csv.Error) as error:
        return Missing("fixture", f"{label} cannot be read: {error}".splitlines()[0])


def _table(text: str, label: str) -> JsonValue:
    head = text.split("\n", 1)[0]
    mark = "\t" if label.endswith(".tsv") else ";" if ";" in head and "," not in head else ","
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=mark)
    # A row that is longer than the header has a key None, one that is shorter has a value None.
    return [
        {column: cell for column, cell in row.items() if isinstance(column, str)} for row in rows
    ]


def value_at(fixture: Fixture, key: JsonValue, field: str) -> Found | Missing:
    """The value of a field in the row or recorded call that a key selects.

    Args:
        fixture: the data.
        key: column or argument name to value; ``tool`` also names the tool of a recorded call.
            None where the data is one object, or one row.
        field: column, or JSON pointer into the row, the object or the recorded result.
    """
    rows = _rows(fixture.value)
    wanted = dict(key) if isinstance(key, Mapping) else {}
    if key is not None and not isinstance(key, Mapping):
        return Missing("key", "`key` must be an object: column or argument name to value.")
    if rows is None:
        return (
            _one([fixture.value], field, fixture.path, "the file")
            if not wanted
            else Missing("key", f"{fixture.path} is one object and has no rows to select from.")
        )
    fitting = [row for selector, row in rows if _fits(selector, wanted)]
    shown = canonical_json(wanted)
    if not fitting:
        return Missing("key", f"No row of {fixture.path} has {shown}.")
    return _one(fitting, field, fixture.path, shown)


def _rows(value: JsonValue) -> list[tuple[Mapping[str, JsonValue], JsonValue]] | None:
    """Rows with what selects them; None for a single object."""
    items = value
    if isinstance(value, Mapping):
        items = value.get("interactions")
    if not isinstance(items, Sequence) or isinstance(items, str):
        return None
    rows: list[tuple[Mapping[str, JsonValue], JsonValue]] = []
    for item in items:
        if not isinstance(item, Mapping):
            continue
        args = next((item[name] for name in _ARGS if isinstance(item.get(name), Mapping)), None)
        result = next((name for name in _RESULTS if name in item), None)
        if isinstance(args, Mapping) and result is not None:
            tool = item.get("tool", item.get("name"))
            rows.append(({"tool": tool, **args}, item[result]))
        else:
            rows.append((item, item))
    return rows


def _fits(selector: Mapping[str, JsonValue], wanted: Mapping[str, JsonValue]) -> bool:
    return all(name in selector and same(selector[name], value) for name, value in wanted.items())


def same(a: JsonValue, b: JsonValue) -> bool:
    """Whether two values are equal; a number equals the text of a table's cell that writes it."""
    if isinstance(a, str) != isinstance(b, str):
        text, number = (a, b) if isinstance(a, str) else (b, a)
        if isinstance(text, str) and isinstance(number, int | Decimal):
            return not isinstance(number, bool) and as_number(text) == number
        return False
    return canonical_json(a) == canonical_json(b)


def as_number(value: JsonValue) -> Decimal | None:
    """The number that a value is or that a text writes; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | Decimal):
        return Decimal(value)
    if isinstance(value, str):
        try:
            number = Decimal(value.strip())
        except InvalidOperation:
            return None
        return number if number.is_finite() else None
    return None


def _one(rows: Sequence[JsonValue], field: str, path: str, shown: str) -> Found | Missing:
    values: list[JsonValue] = []
    for row in rows:
        found = _field(row, field)
        if isinstance(found, Missing):
            return Missing("field", f"{path} has no `{field}` at {shown}.")
        values.append(found.value)
    if len({canonical_json(value) for value in values}) > 1:
        return Missing(
            "key", f"{len(values)} rows of {path} have {shown}, with different `{field}`."
        )
    return Found(values[0], path)


def _field(row: JsonValue, field: str) -> Found | Missing:
    steps = [unescape(step) for step in field.split("/")[1:]] if field[:1] == "/" else [field]
    here = row
    for step in steps:
        if isinstance(here, Mapping) and step in here:
            here = here[step]
        elif isinstance(here, Sequence) and not isinstance(here, str) and step.isdecimal():
            index = int(step)
            if index >= len(here):
                return Missing("field", field)
            here = here[index]
        else:
            return Missing("field", field)
    return Found(here, "")
