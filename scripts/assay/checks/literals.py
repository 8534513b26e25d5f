"""Dates, amounts and ids in a label that the case contradicts.

A value is contradicted where the case holds values of the same shape, this one is not among
them, one of those is used nowhere in the label (that is not asked of ids where the case seeds
its world), and nothing that the tools may read holds the value either. Everything else is left
alone: many a right value comes out of a tool.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal

from assay.checks.arguments import matcher_of
from assay.checks.world import Judged, World
from assay.files.canonical import canonical_json
from assay.files.locate import escape
from assay.files.model_text import plain
from assay.models.base import JsonValue

_DATES = (
    re.compile(r"(?<![\w.-])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![\w-])"),
    re.compile(r"(?<![\w./-])[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}(?![\w/])"),
    re.compile(r"(?<![\w./-])[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{4}(?![\w])"),
    re.compile(r"(?<![\w./-])[0-9]{2}/[0-9]{2}(?![\w/])"),
)
_ID = re.compile(r"(?<![\w-])#?[A-Za-z]{1,6}[-_]?[0-9]{3,}(?:-[0-9]+)*(?![\w-])")
_AMOUNT = re.compile(
    r"(?:[$€£¥]|\b(?:USD|EUR|GBP|CHF)\b) ?([0-9][0-9,]*(?:\.[0-9]{2})?)(?![\w.]*[0-9])"
    r"|(?<![\w.,])([0-9][0-9,]*(?:\.[0-9]{2})?) ?(?:[$€£¥]|(?:USD|EUR|GBP|CHF|dollars|euros?)\b)"
)
_NUMBER = re.compile(r"(?<![\w.])[0-9]{1,12}(?:\.[0-9]{1,4})?(?![\w.]*[0-9])")
_DIGIT = re.compile(r"[0-9]")
_TIMES = tuple(range(2, 11))


@dataclass(frozen=True)
class Contradiction:
    """One value in a label."""

    pointer: str
    """JSON pointer into the record."""
    value: str
    """The value."""
    other: str
    """A value of the same shape that the case has."""


def contradictions(world: World, judged: Judged) -> Iterator[Contradiction]:
    """Literals in the arguments of required tools that the case contradicts."""
    if judged.case is None:
        return
    told: dict[str, list[str]] | None = None
    for pointer, value in _literals(judged):
        for shape, token in _shapes(value):
            if told is None:
                told = _told(judged)
            others = told.get(shape, [])
            if not others or token in others:
                continue
            # Ids are only ever looked up; where the world is visible, a strange one is wrong.
            strange = shape.startswith("id ") and judged.case.case.initial_state is not None
            used = set() if strange else _used(judged, shape)
            unused = [other for other in others if other not in used]
            if unused and not _elsewhere(world, judged, shape, token, others):
                yield Contradiction(pointer, token, unused[0])


def _literals(judged: Judged) -> Iterator[tuple[str, JsonValue]]:
    for index, entry in enumerate(judged.record.required_tools):
        if not isinstance(entry, str):
            for name, value in entry.args.items():
                yield from _leaves(value, f"/required_tools/{index}/args/{escape(name)}")


def _leaves(value: JsonValue, pointer: str) -> Iterator[tuple[str, JsonValue]]:
    matcher = matcher_of(value)
    if isinstance(value, Mapping):
        if matcher in ("$number", "$date", "$instant") and isinstance(value[matcher], str):
            yield pointer, value[matcher]
        elif matcher is None or matcher in ("$set", "$multiset"):
            for key, item in value.items():
                yield from _leaves(item, f"{pointer}/{escape(str(key))}")
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _leaves(item, f"{pointer}/{index}")
    else:
        yield pointer, value


def _shapes(value: JsonValue) -> Iterator[tuple[str, str]]:
    """Shape and normal form of what a literal is, as a whole."""
    if isinstance(value, Decimal):
        # A number is taken for an amount where it is written with one or two decimals.
        if value.is_finite() and value.as_tuple().exponent in (-1, -2):
            yield "amount", _amount(str(value))
        return
    if isinstance(value, str):
        text = value.strip()
        for shape, token, written in _tokens(text):
            if written == text:
                yield shape, token


def _tokens(text: str) -> Iterator[tuple[str, str, str]]:
    """Shape, normal form and text of everything in a text that has one of the shapes."""
    for number, pattern in enumerate(_DATES):
        for match in pattern.finditer(text):
            yield f"date {number}", match[0], match[0]
    for match in _ID.finditer(text):
        # Two ids are of one shape where letters agree and digits are equally many.
        yield "id " + _DIGIT.sub("9", match[0]).casefold(), match[0], match[0]
    for match in _AMOUNT.finditer(text):
        yield "amount", _amount(match[1] or match[2]), match[0]


def _amount(text: str) -> str:
    return f"{Decimal(text.replace(',', '')):.2f}"


def _told(judged: Judged) -> dict[str, list[str]]:
    """Shape to the values that the user's words have, in order; ids of the state as well."""
    assert judged.case is not None
    found: dict[str, list[str]] = {}
    state = canonical_json(judged.case.case.initial_state)
    told = list(_tokens(judged.case.case.user_text))
    told += [item for item in _tokens(state) if item[0].startswith("id ")]
    for shape, token, _ in told:
        if token not in found.setdefault(shape, []):
            found[shape].append(token)
    return found


def _used(judged: Judged, shape: str) -> set[str]:
    """Values of a shape that stand anywhere in the label's expectations."""
    record = judged.record
    texts: list[JsonValue] = [plain(entry) for entry in record.required]
    texts += [plain(record.facts), plain(record.must_not_state), record.acceptable_answers]
    texts += [plain(record.state or ()), record.final_out, plain(record.rubric)]
    used: set[str] = set()
    for value in texts:
        for leaf in _scalars(value):
            if isinstance(leaf, str):
                used.update(token for kind, token, _ in _tokens(leaf) if kind == shape)
            elif isinstance(leaf, bool):
                continue
            elif shape == "amount" and isinstance(leaf, int | Decimal):
                used.add(_amount(str(leaf)))
    return used


def _scalars(value: JsonValue) -> Iterator[JsonValue]:
    if isinstance(value, Mapping):
        for item in value.values():
            yield from _scalars(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _scalars(item)
    else:
        yield value


def _elsewhere(world: World, judged: Judged, shape: str, token: str, others: Iterable[str]) -> bool:
    """Whether something that the tools may read holds the value, or it follows from it."""
    assert judged.case is not None
    case = judged.case.case
    texts = [case.user_text]
    if case.session_input is not None:
        texts.append(canonical_json(case.session_input.model_dump(exclude_none=True)))
    texts += world.suite_texts(judged.suite_name)
    if shape != "amount":
        return any(token in text for text in texts)
    if not texts[1:] and _reads(world, judged):
        return True  # The world that a reading tool shows is not visible here.
    amounts = {Decimal(other) for other in others}
    for text in texts[1:]:
        amounts.update(Decimal(number) for number in _NUMBER.findall(text))
    wanted = Decimal(token)
    return wanted in amounts or _follows(wanted, amounts)


def _reads(world: World, judged: Judged) -> bool:
    for entry in judged.mapped.record.required:
        tool = world.names.tool(entry.tool)
        if tool is not None and tool.effect == "reads":
            return True
    return False


def _follows(wanted: Decimal, amounts: set[Decimal]) -> bool:
    """Whether an amount is a sum, a difference or a small multiple of others."""
    if any(wanted - amount in amounts or wanted + amount in amounts for amount in amounts):
        return True
    return any(amount * times == wanted for amount in amounts for times in _TIMES)
