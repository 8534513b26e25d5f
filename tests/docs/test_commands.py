"""Every command in the documents runs, and what they show is what it prints.

Blocks marked ``sh`` are run line by line and must end with 0, or with the code in a comment
``# exit 1``. Blocks marked ``console`` hold ``$ command`` lines with their exact output.
``scripts/test --bless`` writes the output anew.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    "truth/README.md",
    "scripts/README.md",
    "docs/own-benchmark.md",
    "docs/comparing.md",
    "docs/forge.md",
    "docs/revising.md",
    "docs/gate.md",
)
BLOCK = re.compile(r"^```(sh|console)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
SLOW = re.compile(r"^\./scripts/|^python benchmarks/|^git |^dvc ")
"""Run by tests of their own: set-up, pipeline, benchmarks."""

pytestmark = pytest.mark.domain


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A fresh copy of what git tracks, with `assay` standing for this Python.

    Fresh for every page: what a recipe writes must not show in the output of another page.
    """
    root = tmp_path / "clone"
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True
    )
    for name in listing.stdout.split("\0"):
        if name and (ROOT / name).is_file():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, root / name)
    (root / "assay").write_text(
        f'#!/bin/sh\nexec "{sys.executable}" -P -m assay.cli.main "$@"\n', encoding="utf-8"
    )
    (root / "assay").chmod(0o755)
    commands = tmp_path / "bin"
    commands.mkdir()
    (commands / "assay").symlink_to(root / "assay")
    return root


WITH_GIT = frozenset({"docs/gate.md"})
"""Pages whose commands look at the history."""


def beside(clone: Path) -> None:
    """What a page on the history needs: a commit, and an agent in a folder beside the benchmark."""
    day = "2026-11-30T12:00:00+00:00"
    identity = ("-c", "user.name=Cleo", "-c", "user.email=cleo@example.org")
    for words in (("init", "-q"), ("add", "-A"), (*identity, "commit", "-q", "-m", "All of it")):
        subprocess.run(
            ["git", *words],
            cwd=clone, check=True,
            env={**os.environ, "GIT_AUTHOR_DATE": day, "GIT_COMMITTER_DATE": day},
        )  # fmt: skip
    (clone.parent / "bench").symlink_to(clone)
    runs = clone.parent / "agent/runs"
    runs.mkdir(parents=True)
    for name in ("before", "after"):
        shutil.copy(clone / "runs/refunds/careful.jsonl", runs / f"{name}.jsonl")


def shell(clone: Path, command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", command],
        cwd=clone,
        env={
            **os.environ,
            "PATH": f"{clone.parent / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT / "scripts"),
            "COLUMNS": "80",
        },
        capture_output=True,
        encoding="utf-8",
        check=False,
        stdin=subprocess.DEVNULL,
    )


def blocks(page: str) -> list[tuple[str, str]]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return [(match[1], match[2]) for match in BLOCK.finditer(text)]


@pytest.mark.parametrize("page", PAGES)
def test_commands_run(clone: Path, page: str) -> None:
    if page in WITH_GIT:
        beside(clone)
    for kind, body in blocks(page):
        if kind != "sh":
            continue
        for line in body.splitlines():
            command, _, wanted = line.partition("# exit ")
            if not command.strip() or SLOW.match(command):
                continue
            done = shell(clone, command)
            assert done.returncode == int(wanted or 0), f"{line}\n{done.stdout}{done.stderr}"
    subprocess.run(["git", "-C", str(ROOT), "status", "--short"], check=True, capture_output=True)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.generated
def test_output_is_fresh(clone: Path, page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")

    def rerun(match: re.Match[str]) -> str:
        if match[1] != "console":
            return match[0]
        parts: list[str] = []
        for line in match[2].splitlines():
            if line.startswith("$ "):
                done = shell(clone, line[2:])
                shown = [part.rstrip() for part in done.stdout.splitlines()]
                parts += [line, *shown]
        return "```console\n" + "\n".join(parts) + "\n```\n"

    fresh = BLOCK.sub(rerun, text)
    if os.environ.get("ASSAY_BLESS") and fresh != text:
        (ROOT / page).write_text(fresh, encoding="utf-8", newline="\n")
    assert fresh == text or os.environ.get("ASSAY_BLESS")


@pytest.mark.generated
def test_the_scoreboard_above_the_fold_is_the_real_one() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.search(r"^```text\n(.*?)^```\n", text, re.MULTILINE | re.DOTALL)
    assert shown is not None
    board = ROOT / "report/scoreboard.txt"
    if not board.exists():
        pytest.skip("./scripts/repro has not run here")
    real = board.read_text(encoding="utf-8")
    if os.environ.get("ASSAY_BLESS"):
        fresh = text[: shown.start(1)] + real + text[shown.end(1) :]
        (ROOT / "README.md").write_text(fresh, encoding="utf-8", newline="\n")
        return
    assert shown[1] == real
