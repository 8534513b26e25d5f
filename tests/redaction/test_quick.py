"""The first look never overlooks what a close look finds."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.intake.runs.formats.records.native import run_line
from assay.models.run import ObservedRun, ObservedTurn, ToolCall
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


USUAL = [
    '"tokens_in": 12, "tokens_out": 9, "unknown": ["tokens"], "max_tokens": 4096',
    '{"token_count": 5, "author": "bo", "keyword": "passenger seat", "monkey": "key"}',
    '{"key": "k-1", "keys": ["a"], "primary_key": 3, "signature_dish": "pho", "sig": "x"}',
    "passes the passage to a passer-by; the authority authored basic signatures of bearers",
    "550e8400-e29b-41d4-a716-446655440000 call_x8Yq2Lm4Nn7Pp0Rr toolu_01A09q90qw90lq917835lq9",
    "2026-11-30T10:00:00.000000+00:00 assert_that_a_long_name_is_no_key: risk-1234567890abcdef",
    "x@example.com a@1.2.3-b.rc @ana 100%40 logo@2x.png",
]


@pytest.mark.parametrize("text", USUAL)
def test_what_usually_stands_in_runs_needs_no_close_look(text: str) -> None:
    assert not might_hold(text)
    assert not might_hold(json.dumps(text))


def test_a_line_of_a_run_needs_no_close_look() -> None:
    call = ToolCall(name="authorize", args={"key": "a", "token_count": 3}, result={"ok": True})
    made = ObservedRun(
        run="r",
        case_id="c",
        tokens_in=1200,
        tokens_out=80,
        unknown=("tokens", "cost"),
        turns=(ObservedTurn(user="Which keys?", answer="Tokens.", tool_calls=(call,)),),
    )
    assert not might_hold(run_line(made))


def test_long_texts_are_looked_at_in_no_time() -> None:
    for text in (
        "token " * 300_000,
        "a" * 14 + " ",
        "key" * 500_000,
        "x-" * 800_000,
        "@a." * 500_000,
    ):
        started = time.process_time()
        might_hold(text if len(text) > 100 else text * 100_000)
        assert time.process_time() - started < 5


def test_most_of_what_is_fine_needs_no_close_look() -> None:
    assert sum(might_hold(json.dumps(value)) for value in FINE) < len(FINE) / 2
