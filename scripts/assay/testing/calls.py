"""Tool calls as a caller writes them down, beside a plain answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from assay.errors import InputError, UsageError
from assay.files.reading import parse_json
from assay.models.base import JsonValue
from assay.models.run import ToolCall
from assay.testing.values import json_value

_KEYS = frozenset({"name", "args", "arguments", "server", "id", "result", "error", "outcome"})


def calls_of(given: Sequence[Any]) -> tuple[list[ToolCall], bool]:
    """Calls in order, and whether each of them came with its result or error.

    Args:
        given: `ToolCall`, a mapping with `name` and `args`, or (name, arguments[, result]).

    Raises:
        UsageError: one is no call.
    """
    calls: list[ToolCall] = []
    complete = True
    for index, item in enumerate(given):
        if isinstance(item, ToolCall):
            calls.append(item)
            complete = complete and (item.result is not None or item.error is not None)
            continue
        fields = _fields(item, index)
        complete = complete and ("result" in fields or "error" in fields)
        calls.append(_call(fields, index))
    return calls, complete


def _fields(item: Any, index: int) -> dict[str, JsonValue]:
    if isinstance(item, list | tuple) and 2 <= len(item) <= 3 and isinstance(item[0], str):
        item = dict(zip(("name", "args", "result"), item, strict=False))
    value = json_value(item, f"/calls/{index}")
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        raise _wrong(index, "is no call")
    strange = sorted(value.keys() - _KEYS)
    if strange:
        raise _wrong(index, f"has `{strange[0]}`")
    return value


def _call(fields: dict[str, JsonValue], index: int) -> ToolCall:
    args = fields.get("args", fields.get("arguments"))
    if isinstance(args, str):  # Providers carry arguments as JSON text.
        try:
            args = parse_json(args, name="arguments")
        except InputError as error:
            raise _wrong(index, f"has arguments that cannot be read: {error.message}") from None
    if args is not None and not isinstance(args, dict):
        raise _wrong(index, "has arguments that are no object")
    outcome = fields.get("outcome")
    if outcome is None:
        # With a result a call worked, as in chat messages.
        outcome = "error" if fields.get("error") else "ok" if "result" in fields else "unknown"
    given = {key: fields.get(key) for key in ("name", "server", "id", "result", "error")}
    try:
        return ToolCall.model_validate({**given, "args": args or {}, "outcome": outcome})
    except ValidationError as problem:
        first = problem.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise _wrong(index, f"has a `{where}` that does not fit: {first['msg']}") from None


def _wrong(index: int, what: str) -> UsageError:
    return UsageError(
        f"Call {index + 1} {what}.",
        hint='write ("tool", {"argument": value}) or {"name": …, "args": {…}, "result": …}',
    )
