"""``assay score --truth-at`` and ``assay why --trial``: past truth, and trials counted from one."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.support import finish, make_repository


def git(root: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository with one committed revision and a run of two trials."""
    finish(make_repository(tmp_path))
    entries = [
        {"run": "r", "case_id": "refund-0142", "trial": trial, "final_answer": answer,
         "turns": [{"answer": answer}]}
        for trial, answer in enumerate(["Done.", "Gone."])
    ]  # fmt: skip
    folder = tmp_path / "runs" / "shop"
    folder.mkdir(parents=True)
    text = "".join(json.dumps({"schema_version": 1, **entry}) + "\n" for entry in entries)
    (folder / "r.jsonl").write_text(text, encoding="utf-8")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "first")
    return tmp_path


def scored(run: Run, *options: str) -> tuple[str, str]:
    code, out, err = run("score", "--runs", "r", "--format", "json", *options)
    assert code == 0, err
    (result,) = json.loads(out)["results"]
    return result["id"], result["context"]["truth"]


def test_a_past_result_is_made_again_under_the_truth_of_its_day(root: Path, run: Run) -> None:
    before = scored(run)
    why = ("--change", "correction", "--why", "The amount was wrong.")
    assert run("revise", "refund-0142", *why, "--forbid", "send_mail")[0] == 0
    after = scored(run)
    assert after[0] != before[0]
    assert scored(run, "--truth-at", "HEAD") == before
    git(root, "add", "-A")
    git(root, "commit", "-qm", "second")
    assert scored(run, "--truth-at", "HEAD~1") == before
    assert scored(run, "--truth-at", "HEAD") == after
    assert run("score", "--runs", "r", "--truth-at", "HEAD~1")[0] == 0


def test_truth_that_is_not_there_is_refused(root: Path, run: Run) -> None:
    code, _, err = run("score", "--truth-at", "nowhere")
    assert (code, "There is no commit `nowhere`." in err) == (2, True)
    git(root, "mv", "truth", "elsewhere")
    git(root, "commit", "-qm", "moved")
    git(root, "mv", "elsewhere", "truth")
    code, _, err = run("score", "--truth-at", "HEAD")
    assert (code, "There is no truth/ at commit" in err) == (3, True)
    (root / ".git").rename(root / "gone")
    code, _, err = run("score", "--truth-at", "HEAD")
    assert code == 3
    assert "no git history" in err


def test_trials_are_counted_from_one(root: Path, run: Run) -> None:
    first, second = (
        run("why", "refund-0142", "--run", "r", "--trial", trial)[1] for trial in ("1", "2")
    )
    assert "in trial 1" in first
    assert "in trial 2" in second
    assert run("why", "refund-0142", "--run", "r", "--trial", "0")[0] == 2
    code, _, err = run("why", "refund-0142", "--run", "r", "--trial", "3")
    assert code == 3
    assert "`r` has no trial 3 of refund-0142" in err
    assert "trials: 1, 2" in err


def test_of_many_files_one_that_cannot_be_read_costs_itself(root: Path, run: Run) -> None:
    torn = root / "runs/shop/torn.jsonl"
    torn.write_text('{"schema_version": 1, "run": "t', encoding="utf-8")
    code, out, err = run("score", "--runs", str(root / "runs"), "--format", "json")
    assert code == 1
    assert [result["subject"]["run"] for result in json.loads(out)["results"]] == ["r"]
    assert "torn.jsonl" in err
    code, out, err = run("score", "--runs", str(torn))
    assert (code, out) == (1, "")
    assert "torn.jsonl" in err
