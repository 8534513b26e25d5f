"""Exact comparison of JSON values, and JSON pointers."""

from __future__ import annotations

import itertools
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.files.canonical import canonical_json
from assay.scoring.values import MISSING, number_of_text, resolve, same, unordered_text

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.decimals(allow_nan=False, allow_infinity=False, places=1, min_value=-3, max_value=3)
    | st.sampled_from(["", "1", "1.0", "true", "null", "é", "e\u0301"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(VALUES, VALUES)
def test_same_is_equality_of_canonical_text(one: Any, other: Any) -> None:
    assert same(one, other) == (canonical_json(one) == canonical_json(other))


@given(VALUES)
def test_a_value_equals_itself_and_its_copy(value: Any) -> None:
    assert same(value, value)
    if isinstance(value, dict):
        assert same(value, dict(reversed(list(value.items()))))


@given(st.lists(VALUES, max_size=4), st.randoms())
def test_unordered_text_knows_no_order(values: list[Any], chance: Any) -> None:
    shuffled = list(values)
    chance.shuffle(shuffled)
    assert unordered_text(values) == unordered_text(shuffled)


def test_unordered_text_counts() -> None:
    assert unordered_text([1, 1, 2]) != unordered_text([1, 2, 2])
    assert unordered_text({"a": [[1, 2], [3]]}) == unordered_text({"a": [[3], [2, Decimal("1.0")]]})


def test_no_kind_equals_another() -> None:
    kinds: list[Any] = [0, False, None, "", "0", [], {}, [0], {"0": 0}]
    for one, other in itertools.combinations(kinds, 2):
        assert not same(one, other)
        assert not same(other, one)


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("", {"a": [{"b~/c": 1}], "": 2}),
        ("/a/0/b~0~1c", 1),
        ("/", 2),
        ("/a/1", MISSING),
        ("/a/-", MISSING),
        ("/a/00", MISSING),
        ("/a/0/b/x", MISSING),
        ("/b", MISSING),
    ],
)
def test_pointers(pointer: str, value: object) -> None:
    document: Any = {"a": [{"b~/c": 1}], "": 2}
    assert resolve(document, pointer) == value


def test_null_stands_there() -> None:
    assert resolve({"a": None}, "/a") is None


@pytest.mark.parametrize(
    ("text", "number"),
    [("12", "12"), (" 12.50 ", "12.5"), ("-1e2", "-100"), ("012", None), ("12 EUR", None),
     ("1,000", None), ("NaN", None), ("", None), ("1e99999", None)],
)  # fmt: skip
def test_numbers_of_text(text: str, number: str | None) -> None:
    assert number_of_text(text) == (None if number is None else Decimal(number))
