"""Content hashes cover what decides a verdict, and nothing else."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.ledger.hashes import case_digest, content_hash, truth_hash
from assay.models.case import EvalCase
from tests.ledger.test_renames import record
from tests.ledger.test_toolnames import NAMES

SOME = {
    "required_tools": [{"tool": "find", "args": {"n": 25}}],
    "facts": [{"id": "a", "any_of": ["x"]}],
    "policy_version": "p-v1",
}


@pytest.mark.parametrize(
    "same",
    [
        {"rationale": ["another reason"]},
        {"change": "renewal", "revision": 3, "status": "silver"},
        {"expires": "2027-01-01", "applies_from": "2026-01-01"},
        {"labelers": ["ana"], "adjudicator": "bo", "evidence": ["e"], "drafted_by": "m"},
        {"witnesses": {"accept": [{"answer": "x"}]}, "clauses": ["p-v1#1"]},
        {"required_tools": [{"tool": "find", "args": {"n": Decimal("25.0")}}]},
        {"required_tools": [{"tool": "find", "args": {"n": 25}, "min": 1}]},
        {"required_tools": [{"tool": "seek", "args": {"n": 25}}]},
        {"required_tools": [{"tool": "mcp__help__look", "args": {"n": 25}}]},
        {"policy_version": ["p-v1"]},
        {"forbidden_tools": []},
        {"case_digest": "0" * 64, "supersedes": "1" * 64},
    ],
)
def test_what_decides_nothing(same: dict[str, Any]) -> None:
    assert content_hash(record(**{**SOME, **same}), NAMES) == content_hash(record(**SOME), NAMES)


@pytest.mark.parametrize(
    "other",
    [
        {"required_tools": [{"tool": "find", "args": {"n": "25"}}]},
        {"required_tools": [{"tool": "find", "args": {"n": True}}]},
        {"required_tools": [{"tool": "find", "args": {"n": 25}, "min": 2}]},
        {"required_tools": ["find"]},
        {"forbidden_tools": ["wipe"]},
        {"order": "exact"},
        {"max_calls": {"find": 1}},
        {"acceptable_answers": ["x"]},
        {"must_not_state": [{"id": "a", "any_of": ["x"]}]},
        {"rubric": [{"id": "a", "text": "?"}]},
        {"state": [{"path": "/a", "equals": None}]},
        {"final_out": {"a": 1}},
        {"score_basis": ["outcome"]},
        {"state": []},
        {"final_out": {}},
        {"score_basis": []},
        {"policy_version": "p-v2"},
        {"as_of": "2026-01-01"},
        {"plan": {"execution_steps": [{"name": "a", "action": "find", "agent": "x"}]}},
    ],
)
def test_what_decides(other: dict[str, Any]) -> None:
    assert content_hash(record(**{**SOME, **other}), NAMES) != content_hash(record(**SOME), NAMES)


def test_order_of_forbidden_tools_and_policies_means_nothing() -> None:
    one = record(forbidden_tools=["a", "b"], policy_version=["p", "q"])
    other = record(forbidden_tools=["b", "a", "b"], policy_version=["q", "p"])
    assert content_hash(one) == content_hash(other)


def test_large_numbers_stay_apart() -> None:
    assert content_hash(record(final_out=9007199254740993)) != content_hash(
        record(final_out=9007199254740992)
    )


def test_text_forms_are_one() -> None:
    assert content_hash(record(acceptable_answers=["caf\u00e9"])) == content_hash(
        record(acceptable_answers=["cafe\u0301"])
    )


@given(st.dictionaries(st.text(max_size=3), st.integers() | st.text(max_size=3), max_size=5))
def test_key_order_means_nothing(value: dict[str, Any]) -> None:
    turned = dict(reversed(list(value.items())))
    try:
        one = content_hash(record(final_out=value))
    except ValueError:
        return  # Two forms of one key.
    assert one == content_hash(record(final_out=turned))


CASE: dict[str, Any] = {
    "eval_id": "c",
    "conversation": [{"user_content": {"parts": [{"text": "Where is it?"}], "role": "user"}}],
    "session_input": {"state": {"a": 1, "b": [1, 2]}},
}


@pytest.mark.parametrize(
    ("change", "same"),
    [
        ({"creation_timestamp": Decimal("1.5")}, True),
        ({"final_session_state": {"a": 2}}, True),
        ({"rubrics": [{"rubric_id": "r"}]}, True),
        ({"session_input": {"state": {"b": [1, 2], "a": Decimal("1.0")}}}, True),
        ({"session_input": {"state": {"a": 1, "b": [2, 1]}}}, False),
        ({"session_input": None}, False),
        ({"eval_id": "d"}, False),
        ({"conversation_scenario": {"starting_prompt": "Hi"}}, False),
        ({"conversation": [{"user_content": {"parts": [{"text": "Where?"}]}}]}, False),
    ],
)
def test_case_digest(change: dict[str, Any], same: bool) -> None:
    before = case_digest(EvalCase.model_validate(CASE))
    after = case_digest(EvalCase.model_validate({**CASE, **change}))
    assert (before == after) is same


def test_examples_in_a_turn_are_no_part_of_the_case() -> None:
    turn = {
        **CASE["conversation"][0],
        "invocation_id": "i-1",
        "final_response": {"parts": [{"text": "There."}]},
        "intermediate_data": {"tool_uses": [{"name": "find", "args": {}}]},
    }
    assert case_digest(EvalCase.model_validate({**CASE, "conversation": [turn]})) == case_digest(
        EvalCase.model_validate(CASE)
    )


@given(st.permutations([("a", "1", "gold"), ("b", "2", "silver"), ("c", "3", "disputed")]))
def test_truth_hash_knows_no_order(entries: list[tuple[str, str, str]]) -> None:
    assert truth_hash(entries) == truth_hash(sorted(entries))
    assert truth_hash(entries[:2]) != truth_hash(entries)
