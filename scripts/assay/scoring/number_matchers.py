"""Matchers of numbers and of texts that state numbers."""

from __future__ import annotations

from decimal import Decimal

from assay.models.base import JsonValue
from assay.scoring.matchers import Answer, Sight
from assay.scoring.text import Prose
from assay.scoring.units import Units, agree
from assay.scoring.values import exact, is_number, number_of_text, same


class Number:
    """``$number``: a value within a tolerance, in a unit."""

    __slots__ = ("high", "language", "low", "units")

    def __init__(
        self, value: Decimal, tolerance: Decimal, units: Units | None, language: str
    ) -> None:
        self.low, self.high = _span(value, tolerance)
        self.units = units
        self.language = language

    def test(self, observed: JsonValue, sight: Sight) -> Answer:
        """A JSON number may stand for the unit; a text must state a unit that agrees."""
        if is_number(observed):
            return self._near(exact(observed))  # type: ignore[arg-type]
        if not isinstance(observed, str):
            return False
        if self.units is not None:
            text = Prose(observed, self.language)
            if len(text.quantities) == 1 and not any(text.pieces):
                quantity = text.quantities[0]
                if quantity.units and quantity.key[0] == "number":
                    number = quantity.key[1]
                    assert isinstance(number, Decimal)
                    return agree(self.units, quantity.units) and self._near(number)
        if sight.as_text:
            meant = number_of_text(observed)
            if meant is not None and self._near(meant):
                sight.leniency_used = True
                return True
        return False

    def _near(self, number: int | Decimal) -> bool:
        return self.low <= number <= self.high


def _span(value: Decimal, tolerance: Decimal) -> tuple[Decimal, Decimal]:
    """Both ends of the tolerated interval; exact, as Decimal arithmetic would not be."""
    if not tolerance:
        return value, value
    shift = min(int(value.as_tuple().exponent), int(tolerance.as_tuple().exponent))
    scaled, width = _scaled(value, shift), _scaled(tolerance, shift)
    return _unscaled(scaled - width, shift), _unscaled(scaled + width, shift)


def _scaled(number: Decimal, exponent: int) -> int:
    sign, digits, own = number.as_tuple()
    whole: int = int("".join(map(str, digits))) * 10 ** (int(own) - exponent)
    return -whole if sign else whole


def _unscaled(number: int, exponent: int) -> Decimal:
    return Decimal((number < 0, tuple(map(int, str(abs(number)))), exponent))


class ProseText:
    """A text of a structured result: compared as answers are, identifiers stay text."""

    __slots__ = ("expected",)

    def __init__(self, text: str, language: str) -> None:
        self.expected = Prose(text, language)

    def test(self, observed: JsonValue, sight: Sight) -> Answer:
        """Equality of answers, or of a number with the number that the text states."""
        if isinstance(observed, str):
            if observed == self.expected.text:
                return True
            return self.expected.equals(Prose(observed, self.expected.language))
        if is_number(observed):
            return _states_number(self.expected, observed)  # type: ignore[arg-type]
        return False


class ProseNumber:
    """A number of a structured result; a text that states it is as good."""

    __slots__ = ("language", "value")

    def __init__(self, value: int | Decimal, language: str) -> None:
        self.value = value
        self.language = language

    def test(self, observed: JsonValue, sight: Sight) -> Answer:
        """Equality by value."""
        if isinstance(observed, str):
            return _states_number(Prose(observed, self.language), self.value)
        return same(self.value, observed)


def _states_number(text: Prose, number: int | Decimal) -> bool:
    """Whether the text is one number, with or without a unit, and nothing else."""
    if len(text.quantities) != 1 or any(text.pieces):
        return False
    kind, *values = text.quantities[0].key
    return kind == "number" and values == [exact(number)]
