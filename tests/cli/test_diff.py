"""``assay diff`` as it is typed: formats and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.gitrepo import GitRepo
from tests.reviewing.history import revise, shop


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    return shop(tmp_path)


def test_nothing_is_fine(repo: GitRepo, run: Run) -> None:
    code, out, err = run("diff")
    assert (code, err) == (0, "")
    assert out.startswith("nobody is awaited, no effect\n")


def test_json_is_alone_on_standard_output(repo: GitRepo, run: Run) -> None:
    revise(repo.root, "refund-0142", change="wording")
    code, out, _ = run("diff", "main", "--format", "json", "--approved", "cleo")
    value = json.loads(out)
    assert (code, value["state"], value["kind"]) == (0, "ready", "clarifies")
    assert value["sides"]["head"] is None
    assert value["sides"]["command"] == "assay diff main --approved cleo"


def test_what_is_wrong_is_one(repo: GitRepo, run: Run) -> None:
    revise(repo.root, "refund-0142", raw=True)
    code, out, _ = run("diff", "main", "--format", "markdown")
    assert code == 1
    assert out.startswith("### Truth: 1 thing to put right, then `cleo`")


@pytest.mark.parametrize(
    ("words", "code"), [(["nowhere"], 2), (["a..b..c"], 2), (["main", "--approved", "x"], 2)]
)
def test_wrong_use_is_two(repo: GitRepo, run: Run, words: list[str], code: int) -> None:
    found, out, err = run("diff", *words)
    assert (found, out) == (code, "")
    assert "next" in err


def test_no_history_is_three(repo: GitRepo, run: Run, tmp_path: Path) -> None:
    repo.git("checkout", "-q", "--orphan", "other")
    repo.commit()
    code, out, err = run("diff", "main..other")
    assert (code, out) == (3, "")
    assert "no common ancestor" in err


def test_no_git_is_three(repo: GitRepo, run: Run, tmp_path: Path) -> None:
    (repo.root / ".git").rename(tmp_path / "elsewhere")
    assert run("diff")[0] == 3
