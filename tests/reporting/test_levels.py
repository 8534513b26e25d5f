"""The three levels in explanations and on the scoreboard, and only where there is a plan."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from assay.models.levels import Levels, PlanGroup, PlanScores
from assay.reporting import html, scoreboard, why
from assay.reporting import levels as words
from tests.reporting import examples as e
from tests.reporting.many import report

Golden = Callable[[str, str], None]

LEVELS = Levels.model_validate(
    {
        "score": 0.769,
        "path": "alternative 2",
        "levels": [
            {
                "level": "outcome",
                "value": 0.87,
                "weight": 0.625,
                "message": "The mean of y2 and y3.",
                "measures": [
                    {"name": "y1", "message": "The record has no rubric."},
                    {"name": "y2", "value": 1.0, "message": "2 of 2 constraints are met."},
                ],
            },
            {
                "level": "process",
                "value": 0.9999,
                "weight": 0.375,
                "message": "The mean of four.",
                "measures": [
                    {"name": "step_graph", "value": 0.5, "counts": False, "message": "Beside it."}
                ],
            },
            {"level": "planning", "message": "The plan has no planning steps."},
        ],
        "efficiency": {
            "expected_steps": 4,
            "calls": 5,
            "step_ratio": 1.25,
            "repeated_calls": 1,
            "failed_calls": 0,
            "duration_ms": 1420,
            "tokens": 5200,
        },
        "faults": [
            {
                "tag": "wrong_argument",
                "pointer": "/plan/execution_steps/1",
                "call": 1,
                "message": "`bill` (charge): amount is 4, not 40.",
            },
            {"tag": "premature_end", "message": "The run ends without an answer."},
        ],
        "notes": ["Alternative 3 lists no steps, so no run is compared with it."],
    }
)


def group(score: float | None, results: int = 3) -> PlanGroup:
    return PlanGroup(
        results=results,
        passed=1,
        failed=2,
        pass_rate=1 / 3,
        score=score,
        outcome=score,
        process=0.5,
        step_ratio=1.25,
        evaluated={"score": results},
    )


PLANS = PlanScores(
    overall=group(0.75),
    by_type={"IoT": group(0.5, 1), "Workorder": group(1.0, 2)},
    by_category={"Knowledge Query": group(0.75)},
    by_group={"predictive maintenance of everything": group(None, 1), "retrospective": group(0.5)},
    by_paradigm={"hybrid": group(0.75)},
    by_tag={"missing_step": group(0.0, 2)},
)


def explained(levels: Levels | None) -> why.WhyInput:
    return why.WhyInput(
        suite="shop",
        case_id="refund-0142",
        run="hasty",
        case=e.CASES[0],
        revisions=e.RECORDS["refund-0142"],
        result=e.HASTY_0142.model_copy(update={"levels": levels}),
        observed=e.OBSERVED_HASTY,
    )


def test_an_explanation(golden: Golden) -> None:
    text = why.text(explained(LEVELS))
    golden("why-levels.txt", text)
    assert json.loads(why.json_text(explained(LEVELS)))["result"]["levels"]["score"] == 0.769
    assert "Levels" not in why.text(explained(None))


def test_a_scoreboard(golden: Golden) -> None:
    results = [result.model_copy(update={"plans": PLANS}) for result in e.refund_results()[:2]]
    shown = scoreboard.board(scoreboard.BoardInput(today=e.TODAY, engine="0.3.1", results=results))
    golden("scoreboard-levels.txt", scoreboard.text(shown))
    (suite,) = json.loads(scoreboard.json_text(shown))["suites"]
    assert suite["runs"][0]["plans"]["by_type"]["IoT"]["outcome"] == 0.5
    plain = scoreboard.board(
        scoreboard.BoardInput(today=e.TODAY, engine="0.3.1", results=e.refund_results())
    )
    assert "Levels" not in scoreboard.text(plain)
    assert '"plans"' not in scoreboard.json_text(plain)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (0.0, "0.00"),
        (1.0, "1.00"),
        (0.999999, "0.99"),
        (1e-9, "0.01"),
        (0.875, "0.88"),
    ],
)
def test_only_a_perfect_share_is_shown_as_one(value: float | None, text: str) -> None:
    assert words.share(value) == text


def test_a_case_page() -> None:
    lines = [
        line.model_copy(update={"levels": LEVELS}) if line.run == "hasty" else line
        for line in e.refund_lines()
    ]
    suite = html.SuiteInput(
        suite="shop",
        cases=e.CASES,
        truths=e.refund_truth(),
        revisions=e.RECORDS,
        results=e.refund_results(),
        case_results=lines,
    )
    page = next(text for path, text in html.render(report(suite)).items() if "refund-0142" in path)
    assert page.count("they decide nothing") == 1
    assert "score 0.77, compared with alternative 2" in page
    assert '<th scope="row">premature end</th>' in page
