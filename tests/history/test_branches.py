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


def edited(repo: GitRepo) -> None:
    edit(repo)
    repo.commit()


def edited_and_not_committed(repo: GitRepo) -> None:
    edit(repo)


def edited_and_put_back(repo: GitRepo) -> None:
    """What a squash of it would leave is nothing."""
    before = (repo.root / LAMP).read_bytes()
    edit(repo)
    repo.commit()
    (repo.root / LAMP).write_bytes(before)
    repo.commit()


def deleted(repo: GitRepo) -> None:
    (repo.root / LAMP).unlink()
    repo.commit()


def moved_to_the_next_number(repo: GitRepo) -> None:
    """The old revision under a new number, and a little other: git calls it a rename."""
    revise(repo)
    (repo.root / LAMP).unlink()
    repo.commit()


def executable(repo: GitRepo) -> None:
    (repo.root / LAMP).chmod(0o755)
    repo.commit()


def executable_and_new(repo: GitRepo) -> None:
    revise(repo)
    (repo.root / NEXT).chmod(0o755)
    repo.commit()


def modes_are_not_looked_at(repo: GitRepo) -> None:
    """A disk without modes: the index alone says it."""
    repo.git("config", "core.fileMode", "false")
    repo.git("update-index", "--chmod=+x", LAMP)
    repo.git("commit", "-q", "-m", "mode")


def file_is_a_link(repo: GitRepo) -> None:
    (repo.root / NEXT).symlink_to("lamp.r0001.json")
    repo.commit()


def file_becomes_a_link(repo: GitRepo) -> None:
    place = repo.root / LAMP
    place.rename(repo.root / "lamp.json")
    place.symlink_to("../../../lamp.json")
    repo.commit()


def file_becomes_a_folder(repo: GitRepo) -> None:
    (repo.root / LAMP).unlink()
    (repo.root / LAMP).mkdir()
    (repo.root / LAMP / "lamp.r0001.json").write_text("{}")
    repo.commit()


def new_with_crlf(repo: GitRepo) -> None:
    revise(repo)
    place = repo.root / NEXT
    place.write_bytes(place.read_bytes().replace(b"\n", b"\r\n"))
    repo.commit()


def checked_out_with_crlf(repo: GitRepo) -> None:
    """As git for Windows does it: the commits do not differ, the new file is not finished."""
    revise(repo)
    repo.commit()
    repo.git("config", "core.autocrlf", "true")
    (repo.root / "truth").rename(repo.root.parent / "gone")
    repo.git("checkout", "-q", "--", "truth")
    assert b"\r\n" in (repo.root / LAMP).read_bytes()


def kept_as_lf_by_attributes(repo: GitRepo) -> None:
    """The same with the attributes that a benchmark comes with."""
    (repo.root / ".gitattributes").write_text("* text=auto eol=lf\n")
    repo.commit()
    repo.git("branch", "-f", "main", "HEAD")
    revise(repo)
    repo.commit()
    repo.git("config", "core.autocrlf", "true")
    (repo.root / "truth").rename(repo.root.parent / "gone")
    repo.git("checkout", "-q", "--", "truth")


def converted_by_attributes(repo: GitRepo) -> None:
    """An attribute that would convert what is committed next, on a file that is there."""
    (repo.root / ".gitattributes").write_text("*.json text eol=crlf\n")
    revise(repo)
    repo.commit()


def merge_that_drops(repo: GitRepo) -> None:
    """The merge commit leaves out a revision that main has."""
    repo.commit(who="bo")
    repo.checkout("main")
    revise(repo)
    repo.commit(who="cy")
    repo.checkout("work")
    repo.git("merge", "-q", "--no-commit", "--no-ff", "main")
    repo.git("rm", "-q", "-f", NEXT)
    repo.commit("merge")


def merge_that_takes_mine(repo: GitRepo) -> None:
    """A collision that somebody "solves" by taking one side."""
    revise(repo)
    repo.commit(who="bo")
    repo.checkout("main")
    revise(repo, why="Somebody else looked.")
    repo.commit(who="cy")
    repo.checkout("work")
    repo.git("merge", "-q", "--no-edit", "-s", "ours", "main")


def behind(repo: GitRepo) -> None:
    """Main has moved on since; nothing is deleted by that."""
    revise(repo)
    repo.commit()
    repo.checkout("main")
    revise(repo, "bearing.r0002")
    repo.commit(who="cy")
    repo.checkout("work")


def reverted_and_taken_back(repo: GitRepo) -> None:
    reverted(repo)
    repo.git("revert", "--no-edit", "HEAD")


