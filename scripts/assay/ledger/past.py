"""The repository as it stood at another commit: what a past run was scored against."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from assay.errors import RefusedError
from assay.ledger.commit_tree import write_tree
from assay.ledger.commits import commits_of
from assay.ledger.history import commit_id, object_id
from assay.ledger.layout import CASES, PARAMS, RESULTS, RUNS, TRUTH
from assay.ledger.repository import Repository

DATA = (TRUTH, CASES, PARAMS)
"""What decides a score beside the code and the run: truth, cases and parameters."""

_SEEN = (CASES, PARAMS, RESULTS, RUNS, TRUTH, "cassettes", "cassettes.dvc")
"""What a view of the repository has."""


@contextmanager
def repository_at(root: Path, commit: str) -> Iterator[Repository]:
    """The repository with truth, cases and parameters as they stood at a commit; the runs are
    those that lie here.

    It must be used inside the context, since files such as policy texts are read when needed.

    Raises:
        RefusedError: there is no history, or it does not reach back to the commit.
        UsageError: no such commit.
    """
    with view_at(root, commit) as view:
        yield Repository.load(view)


@contextmanager
def view_at(root: Path, commit: str, parts: Sequence[str] = DATA) -> Iterator[Path]:
    """A folder with parts of the repository as they stood at a commit, the rest as it lies here.

    The folder is removed in the end, however that comes about.

    Args:
        root: the benchmark repository.
        commit: anything that git takes for a commit.
        parts: files and folders of the root that are taken back; those that the commit does not
            have are absent, but for the first, which must be there.

    Raises:
        RefusedError: there is no history, it does not reach back to the commit, or the first part
            is not in it.
        UsageError: no such commit.
    """
    with TemporaryDirectory(prefix="assay-past-") as folder:
        view = Path(folder)
        take_back(root, commit, parts, view)
        for name in _SEEN:
            if name not in parts and (root / name).exists():
                (view / name).symlink_to((root / name).resolve())
        yield view


def take_back(root: Path, commit: str, parts: Sequence[str], target: Path) -> None:
    """Write parts of a commit below a folder; see `view_at`."""
    found = commit_id(root, commit)
    there = [name for name in parts if object_id(root, found, name) is not None]
    if not there or there[0] != parts[0]:
        raise RefusedError(
            f"There is no {parts[0]}/ at commit {found[:10]}.", hint="git log --oneline"
        )
    # Not an archive: what that leaves out or fills in, the commit itself would decide.
    with commits_of(root) as commits:
        write_tree(commits, found, target, there)
