"""Two branches that wrote the same revision: git conflicts, ``assay renumber`` solves it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assay.files.journal import roll_back
from assay.ledger.hashes import content_hash
from assay.ledger.repository import Repository
from tests.cli.conftest import Run
from tests.gitrepo import GitRepo
from tests.support import finish, make_repository, record

FILE = "truth/records/shop/refund-0142.r{:04d}.json"


def write(root: Path, revision: int, **fields: Any) -> None:
    value = record("refund-0142", revision, **fields)
    (root / FILE.format(revision)).write_text(json.dumps(value))
    finish(root)


def read(root: Path, revision: int) -> dict[str, Any]:
    value = json.loads((root / FILE.format(revision)).read_text())
    assert isinstance(value, dict)
    return value


@pytest.fixture
def both(tmp_path: Path) -> GitRepo:
    """``main`` and ``work`` both have revision 2; both changed the facts, main the end as well."""
    repo = GitRepo.make(finish(make_repository(tmp_path)))
    (tmp_path / ".gitignore").write_text(".assay/\n")
    repo.commit()
    repo.branch("work")
    write(
        repo.root, 2, rationale=["The fee stays."], facts=[{"id": "sum", "any_of": ["$38.00"]}],
        max_calls={"issue_refund": 1},
    )  # fmt: skip
    repo.commit(who="bo")
    repo.checkout("main")
    write(
        repo.root, 2, rationale=["Cents count."], facts=[{"id": "sum", "any_of": ["$40"]}],
        expires="2027-02-01",
    )  # fmt: skip
    repo.commit(who="cy")
    repo.checkout("work")
    return repo


def solved(repo: GitRepo, revision: int = 3) -> None:
    """Main's revision stands as it was, this branch's on top of it, and the check is content."""
    theirs = repo.git("show", f"main:{FILE.format(2)}")
    assert (repo.root / FILE.format(2)).read_text() == theirs
    mine = read(repo.root, revision)
    assert mine["facts"] == [{"id": "sum", "any_of": ["$38.00"]}]
    assert mine["max_calls"] == {"issue_refund": 1}
    assert mine["expires"] == "2027-02-01", "what only main changed is taken over"
    assert mine["rationale"] == ["The fee stays."]
    before = Repository.load(repo.root).revisions["refund-0142"][revision - 2]
    assert mine["supersedes"] == content_hash(before.record)


def test_before_a_merge(both: GitRepo, run: Run) -> None:
    code, out, _ = run("check", "--base", "main")
    assert code == 1
    assert "assay renumber refund-0142" in out
    assert "yours becomes r0003; you both changed: facts" in out
    code, out, err = run("renumber", "refund-0142", "--dry-run")
    assert (code, '"revision": 3' in out) == (0, True)
    assert not (both.root / FILE.format(3)).exists()
    code, out, err = run("renumber", "refund-0142")
    assert code == 0
    assert "you both changed facts" in err
    assert "taken over: expires" in err
    assert out.splitlines() == [FILE.format(2), FILE.format(3)]
    solved(both)
    assert run("fmt", "--check")[0] == 0
    both.commit("renumbered", who="bo")
    assert run("check", "--base", "main")[0] == 0
    both.git("merge", "-q", "--no-edit", "main")
    solved(both)
    assert run("check", "--base", "main")[0] == 0
    code, out, err = run("renumber", "refund-0142")
    assert (code, out, "Nothing collides with main." in err) == (0, "", True)


def test_in_the_middle_of_a_merge(both: GitRepo, run: Run) -> None:
    assert "CONFLICT (add/add)" in both.git("merge", "main", fails=True)
    assert run("check")[0] == 1
    code, _, err = run("renumber", "refund-0142")
    assert code == 0
    assert "git commit --no-edit" in err
    solved(both)
    both.git("add", FILE.format(2), FILE.format(3))
    both.git("commit", "-q", "--no-edit")
    assert run("check", "--base", "main")[0] == 0


def test_in_the_middle_of_a_rebase_with_two_commits(both: GitRepo, run: Run) -> None:
    write(
        both.root, 3, rationale=["Once more."], facts=[{"id": "sum", "any_of": ["$38.00"]}],
        max_calls={"issue_refund": 2},
    )  # fmt: skip
    both.commit(who="bo")
    both.git("rebase", "main", fails=True)
    assert "git rebase --continue" in run("renumber")[2]
    solved(both)
    both.git("add", "truth")
    both.git("rebase", "--continue", fails=True)
    assert run("renumber")[0] == 0
    solved(both)
    last = read(both.root, 4)
    assert last["expires"] == "2027-02-01"
    assert last["max_calls"] == {"issue_refund": 2}
    both.git("add", "truth")
    both.git("rebase", "--continue")
    assert run("check", "--base", "main")[0] == 0
    assert both.git("diff", "--name-only", "main").split() == [FILE.format(3), FILE.format(4)]


def test_several_on_top_of_several(both: GitRepo, run: Run) -> None:
    write(both.root, 3, change="wording", rationale=["Third of mine."], max_calls=None)
    both.commit(who="bo")
    both.checkout("main")
    write(both.root, 3, rationale=["Third of main."], facts=[{"id": "sum", "any_of": ["$41"]}])
    both.commit(who="cy")
    both.checkout("work")
    _, out, _ = run("check", "--base", "main")
    assert "yours becomes r0004" in out
    assert "yours becomes r0005" in out
    code, out, _ = run("renumber")
    assert code == 0
    assert out.splitlines() == [FILE.format(number) for number in (2, 3, 4, 5)]
    assert [read(both.root, n)["rationale"][0] for n in (2, 3, 4, 5)] == [
        "Cents count.", "Third of main.", "The fee stays.", "Third of mine.",
    ]  # fmt: skip
    both.commit(who="bo")
    assert "HIS" not in run("check", "--base", "main")[1]


def test_not_committed_yet(both: GitRepo, run: Run) -> None:
    both.git("reset", "-q", "HEAD^")
    assert run("renumber", "refund-0142")[0] == 0
    solved(both)


def test_a_change_that_no_longer_fits_gets_the_one_that_does(both: GitRepo, run: Run) -> None:
    both.checkout("main")
    write(both.root, 3, status="disputed", change="dispute", facts=None)
    both.commit(who="cy")
    both.checkout("work")
    value = read(both.root, 2)
    value["change"] = "policy"
    (both.root / FILE.format(2)).write_text(json.dumps(value))
    code, _, err = run("renumber", "refund-0142")
    assert code == 0
    assert "`policy` does not fit what it now follows: `correction`" in " ".join(err.split())
    assert read(both.root, 4)["change"] == "correction"


def test_nothing_goes_on_top_of_a_retired_record(both: GitRepo, run: Run) -> None:
    both.checkout("main")
    write(both.root, 3, status="retired", change="retire")
    both.commit(who="cy")
    both.checkout("work")
    before = (both.root / FILE.format(2)).read_bytes()
    code, _, err = run("renumber", "refund-0142")
    assert (code, "retired, which is final" in err) == (3, True)
    assert (both.root / FILE.format(2)).read_bytes() == before


def test_json_and_wrong_use(both: GitRepo, run: Run) -> None:
    code, out, _ = run("renumber", "--format", "json", "--dry-run")
    assert code == 0
    shown = json.loads(out)
    [case] = shown["cases"]
    assert case["stays"] == [FILE.format(2)]
    assert [(m["was"], m["path"]) for m in case["moved"]] == [(FILE.format(2), FILE.format(3))]
    assert case["moved"][0]["both_changed"] == ["facts"]
    assert shown["written"] == []
    assert run("renumber", "refund-014")[0] == 2
    assert run("renumber", "--base", "nowhere")[0] == 2


def test_a_killed_command_is_rolled_back(
    both: GitRepo, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from assay.files import journal

    mine = (both.root / FILE.format(2)).read_bytes()
    real, moves = journal.os.replace, []

    def replace(source: Any, target: Any) -> None:
        if ".assay" in str(source) and ".assay" not in str(target):
            if moves:
                raise KeyboardInterrupt
            moves.append(target)
        real(source, target)

    monkeypatch.setattr(journal.os, "replace", replace)
    assert run("renumber")[0] == 130
    monkeypatch.undo()
    assert journal.pending(both.root)
    assert roll_back(both.root) == 1
    assert (both.root / FILE.format(2)).read_bytes() == mine
    assert not (both.root / FILE.format(3)).exists()
    assert run("renumber")[0] == 0
    solved(both)
