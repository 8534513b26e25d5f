"""What ``BASE..HEAD`` means: where a branch left its base, and what is looked at."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from assay.errors import UsageError
from assay.ledger.changes import History, Step, branch_history
from assay.ledger.commits import Commits, commits_of

DEFAULTS = ("main", "origin/main")
"""Bases that are tried where none is named."""


@dataclass(frozen=True)
class Range:
    """A branch since it left its base."""

    base: str
    """The base, as it was named."""
    origin: str
    """Full name of the commit at which the branch left it."""
    head: str | None
    """Full name of the commit that is looked at; none for the working tree."""
    history: History
    """What was changed."""

    @property
    def step(self) -> Step:
        """Everything that differs."""
        return self.history.steps[0]

    @property
    def command(self) -> str:
        """The command that prints the same, wherever branches have gone by then."""
        if self.head is None:
            return f"assay diff {self.base}"
        return f"assay diff {self.origin[:10]}..{self.head[:10]}"


def parse(text: str | None) -> tuple[str | None, str | None]:
    """Base and head of ``BASE..HEAD``, ``BASE...HEAD``, ``BASE..``, ``..HEAD`` or ``BASE``.

    Both dots mean the same here: what the branch did since it left the base.

    Raises:
        UsageError: there are more than two ends.
    """
    if not text:
        return None, None
    mark = "..." if "..." in text else ".."
    ends = text.split(mark)
    if len(ends) > 2 or any(".." in end for end in ends):
        raise UsageError(f"`{text}` is no range.", hint="assay diff BASE..HEAD")
    return ends[0] or None, (ends[1] or None) if len(ends) == 2 else None


def range_of(root: Path, text: str | None) -> Range:
    """The range that some text names.

    Raises:
        RefusedError: no git, no common ancestor, a clone that is too shallow.
        UsageError: no such commit, or no base is named and there is no main branch.
    """
    base, head = parse(text)
    with commits_of(root) as commits:
        if base is None:
            base = _default(commits)
        _, last, origins = commits.left(base, head or "HEAD")
    history = branch_history(root, base, head=last if head else None)
    return Range(base, origins[0], last if head else None, history)


def _default(commits: Commits) -> str:
    for name in DEFAULTS:
        try:
            commits.commit(name)
        except UsageError:
            continue
        return name
    raise UsageError("There is no branch `main` here.", hint="assay diff BASE..HEAD")
