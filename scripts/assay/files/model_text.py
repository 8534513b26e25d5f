"""Models as JSON text: the field order of the model, defaults left out, numbers exact.

The text is a function of the model: reading it and writing it again gives the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import Any

from pydantic import BaseModel

from assay.files.canonical import exact_number
from assay.models.base import JsonValue

LINE_WIDTH = 100
"""Longest line on which a list or an object of scalars is kept together."""

_ALWAYS = frozenset({"schema_version"})
_NULL_IS_A_VALUE = frozenset({"equals", "contains"})
_ESCAPED = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029", 0xFEFF: "\\ufeff"}


@cache
def _fields(model: type[BaseModel]) -> tuple[tuple[str, str, bool, object], ...]:
    """Name, key in the file, whether it is always written, and default of every field."""
    return tuple(
        (
            name,
            field.alias or name,
            field.is_required() or name in _ALWAYS,
            None if field.is_required() else field.get_default(call_default_factory=True),
        )
        for name, field in model.model_fields.items()
    )


def plain(value: Any, keep: frozenset[str] = frozenset()) -> JsonValue:
    """A model as dicts, tuples and scalars; fields at their default are left out.

    ``schema_version`` is always kept, and null where the field has no default or where null is
    a value of its own.

    Args:
        value: a model, or anything that models hold.
        keep: names of further fields that are written although they are at their default.
    """
    if isinstance(value, str | int | Decimal | float) or value is None:
        return value  # type: ignore[return-value]
    if isinstance(value, BaseModel):
        return plain_object(value, keep)
    if isinstance(value, Mapping):
        return {str(key): plain(item, keep) for key, item in value.items()}
    return tuple(plain(item, keep) for item in value)


def plain_object(model: BaseModel, keep: frozenset[str] = frozenset()) -> dict[str, JsonValue]:
    """One model as `plain` gives it."""
    result: dict[str, JsonValue] = {}
    for name, key, required, default in _fields(type(model)):
        item = getattr(model, name)
        null_counts = name in _NULL_IS_A_VALUE and name in model.model_fields_set
        kept = required or name in keep or null_counts
        # Empty is not absent: an empty list is left out only where it is the default.
        if kept or not (item is None or item == default):
            result[key] = plain(item, keep)
    return result


def model_text(model: BaseModel) -> str:
    """The file that holds one model: two-space indent, short lists of scalars on one line."""
    return value_text(plain(model)) + "\n"


def model_line(model: BaseModel) -> str:
    """The model as one line of a JSONL file, with its line feed."""
    return compact_text(plain(model)) + "\n"


def quoted(text: str) -> str:
    """A JSON string; characters that some programs take for line ends are escaped."""
    return json.dumps(text, ensure_ascii=False).translate(_ESCAPED)


def number_text(value: int | Decimal | float) -> str:
    """A number as it was written; with an exponent only where it has no shorter form."""
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError(f"{value} is not a JSON number")
        text = str(value)
        return text if "E" not in text else exact_number(value)
    return exact_number(value)


def _scalar(value: JsonValue) -> str | None:
    if isinstance(value, str):
        return quoted(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | Decimal | float):
        return number_text(value)
    return None


def compact_text(value: JsonValue) -> str:
    """A JSON value on one line, with blanks after colons and commas."""
    scalar = _scalar(value)
    if scalar is not None:
        return scalar
    if isinstance(value, Mapping):
        items = (f"{quoted(key)}: {compact_text(item)}" for key, item in value.items())
        return "{" + ", ".join(items) + "}"
    assert isinstance(value, Sequence)
    return "[" + ", ".join(map(compact_text, value)) + "]"


_MARK = "\x7f"
"""Stands around a number while a text is made: the one control that JSON does not escape."""


def data_text(value: JsonValue) -> str:
    """The text of `compact_text`, ten times as fast, for data without floats.

    The standard encoder writes all but decimals as we do. It is given them as marked texts, and
    the marks are taken away again, unless the data holds such marks of its own.
    """
    marked = 0

    def decimal(item: object) -> str:
        nonlocal marked
        if not isinstance(item, Decimal):
            raise TypeError(f"{type(item).__name__} is not a JSON value")
        marked += 1
        text = str(item)
        if "E" in text or "N" in text or "I" in text:  # An exponent, NaN, Infinity.
            text = number_text(item)
        return f"{_MARK}{text}{_MARK}"

    encoder = json.JSONEncoder(ensure_ascii=False, check_circular=False, default=decimal)
    text = encoder.encode(value)
    if marked:
        # Every second part is a number; those around it end and begin with its quotes.
        parts = text.split(_MARK)
        if len(parts) != 2 * marked + 1:
            return compact_text(value)
        parts[2:-1:2] = [part[1:-1] for part in parts[2:-1:2]]
        parts[0], parts[-1] = parts[0][:-1], parts[-1][1:]
        text = "".join(parts)
    if not text.isascii():
        for code, escaped in _ESCAPED.items():
            text = text.replace(chr(code), escaped)
    return text


def shallow(model: BaseModel) -> dict[str, JsonValue]:
    """The model as `plain` gives it, where its fields hold models, tuples of them, or JSON data.

    Data is handed on as it is: copying it would take longer than writing it.
    """
    result: dict[str, JsonValue] = {}
    values = model.__dict__
    for name, key, required, default in _fields(type(model)):
        item = values[name]
        if not required and (item is None or item == default):
            continue
        if isinstance(item, tuple):
            item = [shallow(part) if isinstance(part, BaseModel) else part for part in item]
        elif isinstance(item, BaseModel):
            item = shallow(item)
        result[key] = item
    return result


def value_text(value: JsonValue, indent: int = 0, used: int = 0) -> str:
    """A JSON value over several lines.

    Args:
        value: the value.
        indent: blanks before the closing bracket.
        used: characters that stand on the first line already.
    """
    scalar = _scalar(value)
    if scalar is not None:
        return scalar
    inner = " " * (indent + 2)
    if isinstance(value, Mapping):
        if not value:
            return "{}"
        if indent and all(_scalar(item) is not None for item in value.values()):
            line = compact_text(value)
            if used + len(line) + 1 <= LINE_WIDTH:
                return line
        rows = [
            f"{inner}{quoted(key)}: "
            + value_text(item, indent + 2, len(inner) + len(quoted(key)) + 2)
            for key, item in value.items()
        ]
        return "{\n" + ",\n".join(rows) + "\n" + " " * indent + "}"
    assert isinstance(value, Sequence)
    if not value:
        return "[]"
    if all(_scalar(item) is not None for item in value):
        line = compact_text(value)
        if used + len(line) + 1 <= LINE_WIDTH:
            return line
    rows = [inner + value_text(item, indent + 2, len(inner)) for item in value]
    return "[\n" + ",\n".join(rows) + "\n" + " " * indent + "]"
