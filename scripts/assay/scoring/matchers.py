"""What a label expects of one value: a literal, or a matcher, an object with a ``$`` key.

Each node answers True, False, or None where the question cannot be answered: a reference date
or an earlier result that is not known. None is *not evaluated*, never a pass and never a failure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from assay.errors import InputError
from assay.files.reading import parse_json
from assay.models.base import JsonValue
from assay.scoring.bipartite import Matching, maximum_matching
from assay.scoring.patterns import matches as pattern_matches
from assay.scoring.values import (
    MISSING,
    is_number,
    number_of_text,
    same,
    unordered_text,
)

Answer = bool | None
"""Matches, does not, or cannot be told."""


@dataclass
class Sight:
    """What a comparison may look at besides the value itself."""

    reference_date: str | None = None
    """The day that relative dates refer to."""
    as_text: bool = False
    """Whether the run's format carries every argument as text."""
    earlier: Callable[[int, str, str, str], Sequence[JsonValue] | None] | None = None
    """Values in calls before an index: the index, the tool, ``result`` or ``arguments``, a
    JSON pointer; see `observed.SeenRun.earlier`."""
    before: int = 0
    """Index of the call that is looked at; earlier calls are those before it."""
    leniency_used: bool = field(default=False)
    """Set when a text was read as a number, truth value, list or object."""
    reason: str = ""
    """Set to why a question could not be answered."""

    def unknown(self, reason: str) -> Answer:
        """Note why there is no answer, and give none."""
        self.reason = reason
        return None


class Node(Protocol):
    """One expectation of one value."""

    def test(self, observed: JsonValue, sight: Sight) -> Answer:
        """Whether the observed value meets the expectation."""


def all_of(answers: Sequence[Answer]) -> Answer:
    """False if any is false, else None if any is unknown, else True."""
    if False in answers:
        return False
    return None if None in answers else True


class Exact:
    """A literal."""

    __slots__ = ("value",)

    def __init__(self, value: JsonValue) -> None:
        self.value = value

    def test(self, observed: JsonValue, sight: Sight) -> Answer:
        """Equality by `values.same`; text stands for the literal only where the run says so."""
        if same(self.value, observed):
            return True
        if sight.as_text and isinstance(observed, str) and not isinstance(self.value, str):
            meant = _from_text(observed, self.value)
            if meant is not MISSING and same(self.value, meant):  # type: ignore[arg-type]
                sight.leniency_used = True
                return True
        return False


def _from_text(text: str, like: JsonValue) -> object:
    """The value that a text stands for in a format that has texts only."""
    if isinstance(like, bool):
        return {"true": True, "false": False}.get(text.strip().lower(), MISSING)
    if like is None:
        return None if text.strip().lower() in ("null", "none") else MISSING
    if is_number(like):
        number = number_of_text(text)
        return MISSING if number is None else number
    try:
        return parse_json(text, name="argument")
    except InputError:
        return MISSING


class AnyValue:
    """``$any``: whatever stands there."""

    __slots__ = ()

    def test(self, observed: JsonValue, sight: Sight) -> Answer:
        """True."""
        return True


class OneOf:
    """``$one_of``: any of several expectations."""

    __slots__ = ("options",)

    def __init__(self, options: tuple[Node, ...]) -> None:
        self.options = options

    def test(self, observed: JsonValue, sight: Sight) -> Answer:
        """True if any option matches, else None if any cannot be told."""
        unknown = False
        for option in self.options:
            answer = option.test(observed, sight)
            if answer:
                return True
            unknown = unknown or answer is None
        return None if unknown else False