def fast_forward(repo: GitRepo) -> None:
    """Everything is on main already."""
    revise(repo)
    repo.commit()
    repo.git("branch", "-f", "main", "HEAD")


def picked(repo: GitRepo) -> None:
    """The same revision, byte for byte, came to main by another commit."""
    revise(repo)
    mine = repo.commit()
    repo.checkout("main")
    repo.git("cherry-pick", "-x", mine)
    repo.checkout("work")


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
    (edited, ["HIS001"]),
    (edited_and_not_committed, ["HIS001"]),
    (edited_and_put_back, []),
    (deleted, ["HIS002"]),
    (moved_to_the_next_number, ["HIS002", "REC002"]),
    (executable, ["HIS003"]),
    (executable_and_new, ["HIS003"]),
    (modes_are_not_looked_at, ["HIS003"]),
    (file_is_a_link, ["FIL003", "HIS003"]),
    (file_becomes_a_link, ["HIS001", "HIS003"]),
    (file_becomes_a_folder, ["FIL004", "HIS002"]),
    (new_with_crlf, ["REC001"]),
    (checked_out_with_crlf, ["REC001"]),
    (kept_as_lf_by_attributes, []),
    (converted_by_attributes, []),
    (merge_that_drops, ["HIS002"]),
    (merge_that_takes_mine, ["HIS001"]),
    (behind, []),
    (reverted_and_taken_back, []),
    (fast_forward, []),
    (picked, []),
]


@pytest.mark.parametrize(("scene", "expected"), SCENES, ids=lambda x: getattr(x, "__name__", ""))
def test_a_pull_request(
    scene: Callable[[GitRepo], None], expected: list[str], tmp_path: Path
) -> None:
    repo = make(tmp_path / "r")
    scene(repo)
    assert sorted(set(codes(repo))) == expected


@pytest.mark.parametrize("number", [2, 3])
def test_two_branches_that_add_one_revision_conflict_in_git(tmp_path: Path, number: int) -> None:
    repo = make(tmp_path / "r")
    if number == 3:
        revise(repo)
        repo.commit()
        repo.git("branch", "-f", "main", "HEAD")
    name = f"lamp.r{number:04d}"
    revise(repo, name)
    repo.commit(who="bo")
    repo.checkout("main")
    revise(repo, name, "Somebody else looked.")
    repo.commit(who="cy")
    repo.checkout("work")
    assert codes(repo) == ["HIS004"]
    assert "CONFLICT (add/add)" in repo.git("merge", "main", fails=True)
    # While it is not solved, both are in the file; it is red, and not because of a crash.
    found = codes(repo)
    assert "FIL000" not in found
    assert found
    # Mine goes on top of theirs.
    repo.git("merge", "--abort")
    mine = json.loads((repo.root / f"truth/records/shop/{name}.json").read_text())
    repo.git("merge", "-q", "-s", "ort", "-X", "theirs", "--no-edit", "main")
    above = f"lamp.r{number + 1:04d}"
    fields = {"like": name, "change": "correction", "rationale": mine["rationale"]}
    write_record(repo.root, above, fields)
    repo.commit()
    assert codes(repo) == []


def test_an_evil_merge_on_main(tmp_path: Path) -> None:
    """Each commit of main is looked at beside its first parent; what a merge adds is seen."""
    repo = make(tmp_path / "r")
    start = repo.head()
    revise(repo)
    repo.commit()
    repo.checkout("main")
    revise(repo, "bearing.r0002")
    repo.commit(who="cy")
    repo.git("merge", "-q", "--no-commit", "--no-ff", "work")
    edit(repo)
    repo.commit("merge")
    history = main_history(repo.root, start)
    found = run_checks(Repository.load(repo.root), history=history)
    assert [f.code for f in found.findings if f.severity == "error"] == ["HIS001"]


@pytest.mark.parametrize("how", ["--squash", "--ff-only", "--no-ff"])
def test_however_it_is_merged_main_is_clean(tmp_path: Path, how: str) -> None:
    repo = make(tmp_path / "r")
    start = repo.head()
    for number in (2, 3):
        revise(repo, f"lamp.r{number:04d}", f"Look number {number}.")
        repo.commit()
    repo.checkout("main")
    repo.git("merge", "-q", how, "work")
    repo.commit("squashed or empty")
    history = main_history(repo.root, start)
    assert sum(len(step.added) for step in history.steps) == 2
    found = run_checks(Repository.load(repo.root), history=history)
    assert [f.code for f in found.findings if f.severity == "error"] == []


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
