"""Which call used which result: the data flow of a run.

A value counts as used when an argument of a later call, or a part of it, is equal to a value that
an earlier result holds. Values that the user gave, truth values, null and texts or numbers of
fewer than three characters say nothing of where they came from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Final

from assay.models.base import JsonValue
from assay.scoring.canonical_text import canonical_text
from assay.scoring.observed import SeenCall, SeenRun
from assay.scoring.values import exact

SHORTEST: Final = 3
"""Characters that a value has at least to tell where it came from."""
_LONGEST = 100_000
"""Characters of a result in text form that are searched."""


class Flow:
    """Values, where they came from, and where they went."""

    def __init__(self, seen: SeenRun) -> None:
        """Look at every argument and result once."""
        self.seen = seen
        self.known = not {"call_arguments", "call_results"} & seen.unknown
        self.asked = "\n".join(turn.user or "" for turn in seen.run.turns).casefold()
        self._producers: dict[str, list[int]] = {}
        self._texts: list[tuple[int, str]] = []
        self._together: dict[tuple[int, int], bool] = {}
        for call in seen.calls:
            result = call.structured
            if isinstance(result, str):
                self._texts.append((call.index, result[:_LONGEST].casefold()))
            for value in _leaves(result):
                places = self._producers.setdefault(_key(value), [])
                if not places or places[-1] != call.index:
                    places.append(call.index)

    def sources(self, call: int) -> frozenset[int]:
        """Earlier calls whose results a call used: for each value the first that gave it."""
        if not self.known:
            return frozenset()
        found = set()
        for value in _leaves(self.seen.calls[call].args):
            if telling(value) and not self.given(value):
                first = min(self.producers(value, call), default=None)
                if first is not None:
                    found.add(first)
        return frozenset(found)

    def at_once(self, one: SeenCall, other: SeenCall) -> bool:
        """Whether two calls were issued together.

        A group of which one call used another's result was not, whatever the trace says.
        """
        group = one.call.parallel_group
        if group is None or (one.turn, group) != (other.turn, other.call.parallel_group):
            return False
        key = (one.turn, group)
        if key not in self._together:
            mine = {
                call.index
                for call in self.seen.calls
                if (call.turn, call.call.parallel_group) == key
            }
            self._together[key] = not any(self.sources(index) & mine for index in sorted(mine))
        return self._together[key]

    def producers(self, value: JsonValue, before: int) -> list[int]:
        """Calls before an index whose results hold a value."""
        found = [i for i in self._producers.get(_key(value), ()) if i < before]
        words = text_of(value).casefold()
        if len(words) >= SHORTEST:
            found += [i for i, text in self._texts if i < before and _holds(text, words)]
        return sorted(set(found))

    def given(self, value: JsonValue) -> bool:
        """Whether the user said it."""
        words = text_of(value).casefold()
        return bool(words) and _holds(self.asked, words)

    def invented(self, call: int) -> list[JsonValue]:
        """Texts with a digit, and numbers, among a call's arguments that nobody gave before."""
        return [
            value
            for value in _leaves(self.seen.calls[call].args)
            if telling(value)
            and any(c.isdigit() for c in text_of(value))
            and not self.given(value)
            and not self.producers(value, call)
        ]


def telling(value: JsonValue) -> bool:
    """Whether a value can tell where it came from."""
    if value is None or isinstance(value, bool):
        return False
    return len(text_of(value)) >= SHORTEST


def text_of(value: JsonValue) -> str:
    """A scalar as it is written in prose."""
    return value.strip() if isinstance(value, str) else canonical_text(value)


def _key(value: JsonValue) -> str:
    if isinstance(value, int | Decimal | float) and not isinstance(value, bool):
        return canonical_text(exact(value))
    return canonical_text(value.strip() if isinstance(value, str) else value)


def _leaves(value: JsonValue) -> Iterator[JsonValue]:
    queue: list[JsonValue] = [value]
    while queue:
        here = queue.pop()
        if isinstance(here, Mapping):
            queue.extend(here.values())
        elif isinstance(here, Sequence) and not isinstance(here, str):
            queue.extend(here)
        else:
            yield here


def _holds(text: str, words: str) -> bool:
    """Whether a text holds words that no letter or digit continues."""
    start = text.find(words)
    while start >= 0:
        end = start + len(words)
        before = text[start - 1] if start else " "
        after = text[end] if end < len(text) else " "
        inside = (before.isalnum() and words[0].isalnum()) or (
            after.isalnum() and words[-1].isalnum()
        )
        if not inside:
            return True
        start = text.find(words, start + 1)
    return False
