"""Cases that are checked one by one come to what the shipped runs are scored to."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.intake.runs.load import load_runs
from assay.ledger.repository import Repository
from assay.pipeline.direct import judge, score_files
from assay.scoring.selection import Selection
from assay.testing import load_cases
from tests.architecture.source import ROOT

pytestmark = pytest.mark.domain

PATHS = sorted((ROOT / "runs").glob("*/*.jsonl"))


@pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_same_result(path: Path) -> None:
    (scored,) = score_files(judge(Repository.load(ROOT)), [path], Selection())
    entries = {(entry.case_id, entry.trial): entry for entry in load_runs(path)}
    trials = 1 + max(trial for _, trial in entries)
    cases = load_cases(ROOT, suite=path.parent.name, run=path.stem, trials=trials, holdout=True)
    lines = [
        case.score(entries[case.id, case.trial]).result
        for case in cases
        if (case.id, case.trial) in entries
    ]
    assert lines == list(scored.lines)
    (result,) = cases.results()
    # A session knows all of its cases.
    assert result == scored.result.model_copy(update={"unknown_cases": {}})
