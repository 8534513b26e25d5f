"""The verdict of a case: basis, errors of the harness, notes, tags."""

from __future__ import annotations

from typing import Any

import pytest

from assay.models.case import CaseAttributes
from assay.models.result import OUTCOMES, ComponentResult, Outcome
from assay.scoring.case import case_outcome
from tests.scoring.making import call, kinds, record, run, score

FACT = {"id": "f", "any_of": ["12 EUR"]}


def component(outcome: Outcome, in_basis: bool = True) -> ComponentResult:
    return ComponentResult(component="state", outcome=outcome, in_basis=in_basis)


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ("passed", "passed"),
        ("passed not_evaluated", "not_evaluated"),
        ("passed not_evaluated error", "error"),
        ("passed not_evaluated error failed", "failed"),
        ("", "not_evaluated"),
    ],
)
def test_failed_beats_error_beats_not_evaluated(parts: str, expected: str) -> None:
    found = [component(name) for name in OUTCOMES if name in parts.split()]
    assert case_outcome(found) == expected
    assert case_outcome(list(reversed(found))) == expected


def test_what_is_outside_the_basis_only_shows() -> None:
    label = {"facts": [FACT], "forbidden_tools": ["charge"], "score_basis": ["outcome"]}
    result = score(label, run([call("charge")], "€12"))
    assert result.outcome == "passed"
    assert [(p.component, p.outcome, p.in_basis) for p in result.components] == [
        ("trajectory", "failed", False),
        ("outcome", "passed", True),
    ]


def test_a_basis_without_criteria_cannot_pass() -> None:
    result = score({"facts": [FACT], "score_basis": ["outcome", "state"]}, run([], "€12"))
    assert (result.outcome, kinds(result)) == ("not_evaluated", ["no_criteria"])


def test_a_record_without_any_criteria_cannot_pass() -> None:
    result = score({}, run([], "€12"))
    assert result.outcome == "not_evaluated"
    assert result.components == ()
    assert "no criteria" in result.notes[0]


def test_a_broken_harness_is_an_error_and_no_failure() -> None:
    label: dict[str, Any] = {
        "facts": [FACT],
        "required_tools": ["charge"],
        "max_calls": {"charge": 1},
    }
    broken = ["the server did not answer"]
    for observed in (run(), run([call("charge")], "€12")):
        result = score(label, observed.model_copy(update={"infrastructure_errors": tuple(broken)}))
        assert result.outcome == "error"
        assert result.tags == ("infrastructure",)
    label["forbidden_tools"] = ["send_mail"]
    done = score(label, run([call("send_mail")], infrastructure_errors=broken))
    assert done.outcome == "failed"
    said = {"must_not_state": [FACT]}
    assert score(said, run([], "€12", infrastructure_errors=broken)).outcome == "failed"
    state = {"state": [{"path": "/a", "equals": 1}]}
    assert score(state, run(final_state={}, infrastructure_errors=broken)).outcome == "error"


def test_another_policy_is_noted() -> None:
    label = {"facts": [FACT], "policy_version": "p-v2"}
    assert score(label, run([], "€12", policy="p-v2")).notes == ()
    [note] = score(label, run([], "€12", policy="p-v1")).notes
    assert "given p-v1" in note


def test_what_a_line_carries() -> None:
    attributes = CaseAttributes(slice="eu", template="t-1", category="decision")
    result = score({"facts": [FACT]}, run([], "€12", trial=2), attributes=attributes)
    assert (result.slice, result.cluster, result.category) == ("eu", "t-1", "decision")
    assert (result.run, result.trial, result.status, result.revision) == ("r", 2, "gold", 1)
    bare = score(record(facts=[FACT]), run([], "€12"))
    assert (bare.slice, bare.cluster) == ("(none)", "c-1")
