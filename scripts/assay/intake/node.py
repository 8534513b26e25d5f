"""A value in a foreign file that knows where it stands.

Foreign files are read through nodes, so that a wrong type becomes one message with file, line
and field, and so that ``snake_case`` and ``camelCase`` are one spelling.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from assay.errors import InputError
from assay.files.locate import escape
from assay.intake.source import Source
from assay.models.base import JsonValue

__all__ = ["Node", "Source", "camel", "kind", "shorten", "snake"]

_SHOWN = 60


@lru_cache(maxsize=4096)
def snake(name: str) -> str:
    """``evalSetId`` as ``eval_set_id``; a name without inner capitals stays as it is."""
    if name.islower() or not name[:1].islower() or "_" in name:
        return name
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in name)


@lru_cache(maxsize=4096)
def camel(name: str) -> str:
    """``eval_set_id`` as ``evalSetId``."""
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest) if head else name


def kind(value: JsonValue) -> str:
    """What a JSON value is, in words for a message."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a truth value"
    if isinstance(value, int | Decimal):
        return "a number"
    if isinstance(value, str):
        return "text"
    return "an object" if isinstance(value, dict) else "a list"


def shorten(text: str, length: int = _SHOWN) -> str:
    """The text on one line, cut to `length` characters."""
    flat = " ".join(text.split())
    return flat if len(flat) <= length else flat[: length - 1] + "…"


