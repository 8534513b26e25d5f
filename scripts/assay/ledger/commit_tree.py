"""A commit's files as data: written to a folder, nothing of it run, linked or checked out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import NamedTuple

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
        write_tree(commits, commits.commit(commit), view, most_bytes=MOST_BYTES)
        yield view


def write_tree(
    commits: Commits,
    commit: str,
    target: Path,
    parts: Sequence[str] = (),
    *,
    most_bytes: int | None = None,
) -> None:
    """Write the regular files of a commit below a folder; see `tree_at`.

    Args:
        commits: the repository.
        commit: full name of the commit.
        target: the folder.
        parts: files and folders that are written; all of them where empty.
        most_bytes: what they may take together.

    Raises:
        RefusedError: they take more.
    """
    entries = [entry for entry in _entries(commits, commit, parts) if _regular(entry)]
    if most_bytes is not None and sum(entry.size for entry in entries) > most_bytes:
        raise RefusedError(f"The files of {commit[:10]} take more than {most_bytes:,} bytes.")
    made: set[str] = set()
    contents = commits.contents([entry.name for entry in entries])
    for entry, data in zip(entries, contents, strict=True):
        place = f"{target}/{entry.path}"
        folder = place.rpartition("/")[0]
        if folder not in made:
            Path(folder).mkdir(parents=True, exist_ok=True)
            made.add(folder)
        Path(place).write_bytes(data)
        if entry.mode == "100755":
            Path(place).chmod(0o755)


class _Entry(NamedTuple):
    mode: str
    kind: str
    name: str
    size: int
    path: str


def _entries(commits: Commits, commit: str, parts: Sequence[str]) -> Iterator[_Entry]:
    for said in commits.listing(commit, parts):
        found = _ENTRY.match(said)
        if found is not None:
            size = int(found["size"]) if found["size"].isdigit() else 0
            yield _Entry(found["mode"], found["kind"], found["name"], size, said[found.end() :])


def _regular(entry: _Entry) -> bool:
    return entry.kind == "blob" and entry.mode.startswith("100") and _inside(entry.path)


def _inside(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return bool(parts) and not path.startswith("/") and ".." not in parts and ".git" not in parts
