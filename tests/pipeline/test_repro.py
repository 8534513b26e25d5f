"""The driver: data is proved first, dvc runs what is stale, and a kill costs nothing."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assay.errors import UsageError
from assay.pipeline import repro
from assay.pipeline.running_dvc import lives, without_advice
from tests.telemetry.corpus import make_corpus

PIPELINE = """\
stages:
  truth:
    cmd: python scripts/toy.py truth
    deps: [truth, scripts/toy.py]
    params: [{params.yaml: null}]
    outs: [build/truth, build/params.json]
  score:
    foreach: ${suites}
    do:
      cmd: python scripts/toy.py score ${item}
      deps: ['build/truth/${item}.txt', telemetry, scripts/toy.py]
      params: [{build/params.json: [weight]}]
      outs: ['scores/${item}': {cache: false}]
  report:
    cmd: python scripts/toy.py report
    deps: [scores, scripts/toy.py]
    outs: [report: {cache: false}]
"""

TOY = """\
import os, pathlib, sys, time
stage, *suites = sys.argv[1:]
def write(name, text):
    path = pathlib.Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
if stage == "truth":
    for suite in ("a", "b"):
        write(f"build/truth/{suite}.txt", open(f"truth/{suite}.txt").read())
    write("build/params.json", '{"weight": "0.5"}')
elif stage == "score":
    if suites == ["b"] and os.path.exists("slow"):
        write("scores/b/half", "half")
        write("slow.pid", str(os.getpid()))
        time.sleep(60)
    write(f"scores/{suites[0]}/x.txt", open(f"build/truth/{suites[0]}.txt").read())
