"""Both sides of a range, brought up from git: loaded, checked and compiled."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from assay.checks.compiling import compile_truth, stops
from assay.checks.runner import check_world, world_of
from assay.ledger.history import commit_id, uncommitted
from assay.ledger.layout import CASES, PARAMS, RESULTS, RUNS, TRUTH
from assay.ledger.past import view_at
from assay.ledger.repository import Repository
from assay.reviewing.sides import Side

PARTS = (TRUTH, CASES, PARAMS, RUNS, RESULTS)
"""What is taken from a commit; the rest is that of the working tree."""


@dataclass(frozen=True)
class Brought:
    """One side, and whether anything can be scored there."""

    side: Side
    """The repository, checked and compiled."""
    blocked: str
    """Why nothing can be scored; empty where it can."""


@contextmanager
def folder_of(root: Path, commit: str | None) -> Iterator[Path]:
    """A folder that holds a commit; the repository itself for the working tree, and for the
    commit that is checked out where nothing differs from it.
    """
    if commit is None or (commit == commit_id(root, "HEAD") and not uncommitted(root, PARTS)):
        yield root
    else:
        with view_at(root, commit, PARTS) as view:
            yield view


def brought(folder: Path, today: str | None) -> Brought:
    """The side that lies in a folder, judged at its own day or at a given one."""
    repository = Repository.load(folder)
    world = world_of(repository, today=today)
    report = check_world(world)
    blocking = stops(report)
    blocked = f"{blocking[0].code} {blocking[0].message}" if blocking else ""
    return Brought(Side(world, report, compile_truth(world, report)), blocked)
