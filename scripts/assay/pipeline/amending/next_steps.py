"""What to type after a revision has been written: a branch of its own, a commit, the check."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from assay.ledger.git import BASES, ask, default_base

MOST_PATHS = 4


def next_steps(root: Path, paths: Sequence[str], subject: str, *, slug: str) -> tuple[str, ...]:
    """Commands that bring files into a pull request.

    Args:
        root: the repository.
        paths: files that were written.
        subject: first line of the commit's message.
        slug: name of the branch that is proposed.
    """
    only = f"assay check --only {slug.partition('/')[2] or slug}"
    if ask(root, "rev-parse", "--git-dir") is None:
        return (only,)
    base = default_base(root)
    branch = (ask(root, "branch", "--show-current") or "").strip()
    steps = []
    if not branch or branch in BASES:
        steps.append(f"git switch -c {_free_branch(root, slug)}")
    shown = [*paths] if len(paths) <= MOST_PATHS else sorted({_folder(path) for path in paths})
    steps.append(f"git add {' '.join(map(shlex.quote, shown))}")
    steps.append(f"git commit -m {shlex.quote(subject)}")
    steps.append(f"assay check --base {base}" if base else "assay check")
    return tuple(steps)


def _folder(path: str) -> str:
    return "/".join(path.split("/")[:2])


def _free_branch(root: Path, slug: str) -> str:
    """The name, or the first of ``name-2``, ``name-3`` … that no branch has."""
    number = 1
    while True:
        name = slug if number == 1 else f"{slug}-{number}"
        if ask(root, "rev-parse", "--verify", "--quiet", f"refs/heads/{name}") is None:
            return name
        number += 1
