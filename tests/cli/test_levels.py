"""The three levels from the command line: score, why, and a suite without plans."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.support import finish, make_repository, record

PLAN: dict[str, Any] = {
    "planning_steps": [
        {"agent": "orders", "instruction": "Look the order up"},
        {"agent": "payments", "instruction": "Pay the amount back"},
    ],
    "execution_steps": [
        {
            "name": "look",
            "action": "lookup_order",
            "agent": "orders",
            "arguments": {"order_id": "0142"},
            "outputs": ["order"],
        },
        {
            "name": "pay",
            "action": "issue_refund",
            "agent": "payments",
            "arguments": {"order_id": "0142", "amount": 40},
        },
        {"name": "finish", "action": "Finish", "agent": "orders"},
    ],
    "execution_links": [
        {"source": "look", "target": "pay"},
        {"source": "pay", "target": "finish"},
    ],
}


def repository(root: Path, **fields: Any) -> None:
    finish(make_repository(root, [record("refund-0142", **fields)]))
    calls = [{"name": "refund_order", "args": {"order_id": "0142", "amount": 50}, "outcome": "ok"}]
    entry = {
        "schema_version": 1,
        "run": "r",
        "case_id": "refund-0142",
        "turns": [{"answer": "You get $40.00.", "tool_calls": calls}],
        "final_answer": "You get $40.00.",
        "unknown": ["planning_steps"],
    }
    folder = root / "runs" / "shop"
    folder.mkdir(parents=True)
    (folder / "r.jsonl").write_text(json.dumps(entry) + "\n", encoding="utf-8")


@pytest.fixture
def planned(tmp_path: Path) -> Path:
    repository(tmp_path, plan=PLAN)
    return tmp_path


def test_score_writes_and_shows_levels(planned: Path, run: Run) -> None:
    code, out, err = run("score", "--runs", "r", "--out", str(planned / "scores"))
    assert code == 0, err
    assert "Levels of shop, beside pass and fail" in out
    assert "results with failure tag" in out
    result = json.loads((planned / "scores/shop/r.json").read_text(encoding="utf-8"))
    overall = result["plans"]["overall"]
    assert overall["results"] == overall["failed"] == 1
    assert overall["evaluated"]["planning"] == 0
    assert set(result["plans"]["by_tag"]) == {"missing_step", "wrong_argument"}
    (line,) = (planned / "scores/shop/r.jsonl").read_text(encoding="utf-8").splitlines()
    levels = json.loads(line)["levels"]
    assert [part.get("weight") for part in levels["levels"]] == [0.625, 0.375, None]
    assert [(f["tag"], f["pointer"]) for f in levels["faults"]] == [
        ("missing_step", "/plan/execution_steps/0"),
        ("wrong_argument", "/plan/execution_steps/1"),
    ]


def test_why_shows_what_they_are_made_of(planned: Path, run: Run) -> None:
    code, out, err = run("why", "refund-0142", "--run", "r")
    assert code == 0, err
    assert "they decide nothing" in out
    assert "y3 1.00 · 1 of 1 answers and facts are as expected." in out
    assert "wrong argument  `pay` (issue_refund): amount is 50, not 40." in out
    assert "1 call for 2 steps (0.50)" in out


def test_weights_are_part_of_the_context(planned: Path, run: Run) -> None:
    def scored() -> tuple[str, float]:
        (result,) = json.loads(run("score", "--runs", "r", "--format", "json")[1])["results"]
        return result["id"], result["plans"]["overall"]["score"]

    before = scored()
    params = planned / "params.yaml"
    weights = "weights: {outcome: 0.2, process: 0.8, planning: 0}\n"
    params.write_text(params.read_text(encoding="utf-8") + weights, encoding="utf-8")
    after = scored()
    assert before[0] != after[0]
    assert before[1] != after[1]


def test_a_suite_without_plans_has_nothing_of_it(tmp_path: Path, run: Run) -> None:
    repository(tmp_path)
    code, out, _ = run("score", "--runs", "r", "--out", str(tmp_path / "scores"))
    assert code == 0
    assert "Levels" not in out
    for name in ("r.json", "r.jsonl"):
        text = (tmp_path / "scores/shop" / name).read_text(encoding="utf-8")
        assert "levels" not in text
        assert "plans" not in text
    assert "Levels" not in run("why", "refund-0142", "--run", "r")[1]
