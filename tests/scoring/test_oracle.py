"""Labels that prove themselves, and labels that do not."""

from __future__ import annotations

from typing import Any

import pytest

from assay.scoring.case import Scorer
from assay.scoring.proof import Proof, prove
from tests.scoring.making import NAMES, case, kinds, record

START: dict[str, Any] = {"wifi": "on", "orders": {"7": {"status": "paid"}}, "box": ["old"]}
QUESTION = "Refund order 7: I paid 41.90 EUR"


def proof(**label: Any) -> Proof:
    return prove(record(**label), case(QUESTION, START), Scorer(NAMES), reference_date="2026-08-19")


FULL: dict[str, Any] = {
    "required_tools": [
        "find_order",
        {
            "tool": "charge",
            "max": 2,
            "args": {
                "amount": {"$number": "41.90", "tolerance": "0.1"},
                "when": {"$relative": "next monday 09:30"},
                "order": {"$ref": "find_order", "pointer": "/found/0/id"},
                "tags": {"$set": ["a", {"$one_of": ["b", "c"]}]},
                "free": {"$any": True},
            },
        },
    ],
    "order": "in_order",
    "max_calls": {"charge": 2},
    "forbidden_tools": ["send_mail"],
    "facts": [
        {"id": "amount", "any_of": ["41.90 EUR"]},
        {"id": "done", "any_of": ["refunded", "paid back"]},
        {"id": "hello", "any_of": ["hello"], "turn": 0},
    ],
    "must_not_state": [{"id": "no", "any_of": ["rejected"]}],
    "state": [
        {"path": "/orders/7/status", "equals": "refunded"},
        {"path": "/box", "contains": {"to": "ana"}},
        {"path": "/box", "count": 2},
        {"path": "/wifi", "unchanged": True},
        {"path": "/orders/8", "absent": True},
    ],
}


def test_a_full_label_proves_itself() -> None:
    found = proof(**FULL)
    assert found.oracle is not None
    assert kinds(found.oracle) == []
    assert found.holds
    assert found.survivors == ()
    assert found.mutants >= 20
    assert (found.do_nothing.outcome, found.echo.outcome) == ("failed", "failed")
    assert found.holds_at_start == ("/state/4",)


@pytest.mark.parametrize(
    "label",
    [
        {"acceptable_answers": ["Lyon", "Lyon, France"]},
        {"final_out": {"a": {"$set": ["x", "y"]}, "b": [1, True, None], "c": {"$any": True}}},
        {"final_out": {"a": 1}, "facts": [{"id": "f", "any_of": ["done"]}]},
        {"final_out": "41.90 EUR"},
        {"required_tools": [{"tool": "charge", "min": 2, "max": 3}], "order": "exact"},
        {"required_tools": [{"tool": "find_order", "turn": 1}, {"tool": "charge", "turn": 0}]},
        {"required_tools": ["orders/lookup"], "forbidden_tools": ["crm/lookup"]},
        {
            "order": "plan",
            "required_tools": ["charge"],
            "plan": {
                "execution_steps": [
                    {"name": "pay", "action": "charge", "agent": "a", "arguments": {"amount": 9}},
                    {"name": "find", "action": "find_order", "agent": "a"},
                ],
                "execution_links": [{"source": "find", "target": "pay"}],
            },
        },
    ],
)
def test_labels_of_every_kind_prove_themselves(label: dict[str, Any]) -> None:
    found = proof(**label)
    assert found.not_built == ""
    assert found.oracle is not None
    assert found.oracle.outcome == "passed", kinds(found.oracle)
    assert found.holds, found
    assert found.mutants


def test_a_state_that_holds_at_the_start_passes_a_run_that_does_nothing() -> None:
    found = proof(state=[{"path": "/wifi", "equals": "on"}])
    assert found.do_nothing.outcome == "passed"
    assert not found.holds
    assert found.holds_at_start == ("/state/0",)


