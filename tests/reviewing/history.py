"""A small shop under git, with two runs, for reviews of branches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from assay.files.model_text import model_line
from assay.ledger.bulk import write_bulk
from assay.ledger.renaming import renames
from assay.ledger.repository import Repository
from assay.ledger.selecting import latest
from assay.models.run import ObservedRun
from tests.gitrepo import GitRepo
from tests.support import TOOLS, case, finish, make_repository, record

CASES = ("refund-0142", "refund-0143", "refund-0144", "refund-0145")
PEOPLE = """\
schema_version: 1
people:
  ana:
    roles: [{role: labeler, from: "2026-01-01"}]
    git: [ana@example.com]
  bo:
    roles: [{role: labeler, from: "2026-01-01"}]
  cleo:
    roles: [{role: adjudicator, from: "2026-01-01"}, {role: owner, from: "2026-01-01"}]
    git: [cleo@example.com]
"""


def label(case_id: str, revision: int = 1, **fields: Any) -> dict[str, Any]:
    """A record whose order number is that of its case."""
    number = case_id[-4:]
    own = {"required_tools": [{"tool": "issue_refund", "args": {"order_id": number, "amount": 40}}]}
    return record(case_id, revision, **{**own, **fields})


def observed(run: str, case_id: str, answer: str) -> ObservedRun:
    """A run that pays back 40 and answers so."""
    arguments = {"order_id": case_id[-4:], "amount": 40}
    call = {"name": "issue_refund", "args": arguments, "outcome": "ok"}
    value = {
        "run": run,
        "case_id": case_id,
        "turns": [{"tool_calls": [call]}],
        "final_answer": answer,
    }
    return ObservedRun.model_validate(value)


def write_runs(root: Path, cases: tuple[str, ...]) -> None:
    """``careful`` pays 40 and says so; ``hasty`` pays 40 and says that it paid 35."""
    for run, answer in (("careful", "I refunded $40.00."), ("hasty", "I refunded $35.00.")):
        path = root / "runs/shop" / f"{run}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [model_line(observed(run, case_id, answer)) for case_id in cases]
        path.write_text("".join(lines), newline="\n")


def shop(
    root: Path, labels: list[dict[str, Any]] | None = None, cases: tuple[str, ...] = CASES
) -> GitRepo:
    """The shop, committed to main, with the branch ``work`` checked out."""
    made = [case(name, f"Please refund order {name[-4:]}.") for name in cases]
    make_repository(root, labels or [label(name) for name in cases], made)
    (root / "truth/people.yaml").write_text(PEOPLE, newline="\n")
    finish(root)
    write_runs(root, cases)
    repo = GitRepo.make(root)
    repo.commit("begin")
    repo.branch("work")
    return repo


def path_of(case_id: str, revision: int) -> str:
    return f"truth/records/shop/{case_id}.r{revision:04d}.json"


def revise(root: Path, case_id: str, revision: int = 2, *, raw: bool = False, **fields: Any) -> str:
    """Write a revision like the one before, finished unless `raw`; its path."""
    before = json.loads((root / path_of(case_id, revision - 1)).read_text())
    before.pop("supersedes", None)
    why = fields.pop("why", "A second look agrees.")
    value = {
        **before,
        "revision": revision,
        "change": "correction",
        "rationale": [*before["rationale"], why],
        **fields,
    }
    path = path_of(case_id, revision)
    kept = {key: item for key, item in value.items() if item is not None}
    (root / path).write_text(json.dumps(kept, indent=2), newline="\n")
    if not raw:
        finish(root)
    return path


def rename_all(root: Path, name: str = "rename") -> tuple[str, ...]:
    """``truth rename`` as the command does it; paths written, the declaration last."""
    repository = Repository.load(root)
    return write_bulk(
        root,
        renames(repository, latest(repository)),
        name=name,
        command=["truth", "rename"],
        why="Records name tools as the catalogue does today.",
    )


RENAMED = TOOLS.replace(
    "  - name: issue_refund\n    server: payments\n    effect: writes\n",
    "  - name: pay_back\n    server: payments\n    effect: writes\n",
    1,
) + ("  - name: issue_refund\n    server: payments\n    effect: writes\n    renamed_to: pay_back\n")
"""The catalogue after ``issue_refund`` became ``pay_back``."""
