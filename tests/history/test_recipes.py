"""The three recipes of CONTRIBUTING.md, as pull requests: by commands, and by hand.

By hand nothing derived is written. The check is then red, the finished file is offered, and with
it the check is green: what somebody can do who has a browser and nothing else.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run, run
from tests.gitrepo import GitRepo
from tests.support import CANARY, case, finish, make_repository

__all__ = ["run"]

FIRST = "truth/records/shop/refund-0142.r0001.json"
NEXT = "truth/records/shop/refund-0142.r0002.json"
NEW = "truth/records/shop/refund-0900.r0001.json"
WHY = "Clause 3.2 pays once; a second payment went through in three runs."
STATE = {"orders": {"0142": {"paid": 40, "status": "delivered"}}}


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    """A repository on ``main``, with the branch ``work`` checked out."""
    made = GitRepo.make(finish(make_repository(tmp_path)))
    (tmp_path / ".gitignore").write_text(".assay/\n")
    made.commit()
    made.branch("work")
    return made


def green(repo: GitRepo, run: Run) -> None:
    """The pull request may be merged."""
    code, out, _ = run("check", "--base", "main")
    assert code == 0, out


def red_then_finished(repo: GitRepo, run: Run, *paths: str) -> None:
    """The check is red; each file is offered finished, in the comment too; with it all is green."""
    code, out, _ = run("check", "--base", "main", "--format", "json")
    found = [f for f in json.loads(out)["findings"] if f["severity"] == "error"]
    assert code == 1
    assert {f["path"] for f in found if f["code"] == "REC001"} == set(paths)
    assert all("assay fmt" in f["hint"] for f in found)
    code, out, _ = run("diff", "main..HEAD", "--format", "json")
    offered = {item["revisions"][-1]["path"]: item["finished"] for item in json.loads(out)["cases"]}
    assert (code, set(paths) <= set(offered)) == (1, True)
    comment = run("diff", "main..HEAD", "--format", "markdown")[1]
    for path in paths:
        typed = (repo.root / path).read_text()
        assert offered[path]
        assert offered[path] != typed
        assert offered[path] in comment, "it can be pasted from the comment"
        assert run("fmt", "--stdout", str(repo.root / path))[1] == offered[path]
        # Whatever a person wrote is still there.
        before, after = json.loads(typed), json.loads(offered[path])
        assert {name: after[name] for name in before} == before
        (repo.root / path).write_text(offered[path])
    repo.commit("pasted")


def write(root: Path, path: str, value: dict[str, Any]) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(json.dumps(value, indent=4) + "\n")


# -- a record is wrong ----------------------------------------------------------------------------


def test_a_wrong_record_by_command(repo: GitRepo, run: Run) -> None:
    code, _, err = run(
        "revise", "refund-0142", "--change", "correction", "--why", WHY, "--set",
        'max_calls={"issue_refund": 1}',
    )  # fmt: skip
    assert (code, "Next" in err) == (0, True)
    repo.commit()
    green(repo, run)


def test_a_wrong_record_by_hand(repo: GitRepo, run: Run) -> None:
    value = json.loads((repo.root / FIRST).read_text())
    value.pop("case_digest")
    value |= {"revision": 2, "change": "correction", "rationale": [WHY]}
    write(repo.root, NEXT, {**value, "max_calls": {"issue_refund": 1}})
    repo.commit()
    red_then_finished(repo, run, NEXT)
    assert len(json.loads((repo.root / NEXT).read_text())["supersedes"]) == 64
    green(repo, run)


def test_a_doubt_by_command_and_by_hand(repo: GitRepo, run: Run) -> None:
    assert run("dispute", "refund-0142", "--why", "A day before the window closed.")[0] == 0
    by_command = (repo.root / NEXT).read_text()
    green(repo, run)
    (repo.root / NEXT).unlink()
    value = json.loads((repo.root / FIRST).read_text())
    value.pop("case_digest")
    value |= {"revision": 2, "status": "disputed", "change": "dispute"}
    write(repo.root, NEXT, {**value, "rationale": ["A day before the window closed."]})
    repo.commit()
    red_then_finished(repo, run, NEXT)
    assert (repo.root / NEXT).read_text() == by_command
    green(repo, run)


# -- a new case -----------------------------------------------------------------------------------


def test_a_new_case_by_command(repo: GitRepo, run: Run) -> None:
    code, out, err = run(
        "new", "refund-0900", "--suite", "shop", "--slice", "window", "--template", "late",
        "--text", "I got order 0142 45 days ago. May I still send it back?", "--policy",
        "refunds-v7", "--clause", "refunds-v7#3.2", "--as-of", "2026-11-20", "--expires", "6m",
        "--forbid", "issue_refund", "--fact", "window=30 days | thirty days", "--why",
        "Day 45 is outside the window of thirty days.",
    )  # fmt: skip
    assert (code, out.splitlines()[-1]) == (0, NEW), err
    repo.commit()
    green(repo, run)
    code, out, _ = run("truth", "show", "refund-0900")
    assert "draft" in out


def test_a_new_case_by_hand(repo: GitRepo, run: Run) -> None:
    text = "I got order 0142 45 days ago. May I still send it back?"
    write(
        repo.root,
        "cases/shop/refund-0900.evalset.json",
        {
            "eval_set_id": "shop-refund-0900",
            "description": f"canary {CANARY}",
            "eval_cases": [case("refund-0900", text, STATE)],
        },
    )
    suite = repo.root / "cases/shop/suite.yaml"
    suite.write_text(suite.read_text() + "  refund-0900: {slice: window, template: late}\n")
    write(
        repo.root,
        NEW,
        {
            "schema_version": 1,
            "case_id": "refund-0900",
            "revision": 1,
            "status": "draft",
            "change": "new",
            "rationale": ["Day 45 is outside the window of thirty days, clause 3.2."],
            "clauses": ["refunds-v7#3.2"],
            "forbidden_tools": ["issue_refund"],
            "facts": [{"id": "window", "any_of": ["30 days", "thirty days"]}],
            "policy_version": "refunds-v7",
            "as_of": "2026-11-20",
            "expires": "2027-05-20",
        },
    )
    repo.commit()
    red_then_finished(repo, run, NEW)
    green(repo, run)


# -- a policy changes -----------------------------------------------------------------------------


def new_version(repo: GitRepo) -> None:
    """A text that says something else in clause 3.2, and its entry, without a digest."""
    text = "# Refunds\n\n## 3.2 Window\n\nTwenty days from delivery.\n"
    (repo.root / "truth/policies/refunds-v9.md").write_text(text)
    path = repo.root / "truth/policies.yaml"
    entry = '      - version: refunds-v9\n        effective: "2027-06-01"\n'
    path.write_text(f"{path.read_text()}{entry}        file: policies/refunds-v9.md\n")


AGAIN = "Nine days after delivery, so inside the twenty of version 9."


def test_a_policy_by_command(repo: GitRepo, run: Run) -> None:
    new_version(repo)
    assert run("fmt")[0] == 0
    code, out, _ = run(
        "check", "--today", "2027-06-01", "--policy", "refunds-v9", "--select", "POL001"
    )
    assert (code, "refund-0142" in out) == (0, True), "what it does before it happens"
    code, out, _ = run("campaign", "open", "--policy", "refunds-v9", "--id", "nine", "--dry-run")
    assert (code, "1 case" in out) == (0, True)
    assert run("campaign", "open", "--policy", "refunds-v9", "--id", "nine")[0] == 0
    repo.commit()
    green(repo, run)
    code, _, err = run(
        "revise", "refund-0142", "--change", "policy", "--policy", "refunds-v9", "--clause",
        "refunds-v9#3.2", "--as-of", "2026-11-30", "--expires", "1y", "--why", AGAIN,
    )  # fmt: skip
    assert code == 0, err
    repo.commit()
    green(repo, run)
    code, out, _ = run("campaign", "status", "nine", "--format", "json")
    assert json.loads(out)["campaigns"][0]["states"]["done"] == 1
    assert run("campaign", "close", "nine")[0] == 0
    counts = json.loads(run("truth", "show", "refund-0142", "--format", "json")[1])["counting"]
    assert counts == 1, "until the policy takes effect, the old label counts"


def test_a_policy_by_hand(repo: GitRepo, run: Run) -> None:
    new_version(repo)
    repo.commit()
    code, out, _ = run("check", "--base", "main", "--format", "json")
    [found] = [f for f in json.loads(out)["findings"] if f["severity"] == "error"]
    assert (code, found["path"]) == (1, "truth/policies.yaml")
    digest = found["hint"].split("digest: ")[1].split()[0].strip("`")
    path = repo.root / "truth/policies.yaml"
    path.write_text(f"{path.read_text()}        digest: {digest}\n")
    repo.commit()
    green(repo, run)
    value = json.loads((repo.root / FIRST).read_text())
    value.pop("case_digest")
    value |= {
        "revision": 2, "change": "policy", "policy_version": "refunds-v9", "rationale": [AGAIN],
        "clauses": ["refunds-v9#3.2"], "as_of": "2026-11-30", "expires": "2027-11-30",
    }  # fmt: skip
    write(repo.root, NEXT, value)
    repo.commit()
    red_then_finished(repo, run, NEXT)
    green(repo, run)
