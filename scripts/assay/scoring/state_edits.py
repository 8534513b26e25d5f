"""Copies of a state with something put in, taken out or filled up, for runs that are built."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from assay.files.locate import unescape
from assay.models.base import JsonValue

Change = Callable[[JsonValue], JsonValue]


def placed(root: JsonValue, pointer: str, value: JsonValue) -> JsonValue:
    """A copy of `root` with `value` at a JSON pointer; what is missing on the way is made."""
    return _changed(root, pointer.split("/")[1:], lambda _: value)


def removed(root: JsonValue, pointer: str) -> JsonValue:
    """A copy of `root` with nothing at a JSON pointer."""
    *way, last = pointer.split("/")[1:] or [""]
    key = unescape(last)

    def without(parent: JsonValue) -> JsonValue:
        if isinstance(parent, Mapping):
            return {name: item for name, item in parent.items() if name != key}
        if isinstance(parent, list | tuple) and key.isdigit():
            return [item for i, item in enumerate(parent) if i != int(key)]
        return parent

    return _changed(root, way, without)


def _changed(root: JsonValue, way: Sequence[str], change: Change) -> JsonValue:
    if not way:
        return change(root)
    key, rest = unescape(way[0]), way[1:]
    if isinstance(root, list | tuple) and key.isdecimal() and len(key) < 6:
        items = list(root)
        while len(items) <= int(key):
            items.append(None)
        items[int(key)] = _changed(items[int(key)], rest, change)
        return items
    fields = dict(root) if isinstance(root, Mapping) else {}
    fields[key] = _changed(fields.get(key), rest, change)
    return fields


def with_element(root: JsonValue, pointer: str, element: JsonValue) -> JsonValue:
    """A copy of `root` whose collection at a JSON pointer holds one element more."""

    def add(value: JsonValue) -> JsonValue:
        if isinstance(value, Mapping):
            return {**value, **element} if isinstance(element, Mapping) else {**value, "_": element}
        return [*value, element] if isinstance(value, list | tuple) else [element]

    return _changed(root, pointer.split("/")[1:], add)


def with_count(root: JsonValue, pointer: str, count: int) -> JsonValue:
    """A copy of `root` whose collection at a JSON pointer has `count` elements."""

    def sized(value: JsonValue) -> JsonValue:
        if isinstance(value, Mapping):
            kept = dict(list(value.items())[-count:] if count else ())
            return {**kept, **{f"_{i}": i for i in range(count - len(kept))}}
        items = list(value)[-count:] if count and isinstance(value, list | tuple) else []
        return [*items, *({"_": i} for i in range(count - len(items)))]

    return _changed(root, pointer.split("/")[1:], sized)
