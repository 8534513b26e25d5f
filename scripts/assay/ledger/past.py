"""The repository with the truth of another day: what a past run was scored against."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from assay.ledger.git import extract
from assay.ledger.layout import CASES, PARAMS, RUNS, TRUTH
from assay.ledger.repository import Repository


@contextmanager
def with_truth_at(root: Path, commit: str) -> Iterator[Repository]:
    """The repository as it is, but with ``truth/`` as it stood at a commit.

    Cases, runs and parameters are those of the working tree: only what is correct is taken back.
    It must be used inside the context, since files such as policy texts are read when needed.

    Raises:
        RefusedError: there is no history, or it does not reach back to the commit.
        UsageError: no such commit.
    """
    with TemporaryDirectory(prefix="assay-truth-") as folder:
        view = Path(folder)
        extract(root, commit, TRUTH, view)
        for name in sorted({CASES, RUNS, PARAMS, "cassettes", "cassettes.dvc"}):
            if (root / name).exists():
                (view / name).symlink_to((root / name).resolve())
        yield Repository.load(view)
