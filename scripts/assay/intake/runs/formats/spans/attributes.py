"""Attributes of spans: key/value lists of OTLP, dotted names, JSON inside text.

Whatever the writer did, a span's attributes become one flat mapping of dotted name to value.
Sources: the OTLP protocol's ``AnyValue`` in its JSON form; the flattening that OpenInference
and OpenLLMetry use (``llm.input_messages.0.message.role``).
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from assay.errors import InputError
from assay.files.reading import parse_json
from assay.intake.node import Node
from assay.models.base import JsonValue

Attributes = dict[str, JsonValue]
"""Dotted name to value."""

_MOST_ITEMS = 100_000


def key_values(node: Node | None) -> Attributes:
    """Attributes from a list of ``{key, value}``, or from an object that holds them as they are.

    Raises:
        InputError: it is neither.
    """
    if node is None:
        return {}
    if isinstance(node.value, dict):
        return dict(node.value)
    result: Attributes = {}
    for item in node.items():
        value = item.get("value")
        result[item.need("key").text()] = any_value(value.value) if value is not None else None
    return result


def any_value(value: JsonValue) -> JsonValue:
    """What an ``AnyValue`` holds; what is none stays as it is. Bytes stay base64 text."""
    if not isinstance(value, dict):
        return value
    for name in ("stringValue", "boolValue", "bytesValue"):
        for key in (name, _snake(name)):
            if key in value:
                return value[key]
    for key in ("intValue", "int_value", "doubleValue", "double_value"):
        if key in value:
            return _number(value[key])
    for key in ("arrayValue", "array_value"):
        if key in value:
            return [any_value(item) for item in _values(value[key])]
    for key in ("kvlistValue", "kvlist_value"):
        if key in value:
            pairs = (item for item in _values(value[key]) if isinstance(item, dict))
            return {str(item.get("key")): any_value(item.get("value")) for item in pairs}
    return None


def _snake(name: str) -> str:
    return name.replace("Value", "_value")


def _values(value: JsonValue) -> list[JsonValue]:
    listed = value.get("values") if isinstance(value, dict) else value
    return listed if isinstance(listed, list) else []


def _number(value: JsonValue) -> JsonValue:
    """A number that may be written as text; text that is no number stays text."""
    if not isinstance(value, str):
        return value
    try:
        number = Decimal(value)
    except InvalidOperation:
        return value
    if not number.is_finite():
        return value
    return int(value) if value.lstrip("+-").isdigit() else number


def flat(value: Attributes) -> Attributes:
    """Nested objects under dotted names; lists, and objects under a dotted name, stay."""
    result: Attributes = {}
    stack: list[tuple[str, JsonValue]] = [("", value)]
    while stack:
        name, item = stack.pop()
        if isinstance(item, dict) and (item or not name) and not ("." in name and name in value):
            for key in reversed(list(item)):
                stack.append((f"{name}.{key}" if name else key, item[key]))
        else:
            result[name] = item
    return result


def indexed(attributes: Attributes, prefix: str) -> list[JsonValue] | None:
    """The list whose parts stand under ``prefix.0.…``, ``prefix.1.…``; or under `prefix` itself.

    Indices need not be without gaps; their order counts. None where nothing stands there.
    """
    whole = decoded(attributes.get(prefix))
    if isinstance(whole, list):
        return [nested(item) for item in whole]
    start = f"{prefix}."
    parts: dict[str, JsonValue] = {
        name[len(start) :]: value for name, value in attributes.items() if name.startswith(start)
    }
    tree = _listed(_tree(parts))
    return tree if isinstance(tree, list) else None


def whole(attributes: Attributes, name: str) -> JsonValue:
    """The value under a name; JSON in text is read, and an object that was flattened rebuilt."""
    if name in attributes:
        return decoded(attributes[name])
    start = f"{name}."
    parts: dict[str, JsonValue] = {
        key[len(start) :]: value for key, value in attributes.items() if key.startswith(start)
    }
    return _listed(_tree(parts)) if parts else None


def nested(value: JsonValue) -> JsonValue:
    """A value whose dotted keys (``message.role``) became objects, at every depth."""
    if isinstance(value, list):
        return [nested(item) for item in value]
    if not isinstance(value, dict):
        return value
    if not any("." in key for key in value):
        return {key: nested(item) for key, item in value.items()}
    return _listed(_tree({key: nested(item) for key, item in value.items()}))


def _tree(parts: dict[str, JsonValue]) -> dict[str, JsonValue]:
    root: dict[str, JsonValue] = {}
    for name, value in parts.items():
        place = root
        *path, last = name.split(".")
        for step in path:
            inner = place.get(step)
            if not isinstance(inner, dict):
                inner = {}
                place[step] = inner
            place = inner
        if not isinstance(place.get(last), dict):
            place[last] = value
    return root


def _listed(value: JsonValue) -> JsonValue:
    """Objects whose keys are all numbers as lists, in the order of the numbers."""
    if not isinstance(value, dict):
        return value
    made = {key: _listed(item) for key, item in value.items()}
    if made and all(key.isdecimal() and len(key) < 7 for key in made):
        return [made[key] for key in sorted(made, key=int)][:_MOST_ITEMS]
    return made


def decoded(value: JsonValue) -> JsonValue:
    """A value; text that holds a JSON object or list is read as such."""
    if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "["):
        return value
    try:
        return parse_json(value, name="")
    except InputError:
        return value


def text_in(attributes: Attributes, *names: str) -> str | None:
    """The first of the attributes that is text and not empty."""
    for name in names:
        value = attributes.get(name)
        if isinstance(value, str) and value:
            return value
    return None


def count_in(attributes: Attributes, *names: str) -> int | None:
    """The first of the attributes that is a whole number from 0 to 10**15, as number or text."""
    for name in names:
        value = _number(attributes.get(name))
        if isinstance(value, bool) or not isinstance(value, int | Decimal):
            continue
        if 0 <= value <= 10**15 and value == int(value):
            return int(value)
    return None


def amount_in(attributes: Attributes, *names: str) -> int | Decimal | None:
    """The first of the attributes that is a number which is not negative, as number or text."""
    for name in names:
        value = _number(attributes.get(name))
        if not isinstance(value, bool) and isinstance(value, int | Decimal) and value >= 0:
            return value
    return None
