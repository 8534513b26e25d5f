"""Models to plain values where empty and absent differ: only what is None, or at its default, is
left out; an empty list or object that a file holds stays.
"""

from __future__ import annotations

from assay.models.base import JsonValue, Model


def plain(model: Model, *, keep: frozenset[str] = frozenset()) -> dict[str, JsonValue]:
    """A model as objects and lists, in the order of its fields.

    Args:
        model: the model.
        keep: fields that are written although they hold their default.
    """
    result: dict[str, JsonValue] = {}
    for name, info in type(model).model_fields.items():
        value = getattr(model, name)
        if value is None:
            continue
        if name not in keep and not info.is_required() and value == info.default:
            continue
        result[info.alias or name] = _plain(value, keep)
    return result


def _plain(value: object, keep: frozenset[str]) -> JsonValue:
    if isinstance(value, Model):
        return plain(value, keep=keep)
    if isinstance(value, dict):
        return {key: _plain(item, keep) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item, keep) for item in value]
    return value  # type: ignore[return-value]