class Unordered:
    """``$set`` and ``$multiset``: a list whose order means nothing."""

    __slots__ = ("elements", "repeats_count", "texts")

    def __init__(
        self,
        elements: tuple[Node, ...],
        *,
        repeats_count: bool,
        texts: tuple[str, ...] | None = None,
    ) -> None:
        """`texts` are the elements as `values.unordered_text`, where all of them are literals."""
        self.elements = elements
        self.repeats_count = repeats_count
        self.texts = texts

    def test(self, observed: JsonValue, sight: Sight) -> Answer:
        """Elements are matched one to one; in a set, every one on each side finds a partner."""
        if sight.as_text and isinstance(observed, str):
            meant = _from_text(observed, [])
            if meant is not MISSING:
                observed, sight.leniency_used = meant, True  # type: ignore[assignment]
        if not isinstance(observed, Sequence) or isinstance(observed, str):
            return False
        if self.repeats_count and len(observed) != len(self.elements):
            return False
        if self.texts is not None:
            found = [unordered_text(item) for item in observed]
            if self.repeats_count:
                return sorted(found) == sorted(self.texts)
            return set(found) == set(self.texts)
        table = [[node.test(item, sight) for item in observed] for node in self.elements]
        sure, perhaps = (self._covered(table, len(observed), least) for least in (True, None))
        return True if sure else None if perhaps else False

    def _covered(self, table: list[list[Answer]], size: int, least: Answer) -> bool:
        """Whether all find partners, counting only sure ones or also those that may be."""
        edges = [
            [i for i, answer in enumerate(row) if answer or (least is None and answer is None)]
            for row in table
        ]
        if self.repeats_count:
            return maximum_matching(edges, size).complete
        return all(edges) and {i for row in edges for i in row} == set(range(size))

    def assign(self, observed: Sequence[JsonValue], sight: Sight) -> Matching:
        """Which observed element each expected one is equal to, for certain."""
        if self.texts is not None:
            places: dict[str, list[int]] = {}
            for i, item in enumerate(observed):
                places.setdefault(unordered_text(item), []).append(i)
            edges = [places.get(text, []) for text in self.texts]
        else:
            edges = [
                [i for i, item in enumerate(observed) if node.test(item, sight)]
                for node in self.elements
            ]
        if self.repeats_count:
            return maximum_matching(edges, len(observed))
        return Matching(tuple(row[0] if row else None for row in edges))

    def holds(self, item: JsonValue, sight: Sight) -> bool:
        """Whether some expected element is equal to `item`."""
        return any(node.test(item, sight) for node in self.elements)


class Pattern:
    """``$pattern``: a text that matches a regular expression as a whole."""

    __slots__ = ("pattern",)

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern

    def test(self, observed: JsonValue, sight: Sight) -> Answer:
        """Whether the whole text matches."""
        return isinstance(observed, str) and pattern_matches(self.pattern, observed)


class Reference:
    """``$ref``: the value that an earlier call got or was given."""

    __slots__ = ("pointer", "source", "tool")

    def __init__(self, tool: str, source: str, pointer: str) -> None:
        self.tool = tool
        self.source = source
        self.pointer = pointer

    def test(self, observed: JsonValue, sight: Sight) -> Answer:
        """Equality with the value in any earlier call of the tool."""
        look = sight.earlier
        values = look(sight.before, self.tool, self.source, self.pointer) if look else None
        if values is None:
            return sight.unknown(f"the {self.source} of `{self.tool}` is not known")
        return any(same(value, observed) for value in values)


class Fields:
    """An object some of whose values are matchers; it has exactly these keys."""

    __slots__ = ("fields",)

    def __init__(self, fields: Mapping[str, Node]) -> None:
        self.fields = dict(fields)

    def test(self, observed: JsonValue, sight: Sight) -> Answer:
        """Every key matches, and there is no other."""
        if not isinstance(observed, Mapping) or observed.keys() != self.fields.keys():
            return False
        return all_of([node.test(observed[key], sight) for key, node in self.fields.items()])


class Elements:
    """A list some of whose values are matchers; order and length count."""

    __slots__ = ("elements",)

    def __init__(self, elements: tuple[Node, ...]) -> None:
        self.elements = elements

    def test(self, observed: JsonValue, sight: Sight) -> Answer:
        """Every element matches the one at its place."""
        if not isinstance(observed, Sequence) or isinstance(observed, str):
            return False
        if len(observed) != len(self.elements):
            return False
        return all_of(
            [node.test(item, sight) for node, item in zip(self.elements, observed, strict=True)]
        )


class Broken:
    """A matcher that cannot be read; the label is at fault, the run is not judged by it."""

    __slots__ = ("problem",)

    def __init__(self, problem: str) -> None:
        self.problem = problem

    def test(self, observed: JsonValue, sight: Sight) -> Answer:
        """None."""
        return sight.unknown(self.problem)
