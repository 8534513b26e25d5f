"""Questions to git about commits: which ones, what differs between them, what stood there.

Every question is one git process, however many files it is about. Nothing in the user's
configuration changes an answer, and a question that git cannot answer is an error: a rule about
history must never pass for lack of it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import compress
from operator import not_
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, BinaryIO, cast

from assay.errors import RefusedError, UsageError
from assay.ledger.git import repo_of

if TYPE_CHECKING:
    from git import Repo

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
REGULAR = "100644"
_BATCH = 500
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_/~^-]*")
NOTHING = "0" * 40
"""Object name of what is in no object yet."""

# `--raw` is not touched by external drivers or text conversion; the rest is what a user may set.
_DIFF = (
    "--raw",
    "-z",
    "--no-renames",
    "--no-abbrev",
    "--no-ext-diff",
    "--no-textconv",
    "--ignore-submodules=none",
    "--no-relative",
    "-O/dev/null",
)


@dataclass(frozen=True)
class Change:
    """One path that differs between two trees."""

    path: str
    """Path, relative to the root of the benchmark repository."""
    letter: str
    """``A`` added, ``M`` modified, ``D`` deleted, ``T`` another kind of file, ``U`` unmerged."""
    mode_before: str
    """Mode in the first tree, such as ``100644``; ``000000`` where it is absent."""
    mode: str
    """Mode in the second tree."""
    blob_before: str
    """Object name in the first tree."""
    blob: str
    """Object name in the second tree; zeros where that is the working tree."""


@dataclass(frozen=True)
class Difference:
    """Everything that differs between two trees. New regular files are kept apart: a pull request
    adds twenty thousand of them, and hardly any question is about one.
    """

    added: tuple[str, ...]
    """Paths of new regular files, sorted."""
    changes: tuple[Change, ...]
    """Everything else, sorted by path."""
    _heads: tuple[str, ...] = ()
    """What git says of each new file, in the order of `added`."""

    @cached_property
    def blobs(self) -> dict[str, str]:
        """Path of a new file to its object name; zeros where it stands only in the folder."""
        return {
            path: head.split(" ")[3] for path, head in zip(self.added, self._heads, strict=True)
        }


@dataclass(frozen=True)
class Commits:
    """A git repository, and where the benchmark lies in it."""

    repo: Repo
    """The repository."""
    prefix: str
    """Folder of the benchmark below the top, with a final slash; empty at the top."""

    def commit(self, name: str) -> str:
        """The full name of a commit.

        Raises:
            RefusedError: a shallow clone does not reach back to it.
            UsageError: no such commit.
        """
        found = self._ask(
            "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"
        )
        if found is None:
            if self.shallow:
                raise RefusedError(
                    f"This clone has no commit `{name}`; its history is cut off.",
                    hint="git fetch --unshallow",
                )
            raise UsageError(f"There is no commit `{name}`.", hint="git log --oneline")
        return found.decode().strip()

    @property
    def shallow(self) -> bool:
        """Whether the history of this clone is cut off."""
        return (self._ask("rev-parse", "--is-shallow-repository") or b"").strip() == b"true"

    def left(self, base: str, head: str = "HEAD") -> tuple[str, str, tuple[str, ...]]:
        """Where a branch left a base: full names of both, and of their best common ancestors.

        Raises:
            RefusedError: no common ancestor, or a clone that is too shallow to know it.
            UsageError: no such commit.
        """
        # One question where all is well; what is wrong is found out one by one.
        if _NAME.fullmatch(base) and _NAME.fullmatch(head):
            raw = self._ask("rev-parse", f"{base}^{{commit}}", f"{base}^{{commit}}...{head}")
            names = (raw or b"").decode().split()
            if len(names) > 3 and not any(name.startswith("^") for name in names[:3]):
                return names[0], names[1], tuple(sorted(name[1:] for name in names[3:]))
        first, second = self.commit(base), self.commit(head)
        return first, second, self.merge_bases(first, second)

    def merge_bases(self, base: str, head: str) -> tuple[str, ...]:
        """The best common ancestors of two commits; several after criss-cross merges.

        Args:
            base: full name of a commit.
            head: full name of another one.

        Raises:
            RefusedError: there is none, or the clone is too shallow to know it.
        """
        found = (self._ask("merge-base", "--all", base, head) or b"").decode().split()
        if not found:
            hint = "git fetch --unshallow" if self.shallow else "git merge-base --all A B"
            reason = "this clone is shallow" if self.shallow else "they share no history"
            raise RefusedError(
                f"{base[:10]} and {head[:10]} have no common ancestor here: {reason}.", hint=hint
            )
        return tuple(sorted(found))

    def changes(self, before: str, after: str | None, paths: Sequence[str] = ()) -> Difference:
        """Every path that differs between a commit and another one, or the working tree.

        Args:
            before: full name of a commit or tree.
            after: the same; the working tree where absent, untracked files left out.
            paths: folders and files relative to the root; everything where empty. Paths outside
                the benchmark repository are never looked at.
        """
        trees = [before] if after is None else [before, after]
        places = [self.prefix + path for path in paths] or ([self.prefix] if self.prefix else [])
        # Not `diff-tree`: it hands every line on by itself, which takes a third longer.
        raw = self._must("diff", *_DIFF, *trees, "--", *places, large=True)
        return _difference(raw, len(self.prefix))

    def untracked(self, paths: Sequence[str]) -> tuple[str, ...]:
        """Files that git does not know, ignored ones included, relative to the root."""
        places = [self.prefix + path for path in paths]
        raw = self._must("ls-files", "--others", "-z", "--full-name", "--", *places)
        names = raw.decode("utf-8", "surrogateescape").split("\0")
        return tuple(sorted(name.removeprefix(self.prefix) for name in names if name))

    def unmerged(self, folder: str) -> dict[str, dict[int, str]]:
        """Path below a folder that git could not merge to its stages: 2 is what stood in HEAD, 3
        what comes in; each with its object name.
        """
        raw = self._must("ls-files", "-u", "-z", "--full-name", "--", self.prefix + folder)
        found: dict[str, dict[int, str]] = {}
        for entry in raw.decode("utf-8", "surrogateescape").split("\0")[:-1]:
            head, _, path = entry.partition("\t")
            _, blob, stage = head.split(" ")
            found.setdefault(path.removeprefix(self.prefix), {})[int(stage)] = blob
        return found

    def knows(self, name: str) -> bool:
        """Whether a name such as ``MERGE_HEAD`` is a commit."""
        return self._ask("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}") is not None

    def text_at(self, commit: str, path: str) -> bytes | None:
        """Content of a file at a commit; None where there is none."""
        return self._ask("cat-file", "blob", f"{commit}:{self.prefix}{path}")

    def listing(self, commit: str, parts: Sequence[str] = ()) -> tuple[str, ...]:
        """Files of a commit below the root, as ``git ls-tree -l`` says them: all of them, or those
        of some files and folders.
        """
        place = f"{commit}:{self.prefix.rstrip('/')}" if self.prefix else commit
        raw = self._must("ls-tree", "-r", "-l", "-z", "--full-tree", place, "--", *parts)
        return tuple(raw.decode("utf-8", "surrogateescape").split("\0")[:-1])

    def contents(self, names: Sequence[str]) -> Iterator[bytes]:
        """Contents of objects in the order of their names, by one process for many."""
        for start in range(0, len(names), _BATCH):
            some = names[start : start + _BATCH]
            with TemporaryFile() as asked:
                asked.write("".join(f"{name}\n" for name in some).encode("ascii"))
                asked.seek(0)
                raw = self._must("cat-file", "--batch", istream=cast("BinaryIO", asked))
            at = 0
            for _ in some:
                end = raw.index(b"\n", at)
                size = int(raw[at:end].split(b" ")[2])
                yield raw[end + 1 : end + 1 + size]
                at = end + 1 + size + 1

    def authors(self, since: str, head: str, folder: str) -> dict[str, tuple[str, str]]:
        """Path below a folder to the commit after `since` that wrote it last, and its author's
        address. What only a merge brought has none.
        """
        raw = self._must(
            "log", "--no-renames", "--diff-filter=AM", "--name-only", "-z", "--no-mailmap",
            "--format=%x1e%H%x1f%ae%x1d", f"{since}..{head}", "--", self.prefix + folder,
        )  # fmt: skip
        found: dict[str, tuple[str, str]] = {}
        for block in raw.decode("utf-8", "surrogateescape").split("\x1e")[1:]:
            said, _, rest = block.partition("\x1d")
            commit, _, address = said.partition("\x1f")
            for name in rest.split("\0"):
                path = name.lstrip("\n").removeprefix(self.prefix)
                if path:
                    found.setdefault(path, (commit, address))
        return found

    def messages(self, since: str, head: str) -> tuple[tuple[str, str, str, str], ...]:
        """Commit, author's and committer's address, and message of the first-parent line."""
        raw = self._must(
            "log", "--first-parent", "-z", "--no-mailmap",
            "--format=%H%x1f%ae%x1f%ce%x1f%B", f"{since}..{head}", "--",
        )  # fmt: skip
        rows = [entry.split("\x1f", 3) for entry in raw.decode("utf-8", "replace").split("\0")]
        return tuple((row[0], row[1], row[2], row[3]) for row in rows if len(row) == 4)

    def first_parents(self, since: str, head: str = "HEAD") -> tuple[str, ...]:
        """Commits after `since` up to `head` along first parents, oldest first.

        Raises:
            RefusedError: `since` is no ancestor of `head` along the history at hand.
        """
        first, last = self.commit(since), self.commit(head)
        if self._ask("merge-base", "--is-ancestor", first, last) is None:
            hint = "git fetch --unshallow" if self.shallow else f"git log --oneline {since}..{head}"
            raise RefusedError(f"`{since}` is no ancestor of `{head}` here.", hint=hint)
        raw = self._must("rev-list", "--first-parent", "--reverse", f"{first}..{last}")
        return tuple(raw.decode().split())

    def parent(self, commit: str) -> str | None:
        """The first parent; None for a root commit.

        Raises:
            RefusedError: the clone ends here, so that it cannot be told.
        """
        found = self._ask("rev-parse", "--verify", "--quiet", f"{commit}^1")
        if found is not None:
            return found.decode().strip()
        header = self._must("cat-file", "commit", commit).split(b"\n\n", 1)[0]
        if b"\nparent " in header:
            raise RefusedError(
                f"The parent of {commit[:10]} is not in this clone.", hint="git fetch --unshallow"
            )
        return None

    def last_touched(self, commit: str, path: str) -> tuple[str, str] | None:
        """Author's address and day (``YYYY-MM-DD``) of the last commit that touched a path."""
        raw = self._ask("log", "-1", "--format=%ae%n%as", commit, "--", self.prefix + path)
        lines = (raw or b"").decode("utf-8", "replace").split("\n")
        return (lines[0], lines[1]) if len(lines) > 1 and lines[0] else None

    def blob_of(self, path: Path) -> str:
        """Object name that a file would have."""
        return self._must("hash-object", "--no-filters", "--", str(path)).decode().strip()

    def _ask(self, *arguments: str) -> bytes | None:
        """What git prints; None where it exits with an error."""
        from git.exc import GitError

        try:
            return self._must(*arguments)
        except GitError:
            return None

    def _must(self, *arguments: str, istream: BinaryIO | None = None, large: bool = False) -> bytes:
        # A replacement object would show another history than the one that is pushed.
        found = self.repo.git.execute(
            ["git", "-c", "diff.autoRefreshIndex=true", *arguments],
            istream=istream,
            stdout_as_string=False,
            strip_newline_in_stdout=False,
            env={**os.environ, "GIT_NO_REPLACE_OBJECTS": "1", "LC_ALL": "C"},
            pipesize=_pipe_size() if large else -1,
        )
        assert isinstance(found, bytes)
        return found


