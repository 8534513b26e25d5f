"""The only module that talks to git."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from git import Repo


def repo_of(root: Path) -> Repo | None:
    """The git repository that holds `root`; None where there is none, or no git at all."""
    # GitPython looks for the program when it is imported; it must not complain by itself.
    import os

    os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")
    try:
        from git import Repo
        from git.exc import GitError
    except ImportError:
        return None
    try:
        return Repo(root, search_parent_directories=True)
    except (GitError, OSError, ValueError):
        return None


def committed_files(root: Path, folder: str) -> frozenset[str]:
    """Files below a folder that stand in the last commit, relative to `root`.

    Empty without git, without a commit, and where git cannot be run.
    """
    repo = repo_of(root)
    if repo is None or repo.working_tree_dir is None:
        return frozenset()
    from git.exc import GitError

    top = Path(repo.working_tree_dir)
    try:
        prefix = root.resolve().relative_to(top.resolve()).as_posix()
        base = "" if prefix == "." else f"{prefix}/"
        listing: str = repo.git.ls_tree("-r", "--name-only", "-z", "HEAD", "--", base + folder)
    except (GitError, OSError, ValueError):
        return frozenset()
    finally:
        repo.close()
    return frozenset(
        name.removeprefix(base) for name in listing.split("\0") if name.startswith(base)
    )
