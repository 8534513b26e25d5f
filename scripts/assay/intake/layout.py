"""Models to canonical text: the order of the model's fields, exact numbers, nothing empty."""

from __future__ import annotations

import json

from assay.files.canonical import exact_number
from assay.models.base import JsonValue, Model

_quote = json.encoder.encode_basestring


def plain(
    model: Model, *, keep: frozenset[str] = frozenset(), defaults: bool = False
) -> dict[str, JsonValue]:
    """A model as objects and lists, in the order of its fields.

    Args:
        model: the model.
        keep: fields that are written although they hold their default.
        defaults: write every field that is not None, also those that hold their default.
    """
    result: dict[str, JsonValue] = {}
    for name, info in type(model).model_fields.items():
        value = getattr(model, name)
        if value is None:
            continue
        if not defaults and name not in keep and not info.is_required() and value == info.default:
            continue
        result[info.alias or name] = _plain(value, keep, defaults)
    return result


def _plain(value: object, keep: frozenset[str], defaults: bool) -> JsonValue:
    if isinstance(value, Model):
        return plain(value, keep=keep, defaults=defaults)
    if isinstance(value, dict):
        return {key: _plain(item, keep, defaults) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item, keep, defaults) for item in value]
    return value  # type: ignore[return-value]


def compact(value: JsonValue) -> str:
    """One line of JSON: keys in the order given, exact numbers, no blanks."""
    return _write(value, None, "")


def indented(value: JsonValue) -> str:
    """JSON with two-space indent: keys in the order given, exact numbers, no final newline."""
    return _write(value, "  ", "\n")


def _write(value: JsonValue, indent: str | None, start: str) -> str:
    if value is None or isinstance(value, bool | str):
        return _quote(value) if isinstance(value, str) else json.dumps(value)
    if isinstance(value, dict):
        colon = ":" if indent is None else ": "
        parts = [
            f"{_quote(key)}{colon}{_write(item, indent, start + (indent or ''))}"
            for key, item in value.items()
        ]
        return _wrap("{", parts, "}", indent, start)
    if isinstance(value, list | tuple):
        parts = [_write(item, indent, start + (indent or "")) for item in value]
        return _wrap("[", parts, "]", indent, start)
    return exact_number(value)  # type: ignore[arg-type]


def _wrap(left: str, parts: list[str], right: str, indent: str | None, start: str) -> str:
    if not parts:
        return left + right
    if indent is None:
        return left + ",".join(parts) + right
    inner = start + indent
    return left + inner + f",{inner}".join(parts) + start + right
