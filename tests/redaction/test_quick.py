"""The first look never overlooks what a close look finds."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.redaction import find_secrets
from assay.redaction.quick import might_hold
from tests.redaction.test_properties import MARKS, spoilt
from tests.redaction.test_rules import FINE, FOUND


@pytest.mark.parametrize("value", [value for value, _ in FOUND], ids=lambda item: str(item)[:30])
def test_what_is_found_is_seen(value: Any) -> None:
    assert might_hold(json.dumps(value, ensure_ascii=False))


@given(spoilt())
def test_what_is_spoilt_is_seen(given_: tuple[Any, list[str]]) -> None:
    assert might_hold(json.dumps(given_[0], ensure_ascii=False))


@given(
    st.lists(st.sampled_from([*MARKS, "Bearer ", "sk-", "x1y2z3a4b5c6d7e8", "shop.io", "\n", "'"]))
)
def test_marks_are_seen(parts: list[str]) -> None:
    text = "".join(parts)
    assert might_hold(json.dumps(text, ensure_ascii=False)) or find_secrets(text) == ()


def test_most_of_what_is_fine_needs_no_close_look() -> None:
    assert sum(might_hold(json.dumps(value)) for value in FINE) < len(FINE) / 2
