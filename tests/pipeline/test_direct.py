"""Scoring in one process and through the stages: the same truth gives the same result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assay.errors import RefusedError
from assay.files.model_text import model_line, model_text
from assay.ledger.repository import Repository
from assay.models.run import ObservedRun
from assay.pipeline.direct import judge, score_files
from assay.pipeline.explaining import explain
from assay.pipeline.naming import run_files
from assay.pipeline.report import report_stage
from assay.pipeline.score import score_stage
from assay.pipeline.splits import splits_stage
from assay.pipeline.truth import truth_stage
from assay.scoring.selection import Selection
from tests.support import case, finish, make_repository, record

CASES = ("refund-0142", "refund-0143", "refund-0144")


def entry(case_id: str, trial: int, **fields: Any) -> ObservedRun:
    """A run that does what the record asks for, but for `fields`."""
    call = {"name": "refund_order", "args": {"order_id": "0142", "amount": 40}, "outcome": "ok"}
    value = {
        "run": "agent",
        "case_id": case_id,
        "trial": trial,
        "turns": [{"tool_calls": [call]}],
        "final_answer": "You get $40 back.",
        **fields,
    }
    return ObservedRun.model_validate(value)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Three cases, of which one is disputed, and a run of three trials."""
    records = [record(name) for name in CASES]
    records.append(record(CASES[2], 2, status="disputed", change="dispute"))
    cases = [case(name, f"Please refund order {name[-4:]}.", {"paid": 40}) for name in CASES]
    make_repository(tmp_path, records, cases)
    finish(tmp_path)
    lines = [
        entry(CASES[0], 0),
        entry(CASES[0], 1, final_answer=None, unknown=["final_answer", "answer"]),
        entry(CASES[0], 2, turns=[{}]),
        entry(CASES[1], 0),
        entry(CASES[2], 0),
    ]
    target = tmp_path / "runs/shop/agent.jsonl"
    target.parent.mkdir(parents=True)
    target.write_text("".join(map(model_line, lines)), encoding="utf-8")
    return tmp_path


def test_the_stages_and_the_command_agree_to_the_byte(root: Path) -> None:
    assert truth_stage(root, []) == 0
    assert splits_stage(root, []) == 0
    assert score_stage(root, ["shop"]) == 0
    assert report_stage(root, []) == 0
    (scored,) = score_files(
        judge(Repository.load(root)), run_files(root, ["agent"]), Selection(allow_empty=True)
    )
    folder = root / "scores/shop"
    assert (folder / "agent.json").read_text(encoding="utf-8") == model_text(scored.result)
    lines = "".join(map(model_line, scored.lines))
    assert (folder / "agent.jsonl").read_text(encoding="utf-8") == lines
    assert "agent" in (root / "report/scoreboard.txt").read_text(encoding="utf-8")
    overall = scored.result.overall
    assert (overall.passed, overall.failed, overall.not_evaluated) == (2, 1, 1)
    assert (overall.excluded, overall.unmatched, overall.expected) == (1, 0, 5)
    assert [item.codes for item in scored.result.excluded] == [("STA001",)]


def test_why_explains_the_gravest_trial(root: Path) -> None:
    found = explain(Repository.load(root), CASES[0], "agent", None)
    assert found.result is not None
    assert (found.result.trial, found.result.outcome) == (2, "failed")
    assert found.observed is not None
    assert found.observed.trial == 2
    assert {line.trial for line in found.peers} == {0, 1, 2}


def test_why_shows_the_trial_that_is_asked_for(root: Path) -> None:
    found = explain(Repository.load(root), CASES[0], "agent", 1)
    assert found.result is not None
    assert found.result.outcome == "not_evaluated"
    with pytest.raises(RefusedError, match="no trial 8"):
        explain(Repository.load(root), CASES[0], "agent", 7)


def test_why_says_what_excludes_a_case(root: Path) -> None:
    found = explain(Repository.load(root), CASES[2], "agent", None)
    assert found.result is None
    assert [exclusion.code for exclusion in found.exclusions] == ["STA001"]
