"""One text for one value."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.files.canonical import canonical_json, digest, exact_number
from assay.files.model_text import compact_text, value_text
from assay.files.reading import parse_json

numbers = st.one_of(
    st.integers(),
    st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**30), max_value=10**30),
)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, st.text(st.characters(exclude_categories=["Cs"]))),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=4),
    ),
    max_leaves=12,
)


@given(numbers)
def test_a_number_keeps_its_exact_value(number: int | Decimal) -> None:
    text = exact_number(number)
    assert Fraction(text) == Fraction(number)
    assert exact_number(Decimal(text)) == text


@pytest.mark.parametrize(
    ("given_", "text"),
    [
        ("25", "25"),
        ("25.0", "25"),
        ("2.5e1", "25"),
        ("-0.0", "0"),
        ("0.10", "0.1"),
        ("1e-7", "0.0000001"),
        ("9007199254740993", "9007199254740993"),
        ("1e5", "100000"),
        ("1e999", "1e999"),
    ],
)
def test_equal_numbers_have_one_text(given_: str, text: str) -> None:
    assert canonical_json(parse_json(given_, name="x")) == text


@given(values)
def test_the_canonical_text_is_json_and_a_fixed_point(value: object) -> None:
    text = canonical_json(value)  # type: ignore[arg-type]
    assert canonical_json(parse_json(text, name="x")) == text


@given(values)
def test_written_values_read_back_equal(value: object) -> None:
    for text in (value_text(value), compact_text(value)):  # type: ignore[arg-type]
        assert digest(parse_json(text, name="x")) == digest(value)  # type: ignore[arg-type]
        assert len(text.split("\n")) == len(text.splitlines()) or "\\" in text
        json.loads(text)


def test_key_order_and_composition_do_not_matter() -> None:
    assert digest({"a": 1, "b": "é"}) == digest({"b": "e\u0301", "a": Decimal("1.0")})


def test_keys_that_are_one_after_composition_are_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        canonical_json({"é": 1, "e\u0301": 2})


@pytest.mark.parametrize("value", [float("nan"), float("inf"), Decimal("NaN")])
def test_what_json_does_not_have_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="not a JSON number"):
        canonical_json(value)  # type: ignore[arg-type]
