"""What a level is when truth or run lacks something; the planning level; efficiency; groups."""

from __future__ import annotations

from typing import Any

import pytest

from assay.models.case import CaseAttributes
from assay.scoring.levels.aggregates import plan_scores
from tests.scoring.levels.plans import case_of, levels, measure, plan, step, value_of
from tests.scoring.making import call, run, score, verdict

PLANNING = [
    {"agent": "IoTAgent", "instruction": "Retrieve sensor data for the equipment"},
    {"agent": "WOAgent", "instruction": "Recommend work orders"},
]
WHOLE = plan([step("a", "find_order", number="A-1")], planning_steps=PLANNING)
CALLS = [call("find_order", number="A-1")]
PLANNED = {"planning_steps": [{"agent": "iot", "instruction": PLANNING[0]["instruction"]}]}


def test_a_record_without_a_plan_has_no_levels() -> None:
    assert score({"facts": [{"id": "f", "any_of": ["x"]}]}, run(answer="x")).levels is None


@pytest.mark.parametrize(
    ("value", "fields", "expected"),
    [
        (WHOLE, PLANNED, {"outcome": 0.5, "process": 0.3, "planning": 0.2}),
        (WHOLE, {}, {"outcome": 0.5, "process": 0.3, "planning": 0.2}),
        (WHOLE, {"unknown": ["planning_steps"]}, {"outcome": 0.625, "process": 0.375}),
        (plan([step("a", "find_order")]), PLANNED, {"outcome": 0.625, "process": 0.375}),
        (
            {"planning_steps": PLANNING},
            PLANNED,
            {"outcome": 5 / 7, "planning": 2 / 7},
        ),
        (
            WHOLE,
            {**PLANNED, "unknown": ["tool_calls", "call_arguments"], "turns": []},
            {"outcome": 5 / 7, "planning": 2 / 7},
        ),
    ],
)
def test_weights_are_spread_over_what_can_be_evaluated(
    value: dict[str, Any], fields: dict[str, Any], expected: dict[str, float]
) -> None:
    found = levels(value, run(CALLS, answer="x", **fields), acceptable_answers=["x"])
    assert {p.level: p.weight for p in found.levels if p.weight is not None} == expected


def test_a_run_that_planned_nothing_gets_nothing_for_it() -> None:
    found = levels(WHOLE, run(CALLS, answer="x"), acceptable_answers=["x"])
    assert value_of(found, "planning") == 0.0
    assert found.score == 0.8


def test_planning_measures() -> None:
    found = levels(WHOLE, run(CALLS, answer="x", **PLANNED))
    assert measure(found, "rouge_l").value == value_of(found, "planning") == 12 / 15
    assert measure(found, "agent_selection").value == 0.5
    assert measure(found, "step_coverage").value == 0.5
    nameless = {"planning_steps": [{"instruction": "Recommend work orders"}]}
    assert measure(levels(WHOLE, run(CALLS, **nameless)), "agent_selection").value is None


def test_a_broken_harness_is_not_the_agents_fault() -> None:
    found = levels(WHOLE, run(CALLS, infrastructure_errors=["no disk"]))
    assert found.score is None
    assert {part.value for part in found.levels} == {None}
    assert found.faults == ()


@pytest.mark.parametrize(
    ("verdicts", "value", "message"),
    [
        ([], None, "No criterion of the rubric has a verdict."),
        (["yes"], 1.0, "1 of 1 criteria are met; 1 without a verdict."),
        (["yes", "no"], 0.5, "1 of 2 criteria are met."),
    ],
)
def test_completeness_is_over_the_criteria_with_a_verdict(
    verdicts: list[str], value: float | None, message: str
) -> None:
    rubric = [{"id": "one", "text": "One?"}, {"id": "two", "text": "Two?"}]
    said = [verdict(c["id"], v) for c, v in zip(rubric, verdicts, strict=False)]
    found = levels(WHOLE, run(CALLS, answer="x"), rubric=rubric, verdicts=said)
    assert (measure(found, "y1").value, measure(found, "y1").message) == (value, message)


def test_retrieval_counts_constraints_of_calls_that_read() -> None:
    required = [
        {"tool": "find_order", "args": {"number": "A-1", "year": 2017}},
        {"tool": "list_orders", "args": {"of": "cus-9"}},
        {"tool": "charge", "args": {"amount": 40}},
    ]
    made = run([call("find_order", number="A-1", year=2016), call("charge", amount=1)])
    found = levels(WHOLE, made, required_tools=required)
    assert measure(found, "y2").message == "1 of 3 argument constraints are met."


def test_efficiency() -> None:
    calls = [
        call("find_order", number="A-1", duration_ms=20),
        call("find_order", number="A-1", duration_ms=10),
        call("charge", error="no", duration_ms=5),
    ]
    calls = [
        {**c, "args": {k: v for k, v in c["args"].items() if k != "duration_ms"}} for c in calls
    ]
    for each, time in zip(calls, (20, 10, 5), strict=True):
        each["duration_ms"] = time
    found = levels(WHOLE, run(calls, answer="x", tokens_in=7, tokens_out=3, cost=2)).efficiency
    assert found is not None
    assert found.model_dump() == {
        "expected_steps": 1,
        "calls": 3,
        "step_ratio": 3.0,
        "repeated_calls": 1,
        "failed_calls": 1,
        "duration_ms": 35,
        "tokens": 10,
        "cost": 2,
    }


def test_groups_are_means_over_what_has_a_value() -> None:
    good = case_of(WHOLE, run(CALLS, answer="x", **PLANNED), acceptable_answers=["x"])
    bad = case_of(WHOLE, run([], answer="y", unknown=["planning_steps"]), acceptable_answers=["x"])
    attributes = CaseAttributes(slice="s", type="IoT", group="retrospective", paradigm="hybrid")
    found = plan_scores([good, bad], lambda case: attributes)
    assert found is not None
    assert found == plan_scores([bad, good], lambda case: attributes)
    assert found.overall.results == 2
    assert found.overall.pass_rate == 0.5
    assert found.overall.evaluated == {
        "score": 2, "outcome": 2, "process": 2, "planning": 1, "step_ratio": 2
    }  # fmt: skip
    assert found.overall.outcome == 0.5
    assert set(found.by_type) == {"IoT"}
    assert set(found.by_group) == {"retrospective"}
    assert set(found.by_paradigm) == {"hybrid"}
    assert set(found.by_category) == {"(none)"}
    assert set(found.by_tag) == set(bad.tags) == {"missing_step"}
    assert plan_scores([score({}, run())], lambda case: attributes) is None
