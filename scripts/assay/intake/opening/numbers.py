"""Parsing a value of a foreign file, strictly or as programs write it that do not check."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from assay.errors import InputError
from assay.files.reading import parse_json
from assay.models.base import JsonValue

Parse = Callable[[str | bytes, str, int], tuple[JsonValue, int]]
"""Text, file name and first line to a value, and how many numbers in it were none."""


def strict(text: str | bytes, name: str, line: int) -> tuple[JsonValue, int]:
    """A JSON value.

    Raises:
        InputError: it is none.
    """
    return parse_json(text, name=name, first_line=line), 0


def tolerant(text: str | bytes, name: str, line: int) -> tuple[JsonValue, int]:
    """A JSON value in which ``NaN`` and ``Infinity`` stand for null.

    A tool that averages nothing gives NaN, and Python's own writer puts it into the trace. What
    the agent did is worth more than that number, which no label can ask for.

    Raises:
        InputError: it is no JSON for another reason.
    """
    try:
        return parse_json(text, name=name, first_line=line), 0
    except InputError as error:
        if "is no number in JSON" not in error.message:
            raise
        value = parse_json(text, name=name, first_line=line, no_numbers=True)
        return _without(value)


def _without(value: JsonValue) -> tuple[JsonValue, int]:
    if isinstance(value, Decimal):
        return (value, 0) if value.is_finite() else (None, 1)
    if isinstance(value, dict):
        items = {key: _without(item) for key, item in value.items()}
        return {key: item for key, (item, _) in items.items()}, sum(n for _, n in items.values())
    if isinstance(value, list):
        found = [_without(item) for item in value]
        return [item for item, _ in found], sum(count for _, count in found)
    return value, 0