@dataclass(slots=True)
class Node:
    """One value of a foreign file. Nobody changes one; frozen, it would take three times as long
    to make, and reading a trace makes one for every field.
    """

    value: JsonValue
    """The value, numbers exact."""
    source: Source
    """The file."""
    pointer: str = ""
    """JSON pointer to it."""
    line: int | None = None
    """Line of the JSONL or CSV file that it stands in."""

    @property
    def name(self) -> str:
        """The field as messages call it."""
        last = self.pointer.rsplit("/", 1)
        if not self.pointer:
            return "The document" if self.line is None else "The line"
        if last[-1].isdigit() and last[0]:
            return f"`{last[0].rsplit('/', 1)[-1]}[{last[-1]}]`"
        return f"`{last[-1]}`"

    def error(self, message: str, hint: str = "") -> InputError:
        """The error that says what is wrong with this value; see `Source.placed` for its line."""
        return InputError(
            message,
            hint=hint,
            path=self.source.name,
            line=self.line,
            pointer=self.pointer,
        )

    def wanted(self, what: str) -> InputError:
        """The error that this value is not what it should be."""
        return self.error(
            f"{self.name} must be {what} and is {kind(self.value)}.", f"write {what} in its place"
        )

    # -- structure ------------------------------------------------------------------------

    def object(self) -> dict[str, JsonValue]:
        """The object.

        Raises:
            InputError: it is none.
        """
        if not isinstance(self.value, dict):
            raise self.wanted("an object")
        return self.value

    def items(self) -> list[Node]:
        """The elements of the list.

        Raises:
            InputError: it is no list.
        """
        if not isinstance(self.value, list):
            raise self.wanted("a list")
        return [
            Node(item, self.source, f"{self.pointer}/{index}", self.line)
            for index, item in enumerate(self.value)
        ]

    def child(self, key: str) -> Node:
        """The value under a key that exists, as it is spelt."""
        return Node(self.object()[key], self.source, f"{self.pointer}/{escape(key)}", self.line)

    def key(self, name: str) -> str | None:
        """How the field `name` is spelt here; None where it is absent.

        Raises:
            InputError: it stands there in both spellings, or this is no object.
        """
        value = self.value
        if not isinstance(value, dict):
            raise self.wanted("an object")
        other = camel(name)
        if name not in value:
            return other if other in value else None
        if other != name and other in value:
            raise self.error(
                f"`{name}` and `{other}` are two spellings of one field.", "keep one of them"
            )
        return name

    def field(self, name: str) -> Node | None:
        """The field in either spelling: None where it is absent, a node of null for null."""
        key = self.key(name)
        if key is None:
            return None
        node = self.child(key)
        if self.source.spelling:
            if key != name:
                self.source.camel.add((node.line, node.pointer))
            if node.value is None:
                self.source.nulls.add((node.line, node.pointer))
        return node

    def get(self, *names: str) -> Node | None:
        """The first of the fields that is there and not null. No name holds ``/`` or ``~``."""
        source = self.source
        if source.spelling:
            for name in names:
                node = self.field(name)
                if node is not None and node.value is not None:
                    return node
            return None
        # The same without notes: no node for what is null.
        value = self.value
        if not isinstance(value, dict):
            raise self.wanted("an object")
        for name in names:
            key, item = name, value.get(name)
            if "_" in name and camel(name) in value:
                key = self.key(name) or name
                item = value[key]
            if item is not None:
                return Node(item, source, f"{self.pointer}/{key}", self.line)
        return None

    def words(self, name: str) -> str | None:
        """The text of a field, at once; None where it is none, or where it takes `get` to tell."""
        value = self.value
        if self.source.spelling or not isinstance(value, dict):
            return None
        item = value.get(name)
        if not isinstance(item, str) or ("_" in name and camel(name) in value):
            return None
        return item

    def need(self, name: str) -> Node:
        """The field, which must be there.

        Raises:
            InputError: it is absent or null.
        """
        node = self.get(name)
        if node is None:
            raise self.error(f"`{name}` is missing.", f"add `{name}`")
        return node

    def has(self, *names: str) -> bool:
        """Whether it is an object that has one of the fields, in either spelling."""
        value = self.value
        return isinstance(value, dict) and any(
            name in value or camel(name) in value for name in names
        )

    def has_all(self, *names: str) -> bool:
        """Whether it is an object that has all of the fields, in either spelling."""
        return all(self.has(name) for name in names)

    def rest(self, known: frozenset[str]) -> Iterator[Node]:
        """The fields that are not known; those that are null are only counted."""
        for key, value in self.object().items():
            if snake(key) not in known:
                if value is not None:
                    yield self.child(key)
                elif self.source.spelling:
                    self.source.nulls.add((self.line, f"{self.pointer}/{escape(key)}"))

    def snake_items(self) -> Iterator[tuple[str, JsonValue]]:
        """Keys in snake_case and values that are not null; spelling and nulls are noted."""
        for key, value in self.object().items():
            if self.source.spelling:
                place = (self.line, f"{self.pointer}/{escape(key)}")
                if snake(key) != key:
                    self.source.camel.add(place)
                if value is None:
                    self.source.nulls.add(place)
            if value is not None:
                yield snake(key), value

    # -- scalars --------------------------------------------------------------------------

    def text(self, *, empty: bool = True) -> str:
        """The text.

        Raises:
            InputError: it is none, or it is empty and must not be.
        """
        if not isinstance(self.value, str):
            raise self.wanted("text")
        if not self.value and not empty:
            raise self.error(f"{self.name} is empty.", "write at least one character")
        return self.value

    def boolean(self) -> bool:
        """The truth value.

        Raises:
            InputError: it is none.
        """
        if not isinstance(self.value, bool):
            raise self.wanted("true or false")
        return self.value

    def number(self) -> int | Decimal:
        """The number, exact.

        Raises:
            InputError: it is none.
        """
        if isinstance(self.value, bool) or not isinstance(self.value, int | Decimal):
            raise self.wanted("a number")
        return self.value

    def whole(self) -> int:
        """The number as a whole number from 0 to 10**15.

        Raises:
            InputError: it is no such number.
        """
        number = self.number()
        if not 0 <= number <= 10**15 or number != int(number):
            raise self.error(
                f"{self.name} must be a whole number that is not negative.",
                "write a whole number such as 0, or leave the field out",
            )
        return int(number)
