"""From what stands in a label to matchers, with a sentence for everything that is wrong.

An object with a key that begins with ``$`` is a matcher; a literal object is never mistaken for
one. ``{"$literal": {...}}`` writes a literal object that has such keys.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from assay.files.locate import escape
from assay.files.validation import Problem
from assay.models.base import JsonValue
from assay.scoring import matchers as m
from assay.scoring.moment_matchers import AtInstant, OnDay, Relative
from assay.scoring.moments import instants_in, parse_moment, relative, zone
from assay.scoring.number_matchers import Number, ProseNumber, ProseText
from assay.scoring.patterns import pattern_problem
from assay.scoring.units import Units, units_of
from assay.scoring.values import is_number, number_of_text, shown, unordered_text

COMPANIONS: Final[dict[str, tuple[str, ...]]] = {
    "$any": (),
    "$one_of": (),
    "$number": ("tolerance", "unit"),
    "$set": (),
    "$multiset": (),
    "$pattern": (),
    "$date": ("zone",),
    "$instant": ("zone", "tolerance"),
    "$relative": ("zone",),
    "$ref": ("pointer", "from"),
    "$literal": (),
}
"""Every matcher and the fields that may stand beside it."""

_LARGEST: Final = 400
"""Digits and exponent of a number in a matcher."""

Matcher = Mapping[str, JsonValue]


def is_matcher(value: JsonValue) -> bool:
    """Whether a value of a label is a matcher and not a literal."""
    return isinstance(value, Mapping) and any(key.startswith("$") for key in value)


def has_matcher(value: JsonValue) -> bool:
    """Whether a matcher stands anywhere in a value."""
    if isinstance(value, Mapping):
        return is_matcher(value) or any(map(has_matcher, value.values()))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return any(map(has_matcher, value))
    return False


def matcher_problems(value: JsonValue, pointer: str = "") -> list[Problem]:
    """Everything that is wrong with the matchers in a value.

    Args:
        value: an expectation of a label: a literal, a matcher, or a mixture.
        pointer: JSON pointer of the value, for the problems.
    """
    reader = Reader(language="en")
    reader.read(value, pointer)
    return reader.problems


def _told(value: JsonValue) -> str:
    """A value of the label as it is written there."""
    return str(value) if isinstance(value, Decimal) else shown(value, 60)


def _has_list(value: JsonValue) -> bool:
    if isinstance(value, Mapping):
        return any(map(_has_list, value.values()))
    return isinstance(value, Sequence) and not isinstance(value, str)


@dataclass
class Reader:
    """Reads expectations into nodes."""

    language: str = "en"
    """How texts write numbers."""
    prose: bool = False
    """Whether texts compare as answers do (structured results) and not exactly."""
    unordered: bool = False
    """Whether lists compare as multisets, at every depth."""
    problems: list[Problem] = field(default_factory=list)
    """What is wrong, in the order of the value."""

    def read(self, value: JsonValue, pointer: str = "") -> m.Node:
        """The node of an expectation; a broken one where it cannot be read."""
        if isinstance(value, Mapping):
            if is_matcher(value):
                return self._matcher(value, pointer)
            if not (self.prose or self.unordered or has_matcher(value)):
                return m.Exact(value)
            return m.Fields(
                {key: self.read(item, f"{pointer}/{escape(key)}") for key, item in value.items()}
            )
        if isinstance(value, str):
            return ProseText(value, self.language) if self.prose else m.Exact(value)
        if isinstance(value, Sequence):
            if self.unordered:
                return self._unordered(value, pointer, repeats_count=True)
            if self.prose or has_matcher(value):
                return m.Elements(self._all(value, pointer))
        elif self.prose and is_number(value):
            return ProseNumber(value, self.language)  # type: ignore[arg-type]
        return m.Exact(value)

    def _all(self, values: Sequence[JsonValue], pointer: str) -> tuple[m.Node, ...]:
        return tuple(self.read(item, f"{pointer}/{i}") for i, item in enumerate(values))

    def _unordered(
        self, values: Sequence[JsonValue], pointer: str, *, repeats_count: bool
    ) -> m.Node:
        # Literals whose inner lists are unordered too, or that have none, compare by one text.
        literal = not self.prose and not has_matcher(values)
        by_text = literal and (self.unordered or not any(map(_has_list, values)))
        return m.Unordered(
            self._all(values, pointer),
            repeats_count=repeats_count,
            texts=tuple(map(unordered_text, values)) if by_text else None,
        )

    def _matcher(self, value: Matcher, pointer: str) -> m.Node:
        found = [key for key in value if key.startswith("$")]
        name = found[0]
        if len(found) > 1:
            return self._broken(
                pointer, f"Two matchers in one object: {' and '.join(found)}.", "keep one of them"
            )
        if name not in COMPANIONS:
            near = difflib.get_close_matches(name, COMPANIONS, 1)
            hint = f"did you mean `{near[0]}`?" if near else f"known: {', '.join(COMPANIONS)}"
            literal = 'a literal object is written {"$literal": {…}}'
            return self._broken(pointer, f"`{name}` is no matcher.", f"{hint}; {literal}")
        strange = [key for key in value if key != name and key not in COMPANIONS[name]]
        if strange:
            allowed = ", ".join(COMPANIONS[name]) or "nothing"
            return self._broken(
                f"{pointer}/{escape(strange[0])}",
                f"`{strange[0]}` does not belong to `{name}`.",
                f"beside `{name}` may stand: {allowed}",
            )
        return _READERS[name](self, value, f"{pointer}/{escape(name)}", pointer)

    def _broken(self, pointer: str, message: str, hint: str) -> m.Node:
        self.problems.append(Problem(pointer, message, hint))
        return m.Broken(message)

    # -- one method for each matcher --------------------------------------------------------

    def _any(self, value: Matcher, at: str, whole: str) -> m.Node:
        if value["$any"] is not True and value["$any"] not in (None, {}, []):
            return self._broken(at, "`$any` takes no value.", 'write {"$any": true}')
        return m.AnyValue()

    def _literal(self, value: Matcher, at: str, whole: str) -> m.Node:
        return m.Exact(value["$literal"])

    def _one_of(self, value: Matcher, at: str, whole: str) -> m.Node:
        options = value["$one_of"]
        if not isinstance(options, Sequence) or isinstance(options, str) or not options:
            return self._broken(
                at, "`$one_of` needs a list with at least one value.", 'write {"$one_of": [1, 2]}'
            )
        return m.OneOf(self._all(options, at))

    def _set(self, value: Matcher, at: str, whole: str) -> m.Node:
        name = "$set" if "$set" in value else "$multiset"
        elements = value[name]
        if not isinstance(elements, Sequence) or isinstance(elements, str):
            return self._broken(at, f"`{name}` needs a list.", f'write {{"{name}": [1, 2]}}')
        return self._unordered(elements, at, repeats_count=name == "$multiset")

    def _number(self, value: Matcher, at: str, whole: str) -> m.Node:
        number = self._decimal(value["$number"], at)
        tolerance = self._tolerance(value, whole)
        unit = value.get("unit")
        units: Units | None = None
        if unit is not None:
            units = units_of(unit) if isinstance(unit, str) else None
            if not units:
                return self._broken(
                    f"{whole}/unit",
                    f"The unit {_told(unit)} is not known.",
                    "write EUR, kWh, °C, %, …",
                )
        if number is None or tolerance is None:
            return m.Broken("`$number` cannot be read")
        return Number(number, tolerance, units, self.language)

    def _tolerance(self, value: Matcher, whole: str) -> Decimal | None:
        tolerance = self._decimal(value.get("tolerance", 0), f"{whole}/tolerance")
        if tolerance is not None and tolerance < 0:
            self._broken(f"{whole}/tolerance", "A tolerance is not negative.", "write 0 or more")
            return None
        return tolerance

    def _decimal(self, value: JsonValue, at: str) -> Decimal | None:
        number = (
            number_of_text(value)
            if isinstance(value, str)
            else Decimal(value)  # type: ignore[arg-type]
            if is_number(value)
            else None
        )
        if number is None or not number.is_finite():
            self._broken(at, f"{_told(value)} is not a number.", 'write 41.90 or "41.90"')
            number = None
        elif len(number.as_tuple().digits) > _LARGEST or abs(number.adjusted()) > _LARGEST:
            self._broken(at, "The number is too long.", f"at most {_LARGEST} digits")
            number = None
        return number

    def _pattern(self, value: Matcher, at: str, whole: str) -> m.Node:
        pattern = value["$pattern"]
        if not isinstance(pattern, str):
            return self._broken(
                at, "`$pattern` needs a regular expression as text.", 'write {"$pattern": "[A-Z]+"}'
            )
        problem = pattern_problem(pattern)
        if problem is not None:
            return self._broken(
                at, f"The pattern {problem}.", "RE2 syntax: no look-around, no back references"
            )
        return m.Pattern(pattern)

    def _zone(self, value: Matcher, whole: str) -> bool:
        """Whether the zone, if one is given, is known."""
        name = value.get("zone")
        if name is None or (isinstance(name, str) and zone(name) is not None):
            return True
        self._broken(
            f"{whole}/zone", f"{_told(name)} is no time zone.", "write Europe/Berlin or UTC"
        )
        return False

    def _date(self, value: Matcher, at: str, whole: str) -> m.Node:
        text = value["$date"]
        moment = parse_moment(text) if isinstance(text, str) else None
        if moment is None or moment.seconds is not None:
            return self._broken(at, f"{_told(text)} is no calendar day.", "write YYYY-MM-DD")
        if not self._zone(value, whole):
            return m.Broken("unknown time zone")
        name = value.get("zone")
        return OnDay(moment, zone(name) if isinstance(name, str) else None)

    def _instant(self, value: Matcher, at: str, whole: str) -> m.Node:
        text = value["$instant"]
        moment = parse_moment(text) if isinstance(text, str) else None
        if moment is None or moment.seconds is None:
            return self._broken(
                at, f"{_told(text)} is no point in time.", "write 2026-08-24T09:30:00+02:00"
            )
        tolerance = self._tolerance(value, whole)
        if not self._zone(value, whole) or tolerance is None:
            return m.Broken("`$instant` cannot be read")
        name = value.get("zone")
        where = zone(name) if isinstance(name, str) else None
        if moment.instant is not None:
            return AtInstant((moment.instant,), where, tolerance)
        if where is None:
            return self._broken(
                at, f"{_told(text)} names no offset.", 'add the offset, or "zone": "Europe/Berlin"'
            )
        instants = instants_in(moment, where)
        if len(instants) != 1:
            kind = "occurs twice" if instants else "does not exist"
            return self._broken(at, f"{_told(text)} {kind} in {name}.", "write the offset")
        return AtInstant(instants, where, tolerance)

    def _relative(self, value: Matcher, at: str, whole: str) -> m.Node:
        words = value["$relative"]
        if not isinstance(words, str) or relative(words, "2026-01-01") is None:
            return self._broken(
                at,
                f"{_told(words)} is no relative day.",
                "write today, tomorrow, next monday 09:30, last friday, in 3 weeks, 2 months ago",
            )
        if not self._zone(value, whole):
            return m.Broken("unknown time zone")
        name = value.get("zone")
        return Relative(words, zone(name) if isinstance(name, str) else None)

    def _ref(self, value: Matcher, at: str, whole: str) -> m.Node:
        tool, source = value["$ref"], value.get("from", "result")
        pointer = value.get("pointer", "")
        if not isinstance(tool, str) or not tool:
            return self._broken(
                at, "`$ref` names the tool of an earlier call.", 'write {"$ref": "find_order"}'
            )
        if source not in ("result", "arguments"):
            return self._broken(
                f"{whole}/from", f"`from` is {_told(source)}.", 'write "result" or "arguments"'
            )
        if not isinstance(pointer, str) or (pointer and not pointer.startswith("/")):
            return self._broken(
                f"{whole}/pointer", f"{_told(pointer)} is no JSON pointer.", 'it begins with "/"'
            )
        return m.Reference(tool, str(source), pointer)


_READERS: Final[dict[str, Callable[[Reader, Matcher, str, str], m.Node]]] = {
    "$any": Reader._any,
    "$literal": Reader._literal,
    "$one_of": Reader._one_of,
    "$set": Reader._set,
    "$multiset": Reader._set,
    "$number": Reader._number,
    "$pattern": Reader._pattern,
    "$date": Reader._date,
    "$instant": Reader._instant,
    "$relative": Reader._relative,
    "$ref": Reader._ref,
}
