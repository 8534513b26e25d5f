"""The table of docs/tau-bench.md, counted again."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from assay.intake.draft_folder import write_drafts
from assay.ledger.repository import Repository
from assay.pipeline.direct import judge, score_files
from assay.scoring.selection import Selection
from tests.intake.support import shared_data

ROOT = Path(__file__).parents[2]


@pytest.mark.data
def test_verdicts_agree_with_the_reward(tmp_path: Path) -> None:
    file = shared_data("runs", "tau-bench", "gpt-4o-airline.even-tasks.json")
    folder = tmp_path / "drafts"
    write_drafts("tau-bench", file, folder, suite="drafts", owner="owner", writes=())
    judged = judge(Repository.load(folder))
    assert not judged.broken
    (scored,) = score_files(judged, [file], Selection(statuses=("draft",)))
    rewards = {
        (entry["task_id"], entry["trial"]): entry["reward"] == 1.0
        for entry in json.loads(file.read_text(encoding="utf-8"))
    }
    table: Counter[tuple[bool, bool]] = Counter()
    apart: list[tuple[int, int]] = []
    evidence: Counter[str] = Counter()
    for line in scored.lines:
        task = int(line.case_id.rsplit("-", 1)[1])
        passed, reward = line.outcome == "passed", rewards[task, line.trial]
        table[passed, reward] += 1
        if passed != reward:
            apart.append((task, line.trial))
        if line.outcome == "failed":
            evidence.update(
                item.kind
                for part in line.components
                for item in part.evidence
                if item.outcome == "failed"
            )
    assert dict(table) == {(True, True): 49, (True, False): 1, (False, False): 50}
    assert apart == [(46, 3)]
    page = (ROOT / "docs/tau-bench.md").read_text(encoding="utf-8")
    assert f"carry {evidence.total()} pieces of evidence" in page
    assert f"{evidence['wrong_argument']} calls of the right tool" in page
    assert scored.result.exploratory
