"""JSON Schemas of tools: whether they are schemas, and what they say about a value."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from assay.files.canonical import canonical_json
from assay.files.locate import unescape
from assay.models.base import JsonValue


def schema_problem(schema: JsonValue) -> str:
    """What is wrong with a JSON Schema of arguments; empty where nothing is."""
    if schema is None:
        return ""
    from jsonschema import Draft202012Validator

    if not isinstance(schema, Mapping):
        return "it is no object"
    if schema.get("type", "object") != "object":
        return f"arguments are an object, and its type is {schema['type']}"
    errors = sorted(
        Draft202012Validator(Draft202012Validator.META_SCHEMA).iter_errors(schema),
        key=lambda error: (list(map(str, error.absolute_path)), error.message),
    )
    if errors:
        place = "/".join(map(str, errors[0].absolute_path))
        return f"{errors[0].message}{f' at {place}' if place else ''}".replace("\n", " ")
    lost = [target for target in _references(schema) if not _stands_in(schema, target)]
    return f"`$ref` to {lost[0]}, which is not in it" if lost else ""


def _references(schema: JsonValue) -> Iterator[str]:
    if isinstance(schema, Mapping):
        for keyword in ("$ref", "$dynamicRef"):
            target = schema.get(keyword)
            if isinstance(target, str):
                yield target
        schema = tuple(schema.values())
    for part in schema if isinstance(schema, list | tuple) else ():
        yield from _references(part)


def _stands_in(schema: JsonValue, target: str) -> bool:
    """Whether a reference is a pointer into the schema itself; nothing else is ever fetched."""
    if target != "#" and not target.startswith("#/"):
        return False
    here = schema
    for step in target.split("/")[1:]:
        key = unescape(step)
        if isinstance(here, Mapping) and key in here:
            here = here[key]
        elif isinstance(here, list | tuple) and key.isdecimal() and int(key) < len(here):
            here = here[int(key)]
        else:
            return False
    return isinstance(here, Mapping | bool)


@functools.cache
def _validator_class() -> Any:
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    def is_integer(_: object, value: object) -> bool:
        if isinstance(value, bool):
            return False
        return isinstance(value, int) or (
            isinstance(value, Decimal) and value.is_finite() and value == value.to_integral_value()
        )

    def is_array(_: object, value: object) -> bool:
        return isinstance(value, list | tuple)

    checker = Draft202012Validator.TYPE_CHECKER.redefine("integer", is_integer)
    extended: Any = extend  # It has no annotations.
    return extended(Draft202012Validator, type_checker=checker.redefine("array", is_array))


_PLAIN = frozenset({"type", "enum", "description", "title", "default", "examples"})


def plainly_fits(schema: JsonValue, value: JsonValue) -> bool:
    """Whether a scalar fits a schema that says nothing but type and choices; false in doubt."""
    if not isinstance(schema, Mapping) or isinstance(value, Mapping | list | tuple):
        return False
    if not schema.keys() <= _PLAIN:
        return False
    choices = schema.get("enum")
    if choices is not None:
        # By canonical text: in Python 0 is False, in JSON it is not.
        wanted = canonical_json(value)
        if not isinstance(choices, list | tuple) or wanted not in map(canonical_json, choices):
            return False
    types = types_of({"type": schema["type"]}) if "type" in schema else None
    kind = kind_of(value)
    return types is None or kind in types or (kind == "integer" and "number" in types)


def refusals(
    schema: JsonValue, root: JsonValue, value: JsonValue
) -> Iterator[tuple[str, str, str]]:
    """Why a schema refuses a value.

    Args:
        schema: the schema of the value, a part of `root`.
        root: the whole schema, for references into it.
        value: a JSON value with exact numbers.

    Yields:
        JSON path of the place as a pointer, the keyword that refuses, and why.
    """
    validator = _validator_class()(root).evolve(schema=schema)
    found = []
    for error in validator.iter_errors(value):
        pointer = "".join(f"/{step}" for step in error.absolute_path)
        found.append((pointer, str(error.validator), _reason(error)))
    yield from sorted(found)


def _reason(error: Any) -> str:
    value = canonical_json(error.instance) if _shown(error.instance) else "the value"
    if error.validator == "type":
        wanted = error.validator_value
        kinds = wanted if isinstance(wanted, str) else " or ".join(wanted)
        return f"{value} is {kind_of(error.instance)}, and the schema says {kinds}"
    if error.validator == "enum":
        choices = ", ".join(canonical_json(choice) for choice in error.validator_value)
        return f"{value} is not one of {choices}"
    return " ".join(str(error.message).split())


def _shown(value: object) -> bool:
    return isinstance(value, str | int | Decimal | bool) or value is None


def kind_of(value: JsonValue) -> str:
    """The name that JSON Schema has for the type of a value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, Decimal):
        return "number"
    return "object" if isinstance(value, Mapping) else "array"


def types_of(schema: JsonValue) -> frozenset[str] | None:
    """Types that a schema allows; None where that is not said in so many words."""
    if not isinstance(schema, Mapping):
        return None
    given = schema.get("type")
    if isinstance(given, str):
        return frozenset({given})
    if isinstance(given, list | tuple):
        return frozenset(map(str, given))
    for keyword in ("anyOf", "oneOf"):
        options = schema.get(keyword)
        if isinstance(options, list | tuple):
            found = [types_of(option) for option in options]
            if any(types is None for types in found):
                return None
            return frozenset().union(*(types for types in found if types is not None))
    if "enum" in schema and isinstance(schema["enum"], list | tuple):
        return frozenset(kind_of(value) for value in schema["enum"])
    return None