else:
    board = [open(f"scores/{suite}/x.txt").read() for suite in sorted(os.listdir("scores"))]
    write("report/scoreboard.txt", "Scoreboard " + "".join(board).replace("\\n", " ") + "\\n")
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A git clone with a pipeline of four stages and simulated data that is not here yet."""
    root = make_corpus(tmp_path / "a ü")
    shutil.rmtree(root / "telemetry")
    shutil.rmtree(root / "cassettes")
    files = {
        "dvc.yaml": PIPELINE,
        "params.yaml": 'today: "2026-11-30"\nsuites: [a, b]\n',
        "scripts/toy.py": TOY,
        "truth/a.txt": "one\n",
        "truth/b.txt": "two\n",
        ".gitignore": "/build/\n/scores/\n/report/\n/telemetry/\n/cassettes/\n/.assay/\n",
        ".dvc/config": "[core]\n    analytics = false\n",
        ".dvc/.gitignore": "/config.local\n/tmp\n/cache\n",
    }
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "-c", "user.name=ana", "-c", "user.email=ana@x", "commit", "-qm", "first")
    return root


def git(root: Path, *arguments: str) -> str:
    """What git prints."""
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout


def stages_run(out: str) -> list[str]:
    """Stages that dvc says it ran."""
    return [line.split("'")[1] for line in out.splitlines() if line.startswith("Running stage")]


def test_arguments() -> None:
    split = repro.split_arguments
    assert split([]) == ([], [])
    assert split(["--suite", "a", "-f", "--suite=b"]) == (["a", "b"], ["-f"])
    with pytest.raises(UsageError, match="--suite needs a name"):
        split(["-f", "--suite"])


def test_advice_that_does_not_hold_is_left_out() -> None:
    said = [
        "Running stage 'x':\n",
        "> cmd\n",
        "\n",
        "To track the changes with git, run:\n",
        "\n",
        "\tgit add dvc.lock\n",
        "\n",
        "To enable auto staging, run:\n",
        "\n",
        "\tdvc config core.autostage true\n",
        "Use `dvc push` to send your updates to remote storage.\n",
    ]
    assert list(without_advice(iter(said))) == said[:2]
    assert list(without_advice(iter(["a\n", "\n", "b\n"]))) == ["a\n", "\nb\n"]


@pytest.mark.pipeline
def test_all_again_and_one_record(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert repro.main([str(root)]) == 0
    out, err = capfd.readouterr()
    assert stages_run(out) == ["truth", "score@a", "score@b", "report"]
    assert out.endswith("\nScoreboard one two \n")
    assert "git add" not in out
    assert err.splitlines()[:2] == ["Rebuilding telemetry …", "Rebuilding cassettes …"]
    git(root, "add", "-A")

    lock = (root / "dvc.lock").read_bytes()
    assert repro.main([str(root)]) == 0
    out, err = capfd.readouterr()
    assert (stages_run(out), err) == ([], "")
    assert git(root, "status", "--short").splitlines() == ["A  dvc.lock"]
    status = [sys.executable, "-m", "dvc", "status"]
    done = subprocess.run(status, cwd=root, capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == "Data and pipelines are up to date.\n"

    (root / "truth/b.txt").write_text("three\n")
    assert repro.main([str(root), "--suite", "a"]) == 0
    out, _ = capfd.readouterr()
    assert stages_run(out) == ["truth"]
    assert out.endswith("\nscores/a\n")
    assert repro.main([str(root)]) == 0
    assert stages_run(capfd.readouterr().out) == ["score@b", "report"]
    (root / "truth/b.txt").write_text("two\n")
    assert repro.main([str(root)]) == 0
    assert (root / "dvc.lock").read_bytes() == lock


@pytest.mark.pipeline
def test_a_parameter_reaches_only_who_uses_it(
    root: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    repro.main([str(root)])
    capfd.readouterr()
    with (root / "params.yaml").open("a") as stream:
        stream.write("expiry: {warn_within_days: 30}\n")
    assert repro.main([str(root)]) == 0
    assert stages_run(capfd.readouterr().out) == ["truth"]


@pytest.mark.pipeline
def test_tampered_data_stops_before_dvc(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    repro.main([str(root)])
    pointer = (root / "telemetry.dvc").read_bytes()
    lock = (root / "dvc.lock").read_bytes()
    capfd.readouterr()
    with (root / "telemetry/shed/shed.csv").open("a") as stream:
        stream.write("2026-02-02T00:00:00Z,0,0,0,0\n")
    assert repro.main([str(root)]) == 1
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith(
        "repro: telemetry.dvc: DAT001 telemetry is here but differs from telemetry.dvc:"
        " changed shed/shed.csv.\n  next  mv telemetry telemetry.changed && ./scripts/repro"
    )
    assert (root / "telemetry.dvc").read_bytes() == pointer
    assert (root / "dvc.lock").read_bytes() == lock


@pytest.mark.pipeline
@pytest.mark.parametrize("how", ["told to stop", "killed"])
def test_a_stop_in_the_middle(root: Path, how: str, capfd: pytest.CaptureFixture[str]) -> None:
    repro.main([str(root)])
    lock = (root / "dvc.lock").read_bytes()
    (root / "dvc.lock").unlink()
    shutil.rmtree(root / ".dvc/cache/runs", ignore_errors=True)
    (root / "slow").touch()
    process = subprocess.Popen(
        [sys.executable, "-m", "assay.pipeline.repro", str(root)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        start_new_session=True,
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    for _ in range(600):
        if (root / "slow.pid").exists() and (root / "slow.pid").read_text():
            break
        time.sleep(0.05)
    stage = int((root / "slow.pid").read_text())
    if how == "told to stop":
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 143
        assert not lives(stage)
    else:
        group = os.getpgid(stage)
        os.killpg(process.pid, signal.SIGKILL)
        os.killpg(group, signal.SIGKILL)
        process.wait(30)
    (root / "slow").unlink()
    capfd.readouterr()
    assert repro.main([str(root)]) == 0
    assert "score@b" in stages_run(capfd.readouterr().out)
    assert (root / "dvc.lock").read_bytes() == lock
    assert not (root / "scores/b/half").exists()


@pytest.mark.pipeline
def test_two_clones_agree(root: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "elsewhere"
    git(root, "clone", "-q", ".", str(other))
    repro.main([str(root)])
    surroundings = {"TZ": "Asia/Tokyo", "LC_ALL": "C", "PYTHONHASHSEED": "123"}
    subprocess.run(
        [sys.executable, "-m", "assay.pipeline.repro", str(other)],
        env={**os.environ, **surroundings, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        check=True,
    )
    capfd.readouterr()
    for name in ("dvc.lock", "scores/a/x.txt", "scores/b/x.txt", "report/scoreboard.txt"):
        assert (root / name).read_bytes() == (other / name).read_bytes()


def test_what_dvc_needs_is_said(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert repro.main([str(root), "--suite", "c"]) == 2
    assert "No suite is called c.\n  next  ./scripts/repro --suite a" in capfd.readouterr().err
    shutil.rmtree(root / ".git")
    assert repro.main([str(root)]) == 3
    assert "This is no git clone" in capfd.readouterr().err


def test_without_git(
    root: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(root))
    assert repro.main([str(root)]) == 3
    assert capfd.readouterr().err == "repro: git is not installed.\n  next  apt install git\n"


def test_a_second_one_is_refused(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    from assay.files.writing import locked

    with locked(root):
        assert repro.main([str(root)]) == 3
    assert "Another command is writing" in capfd.readouterr().err
