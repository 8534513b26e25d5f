"""Pull requests as git makes them: what the check with --base says of each."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from assay.checks.runner import run_checks
from assay.ledger.changes import branch_history, main_history
from assay.ledger.repository import Repository
from tests.gitrepo import GitRepo
from tests.rules.harness import BASE, write_record

LAMP = "truth/records/shop/lamp.r0001.json"
NEXT = "truth/records/shop/lamp.r0002.json"


def make(root: Path) -> GitRepo:
    """The base of the rules, committed to main, with the branch ``work`` checked out."""
    shutil.copytree(BASE, root)
    repo = GitRepo.make(root)
    repo.commit("begin")
    repo.branch("work")
    return repo


def revise(repo: GitRepo, name: str = "lamp.r0002", why: str = "A second look agrees.") -> None:
    case = name.split(".")[0]
    before = f"{case}.r{int(name[-4:]) - 1:04d}"
    write_record(
        repo.root, name, {"like": before, "change": "correction", "rationale": [why, "As before."]}
    )


def edit(repo: GitRepo, path: str = LAMP) -> None:
    place = repo.root / path
    place.write_text(place.read_text().replace("window of thirty", "window of 30"))


def codes(repo: GitRepo, base: str = "main") -> list[str]:
    history = branch_history(repo.root, base)
    report = run_checks(Repository.load(repo.root), history=history)
    return [item.code for item in report.findings if item.severity == "error"]


def merged(repo: GitRepo) -> None:
    """Main moved on and was merged into the branch."""
    revise(repo)
    repo.commit(who="bo")
    repo.checkout("main")
    revise(repo, "bearing.r0002")
    repo.commit(who="cy")
    repo.checkout("work")
    repo.git("merge", "-q", "--no-edit", "main")


def evil_merge(repo: GitRepo) -> None:
    """The merge commit edits a merged file, which neither side did."""
    revise(repo)
    repo.commit(who="bo")
    repo.checkout("main")
    revise(repo, "bearing.r0002")
    repo.commit(who="cy")
    repo.checkout("work")
    repo.git("merge", "-q", "--no-commit", "--no-ff", "main")
    edit(repo)
    repo.commit("merge")


def rebased(repo: GitRepo) -> None:
    merged(repo)
    repo.git("rebase", "-q", "main")


def squashed(repo: GitRepo) -> None:
    revise(repo)
    repo.commit()
    revise(repo, "lamp.r0003", "And a third.")
    repo.commit()
    repo.git("reset", "-q", "--soft", "main")
    repo.commit("squashed")


def reverted(repo: GitRepo) -> None:
    """A revision that is on main is reverted: that deletes it."""
    repo.checkout("main")
    revise(repo)
    repo.commit(who="cy")
    repo.git("branch", "-f", "work", "main")
    repo.checkout("work")
    repo.git("revert", "--no-edit", "HEAD")


def detached(repo: GitRepo) -> None:
    revise(repo)
    repo.git("checkout", "-q", repo.commit())


def crlf(repo: GitRepo) -> None:
    place = repo.root / LAMP
    place.write_bytes(place.read_bytes().replace(b"\n", b"\r\n"))
    repo.commit()


def submodule(repo: GitRepo) -> None:
    other = GitRepo.make(repo.root.parent / "other")
    (other.root / "lamp.r0002.json").write_text("{}")
    other.commit()
    repo.git("submodule", "add", "-q", str(other.root), "truth/records/more")
    repo.commit()


def folder_is_a_link(repo: GitRepo) -> None:
    (repo.root / "truth/records").rename(repo.root / "records")
    (repo.root / "truth/records").symlink_to("../records")
    repo.commit()


def wrong_key(repo: GitRepo) -> None:
    revise(repo)
    place = repo.root / NEXT
    place.write_text(place.read_text().replace('"revision": 2', '"revision": 1'))
    repo.commit()


def gap(repo: GitRepo) -> None:
    revise(repo)
    (repo.root / NEXT).rename(repo.root / "truth/records/shop/lamp.r0003.json")
    place = repo.root / "truth/records/shop/lamp.r0003.json"
    place.write_text(place.read_text().replace('"revision": 2', '"revision": 3'))
    repo.commit()


def two_digits(repo: GitRepo) -> None:
    revise(repo)
    (repo.root / NEXT).rename(repo.root / "truth/records/shop/lamp.r002.json")
    repo.commit()


def renamed_only(repo: GitRepo) -> None:
    repo.git("mv", LAMP, "truth/records/shop/lampe.r0001.json")
    repo.commit()


def criss_cross(repo: GitRepo) -> None:
    """Two merge bases; the edit differs from both."""
    revise(repo)
    mine = repo.commit(who="bo")
    repo.checkout("main")
    revise(repo, "bearing.r0002")
    theirs = repo.commit(who="cy")
    repo.git("merge", "-q", "--no-edit", mine)
    repo.checkout("work")
    repo.git("merge", "-q", "--no-edit", theirs)
    edit(repo, NEXT)
    place = repo.root / NEXT
    place.write_text(place.read_text().replace("agrees", "disagrees"))
    repo.commit()


def index_hides_it(repo: GitRepo) -> None:
    """An edited file that git is told not to look at is still committed as it was."""
    repo.git("update-index", "--assume-unchanged", LAMP)


SCENES: list[tuple[Callable[[GitRepo], None], list[str]]] = [
    (merged, []),
    (evil_merge, ["HIS001"]),
    (rebased, []),
    (squashed, []),
    (reverted, ["HIS002"]),
    (detached, []),
    (crlf, ["HIS001", "REC001"]),
    (submodule, ["FIL002", "FIL004", "HIS003"]),
    (folder_is_a_link, ["HIS002", "HIS003"]),
    (wrong_key, ["FIL003"]),
    (gap, ["REC002"]),
    (two_digits, ["FIL004"]),
    (renamed_only, ["FIL003", "HIS002"]),
    (criss_cross, ["HIS001"]),
    (index_hides_it, []),
]


@pytest.mark.parametrize(("scene", "expected"), SCENES, ids=lambda x: getattr(x, "__name__", ""))
def test_a_pull_request(
    scene: Callable[[GitRepo], None], expected: list[str], tmp_path: Path
) -> None:
    repo = make(tmp_path / "r")
    scene(repo)
    assert sorted(set(codes(repo))) == expected


def test_two_branches_that_add_one_revision_conflict_in_git(tmp_path: Path) -> None:
    repo = make(tmp_path / "r")
    revise(repo)
    repo.commit(who="bo")
    repo.checkout("main")
    revise(repo, why="Somebody else looked.")
    repo.commit(who="cy")
    repo.checkout("work")
    assert codes(repo) == ["HIS004"]
    assert "CONFLICT (add/add)" in repo.git("merge", "main", fails=True)


def call(repo: Path, *arguments: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "assay.cli.main", "-C", str(repo), "check", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout + done.stderr


def test_history_that_is_cut_off_never_passes(tmp_path: Path) -> None:
    repo = make(tmp_path / "r")
    for number in range(2, 5):
        revise(repo, f"lamp.r{number:04d}")
        repo.commit()
    first = repo.git("rev-list", "--max-parents=0", "HEAD").strip()
    shallow = tmp_path / "shallow"
    repo.git("clone", "-q", "--depth", "1", "-b", "work", f"file://{repo.root}", str(shallow))
    for option in ("--base", "--since"):
        code, said = call(shallow, option, first)
        assert code == 3
        assert "git fetch --unshallow" in said
    GitRepo(shallow).git("fetch", "-q", "--unshallow")
    assert call(shallow, "--base", first)[0] == 0


def test_a_tip_without_common_history_is_refused(tmp_path: Path) -> None:
    repo = make(tmp_path / "r")
    other = GitRepo.make(tmp_path / "other")
    other.commit()
    repo.git("fetch", "-q", str(other.root), "main:elsewhere")
    code, said = call(repo.root, "--base", "elsewhere")
    assert code == 3
    assert "they share no history" in said


def test_no_git_is_refused_and_an_unknown_commit_is_wrong_use(tmp_path: Path) -> None:
    shutil.copytree(BASE, tmp_path / "plain")
    assert call(tmp_path / "plain", "--base", "main")[0] == 3
    repo = make(tmp_path / "r")
    code, said = call(repo.root, "--base", "mian")
    assert code == 2
    assert "There is no commit `mian`." in said
    assert call(repo.root, "--base", "main", "--since", "main")[0] == 2
    assert call(repo.root, "--base", "--output=/tmp/x")[0] == 2


def test_a_benchmark_below_the_top_of_its_repository(tmp_path: Path) -> None:
    repo = GitRepo.make(tmp_path / "r")
    shutil.copytree(BASE, repo.root / "bench")
    (repo.root / "truth").mkdir()
    (repo.root / "truth/other.txt").write_text("not ours")
    repo.commit()
    repo.branch("work")
    (repo.root / "truth/other.txt").write_text("still not ours")
    edit(repo, f"bench/{LAMP}")
    repo.commit()
    report = run_checks(
        Repository.load(repo.root / "bench"), history=branch_history(repo.root / "bench", "main")
    )
    assert [(f.code, f.path) for f in report.findings] == [("HIS001", LAMP)]


def test_settings_of_the_user_change_nothing(tmp_path: Path) -> None:
    repo = make(tmp_path / "r")
    edit(repo)
    repo.git("mv", NEXT.replace("lamp.r0002", "bearing.r0001"), NEXT)
    repo.commit()
    before = codes(repo)
    (repo.root / "order").write_text("truth/records/*\n")
    for key, value in {
        "diff.orderFile": str(repo.root / "order"),
        "diff.renames": "copies",
        "diff.external": "/bin/false",
        "diff.noprefix": "true",
        "diff.autoRefreshIndex": "false",
        "core.quotePath": "true",
        "diff.ignoreSubmodules": "all",
        "diff.relative": "true",
        "color.ui": "always",
    }.items():
        repo.git("config", key, value)
    assert codes(repo) == before
    assert {"HIS001", "HIS002"} <= set(before)


def test_touched_files_are_not_edited_files(tmp_path: Path) -> None:
    repo = make(tmp_path / "r")
    repo.git("config", "diff.autoRefreshIndex", "false")
    (repo.root / LAMP).touch()
    assert codes(repo) == []


def test_each_commit_of_main_is_looked_at(tmp_path: Path) -> None:
    repo = make(tmp_path / "r")
    start = repo.head()
    revise(repo)
    repo.commit()
    (repo.root / LAMP).unlink()
    repo.commit()
    repo.git("revert", "--no-edit", "HEAD")
    steps = main_history(repo.root, start).steps
    assert [len(step.changes) + len(step.added) for step in steps] == [1, 1, 1]
    found = run_checks(Repository.load(repo.root), history=main_history(repo.root, start))
    assert [f.code for f in found.findings if f.severity == "error"] == ["HIS002"]


def test_json_names_the_rule(tmp_path: Path) -> None:
    repo = make(tmp_path / "r")
    edit(repo)
    code, said = call(repo.root, "--base", "main", "--format", "json", "--select", "HIS*")
    assert code == 1
    assert [item["code"] for item in json.loads(said)["findings"]] == ["HIS001"]
