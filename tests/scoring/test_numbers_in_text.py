"""Numbers that a text states: formats, signs, units, ranges, and what is no number."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.scoring.numbers_in_text import quantities
from assay.scoring.text import Prose
from assay.scoring.text_form import fold


def values(text: str, language: str = "en") -> list[tuple[str, ...]]:
    found = quantities(fold(text)[0], language)
    return [tuple(str(part) for part in quantity.key[1:]) for quantity in found]


def one(text: str, language: str = "en") -> Decimal:
    found = quantities(fold(text)[0], language)
    assert len(found) == 1, found
    value = found[0].key[1]
    assert isinstance(value, Decimal)
    return value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", "7"),
        ("7.50", "7.5"),
        (".5", "0.5"),
        ("0", "0"),
        ("0.05", "0.05"),
        ("2,345.60", "2345.6"),
        ("2,345,678", "2345678"),
        ("12,34,567.5", "1234567.5"),
        ("2'345.60", "2345.6"),
        ("2.345,60", "2345.6"),
        ("3e4", "30000"),
        ("3E-2", "0.03"),
        ("-7", "-7"),
        ("\u22127", "-7"),
        ("+7", "7"),
        ("(7)", "7"),
        ("=7;", "7"),
        ("**7**", "7"),
        ("9007199254740993", "9007199254740993"),
        ("-$7.20", "-7.2"),
        ("$-7.20", "-7.2"),
        ("£7.20.", "7.2"),
        ("EUR 7.20", "7.2"),
        ("EUR7.20", "7.2"),
        ("7.20EUR", "7.2"),
        ("7kWh", "7"),
        ("7-day", "7"),
        ("共7元", "7"),
    ],
)
def test_numbers(text: str, value: str) -> None:
    assert one(text) == Decimal(value)


@pytest.mark.parametrize(
    ("language", "text", "value"),
    [
        ("de", "2.345,60", "2345.6"),
        ("de", "2.345", "2345"),
        ("de", "2,345", "2.345"),
        ("de", "7,5", "7.5"),
        ("de", "7.5", "7.5"),
        ("de-CH", "2'345.60", "2345.6"),
        ("de-CH", "2.345", "2.345"),
        ("fr", "2 345,60", "2345.6"),
        ("fr", "2\u202f345,60", "2345.6"),
        ("fr", "2.345", "2.345"),
        ("sv_SE", "2 345", "2345"),
        ("en", "2,345", "2345"),
        ("en", "2.345", "2.345"),
        ("de", "2,345.60", "2345.6"),
        ("de", "2,345,678", "2345678"),
    ],
)
def test_a_stated_language_settles_the_separators(language: str, text: str, value: str) -> None:
    assert one(text, language) == Decimal(value)


@pytest.mark.parametrize(
    "text",
    [
        "000000170",
        "007",
        "00",
        "00.5",
        "7abc",
        "A7",
        "2nd",
        "2x",
        "$7K",
        "7K",
        "AHU-7",
        "555-0142",
        "7-B",
        "10-7",
        "09:30",
        "12/25",
        "1.2.3",
        "10.0.0.1",
        "7,5",
        "1,2,3",
        "7+",
        "m\u00b2",
        "10\u00b2",
        "5\u00bd",
        "2 345,60",
        "2026-02-30",
        "2026-08-24T09:30",
        "f3e4",
    ],
)
def test_what_is_no_number_stays_text(text: str) -> None:
    assert values(text) == []


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("10-20", ("10", "20")),
        ("10\u201320", ("10", "20")),
        ("1,000-2,000", ("1000", "2000")),
        ("2026-08-24", ("2026-08-24",)),
        ("2026-8-4", ("2026-08-04",)),
    ],
)
def test_ranges_and_days(text: str, key: tuple[str, ...]) -> None:
    assert values(text) == [key]


def same(label: str, answer: str, language: str = "en") -> bool:
    return Prose(answer, language).equals(Prose(label, language))


@pytest.mark.parametrize(
    ("label", "answer"),
    [
        ("40 EUR", "€40.00"),
        ("40 EUR", "40 euros"),
        ("40 EUR", "EUR 40"),
        ("40 EUR", "40"),
        ("40", "40 EUR"),
        ("40%", "40 percent"),
        ("40%", "40 per cent"),
        ("40 %", "40"),
        ("$40", "40 dollars"),
        ("$40", "40 CAD"),
        ("5 km", "5 kilometres"),
        ("5 kW", "5 KW"),
        ("5 km/h", "5 kph"),
        ("5 m2", "5 m\u00b2"),
        ("5 m\u00b2", "5 square metres"),
        ("21 °C", "21 degrees Celsius"),
        ("21 °C", "21\u2103"),
        ("10-20 min", "10\u201320 minutes"),
        ("1e3", "1,000"),
        ("30 days", "30-day"),
        ("\u22125 °C", "-5.0 °C"),
        ("5 mw", "5 MW"),
        ("40 pounds", "£40"),
        ("40 lb", "40 pounds"),
    ],
)
def test_values_that_agree(label: str, answer: str) -> None:
    assert same(label, answer)
    assert same(answer, label)


@pytest.mark.parametrize(
    ("label", "answer"),
    [
        ("40 EUR", "40 USD"),
        ("40%", "40 EUR"),
        ("40%", "0.4"),
        ("0.4", "40%"),
        ("5 km", "5000 m"),
        ("5 km", "5 km/h"),
        ("5 MW", "5 mW"),
        ("5 h", "5 min"),
        ("40 CAD", "40 USD"),
        ("-40", "40"),
        ("3.5", "35"),
        ("170", "000000170"),
        ("40", "40K"),
        ("10-20", "10"),
        ("10-20", "10-21"),
        ("2026-08-24", "2026-08-25"),
        ("40 EUR", "40 EUR and more"),
    ],
)
def test_values_that_do_not(label: str, answer: str) -> None:
    assert not same(label, answer)
    assert not same(answer, label)


@given(st.text(), st.sampled_from(["en", "de", "fr", "zh", "de-CH", "xx"]))
def test_any_text_can_be_read(text: str, language: str) -> None:
    cased = fold(text)[0]
    place = 0
    for quantity in quantities(cased, language):
        assert place <= quantity.start < quantity.end <= len(cased)
        place = quantity.end


@given(
    st.text(alphabet="0123456789.,'-+ eE$€%kKmMEUR:/", max_size=16), st.sampled_from(["en", "de"])
)
def test_any_row_of_digits_and_signs_can_be_read(text: str, language: str) -> None:
    prose = Prose(text, language)
    assert "".join(prose.pieces) == "".join(
        char
        for place, char in enumerate(prose.form)
        if not any(q.start <= place < q.end for q in prose.quantities)
    )


@given(
    st.decimals(
        allow_nan=False, allow_infinity=False, places=2, min_value=-(10**9), max_value=10**9
    )
)
def test_grouping_changes_no_value(number: Decimal) -> None:
    assert one(f"{number:,}") == number
    swapped = f"{number:,}".translate({ord(","): ".", ord("."): ","})
    assert one(swapped, "de") == number


def test_a_long_negative_number_keeps_every_digit() -> None:
    first, second = (f"-1234567890123456789012345678{last}" for last in "12")
    assert quantities(first, "en")[0].key != quantities(second, "en")[0].key


def test_the_day_of_a_month_is_read_in_the_language_of_the_text() -> None:
    assert not quantities("bis 30. Januar", "de")
    assert not quantities("30 de noviembre", "es")
    assert quantities("30 novembre", "de")
