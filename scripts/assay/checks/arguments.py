"""What a label says about arguments against the tool's schema.

Literals are checked as a whole. A matcher is checked as far as it can be decided what it
matches: the options of ``$one_of``, the items of ``$set``, the kind of value that ``$number``,
``$pattern`` and the matchers of time can match at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.checks.rule import nearest
from assay.checks.schemas import plainly_fits, refusals, types_of
from assay.files.locate import escape
from assay.models.base import JsonValue
from assay.scoring.matcher_forms import COMPANIONS, has_matcher, is_matcher

TEXT_MATCHERS = frozenset({"$pattern", "$date", "$instant", "$relative"})
"""Matchers that match text and nothing else."""

ITEM_MATCHERS = frozenset({"$set", "$multiset"})
"""Matchers that match lists."""


@dataclass(frozen=True)
class ArgumentProblem:
    """One argument that does not fit."""

    pointer: str
    """JSON pointer into the arguments."""
    message: str
    """Why."""
    hint: str
    """What to write."""


def argument_problems(
    schema: Mapping[str, JsonValue], args: Mapping[str, JsonValue]
) -> tuple[ArgumentProblem, ...]:
    """Everything about the arguments of a label that the tool's schema refuses.

    Args:
        schema: JSON Schema of the arguments, an object.
        args: arguments that the label names; others may be anything.
    """
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        return ()
    found: list[ArgumentProblem] = []
    for name, value in args.items():
        pointer = f"/{escape(name)}"
        if name in properties:
            found += _value(properties[name], schema, value, pointer, name)
        elif not _others_allowed(schema):
            message = f"`{name}` is no argument."
            found.append(ArgumentProblem(pointer, message, nearest(name, map(str, properties))))
    return tuple(found)


def _others_allowed(schema: Mapping[str, JsonValue]) -> bool:
    """Whether names beyond `properties` are welcome: only where the schema says so itself."""
    more = schema.get("additionalProperties")
    return more is True or (isinstance(more, Mapping)) or "patternProperties" in schema


def matcher_of(value: JsonValue) -> str | None:
    """The name of the matcher that an object is; None for a literal."""
    if isinstance(value, Mapping) and is_matcher(value):
        return next(key for key in value if key in COMPANIONS or key.startswith("$"))
    return None


def _value(
    schema: JsonValue, root: Any, value: JsonValue, pointer: str, name: str
) -> Iterator[ArgumentProblem]:
    if plainly_fits(schema, value):
        return
    if not has_matcher(value):
        yield from _literal(schema, root, value, pointer, name)
        return
    assert isinstance(value, Mapping | list | tuple)
    matcher = matcher_of(value)
    if matcher is not None and isinstance(value, Mapping):
        yield from _matcher(matcher, value[matcher], schema, root, pointer, name)
    elif isinstance(value, Mapping):
        inner = schema.get("properties") if isinstance(schema, Mapping) else None
        for key, item in value.items():
            if isinstance(inner, Mapping) and key in inner:
                yield from _value(
                    inner[key], root, item, f"{pointer}/{escape(key)}", f"{name}.{key}"
                )
    else:
        inner = schema.get("items") if isinstance(schema, Mapping) else None
        if inner is not None:
            for index, item in enumerate(value):
                yield from _value(inner, root, item, f"{pointer}/{index}", f"{name}[{index}]")


def _literal(
    schema: JsonValue, root: Any, value: JsonValue, pointer: str, name: str
) -> Iterator[ArgumentProblem]:
    for below, keyword, reason in refusals(schema, root, value):
        hint = _hint(schema, value, keyword) if not below else ""
        yield ArgumentProblem(f"{pointer}{below}", f"{name}: {reason}.", hint)


def _hint(schema: JsonValue, value: JsonValue, keyword: str) -> str:
    choices = schema.get("enum") if isinstance(schema, Mapping) else None
    if keyword == "enum" and isinstance(choices, list | tuple):
        return f"write one of {', '.join(map(str, choices))}"
    if keyword != "type":
        return ""
    types = types_of(schema) or frozenset()
    if isinstance(value, str) and types & {"integer", "number"}:
        return f"write it without quotes: {value}"
    if "string" in types and not isinstance(value, str | Mapping | list | tuple):
        return "quote it"
    return f"write {' or '.join(sorted(types))}" if types else ""


def _matcher(
    matcher: str, content: JsonValue, schema: JsonValue, root: Any, pointer: str, name: str
) -> Iterator[ArgumentProblem]:
    below = f"{pointer}/{matcher}"
    types = types_of(schema)
    if matcher == "$one_of" and isinstance(content, Sequence) and not isinstance(content, str):
        for index, option in enumerate(content):
            yield from _value(schema, root, option, f"{below}/{index}", name)
        return
    if matcher == "$literal":
        yield from _literal(schema, root, content, below, name)
        return
    wanted: frozenset[str] | None = None
    if matcher in TEXT_MATCHERS:
        wanted = frozenset({"string"})
    elif matcher in ITEM_MATCHERS:
        wanted = frozenset({"array"})
    elif matcher == "$number":
        # A tool may take an amount as text with its unit.
        wanted = frozenset({"integer", "number", "string"})
    if wanted is not None and types is not None and not types & wanted:
        yield ArgumentProblem(
            pointer,
            f"{name}: `{matcher}` matches {' or '.join(sorted(wanted))}, and the schema says"
            f" {' or '.join(sorted(types))}.",
            "write a literal, or another matcher",
        )
    elif matcher in ITEM_MATCHERS and isinstance(schema, Mapping):
        items = schema.get("items")
        if items is not None and isinstance(content, list | tuple):
            for index, item in enumerate(content):
                yield from _value(items, root, item, f"{below}/{index}", name)
