"""Python objects that agents and their frameworks hand around, as exact JSON values."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import math
import uuid
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from assay.errors import UsageError
from assay.files.locate import escape
from assay.models.base import JsonValue

_DEEPEST = 200


def json_value(value: Any, pointer: str = "", depth: int = 0) -> JsonValue:
    """The JSON value of an object: models, dataclasses, mappings, sequences and scalars.

    A float becomes the decimal that Python prints for it.

    Raises:
        UsageError: something that JSON does not have, with where it stands.
    """
    if value is None or isinstance(value, bool | int | str):
        # Subclasses carry more than JSON does: an enumeration stands for its value.
        return json_value(value.value, pointer, depth) if isinstance(value, enum.Enum) else value
    if isinstance(value, float | Decimal):
        return _number(value, pointer)
    if depth > _DEEPEST:
        raise _wrong(pointer, "is nested too deeply, or holds itself")
    unpacked = _unpacked(value)
    if isinstance(unpacked, Mapping):
        return {
            str(key): json_value(item, f"{pointer}/{escape(str(key))}", depth + 1)
            for key, item in unpacked.items()
        }
    if isinstance(unpacked, list | tuple):
        return [
            json_value(item, f"{pointer}/{index}", depth + 1) for index, item in enumerate(unpacked)
        ]
    if isinstance(unpacked, str):
        return unpacked
    if unpacked is not value:
        return json_value(unpacked, pointer, depth + 1)
    raise _wrong(pointer, f"is of the type `{type(value).__name__}`, which JSON does not have")


def _number(value: float | Decimal, pointer: str) -> Decimal:
    if not math.isfinite(value):
        raise _wrong(pointer, f"is {value}, which JSON does not have")
    return value if isinstance(value, Decimal) else Decimal(repr(float(value)))


def _unpacked(value: Any) -> Any:
    """What stands for an object: its fields, its value, its text."""
    if isinstance(value, type):
        return value
    if callable(getattr(value, "model_dump", None)):
        return value.model_dump()
    if dataclasses.is_dataclass(value):
        return {
            item.name: getattr(value, item.name) for item in dataclasses.fields(value) if item.repr
        }
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, uuid.UUID):
        return str(value)
    if isinstance(value, Mapping | list | tuple):
        return value
    if callable(getattr(value, "to_dict", None)):
        return value.to_dict()
    return value


def _wrong(pointer: str, what: str) -> UsageError:
    place = f"`{pointer}`" if pointer else "What was given"
    return UsageError(
        f"{place} {what}.", hint="give messages, mappings, lists, text, numbers or models of them"
    )