@cache
def _pipe_size() -> int:
    """Bytes of a pipe for a long answer, as far as the system has them.

    With the usual 64 KiB, git waits for us forty times while it lists 20,000 files.
    """
    try:
        import fcntl

        read, write = os.pipe()
        try:
            return fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, _WIDE)
        finally:
            os.close(read)
            os.close(write)
    except (ImportError, AttributeError, OSError):
        return -1


_WIDE = 1 << 20
_NEW_FILE = ":000000 100644 "


def _difference(raw: bytes, cut: int) -> Difference:
    # git sorts by the bytes of the whole path, and so does Python by its characters.
    parts = raw.decode("utf-8", "surrogateescape").split("\0")
    heads, paths = parts[:-1:2], parts[1::2]
    if cut:
        paths = [path[cut:] for path in paths]
    new = [head.startswith(_NEW_FILE) for head in heads]
    others = []
    if not all(new):
        for head, path in compress(zip(heads, paths, strict=True), map(not_, new)):
            before, after, blob_before, blob, letter = head.split(" ")
            others.append(Change(path, letter[0], before[1:], after, blob_before, blob))
    return Difference(
        tuple(compress(paths, new)),
        tuple(sorted(others, key=lambda change: change.path)),
        tuple(compress(heads, new)),
    )


@contextmanager
def commits_of(root: Path) -> Iterator[Commits]:
    """The git repository that holds a benchmark.

    Raises:
        RefusedError: there is none, or git cannot be run.
    """
    repo = repo_of(root)
    if repo is None or repo.working_tree_dir is None:
        raise RefusedError(
            "There is no git history here, so nothing can be said of it.",
            path=root.as_posix(),
            hint="git clone it, and check out the commit that is to be checked",
        )
    from git.exc import GitError

    try:
        below = root.resolve().relative_to(Path(repo.working_tree_dir).resolve()).as_posix()
        yield Commits(repo, "" if below == "." else f"{below}/")
    except (GitError, OSError) as error:
        words = str(getattr(error, "stderr", "") or error).strip().splitlines()
        raise RefusedError(
            f"git does not answer: {words[-1].strip() if words else type(error).__name__}",
            path=root.as_posix(),
            hint="git status; git fsck",
        ) from None
    finally:
        repo.close()
