"""YAML that people edit by hand, read without surprises.

YAML 1.2 core schema: ``no``, ``on`` and ``12:30:45`` stay text, ``1.10`` is the number 1.1.
Numbers are exact. A plain ``2031-01-02`` becomes a date, which a text field then refuses with
"quote it". Doubled keys, aliases, tags and several documents are refused.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

from assay.errors import InputError
from assay.files.locate import escape
from assay.files.reading import decode, read_bytes
from assay.files.validation import Problem, validate
from assay.models.base import JsonValue, Model

M = TypeVar("M", bound=Model)

_PLAIN_TAGS = frozenset(
    {"None", "tag:yaml.org,2002:str", "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"}
)
_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_TRUE = frozenset({"true", "True", "TRUE"})
_FALSE = frozenset({"false", "False", "FALSE"})
_INT = re.compile(r"[-+]?[0-9]+")
_OCT = re.compile(r"0o[0-7]+")
_HEX = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True)
class YamlText:
    """A parsed YAML file."""

    name: str
    """File name for messages."""
    value: JsonValue
    """The value; None for an empty file."""
    places: dict[str, tuple[int, int]]
    """JSON pointer to one-based line and column of the value that stands there."""

    def place(self, pointer: str) -> tuple[int, int]:
        """Line and column of a value, or of the deepest parent that exists."""
        while pointer not in self.places and pointer:
            pointer = pointer.rsplit("/", 1)[0]
        return self.places.get(pointer, (1, 1))

    def problems(self, model: type[M]) -> tuple[M | None, tuple[Problem, ...]]:
        """The model of the value, or what is wrong with it; an empty file is an empty object."""
        return validate(model, {} if self.value is None else self.value)

    def require(self, model: type[M]) -> M:
        """The model of the value.

        Raises:
            InputError: the first thing that is wrong, with line and field.
        """
        instance, problems = self.problems(model)
        if instance is not None:
            return instance
        first = problems[0]
        line, column = self.place(first.pointer)
        more = f" ({len(problems) - 1} more in this file.)" if len(problems) > 1 else ""
        raise InputError(
            first.message + more,
            hint=first.hint,
            path=self.name,
            line=line,
            column=column,
            pointer=first.pointer,
        )


def read_yaml(path: Path, *, name: str | None = None) -> YamlText:
    """Parse a YAML file; see the module for what is accepted.

    Raises:
        InputError: unreadable, not UTF-8, not YAML, doubled keys, aliases, NaN.
    """
    label = name or path.as_posix()
    return parse_yaml(decode(read_bytes(path, name=label), name=label), name=label)


def parse_yaml(text: str, *, name: str) -> YamlText:
    """Parse a YAML text; see `read_yaml`."""
    # Imported here: half of all commands read no YAML, and the parser is slow to load.
    from ruamel.yaml.cyaml import CBaseLoader
    from ruamel.yaml.error import YAMLError

    try:
        node = CBaseLoader(text).get_single_node()
    except YAMLError as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        message = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise InputError(
            f"Not valid YAML: {message}.",
            path=name,
            line=mark.line + 1 if mark else None,
            column=mark.column + 1 if mark else None,
            hint="look at the indentation and the quotes there",
        ) from None
    except ValueError as error:
        raise InputError(f"Not valid YAML: {error}.", path=name) from None
    builder = _Builder(name)
    value = builder.build(node, "") if node is not None else None
    return YamlText(name, value, builder.places)


class _Builder:
    """Turns the parser's nodes into values and remembers where each stands."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.places: dict[str, tuple[int, int]] = {}
        self.seen: set[int] = set()

    def refuse(self, node: Any, message: str, hint: str, pointer: str) -> InputError:
        line, column = node.start_mark.line + 1, node.start_mark.column + 1
        return InputError(
            message, path=self.name, line=line, column=column, pointer=pointer, hint=hint
        )

    def build(self, node: Any, pointer: str) -> JsonValue:
        if id(node) in self.seen:
            raise self.refuse(
                node, "YAML aliases are not read here.", "write the value out", pointer
            )
        self.seen.add(id(node))
        self.places[pointer] = (node.start_mark.line + 1, node.start_mark.column + 1)
        if str(node.tag) not in _PLAIN_TAGS:
            raise self.refuse(node, f"Tags such as {node.tag} are not read.", "remove it", pointer)
        return _BUILD[node.id](self, node, pointer)

    def mapping(self, node: Any, pointer: str) -> JsonValue:
        result: dict[str, JsonValue] = {}
        for key_node, value_node in node.value:
            if key_node.id != "scalar":
                raise self.refuse(key_node, "A key must be text.", "quote it", pointer)
            key = str(key_node.value)
            below = f"{pointer}/{escape(key)}"
            if key in result:
                raise self.refuse(key_node, f"Duplicate key `{key}`.", "keep one of them", below)
            result[key] = self.build(value_node, below)
        return result

    def sequence(self, node: Any, pointer: str) -> JsonValue:
        return [self.build(item, f"{pointer}/{index}") for index, item in enumerate(node.value)]

    def scalar(self, node: Any, pointer: str) -> JsonValue:
        text = str(node.value)
        if node.style:
            return text
        if text in _NULL:
            return None
        if text in _TRUE or text in _FALSE:
            return text in _TRUE
        if _NOT_FINITE.fullmatch(text):
            raise self.refuse(node, f"{text} is not a number here.", "write a number", pointer)
        try:
            return _number_or_text(text)
        except (ValueError, ArithmeticError):  # The interpreter reads no integer of 5,000 digits.
            message = f"The number has {len(text):,} characters."
            raise self.refuse(node, message, "quote it if it is text", pointer) from None


def _number_or_text(text: str) -> JsonValue:
    if _INT.fullmatch(text):
        return int(text)
    if _OCT.fullmatch(text):
        return int(text[2:], 8)
    if _HEX.fullmatch(text):
        return int(text[2:], 16)
    if _FLOAT.fullmatch(text):
        return Decimal(text)
    if _DATE.fullmatch(text):
        try:
            return datetime.date.fromisoformat(text)  # type: ignore[return-value]
        except ValueError:
            return text
    return text


_BUILD: dict[str, Callable[[_Builder, Any, str], JsonValue]] = {
    "mapping": _Builder.mapping,
    "sequence": _Builder.sequence,
    "scalar": _Builder.scalar,
}
