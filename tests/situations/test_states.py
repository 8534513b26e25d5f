"""H11 unordered rows, H12 states that hold at the start."""

from __future__ import annotations

from typing import Any

import pytest

from assay.scoring.case import Scorer
from assay.scoring.proof import prove
from tests.scoring.making import NAMES, case, kinds, pieces, record, run, score
from tests.situations.given import load

# -- H11 ------------------------------------------------------------------------------------------

WANTED: dict[str, Any] = {
    "vouchers": [{"no": "v1", "sum": 30}, {"no": "v2", "sum": 45}],
    "stops": ["Rome", "Pisa", "Nice"],
}
CHECKS = [
    {"path": "/vouchers", "equals": WANTED["vouchers"], "unordered": True},
    {"path": "/stops", "equals": WANTED["stops"]},
]
V1, V2 = WANTED["vouchers"]


@pytest.mark.parametrize(
    ("vouchers", "stops", "good"),
    [
        ([V1, V2], ["Rome", "Pisa", "Nice"], True),
        ([{"sum": 45, "no": "v2"}, V1], ["Rome", "Pisa", "Nice"], True),
        ([{**V1, "sum": 45}, {**V2, "sum": 30}], ["Rome", "Pisa", "Nice"], False),
        ([V1, V2, V2], ["Rome", "Pisa", "Nice"], False),
        ([V1, V2], ["Rome", "Nice", "Pisa"], False),
    ],
)
def test_rows_are_a_multiset_where_they_are_declared_so(
    vouchers: Any, stops: Any, good: bool
) -> None:
    final = {"vouchers": vouchers, "stops": stops}
    result = score({"state": CHECKS}, run(final_state=final))
    assert (result.outcome == "passed") is good
    told = [piece.message for piece in pieces(result) if piece.outcome == "failed"]
    assert all("differs: " in message for message in told)
    assert bool(told) is not good


@pytest.mark.data
def test_given_rows() -> None:
    wanted, rules = load("11", "expected_state.json"), load("11", "rules.json")
    checks = [
        {"path": f"/{name}", "equals": value, "unordered": bool(rules[name].get("unordered"))}
        for name, value in wanted.items()
    ]
    found = {
        name: score({"state": checks}, run(final_state=state)).outcome == "passed"
        for name, state in load("11", "states.json").items()
    }
    assert found == load("11", "expected.json")


# -- H12 ------------------------------------------------------------------------------------------


def judged(label: dict[str, Any], start: dict[str, Any]) -> str:
    """What a run that does nothing shows of a label."""
    if label.get("state") == []:
        result = score(label, run(final_state=start), state=start)
        assert kinds(result) == ["no_criteria"]
        return "error: empty state block"
    proof = prove(record(**label), case(state=start), Scorer(NAMES))
    vacuous = proof.do_nothing.outcome == "passed"
    assert proof.holds is not vacuous
    return "vacuous: the null run passes" if vacuous else "ok"


@pytest.mark.parametrize(
    ("label", "start", "expected"),
    [
        ({"state": [{"path": "/lamp", "equals": "on"}]}, {"lamp": "on"},
         "vacuous: the null run passes"),
        ({"state": [{"path": "/lamp", "equals": "on"}]}, {"lamp": "off"}, "ok"),
        ({"state": []}, {"lamp": "on"}, "error: empty state block"),
        ({"state": [{"path": "/lamp", "unchanged": True}], "facts": [
            {"id": "f", "any_of": ["already on"]}]}, {"lamp": "on"}, "ok"),
    ],
)  # fmt: skip
def test_a_run_that_does_nothing_shows_an_empty_label(
    label: Any, start: Any, expected: str
) -> None:
    assert judged(label, start) == expected


@pytest.mark.data
def test_given_states_at_the_start() -> None:
    seeds = {one["eval_id"]: one["seed_state"] for one in load("12", "cases.json")}
    for truth in load("12", "truth.jsonl"):
        state = [{"path": f"/{name}", "equals": value} for name, value in truth["state"].items()]
        label = {"state": state, "score_basis": ["state"]}
        expected = load("12", "expected.json")[truth["case_id"]]
        assert judged(label, seeds[truth["case_id"]]) == expected
