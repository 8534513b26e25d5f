"""Numbers that a text states: value, unit, and where they stand.

What counts as a number: digits with the separators that the stated language uses, an optional
sign, an exponent, a known unit or percent sign before or behind it; also a range (``10-20``) and
a day (``2026-08-24``). What does not, stays text and is compared as text: two or more digits that
begin with 0, letters that are no known unit or exponent, an inner hyphen that is no day or
range, dates and times in other notations, versions, ratios, what `number_context` tells apart.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Final, NamedTuple

from assay.scoring.number_context import is_day_of_month, is_scaled
from assay.scoring.text_form import glued, is_word, token_at
from assay.scoring.units import CURRENCIES, CURRENCY_SIGNS, NONE, Units, agree, units_of

Key = tuple[str | Decimal, ...]


class Quantity(NamedTuple):
    """A number, range or day at a place of a text."""

    key: Key
    """``("number", 40)``, ``("range", 10, 20)`` or ``("day", "2026-08-24")``."""
    units: Units
    """What its unit can mean; empty for a bare number."""
    start: int
    """Where it begins, sign and currency sign included."""
    end: int
    """Where it ends, unit included."""

    def same_as(self, other: Quantity) -> bool:
        """Equal values whose stated units agree; a bare number may stand for either."""
        return self.key == other.key and agree(self.units, other.units)


@dataclass(frozen=True)
class Separators:
    """How a language writes numbers."""

    comma_is_decimal: bool = False
    """``12,5`` is twelve and a half."""
    point_groups: bool = False
    """``1.234`` is one thousand two hundred and thirty-four."""
    space_groups: bool = False
    """``1 234`` is one thousand two hundred and thirty-four."""


_ENGLISH: Final = Separators()
_POINTS: Final = Separators(comma_is_decimal=True, point_groups=True, space_groups=True)
_SPACES: Final = Separators(comma_is_decimal=True, space_groups=True)
_BY_LANGUAGE: Final[dict[str, Separators]] = {
    **dict.fromkeys(("de", "nl", "es", "it", "pt", "id", "tr", "da", "el", "ro", "hr", "sl", "sr",
                     "vi", "ca"), _POINTS),
    **dict.fromkeys(("fr", "sv", "nb", "nn", "no", "fi", "pl", "cs", "sk", "ru", "uk", "bg", "hu",
                     "et", "lv", "lt", "be", "kk"), _SPACES),
    **dict.fromkeys(("de-ch", "de-li", "it-ch", "rm-ch", "es-mx", "es-us"), _ENGLISH),
}  # fmt: skip


@lru_cache(maxsize=256)
def separators(language: str) -> Separators:
    """The separators of a language tag such as ``de`` or ``de-CH``; English ones when unknown."""
    tag = language.replace("_", "-").lower()
    return _BY_LANGUAGE.get(tag) or _BY_LANGUAGE.get(tag.split("-")[0]) or _ENGLISH


_DIGIT = re.compile("[0-9]")
_DAY = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")
_EXPONENT = re.compile(r"[eE]([+-]?[0-9]{1,4})(?![0-9_])")
_SPACED = re.compile(r"[1-9][0-9]{0,2}(?: [0-9]{3}(?![0-9]))+")
_UNIT = re.compile(
    r"([%‰°℃℉$€£¥₹₽₩₺₴₫₪฿₦₱¢]?[^\W\d_]*(?:\^?[23](?!\w)|[²³])?"
    r"(?:/[^\W\d_]+(?:\^?[23](?!\w)|[²³])?)?)"
)
_MORE_WORDS = re.compile(r"[ \n]([^\W\d_]+)(?:[ \n]([^\W\d_]+))?")
# Attached to digits these letters mean thousand and billion more often than kelvin and byte.
_NOT_ATTACHED = frozenset({"K", "B"})
_ATTACHED_ONLY = {"in": frozenset({"in"})}


def quantities(cased: str, language: str) -> tuple[Quantity, ...]:
    """All numbers of a folded text (`text_form.fold`), in order; they do not overlap."""
    found: list[Quantity] = []
    place = 0
    how = separators(language)
    while (digit := _DIGIT.search(cased, place)) is not None:
        start, end = token_at(cased, digit.start())
        if start and cased[start - 1] == "." and cased[start].isdigit():
            start -= 1  # ".5"
        spaced = None if how.space_groups else _SPACED.match(cased, start)
        if spaced is not None:
            # "40 000" where the language does not group so: one number or two? Neither.
            place = max(spaced.end(), end)
            continue
        quantity = _quantity(cased, max(start, place), end, how, language)
        if quantity is not None:
            found.append(quantity)
            place = quantity.end
        else:
            place = end
    return tuple(found)


def _quantity(cased: str, start: int, end: int, how: Separators, language: str) -> Quantity | None:
    """The quantity whose digits stand in the token from `start` to `end`."""
    if "-" in cased[start:end] and (day := _DAY.fullmatch(cased, start, end)) is not None:
        return _day(day)
    at = start
    while at < end and not (cased[at].isdigit() or cased[at] == "."):
        at += 1
    if (at > start and cased[start:at] not in CURRENCIES) or cased[end - 1] in "+#":
        return None
    before = units_of(cased[start:at]) if at > start else NONE  # "EUR40"
    number = _number(cased, at, how)
    if number is None:
        return None
    value, after = number
    key: Key = ("number", value)
    if after < end and cased[after] == "-":
        upper = _number(cased, after + 1, how)
        if upper is not None and value < upper[0]:
            key, after = ("range", value, upper[0]), upper[1]
    if after > end:
        end = after  # groups that are separated by blanks
    if is_scaled(cased, after):
        return None
    of_month = is_day_of_month(cased, at, after, language)
    behind, after, attached = _unit_behind(cased, after, end)
    if after < end:
        return None
    start, before = _before(cased, start, before)
    units = before & behind if before and behind else before or behind
    if units:
        return Quantity(key, units, start, after)
    if attached and before:
        return None  # "$40K"
    if before:  # two units that do not agree: the one in front is meant
        return Quantity(key, before, start, end)
    return None if of_month else Quantity(key, NONE, start, after)


def _day(match: re.Match[str]) -> Quantity | None:
    try:
        day = datetime.date(int(match[1]), int(match[2]), int(match[3]))
    except ValueError:
        return None
    return Quantity(("day", day.isoformat()), NONE, match.start(), match.end())


def _before(cased: str, start: int, units: Units) -> tuple[int, Units]:
    """Sign and currency in front of the digits, in either order."""
    start, negative = _sign(cased, start)
    at = start
    if not units and at and cased[at - 1] == " " and not negative:
        at -= 1
    if not units and at and cased[at - 1] in CURRENCY_SIGNS:
        first = at - 1
        while first and cased[first - 1].isalpha() and cased[first - 1].isascii():
            first -= 1
        units = units_of(cased[first:at])
        start = first if units else at - 1
        units = units or units_of(cased[at - 1])
        if not negative:
            start, _ = _sign(cased, start)
    elif not units and at < start:
        first = at - 3
        if first >= 0 and cased[first:at] in CURRENCIES and not glued(cased, first):
            units, start = units_of(cased[first:at]), first
    return start, units


def _sign(cased: str, start: int) -> tuple[int, bool]:
    if start and cased[start - 1] in "+-" and (start < 2 or not is_word(cased[start - 2])):
        return start - 1, cased[start - 1] == "-"
    return start, False


def _unit_behind(cased: str, after: int, end: int) -> tuple[Units, int, bool]:
    """Unit behind the digits: what it can mean, where it ends, whether it touches them."""
    attached = after < end
    at = after
    if at < len(cased) and cased[at] in (" -" if attached else " "):
        at += 1
    found = _UNIT.match(cased, at)
    assert found is not None  # it also matches nothing
    if found.end() == at:
        return NONE, after, False
    if not attached:
        more = _MORE_WORDS.match(cased, found.end())
        if more is not None:
            for group in (2, 1):
                if more[group] and not glued(cased, more.end(group)):
                    spelling = cased[at : more.end(group)].replace("\n", " ")
                    units = units_of(spelling)
                    if units:
                        return units, more.end(group), False
    for spelling in _shorter(found[1]):
        stop = at + len(spelling)
        if glued(cased, stop):
            continue
        if attached and spelling in _NOT_ATTACHED:
            return NONE, after, True
        units = units_of(spelling) or (_ATTACHED_ONLY.get(spelling, NONE) if attached else NONE)
        if units:
            return units, stop, attached
    return NONE, after, attached


def _shorter(spelling: str) -> tuple[str, ...]:
    above = spelling.partition("/")[0]
    signs = (spelling[0],) if spelling and not spelling[0].isalpha() else ()
    return tuple(dict.fromkeys((spelling, above, *signs)))


def _number(cased: str, at: int, how: Separators) -> tuple[Decimal, int] | None:
    """Value of the number that begins at `at`, and where it ends."""
    match = _pattern(how).match(cased, at)
    if match is None:
        return None
    text = match[0]
    kind = match.lastgroup
    if kind == "comma_groups":
        plain = text.replace(",", "")
    elif kind == "point_groups":
        plain = text.replace(".", "").replace(",", ".")
    elif kind == "space_groups":
        plain = text.replace(" ", "").replace(",", ".")
    elif kind == "apostrophe_groups":
        plain = text.replace("'", "")
    else:
        plain = text.replace(",", ".")
    end = match.end()
    exponent = _EXPONENT.match(cased, end)
    if exponent is not None:
        plain, end = f"{plain}e{exponent[1]}", exponent.end()
    value = Decimal(plain)
    if _sign(cased, _behind_currency(cased, at))[1]:
        value = value.copy_negate()  # a minus would round to the precision of the context
    return value, end


def _behind_currency(cased: str, at: int) -> int:
    """Where a sign would end: at the digits, or in front of the currency sign before them."""
    if at and cased[at - 1] in CURRENCY_SIGNS:
        at -= 1
        while at and cased[at - 1].isalpha() and cased[at - 1].isascii():
            at -= 1
    return at


@lru_cache(maxsize=16)
def _pattern(how: Separators) -> re.Pattern[str]:
    """All ways to write a number; the longest reading that a language permits comes first."""
    no_more = r"(?![0-9])"
    options = [
        rf"(?P<comma_groups>[1-9][0-9]?(?:,[0-9]{{2}})+,[0-9]{{3}}{no_more}(?:\.[0-9]+)?"
        rf"|[1-9][0-9]{{0,2}}(?:,[0-9]{{3}})+(?:\.[0-9]+|(?![0-9,])))",
        rf"(?P<point_groups>[1-9][0-9]{{0,2}}(?:\.[0-9]{{3}})+,[0-9]+{no_more})",
        rf"(?P<apostrophe_groups>[1-9][0-9]{{0,2}}(?:'[0-9]{{3}})+{no_more}(?:\.[0-9]+)?)",
    ]
    if how.comma_is_decimal:
        # One group behind a comma is a fraction here; with a point behind it, it groups.
        options[0] = (
            rf"(?P<comma_groups>[1-9][0-9]{{0,2}}(?:,[0-9]{{3}})+\.[0-9]+{no_more}"
            rf"|[1-9][0-9]{{0,2}}(?:,[0-9]{{3}}){{2,}}{no_more})"
        )
    if how.point_groups:
        options[1] = (
            rf"(?P<point_groups>[1-9][0-9]{{0,2}}(?:\.[0-9]{{3}})+{no_more}(?:,[0-9]+)?(?!\.))"
        )
    if how.space_groups:
        options.append(rf"(?P<space_groups>[1-9][0-9]{{0,2}}(?: [0-9]{{3}})+{no_more}(?:,[0-9]+)?)")
    mark = "[.,]" if how.comma_is_decimal else r"\."
    options.append(rf"(?P<plain>(?:0|[1-9][0-9]*)(?:{mark}[0-9]+)?|\.[0-9]+)")
    return re.compile("(?:" + "|".join(options) + ")")
