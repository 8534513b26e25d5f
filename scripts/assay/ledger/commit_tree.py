"""A commit's files as data: written to a folder, nothing of it run, linked or checked out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from assay.errors import RefusedError
from assay.ledger.commits import Commits, commits_of

_ENTRY = re.compile(r"(?P<mode>[0-9]{6}) (?P<kind>[a-z]+) (?P<name>[0-9a-f]+) +(?P<size>[0-9-]+)\t")
MOST_BYTES = 512 * 1024 * 1024
"""What a commit's files may take together; a pull request must not fill the disk."""


@contextmanager
def tree_at(root: Path, commit: str) -> Iterator[Path]:
    """A folder with the regular files of a commit; removed in the end.

    The commit may come from anybody. Links and submodules are left out (a rule about history
    reports them), no attribute of it is obeyed, no filter or hook of it runs, and no file lands
    outside the folder.

    Args:
        root: the benchmark repository.
        commit: anything that git takes for a commit.

    Raises:
        RefusedError: no history, a clone that does not reach back, or too much data.
        UsageError: no such commit.
    """
    with commits_of(root) as commits, TemporaryDirectory(prefix="assay-tree-") as folder:
        view = Path(folder)
        _write(commits, commits.commit(commit), view)
        yield view


def _write(commits: Commits, commit: str, view: Path) -> None:
    total = 0
    for mode, kind, name, size, path in _entries(commits, commit):
        if kind != "blob" or not mode.startswith("100") or not _inside(path):
            continue
        total += size
        if total > MOST_BYTES:
            raise RefusedError(f"The files of {commit[:10]} take more than {MOST_BYTES:,} bytes.")
        target = view / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(commits.blob(name))


def _entries(commits: Commits, commit: str) -> Iterator[tuple[str, str, str, int, str]]:
    for entry in commits.listing(commit):
        found = _ENTRY.match(entry)
        if found is not None:
            size = int(found["size"]) if found["size"].isdigit() else 0
            yield found["mode"], found["kind"], found["name"], size, entry[found.end() :]


def _inside(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return bool(parts) and not path.startswith("/") and ".." not in parts and ".git" not in parts
