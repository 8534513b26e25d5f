"""What git says of a repository's past: commits, what they changed, and what is not committed."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.errors import RefusedError
from assay.ledger.commits import commits_of
from assay.ledger.git import ask

_FIELD = "\x1f"


@dataclass(frozen=True)
class Commit:
    """One commit of the first-parent line."""

    id: str
    """Its full name."""
    day: str
    """Its author's day."""
    author: str
    """The author's name."""
    mail: str
    """The author's mail address."""
    subject: str
    """The first line of its message."""
    changed: tuple[tuple[str, str], ...] = ()
    """Status letter and path, relative to the root, of what it changed against its first
    parent, by path."""

    @property
    def short(self) -> str:
        """The name that is printed."""
        return self.id[:10]


def require_history(root: Path) -> None:
    """See that there is a commit.

    Raises:
        RefusedError: no git, no clone, or nothing committed yet.
    """
    if ask(root, "rev-parse", "--verify", "--quiet", "HEAD") is None:
        if shutil.which("git") is None:
            raise RefusedError("git is not installed, or not on the PATH.", hint="git --version")
        raise RefusedError(
            "There is no git history here.",
            path=root.as_posix(),
            hint="git init && git add -A && git commit -m 'First state'",
        )


def shallow(root: Path) -> bool:
    """Whether the history is cut off; not where there is none."""
    return (ask(root, "rev-parse", "--is-shallow-repository") or "").strip() == "true"


def commit_id(root: Path, name: str) -> str:
    """Full name of a commit.

    Raises:
        RefusedError: no history, or the clone is shallow and does not have it.
        UsageError: no such commit.
    """
    require_history(root)
    with commits_of(root) as commits:
        return commits.commit(name)


def is_ancestor(root: Path, commit: str, of: str = "HEAD") -> bool:
    """Whether a commit is in the history of another one."""
    return ask(root, "merge-base", "--is-ancestor", commit, of) is not None


def object_id(root: Path, commit: str, path: str) -> str | None:
    """Git's digest of a file or folder at a commit, relative to the root; None where absent."""
    found = ask(root, "rev-parse", "--verify", "--quiet", f"{commit}:./{path}")
    return found.strip() if found is not None else None


def uncommitted(root: Path, paths: Sequence[str]) -> tuple[str, ...]:
    """Files below these paths that are not as the last commit has them, new ones included.

    Raises:
        RefusedError: git cannot say.
    """
    found = ask(
        root, "status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames",
        "--", *(f":(top,literal){prefix_of(root)}{path}" for path in paths),
    )  # fmt: skip
    if found is None:
        raise RefusedError("git cannot say what has changed.", hint="git status")
    prefix = prefix_of(root)
    return tuple(sorted(item[3:].removeprefix(prefix) for item in found.split("\0") if item))


def tracked(root: Path, path: str) -> bool:
    """Whether a file, relative to the root, stands in the last commit."""
    return object_id(root, "HEAD", path) is not None


def prefix_of(root: Path) -> str:
    """Where the root lies in its git repository: empty, or a folder that ends in ``/``."""
    return (ask(root, "rev-parse", "--show-prefix") or "").rstrip("\n")


def first_parents(root: Path, last: str) -> list[Commit]:
    """The first-parent line up to a commit, the oldest first, with what each commit changed."""
    text = ask(
        root, "log", "--first-parent", "--diff-merges=first-parent", "--reverse", "--no-renames",
        "--name-status", "-z", "--relative", "--root",
        f"--format=%x1e%H{_FIELD}%as{_FIELD}%aN{_FIELD}%aE{_FIELD}%s", last, "--",
    )  # fmt: skip
    commits: list[Commit] = []
    for block in (text or "").split("\x1e")[1:]:
        head, *rest = block.split("\0")
        names = [part.lstrip("\n") for part in rest]
        pairs = zip(names[::2], names[1::2], strict=False)
        changed = sorted((path, status[:1]) for status, path in pairs if status and path)
        commits.append(_commit(head, tuple((letter, path) for path, letter in changed)))
    return commits


def added_by(root: Path, path: str) -> Commit | None:
    """The commit that brought a file, relative to the root; None where git does not know."""
    text = ask(
        root, "log", "--diff-filter=A", "--no-renames", "-1",
        f"--format=%H{_FIELD}%as{_FIELD}%aN{_FIELD}%aE{_FIELD}%s", "HEAD", "--", path,
    )  # fmt: skip
    return _commit(text) if text and text.strip() else None


def _commit(head: str, changed: tuple[tuple[str, str], ...] = ()) -> Commit:
    name, day, author, mail, subject = head.strip("\n").split(_FIELD, 4)
    return Commit(name, day, author, mail, subject, changed)


def first_with(root: Path, last: str, path: str) -> str | None:
    """The first commit of the first-parent line that has a file; None where none has it."""
    text = ask(
        root, "log", "--first-parent", "--diff-merges=first-parent", "--reverse", "--no-renames",
        "--diff-filter=A", "--format=%H", last, "--", path,
    )  # fmt: skip
    lines = (text or "").split()
    return lines[0] if lines else None


def days_added(root: Path, folder: str) -> dict[str, str]:
    """File below a folder, relative to the root, to the day of the commit that added it.

    Empty without git; files that are not committed are absent. One question, however many files.
    """
    text = ask(
        root, "log", "--diff-filter=A", "--no-renames", "--name-only", "-z", "--relative",
        "--format=%x1e%as", "HEAD", "--", folder,
    )  # fmt: skip
    found: dict[str, str] = {}
    for block in (text or "").split("\x1e")[1:]:
        day, *names = block.split("\0")
        for name in names:
            if name.strip("\n"):
                found[name.strip("\n")] = day.strip("\n")  # The first commit comes last.
    return found


def touched_by(root: Path, since: str, last: str, folder: str) -> dict[str, frozenset[str]]:
    """File below a folder, relative to the root, to the mail addresses of everybody who touched
    it in the commits of `last` that `since` does not have.

    A merge counts where it changes a file otherwise than either side. One question, however
    many files.
    """
    text = ask(
        root, "log", "--diff-merges=combined", "--no-renames", "--name-only", "-z", "--relative",
        "--format=%x1e%aE", f"{since}..{last}", "--", folder,
    )  # fmt: skip
    found: dict[str, set[str]] = {}
    for block in (text or "").split("\x1e")[1:]:
        mail, *names = block.split("\0")
        for name in names:
            if name.strip("\n"):
                found.setdefault(name.strip("\n"), set()).add(mail.strip("\n"))
    return {name: frozenset(mails) for name, mails in found.items()}


def adding_commit(root: Path, since: str, last: str, path: str) -> tuple[str, str] | None:
    """The commit after `since` that brought a file, and its first parent; None where none did."""
    text = ask(
        root, "log", "--diff-filter=A", "--no-renames", "-1", "--format=%H %P",
        f"{since}..{last}", "--", path,
    )  # fmt: skip
    names = (text or "").split()
    return (names[0], names[1]) if len(names) > 1 else None


def entries_at(root: Path, commit: str, folder: str) -> tuple[str, ...]:
    """Files and folders directly in a folder at a commit, relative to the root."""
    text = ask(root, "ls-tree", "--name-only", "-z", commit, "--", f"{folder}/")
    return tuple(sorted(name for name in (text or "").split("\0") if name))
