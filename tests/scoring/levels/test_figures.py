"""The figures of the source hold, by the arithmetic of its own definitions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from assay.models.levels import LEVELS
from assay.scoring.levels.judge import weighed
from tests.scoring.levels.plans import case_of, levels, measure, plan, step, value_of
from tests.scoring.making import call, run, verdict

WEIGHTS: dict[Any, Fraction] = {
    "outcome": Fraction(1, 2),
    "process": Fraction(3, 10),
    "planning": Fraction(1, 5),
}


def test_scenario_421_is_0_769() -> None:
    """0.5 × 0.87 + 0.3 × 0.68 + 0.2 × 0.65; the source prints 0.78."""
    values: dict[Any, Fraction | None] = {
        "outcome": Fraction(87, 100),
        "process": Fraction(68, 100),
        "planning": Fraction(65, 100),
    }
    score, force = weighed(values, WEIGHTS)
    assert score == Fraction(769, 1000)
    assert float(score) == 0.769
    assert force == WEIGHTS


def test_a_level_without_a_value_gives_its_weight_to_the_others() -> None:
    half = Fraction(1, 2)
    score, force = weighed({"outcome": half, "process": None, "planning": Fraction(1)}, WEIGHTS)
    assert force == {"outcome": Fraction(5, 7), "planning": Fraction(2, 7)}
    assert score == Fraction(5, 7) * half + Fraction(2, 7)
    assert weighed(dict.fromkeys(LEVELS), WEIGHTS) == (None, {})


CODES = ["M001", "M005", "M006", "OP004", "OP007"]


def test_three_of_five_codes_and_that_rubric() -> None:
    """y3 is 3 of 5; with everything else right the outcome is 0.87."""
    found = levels(
        plan([step("get", "find_order", number="A-1")]),
        run([call("find_order", number="A-1")], answer='{"codes": ["M006", "M001", "OP004"]}'),
        final_out={"codes": {"$set": CODES}},
        rubric=[{"id": "complete", "text": "Is it complete?"}],
        verdicts=[verdict("complete", "yes")],
    )
    assert measure(found, "y1").value == 1.0
    assert measure(found, "y2").value == 1.0
    assert measure(found, "y3").value == 0.6
    assert measure(found, "y3").message == "3 of 5 values of the result match."
    assert value_of(found, "outcome") == float(Fraction(13, 15))
    assert round(float(Fraction(13, 15)), 2) == 0.87


def test_six_of_eight_steps_is_0_75() -> None:
    names = [f"tool_{i}" for i in range(8)]
    asked = plan([step(name, name) for name in names])
    made = [call(name) for name in names if name not in ("tool_3", "tool_5")]
    found = levels(asked, run(made, answer="done"))
    assert measure(found, "completeness").value == 0.75
    assert [fault.tag for fault in found.faults] == ["missing_step", "missing_step"]
    assert [fault.pointer for fault in found.faults] == [
        "/plan/execution_steps/3",
        "/plan/execution_steps/5",
    ]


def test_nothing_of_it_decides_the_case() -> None:
    result = case_of(
        plan([step("a", "find_order"), step("b", "charge", "payments")]),
        run([call("find_order")], answer="yes"),
        acceptable_answers=["yes"],
    )
    assert result.outcome == "passed"
    assert result.levels is not None
    assert result.levels.score is not None
    assert result.levels.score < 1
    assert result.tags == (), "what passed has no failure"
