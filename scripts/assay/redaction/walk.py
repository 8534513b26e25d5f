"""The texts of a JSON value, and what the fields around them say about each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from assay.models.base import JsonValue
from assay.redaction.names import is_cookies, is_headers, kind_of

_NAMES = ("name", "key", "header", "field")


class Around(NamedTuple):
    """What the fields around a value say about it."""

    name: str = ""
    """The field that holds it, or the name in a pair of name and value."""
    header: bool = False
    """Whether it is a header of HTTP, or the value of something named beside it."""
    whole: bool = False
    """Whether it is the value of a cookie that stands apart from its name."""


NOTHING_AROUND = Around()
Child = tuple[str | int, JsonValue, Around]


def children(value: JsonValue, around: Around) -> Iterator[Child]:
    """What stands in an object, by key in sorted order, or in a list."""
    if isinstance(value, dict):
        named = _named(value)
        headers = is_headers(around.name)
        cookies = is_cookies(around.name)
        for key in sorted(value):
            if cookies and isinstance(value[key], str) and (key == "value" or "value" not in value):
                yield key, value[key], Around("cookie", True, True)
            elif named and key == "value":
                yield key, value[key], Around(named, True)
            else:
                yield key, value[key], Around(key, headers)
    elif isinstance(value, list | tuple):
        named = _pair(value)
        for index, item in enumerate(value):
            if named:
                yield index, item, Around(named, True) if index else NOTHING_AROUND
            elif isinstance(item, dict) and not is_cookies(around.name):
                yield index, item, NOTHING_AROUND
            else:
                yield index, item, around


def texts(value: JsonValue, around: Around) -> Iterator[tuple[str, Around]]:
    """Every text in a value and every key of it, in a defined order."""
    if isinstance(value, str):
        yield value, around
        return
    for key, item, inner in children(value, around):
        if isinstance(key, str):
            yield key, NOTHING_AROUND
        yield from texts(item, inner)


def _named(value: dict[str, JsonValue]) -> str:
    """The name in an object of name and value, as recordings of HTTP keep headers."""
    if isinstance(value.get("value"), str):
        for key in _NAMES:
            named = value.get(key)
            if isinstance(named, str) and kind_of(named) is not None:
                return named
    return ""


def _pair(value: list[JsonValue] | tuple[JsonValue, ...]) -> str:
    """The name in a pair of name and value."""
    if len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], str):
        return value[0] if kind_of(value[0]) is not None else ""
    return ""
