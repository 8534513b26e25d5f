"""What must hold in the world afterwards."""

from __future__ import annotations

from typing import Any

import pytest

from tests.scoring.making import kinds, pieces, run, score

START = {"box": [{"k": 1}], "wifi": "on", "orders": {"7": {"status": "paid", "lines": [1, 2]}}}


@pytest.mark.parametrize(
    ("check", "final", "outcome"),
    [
        ({"path": "/wifi", "equals": "on"}, {"wifi": "on"}, "passed"),
        ({"path": "/wifi", "equals": "on"}, {"wifi": "off"}, "failed"),
        ({"path": "/wifi", "equals": "on"}, {}, "failed"),
        ({"path": "/a", "equals": None}, {"a": None}, "passed"),
        ({"path": "/a", "equals": None}, {}, "failed"),
        ({"path": "", "equals": {"a": 1}}, {"a": 1.0}, "passed"),
        ({"path": "/n", "equals": {"$number": 5, "tolerance": 1}}, {"n": 6}, "passed"),
        ({"path": "/l", "equals": [1, 2]}, {"l": [2, 1]}, "failed"),
        ({"path": "/l", "equals": [1, 2], "unordered": True}, {"l": [2, 1]}, "passed"),
        ({"path": "/l", "equals": [1, 2], "unordered": True}, {"l": [2, 1, 1]}, "failed"),
        ({"path": "/l", "count": 2}, {"l": [1, 2]}, "passed"),
        ({"path": "/l", "count": 2}, {"l": {"a": 1, "b": 2}}, "passed"),
        ({"path": "/l", "count": 2}, {"l": [1]}, "failed"),
        ({"path": "/l", "count": 2}, {"l": "ab"}, "failed"),
        ({"path": "/l", "count": 0}, {}, "failed"),
        ({"path": "/l", "contains": {"k": 1}}, {"l": [{"k": 2}, {"k": 1, "m": 3}]}, "passed"),
        ({"path": "/l", "contains": {"k": 1}}, {"l": [{"k": 2}]}, "failed"),
        ({"path": "/l", "contains": 2}, {"l": [1, 2.0]}, "passed"),
        ({"path": "/l", "contains": "a"}, {"l": "abc"}, "failed"),
        ({"path": "/o", "contains": {"k": 1}}, {"o": {"k": 1, "m": 2}}, "passed"),
        ({"path": "/o", "contains": {"k": 1}}, {"o": {"x": {"k": 1, "m": 2}}}, "passed"),
        ({"path": "/o", "contains": {"k": 1}}, {"o": {"x": {"k": 2}}}, "failed"),
        ({"path": "/l", "contains": {"k": {"$one_of": [1, 2]}}}, {"l": [{"k": 2}]}, "passed"),
        ({"path": "/a", "absent": True}, {"b": 1}, "passed"),
        ({"path": "/a", "absent": True}, {"a": None}, "failed"),
        ({"path": "/wifi", "unchanged": True}, {"wifi": "on"}, "passed"),
        ({"path": "/wifi", "unchanged": True}, {"wifi": "off"}, "failed"),
        ({"path": "/wifi", "unchanged": True}, {}, "failed"),
        ({"path": "/new", "unchanged": True}, {}, "passed"),
        ({"path": "/new", "unchanged": True}, {"new": 1}, "failed"),
        ({"path": "", "unchanged": True}, START, "passed"),
        ({"path": "/a", "equals": {"$relative": "today"}}, {"a": "2026-08-19"}, "not_evaluated"),
    ],
)
def test_checks(check: Any, final: Any, outcome: str) -> None:
    result = score({"state": [check]}, run(final_state=final), state=START)
    assert result.outcome == outcome
    assert pieces(result)[0].pointer == "/state/0"


def test_the_difference_is_the_one_that_decides() -> None:
    check = {"path": "/rows", "equals": [{"k": 1, "v": 2}, {"k": 2, "v": 3}]}
    final = {"rows": [{"k": 1, "v": 9}, {"k": 2, "v": 3}, {"k": 3}]}
    [piece] = pieces(score({"state": [check]}, run(final_state=final)))
    assert piece.message == ("`/rows` differs: /0/v is 9, expected 2; /2 is not expected.")


def test_a_state_that_is_not_known() -> None:
    label = {"state": [{"path": "/a", "equals": 1}]}
    for observed in (run(), run(final_state={"a": 2}, unknown=["final_state"])):
        result = score(label, observed)
        assert (result.outcome, kinds(result)) == ("not_evaluated", ["state_unknown"])


def test_unchanged_without_a_seed() -> None:
    label = {"state": [{"path": "/a", "unchanged": True}]}
    assert score(label, run(final_state={"a": 2})).outcome == "not_evaluated"


def test_an_empty_block_is_no_pass() -> None:
    result = score({"state": []}, run(final_state={}))
    assert (result.outcome, kinds(result)) == ("not_evaluated", ["no_criteria"])
