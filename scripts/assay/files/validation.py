"""From parsed values to models, with sentences a person can act on."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import ValidationError

from assay.errors import InputError
from assay.files.locate import locate, pointer_of
from assay.models.base import JsonValue, Model

M = TypeVar("M", bound=Model)


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a value."""

    pointer: str
    """JSON pointer to it."""
    message: str
    """What is wrong."""
    hint: str
    """What to write instead; may be empty."""


def validate(model: type[M], value: JsonValue) -> tuple[M | None, tuple[Problem, ...]]:
    """The model, or everything that is wrong with the value.

    Returns:
        The model and no problems, or None and at least one problem.
    """
    try:
        return model.model_validate(value), ()
    except ValidationError as error:
        items = _without_followers([dict(item) for item in error.errors(include_url=False)])
        return None, tuple(_problem(model, value, item) for item in _best_of_unions(value, items))


def require(
    model: type[M], value: JsonValue, *, name: str, text: str = "", first_line: int = 1
) -> M:
    """The model.

    Args:
        model: what the value should be.
        value: the parsed value.
        name: file name for the message.
        text: the JSON text that was parsed, to find the line.
        first_line: line of the file on which the text begins.

    Raises:
        InputError: the first thing that is wrong, with line and field.
    """
    instance, problems = validate(model, value)
    if instance is not None:
        return instance
    first = problems[0]
    place = locate(text, first.pointer, first_line=first_line) if text else None
    more = f" ({len(problems) - 1} more in this file.)" if len(problems) > 1 else ""
    raise InputError(
        first.message + more,
        hint=first.hint,
        path=name,
        line=place[0] if place else None,
        column=place[1] if place else None,
        pointer=first.pointer,
    )


def _without_followers(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without "too short" where the list only seems so: its entries are there, and wrong."""
    return [
        item
        for item in items
        if item["type"] != "too_short"
        or not any(
            len(other["loc"]) > len(item["loc"]) and other["loc"][: len(item["loc"])] == item["loc"]
            for other in items
        )
    ]


def _best_of_unions(value: JsonValue, items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Of the complaints of a union's members, those of the member that was meant."""
    places = [_real_steps(value, item["loc"], item["type"]) for item in items]
    kept: list[dict[str, Any]] = []
    taken: set[tuple[str | int, ...]] = set()
    for index, (item, place) in enumerate(zip(items, places, strict=True)):
        if item["type"].endswith("_type"):
            deeper = any(
                len(other) > len(place) and other[: len(place)] == place for other in places
            )
            same = places.index(place) < index
            if deeper or same or place in taken:
                continue
        taken.add(place)
        kept.append(item)
    return kept


def _problem(model: type[Model], value: JsonValue, error: dict[str, Any]) -> Problem:
    steps = _real_steps(value, error["loc"], error["type"])
    pointer = pointer_of(steps)
    field = _field(steps)
    kind, given = error["type"], error["input"]
    context = error.get("ctx", {})
    if kind == "missing":
        return Problem(pointer, f"{field} is missing.", f"add {field}")
    if kind == "extra_forbidden":
        known = _known_fields(model, error["loc"])
        near = difflib.get_close_matches(str(steps[-1]), known, 1)
        hint = f"did you mean `{near[0]}`?" if near else f"known here: {', '.join(sorted(known))}"
        return Problem(pointer, f"{field} is not a known field.", hint if known else "remove it")
    if kind == "string_type" and given is not None and not isinstance(given, dict | list | tuple):
        return Problem(
            pointer, f"{field} must be text and is {_kind(given)} {given}.", f'quote it: "{given}"'
        )
    if kind == "literal_error":
        expected = str(context.get("expected", ""))
        return Problem(pointer, f"{field} is {_show(given)}.", f"write one of {expected}")
    if kind == "string_pattern_mismatch":
        return Problem(
            pointer,
            f"{field} is {_show(given)}, which does not match {context.get('pattern')}.",
            "small letters, digits, '.', '_' and '-'; begin with a letter or digit",
        )
    if kind == "value_error":
        return Problem(pointer, f"{field}: {context.get('error', error['msg'])}.", "")
    if kind == "string_too_short":
        return Problem(pointer, f"{field} is empty.", "write at least one character")
    if kind == "too_short":
        return Problem(
            pointer, f"{field} has too few entries: at least {context.get('min_length')}.", ""
        )
    if kind == "too_long":
        return Problem(pointer, f"{field} has more than {context.get('max_length')} entries.", "")
    wanted = _WANTED.get(kind)
    if wanted:
        return Problem(pointer, f"{field} must be {wanted} and is {_kind(given)}.", "")
    return Problem(pointer, f"{field}: {error['msg']}.", "")


def _field(steps: tuple[str | int, ...]) -> str:
    if not steps:
        return "The document"
    if isinstance(steps[-1], int) and len(steps) > 1:
        return f"`{steps[-2]}[{steps[-1]}]`"
    return f"`{steps[-1]}`"


_WANTED = {
    "string_type": "text",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "tuple_type": "a list",
    "list_type": "a list",
    "decimal_type": "a number",
    "float_type": "a number",
}


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "the truth value"
    if isinstance(value, str):
        return "text"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list | tuple):
        return "a list"
    if hasattr(value, "isoformat"):
        return "the date"
    return "the number"


def _show(value: object) -> str:
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else text[:57] + "…"


def _real_steps(value: JsonValue, loc: tuple[Any, ...], kind: str) -> tuple[str | int, ...]:
    """Pydantic's location without the names of union members that stand in it."""
    steps: list[str | int] = []
    here: Any = value
    for index, step in enumerate(loc):
        last = index == len(loc) - 1
        if isinstance(here, dict):
            if step in here:
                here = here[step]
            elif not last or kind != "missing":
                continue
            steps.append(step)
        elif isinstance(here, list | tuple) and isinstance(step, int) and 0 <= step < len(here):
            here = here[step]
            steps.append(step)
    return tuple(steps)


def _known_fields(model: type[Model], loc: tuple[Any, ...]) -> list[str]:
    """Fields of the model in which an unknown key was found."""
    schema = model.model_json_schema()
    definitions = schema.get("$defs", {})
    nodes = [schema]
    for step in loc[:-1]:
        following: list[dict[str, Any]] = []
        for node in _resolved(nodes, definitions):
            if isinstance(step, int):
                following += [node["items"]] if "items" in node else []
            elif step in node.get("properties", {}):
                following.append(node["properties"][step])
            elif isinstance(node.get("additionalProperties"), dict):
                following.append(node["additionalProperties"])
        nodes = following or nodes
    return [name for node in _resolved(nodes, definitions) for name in node.get("properties", {})]


def _resolved(nodes: list[dict[str, Any]], definitions: dict[str, Any]) -> list[dict[str, Any]]:
    flat: list[dict[str, Any]] = []
    for node in nodes:
        if "$ref" in node:
            node = definitions[node["$ref"].rsplit("/", 1)[-1]]
        options = node.get("anyOf") or node.get("allOf")
        flat += _resolved(options, definitions) if options else [node]
    return flat
