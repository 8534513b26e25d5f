"""A tiny benchmark under git with the real stages and the scripts that the forge's jobs call."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.gitrepo import GitRepo
from tests.support import case, finish, make_repository, record

ROOT = Path(__file__).resolve().parents[2]
STAND_INS = {
    "assay": 'exec "$here/.venv/bin/python" -P -m assay.cli.main "$@"',
    "scripts/repro": 'exec "$here/../.venv/bin/python" -m assay.pipeline.repro "$here/.." "$@"',
}
"""Launchers without the set-up, which has tests of its own."""

CASES = ("refund-0142", "refund-0150")


@dataclass
class Bench:
    """A clone, and how its jobs' scripts are called."""

    repo: GitRepo

    @property
    def root(self) -> Path:
        return self.repo.root

    @property
    def tools(self) -> Path:
        """Programs that go before those of the machine."""
        return self.root.parent / "tools"

    def run(self, *command: str, code: int = 0, cwd: Path | None = None, **more: str) -> str:
        """Run a script of the repository; what it prints."""
        done = subprocess.run(
            ["sh", *command],
            cwd=cwd or self.root,
            env={
                "PATH": f"{self.tools}:{Path(sys.executable).parent}:{os.environ['PATH']}",
                "HOME": str(self.root),
                "PYTHONPATH": str(self.root / "scripts"),
                "GIT_CONFIG_NOSYSTEM": "1",
                "GIT_AUTHOR_NAME": "record",
                "GIT_AUTHOR_EMAIL": "record@example.com",
                "GIT_COMMITTER_NAME": "record",
                "GIT_COMMITTER_EMAIL": "record@example.com",
                **more,
            },
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout


def make_bench(root: Path, *, reproduced: bool = True) -> Bench:
    """A benchmark with two gold cases and one run of them, committed to main."""
    texts = {"refund-0142": "Please refund order 0142.", "refund-0150": "Please refund order 0150."}
    cases = [
        case(name, text, {"orders": {name[-4:]: {"paid": 40, "status": "delivered"}}})
        for name, text in texts.items()
    ]
    records = [
        record(
            name,
            required_tools=[
                {"tool": "issue_refund", "args": {"order_id": name[-4:], "amount": 40}}
            ],
        )
        for name in CASES
    ]
    make_repository(root, records, cases)
    lines = [
        {
            "schema_version": 1,
            "case_id": name,
            "run": "quick",
            "turns": [{"user": texts[name], "answer": "You get $40.00 back."}],
        }
        for name in CASES
    ]
    (root / "runs/shop").mkdir(parents=True)
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (root / "runs/shop/quick.jsonl").write_text(text)
    finish(root)
    ignore = shutil.ignore_patterns("__pycache__", "*.pyc")
    shutil.copytree(ROOT / "scripts", root / "scripts", ignore=ignore)
    for name in (".ci", "ci", "docs/hooks"):
        shutil.copytree(ROOT / name, root / name)
    for name in ("dvc.yaml", ".gitignore", ".gitattributes", ".dvcignore"):
        shutil.copy(ROOT / name, root / name)
    (root / ".dvc").mkdir()
    shutil.copy(ROOT / ".dvc/config", root / ".dvc/config")
    (root / "results").mkdir()
    (root / "results/README.md").write_text("Published results.\n")
    for name, command in STAND_INS.items():
        (root / name).write_text(f'#!/bin/sh\nhere=$(cd "$(dirname "$0")" && pwd)\n{command}\n')
        (root / name).chmod(0o755)
    python = root / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    repo = GitRepo(root)
    repo.git("init", "-q", "-b", "main")
    bench = Bench(repo)
    repo.git("add", "-A")
    repo.git("commit", "-q", "-m", "begin")
    if reproduced:
        bench.run("./scripts/repro")
        repo.git("add", "-A")
        repo.git("commit", "-q", "-m", "reproduced")
    return bench
