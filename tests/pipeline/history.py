"""A tiny repository with a history, made in the test."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from assay.files.model_text import model_line
from assay.models.run import ObservedRun
from tests.support import case, finish, make_repository, record

CASES = ("refund-0142", "refund-0143")


def git(root: Path, *arguments: str, day: str = "2026-11-30") -> str:
    """Run git with an identity of its own; `day` dates a commit."""
    identity = ("-c", "user.name=Cleo", "-c", "user.email=cleo@example.org")
    moment = f"{day}T12:00:00+00:00"
    done = subprocess.run(
        ["git", *identity, *arguments],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(root), "GIT_CONFIG_NOSYSTEM": "1",
             "GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment},
    )  # fmt: skip
    return done.stdout.strip()


def commit(root: Path, message: str, day: str = "2026-11-30") -> str:
    """Commit everything; returns the full name."""
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", message, day=day)
    return git(root, "rev-parse", "HEAD")


def entry(case_id: str, trial: int = 0, run: str = "agent", **fields: Any) -> ObservedRun:
    """A run that does what the record asks for, but for `fields`."""
    call = {"name": "issue_refund", "args": {"order_id": "0142", "amount": 40}, "outcome": "ok"}
    value = {
        "run": run,
        "case_id": case_id,
        "trial": trial,
        "agent": "shopkeeper",
        "model": "m-1",
        "turns": [{"tool_calls": [call]}],
        "final_answer": "You get $40.00 back.",
        **fields,
    }
    return ObservedRun.model_validate(value)


def write_run(root: Path, entries: list[ObservedRun], suite: str = "shop") -> Path:
    """The file of a run."""
    path = root / "runs" / suite / f"{entries[0].run}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(map(model_line, entries)), encoding="utf-8")
    return path


def tiny(root: Path) -> Path:
    """Two gold cases and a run that passes the first and fails the second; committed."""
    records = [record(name) for name in CASES]
    cases = [case(name, f"Please refund order {name[-4:]}.", {"paid": 40}) for name in CASES]
    make_repository(root, records, cases)
    people = root / "truth/people.yaml"
    text = people.read_text(encoding="utf-8")
    git_of = "  cleo:\n    git: [cleo@example.org]\n"
    people.write_text(text.replace("  cleo:\n", git_of), encoding="utf-8")
    finish(root)
    write_run(root, [entry(CASES[0]), entry(CASES[1], final_answer="Nothing.", turns=[{}])])
    git(root, "init", "-q", "-b", "main")
    (root / ".gitignore").write_text("/.assay/\n/scores/\n", encoding="utf-8")
    commit(root, "First state", "2026-11-01")
    return root


def revise(root: Path, case_id: str, revision: int, **fields: Any) -> None:
    """The next revision of a record, finished; not committed."""
    value = record(case_id, revision, **fields)
    path = root / f"truth/records/shop/{case_id}.r{revision:04d}.json"
    path.write_text(json.dumps(value, indent=2), encoding="utf-8")
    finish(root)
