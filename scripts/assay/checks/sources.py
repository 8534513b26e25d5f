"""Sourced facts: the value is looked up again in the frozen data that it came from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from assay.checks.rule import Found, Rule, at
from assay.checks.world import Judged, World
from assay.files.canonical import canonical_json, exact_number
from assay.ledger.fixtures import Fixture, Missing, as_number, value_at
from assay.ledger.fixtures import Found as Value
from assay.models.base import JsonValue
from assay.models.truth import Fact, FactSource
from assay.scoring.text import Prose

Agreement = Literal["agrees", "contradicts", "open"]


def _sourced(judged: Judged) -> Iterator[tuple[str, Fact, FactSource]]:
    record = judged.record
    for name in ("facts", "must_not_state"):
        for index, fact in enumerate(getattr(record, name)):
            if fact.source is not None:
                yield f"/{name}/{index}", fact, fact.source


def _looked_up(world: World, judged: Judged, source: FactSource) -> Value | Missing | None:
    """The value of a source; None where this clone does not have the data."""
    fixture = world.fixture(judged.suite_name, source.fixture)
    if not isinstance(fixture, Fixture):
        return fixture
    found = value_at(fixture, source.key, source.field)
    if isinstance(found, Missing) or isinstance(found.value, str | bool):
        return found
    if as_number(found.value) is None:
        message = f"{fixture.path} holds no single value in `{source.field}` there."
        return Missing("field", message)
    return found


class SRC001(Rule):
    """A fact contradicts the frozen data that it names as its source.

    The value was copied from the wrong row, or the data changed; a right answer would fail.

    Correct the fact, or its source.
    """

    severity = "error"

    def find(self, world: World) -> Iterable[Found]:
        """Gold and silver revisions with a wording that the source contradicts."""
        for judged in world.scorable:
            language = judged.suite.suite.language if judged.suite else "en"
            for pointer, fact, source in _sourced(judged):
                found = _looked_up(world, judged, source)
                if not isinstance(found, Value):
                    continue
                value = found.value if isinstance(found.value, str) else exact_text(found.value)
                where = f"{found.path}, {canonical_json(source.key)}, {source.field}"
                for below, wording in _contradicted(fact, found.value, language):
                    yield at(
                        judged,
                        pointer + below,
                        f"Fact `{fact.id}` says `{wording}`; the source says `{value}` ({where}).",
                        f"write {value}, or correct `source`",
                    )


def exact_text(value: JsonValue) -> str:
    """A number or truth value as text."""
    number = as_number(value)
    return canonical_json(value) if number is None else exact_number(number)


def _contradicted(fact: Fact, value: JsonValue, language: str) -> list[tuple[str, str]]:
    """Wordings that cannot be right where the source holds this value."""
    seen = [
        (index, text, agreement(text, value, language)) for index, text in enumerate(fact.any_of)
    ]
    wrong = [(f"/any_of/{index}", text) for index, text, how in seen if how == "contradicts"]
    # Several wordings of a text may be synonyms; not one of them has it only when it is another.
    text = isinstance(value, str) and not Prose(value).quantities
    if not wrong and text and all(how == "open" for _, _, how in seen):
        return [("/any_of", fact.any_of[0])]
    return wrong


def agreement(wording: str, value: JsonValue, language: str = "en") -> Agreement:
    """What a wording says about a value of the source.

    Args:
        wording: one wording of a fact.
        value: text, number or truth value.
        language: how the wording writes numbers.

    Returns:
        ``contradicts`` only where both state a number or both state a day, and no two are
        equal; ``open`` where that cannot be decided.
    """
    if isinstance(value, bool):
        return "open"
    # Data writes numbers with a point, whatever the language of the answers.
    said = Prose(wording, language)
    held = Prose(value if isinstance(value, str) else exact_text(value))
    if said.occurrences(held) or held.occurrences(said):
        return "agrees"
    kinds = {quantity.key[0] for quantity in held.quantities}
    if len(held.quantities) != 1:
        return "open"
    comparable = [quantity for quantity in said.quantities if quantity.key[0] in kinds]
    if any(quantity.key == held.quantities[0].key for quantity in comparable):
        return "agrees"
    return "contradicts" if comparable else "open"


class SRC002(Rule):
    """The source of a fact cannot be found.

    A value that cannot be looked up again proves nothing.

    Correct the fixture's path, the key or the field.
    """

    severity = "error"

    def find(self, world: World) -> Iterable[Found]:
        """Sources without a fixture, a fitting row, or the field."""
        for judged in world.live():
            for pointer, fact, source in _sourced(judged):
                found = _looked_up(world, judged, source)
                if isinstance(found, Missing):
                    yield at(
                        judged,
                        f"{pointer}/source/{found.part}",
                        f"The source of fact `{fact.id}` cannot be found: {found.message}",
                        f"correct `source.{found.part}`",
                    )
