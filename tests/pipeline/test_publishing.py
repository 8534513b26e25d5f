"""Publishing: from a clean commit, once, and never over another result."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import assay
from assay.checks.runner import run_checks
from assay.errors import RefusedError
from assay.ledger import history
from assay.ledger.repository import Repository
from assay.ledger.results import (
    digest_of,
    load_results,
    parse_published,
    published_text,
    read_published,
    sealed,
    write_published,
)
from tests.cli.conftest import Run, run
from tests.pipeline.history import commit, entry, git, tiny, write_run

__all__ = ["run"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tiny(tmp_path)


def publish(run: Run, *options: str) -> tuple[int, list[str], str]:
    code, out, err = run("score", "--runs", "agent", "--publish", *options)
    return code, [line for line in out.splitlines() if line.startswith("results/")], err


def test_what_is_published_can_be_read_and_holds_everything(root: Path, run: Run) -> None:
    code, paths, err = publish(run)
    assert (code, len(paths)) == (0, 1), err
    published = read_published(root, paths[0])
    assert paths[0] == f"results/2026/{published.result.id}.json"
    assert published.digest == digest_of(published)
    assert published.made_from.commit == git(root, "rev-parse", "HEAD")
    assert published.made_from.clean == dict.fromkeys(("truth", "cases", "params", "runs"), True)
    assert [(c.case_id, c.trial, c.outcome) for c in published.cases] == [
        ("refund-0142", 0, "passed"),
        ("refund-0143", 0, "failed"),
    ]
    text = (root / paths[0]).read_text(encoding="utf-8")
    assert published_text(published) == text
    assert published_text(parse_published(json.loads(text), name="x")) == text
    assert [f.code for f in run_checks(Repository.load(root), select=["RES*"]).findings] == []


def test_again_is_nothing_and_other_numbers_are_refused(root: Path, run: Run) -> None:
    _, (path,), _ = publish(run)
    before = (root / path).read_bytes()
    commit(root, "A result")
    code, paths, err = publish(run)
    assert (code, paths) == (0, [path])
    assert "was published before" in err
    assert (root / path).read_bytes() == before
    published = read_published(root, path)
    other = published.result.model_copy(update={"tags": {"wrong_tool": 1}})
    with pytest.raises(RefusedError, match="with other numbers"):
        write_published(root, sealed(published.model_copy(update={"result": other})))
    # The year is that of the day; one id has one file all the same.
    later = published.result.model_copy(update={"today": "2027-01-02"})
    assert write_published(root, published.model_copy(update={"result": later})) == (path, False)
    assert (root / path).read_bytes() == before


@pytest.mark.parametrize(
    "path",
    ["truth/waivers.yaml", "cases/shop/suite.yaml", "params.yaml", "runs/shop/agent.jsonl"],
)
def test_nothing_is_published_from_a_dirty_tree(root: Path, run: Run, path: str) -> None:
    with (root / path).open("a", encoding="utf-8") as stream:
        stream.write("\n")
    code, paths, err = publish(run)
    assert (code, paths) == (3, [])
    assert path in err
    assert f"next  git add {path} && git commit" in err
    assert not (root / "results").exists()
    commit(root, "Now it is committed")
    assert publish(run)[0] == 0


def test_a_file_outside_does_not_make_it_dirty(root: Path, run: Run) -> None:
    (root / "notes.txt").write_text("x", encoding="utf-8")
    assert publish(run)[0] == 0


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (("--status", "draft"), 3, "exploratory"),
        (("--today", "2026-12-01"), 2, "--today asks what would be"),
        (("--policy", "refunds-v8"), 2, "--policy asks"),
        (("--truth-at", "HEAD"), 2, "--truth-at asks"),
    ],
)
def test_what_is_not_so_is_not_published(
    root: Path, run: Run, options: tuple[str, ...], code: int, words: str
) -> None:
    found = publish(run, *options)
    assert found[:2] == (code, [])
    assert words in found[2]


def test_a_run_from_elsewhere_is_refused(root: Path, run: Run, tmp_path: Path) -> None:
    outside = tmp_path / "out.jsonl"
    outside.write_bytes((root / "runs/shop/agent.jsonl").read_bytes())
    code, _, err = run("score", "--runs", str(outside), "--publish")
    assert code == 3
    command = err.split("next  ")[1].strip()
    assert f"runs import {outside} --out " in command
    assert command.endswith("--suite shop --run agent")
    from tests.pipeline.test_comparing import paste

    (root / "runs/shop/agent.jsonl").unlink()
    done = paste(command)
    assert done.returncode == 0, done.stderr
    assert (root / "runs/shop/agent.jsonl").is_file()


def test_without_git_it_is_refused(root: Path, run: Run) -> None:
    (root / ".git").rename(root / "gone")
    code, _, err = publish(run)
    assert code == 3
    assert "no git history" in err


def test_without_the_program_git_it_says_so(
    root: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "ask", lambda *_: None)
    monkeypatch.setattr("shutil.which", lambda _: None)
    code, _, err = publish(run)
    assert code == 3
    assert "git is not installed" in err
    assert "git init" not in err


_KILLED = """
import os, signal, sys
at, calls = int(sys.argv[1]), 0

def dying(real):
    def call(*args, **named):
        global calls
        calls += 1
        if calls == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*args, **named)
    return call

for name in ("fsync", "replace", "link", "unlink"):
    setattr(os, name, dying(getattr(os, name)))
from assay.cli.main import main
main(sys.argv[2:])
"""


@pytest.mark.parametrize("at", [1, 2, 3, 4])
def test_killed_in_the_middle_it_can_be_done_again(root: Path, run: Run, at: int) -> None:
    words = ["-C", str(root), "score", "--runs", "agent", "--publish"]
    killed = subprocess.run(
        [sys.executable, "-c", _KILLED, str(at), *words],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(assay.__file__).parents[1])},
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    for path in (root / "results").rglob("[!.]*.json"):
        assert read_published(root, path.relative_to(root).as_posix()), "half written"
    code, _, err = publish(run)
    assert code == 0, err
    (path,) = [p for p in (root / "results").rglob("*") if p.is_file() and p.name != "README.md"]
    assert read_published(root, path.relative_to(root).as_posix())


def test_a_repository_inside_another_one(tmp_path: Path, run: Run) -> None:
    inner = tiny(tmp_path / "bench")
    git(inner, "mv", "truth/people.yaml", "truth/people.yaml.x")
    git(inner, "mv", "truth/people.yaml.x", "truth/people.yaml")
    (inner / ".git").rename(tmp_path / ".git")
    commit(tmp_path, "Moved down")
    assert run("score", "--runs", "agent", "--publish", root=inner)[0] == 0
    (inner / "params.yaml").write_text('today: "2026-12-01"\nsuites: [shop]\n', encoding="utf-8")
    code, _, err = run("score", "--runs", "agent", "--publish", root=inner)
    assert code == 3
    assert ": params.yaml." in err


def test_every_run_is_published_at_once(root: Path, run: Run) -> None:
    write_run(root, [entry("refund-0142", run="other")])
    commit(root, "Another run")
    code, out, _ = run("score", "--publish", "--format", "json")
    assert code == 0
    published = json.loads(out)["published"]
    assert [item["written"] for item in published] == [True, True]
    found = load_results(root)
    assert {item.path for item in found.results} == {item["path"] for item in published}
    assert found.faults == ()