def test_a_fact_that_stands_in_the_question_passes_an_echo() -> None:
    found = proof(facts=[{"id": "amount", "any_of": ["41.90 EUR"]}])
    assert found.do_nothing.outcome == "failed"
    assert found.echo.outcome == "passed"
    assert not found.holds


@pytest.mark.parametrize(
    "label",
    [
        {"acceptable_answers": ["Lyon"], "facts": [{"id": "f", "any_of": ["Oslo"]}]},
        {"required_tools": ["charge"], "forbidden_tools": ["bill"]},
        {"required_tools": ["charge", "charge"], "max_calls": {"charge": 1}},
        {
            "facts": [{"id": "f", "any_of": ["a b"]}],
            "must_not_state": [{"id": "n", "any_of": ["a"]}],
        },
        {"state": [{"path": "/wifi", "equals": "off"}, {"path": "/wifi", "unchanged": True}]},
    ],
)
def test_a_label_that_contradicts_itself_fails_its_oracle(label: dict[str, Any]) -> None:
    found = proof(**label)
    assert found.oracle is not None
    assert found.oracle.outcome == "failed"
    assert not found.holds


@pytest.mark.parametrize(
    ("label", "reason"),
    [
        ({"rubric": [{"id": "r", "text": "Polite?"}]}, "only recorded verdicts decide"),
        (
            {"required_tools": [{"tool": "charge", "args": {"memo": {"$pattern": "[a-z]+"}}}]},
            "$pattern",
        ),
        (
            {"required_tools": [{"tool": "charge", "args": {"a": {"$ref": "find_order",
                                                                  "from": "arguments"}}}]},
            "$ref",
        ),
    ],
)  # fmt: skip
def test_why_no_oracle_can_be_built(label: dict[str, Any], reason: str) -> None:
    if "$pattern" in str(label):
        pytest.importorskip("re2")
    found = proof(**label)
    assert found.oracle is None
    assert reason in found.not_built
    assert found.do_nothing.outcome != "passed"


def test_a_rubric_beside_other_truth_is_left_out_and_said_so() -> None:
    found = proof(rubric=[{"id": "r", "text": "Polite?"}], facts=[{"id": "f", "any_of": ["done"]}])
    assert found.holds
    assert found.unproved == ("rubric",)
    assert found.oracle is not None
    assert found.oracle.outcome == "passed"


def test_witnesses() -> None:
    found = proof(
        facts=[{"id": "f", "any_of": ["done"]}],
        required_tools=["charge"],
        witnesses={
            "accept": [{"answer": "It is done"}, {"answer": "It is finished"}],
            "reject": [
                {"answer": "done", "tool_calls": []},
                {"answer": "done", "tool_calls": [{"tool": "charge", "error": "503"}]},
                {"answer": "done"},
            ],
        },
    )
    assert [(w.pointer, w.as_it_must) for w in found.witnesses] == [
        ("/witnesses/accept/0", True),
        ("/witnesses/accept/1", False),
        ("/witnesses/reject/0", True),
        ("/witnesses/reject/1", True),
        ("/witnesses/reject/2", False),
    ]
    assert not found.holds


def test_one_fact_that_implies_another_is_no_flaw() -> None:
    facts = [{"id": "short", "any_of": ["12 EUR"]}, {"id": "long", "any_of": ["pay 12 EUR"]}]
    assert proof(facts=facts).holds


def test_a_relative_day_needs_a_reference_date() -> None:
    label = record(required_tools=[{"tool": "charge", "args": {"a": {"$relative": "today"}}}])
    found = prove(label, case(), Scorer(NAMES))
    assert "reference date" in found.not_built


def test_a_very_large_label_is_proved_in_part() -> None:
    many = [{"tool": "charge", "args": {"amount": i}} for i in range(1_500)]
    found = proof(required_tools=many)
    assert found.oracle is not None
    assert found.oracle.outcome == "passed"
    assert found.in_part
    assert 0 < found.mutants < 1_500
    assert not proof(**FULL).in_part
