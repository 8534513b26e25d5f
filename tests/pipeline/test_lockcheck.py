"""What moved in a lock, and when that is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay.errors import AssayError
from assay.pipeline.lockcheck import compared, main, reproduced
from tests.gitrepo import GitRepo
from tests.support import make_repository


def lock(
    dep: str = "a" * 32, out: str = "b" * 32, today: str = '"2026-11-30"', cmd: str = "x"
) -> str:
    return f"""\
schema: '2.0'
stages:
  truth:
    cmd: {cmd}
    deps:
    - path: truth
      hash: md5
      md5: {dep}.dir
    params:
      params.yaml:
        today: {today}
    outs:
    - path: build
      hash: md5
      md5: {out}
"""


@pytest.mark.parametrize(
    ("after", "inputs", "outputs", "wrong"),
    [
        (lock(), None, None, False),
        (lock(dep="c" * 32), ("truth",), (), False),
        (lock(dep="c" * 32, out="d" * 32), ("truth",), ("build",), False),
        (lock(out="d" * 32), (), ("build",), True),
        (lock(today='"2026-12-01"'), ("params.yaml:today",), (), False),
        (lock(cmd="y"), ("cmd",), (), False),
        (lock(out="1" * 32), (), ("build",), True),
        (lock(out="12e" + "4" * 29), (), ("build",), True),
    ],
)
def test_compared(
    after: str, inputs: tuple[str, ...] | None, outputs: tuple[str, ...], wrong: bool
) -> None:
    found = compared(lock(), after)
    if inputs is None:
        assert found == ()
    else:
        assert [(m.inputs, m.outputs, m.wrong) for m in found] == [(inputs, outputs, wrong)]


def test_a_stage_that_is_gone_or_new() -> None:
    assert compared(lock(), "schema: '2.0'\nstages: {}\n") == ()
    (moved,) = compared("", lock())
    assert (moved.stage, moved.wrong) == ("truth", False)


def test_conflict_marks_are_refused() -> None:
    with pytest.raises(AssayError):
        compared(lock(), "<<<<<<< ours\n" + lock())


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    made = GitRepo.make(make_repository(tmp_path / "r"))
    (made.root / "dvc.lock").write_text(lock())
    (made.root / "telemetry.dvc").write_text("outs:\n- md5: a\n")
    made.commit("begin")
    return made


def test_a_pointer_that_dvc_rewrote(repo: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repo.root)
    assert main([]) == 0
    (repo.root / "telemetry.dvc").write_text("outs:\n- md5: b\n")
    assert len(reproduced(repo.root).problems) == 1
    assert main(["--json", str(repo.root / "out.json")]) == 1
    document = json.loads((repo.root / "out.json").read_text())
    assert document["problems"][0].startswith("telemetry.dvc was rewritten")


def test_no_lock_no_history(repo: GitRepo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(repo.root)
    assert main(["--lock", "nowhere"]) == 2
    (repo.root / "dvc.lock").unlink()
    assert main([]) == 3
    assert main(["--wrong"]) == 2


def test_the_first_lock(repo: GitRepo) -> None:
    repo.git("rm", "-q", "--cached", "dvc.lock")
    repo.git("commit", "-q", "-m", "none yet")
    assert reproduced(repo.root).moved == ()
