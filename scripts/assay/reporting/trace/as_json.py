"""A trace for programs."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from assay.files.model_text import plain
from assay.reporting.json_out import json_document
from assay.reporting.trace.inputs import CaseTrace, Part, Trace


def json_text(trace: Trace) -> str:
    """The trace as a JSON document, ``schema_version`` 1: the fields of `Trace`.

    Every part has a ``state``: ``same``, ``changed``, or ``unknown`` where it cannot be computed
    here. Fields are only ever added.
    """
    shape = {name: _plain(value) for name, value in _fields(trace).items()}
    return json_document({"schema_version": 1, "id": trace.result.id, **shape})


def _fields(item: Any) -> dict[str, Any]:
    return {field.name: getattr(item, field.name) for field in fields(item)}


def _plain(value: Any) -> Any:
    if isinstance(value, Part):
        return {**_fields(value), "state": value.state}
    if isinstance(value, CaseTrace) or hasattr(value, "__dataclass_fields__"):
        return {name: _plain(item) for name, item in _fields(value).items()}
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return plain(value)
