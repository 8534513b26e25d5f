"""The only module that talks to git."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from assay.errors import RefusedError

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


def ask(root: Path, *arguments: str) -> str | None:
    """What a git command that writes nothing prints, run in a folder of its repository.

    None where it fails: no git, no repository, or what was asked for is not there. Text that is
    not UTF-8 comes with halves of surrogates.
    """
    import os

    os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")
    try:
        from git import Git
        from git.exc import GitError
    except ImportError:
        return None
    try:
        found = Git(str(root)).execute(
            ["git", *_SETTINGS, *arguments],
            strip_newline_in_stdout=False,
            stdout_as_string=False,
            env={"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"},  # A question takes no lock.
        )
    except (GitError, OSError):
        return None
    assert isinstance(found, bytes)
    return found.decode("utf-8", "surrogateescape")


_SETTINGS = ("-c", "log.showSignature=false", "-c", "color.ui=never", "-c", "log.mailmap=true")
"""Nobody's settings change what is printed."""


def merged_files(root: Path, folder: str) -> frozenset[str]:
    """Files below a folder that have been merged: they stand where this branch left the one that
    it goes into; in the last commit, where that branch is checked out or there is none.
    """
    base = other_base(root)
    found = ask(root, "merge-base", base, "HEAD") if base is not None else None
    return committed_files(root, folder, found.strip() if found else "HEAD")


def committed_files(root: Path, folder: str, commit: str = "HEAD") -> frozenset[str]:
    """Files below a folder that stand in a commit, relative to `root`.

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
        listing: str = repo.git.ls_tree("-r", "--name-only", "-z", commit, "--", base + folder)
    except (GitError, OSError, ValueError):
        return frozenset()
    finally:
        repo.close()
    return frozenset(
        name.removeprefix(base) for name in listing.split("\0") if name.startswith(base)
    )


def clone(source: str, name: str | None, target: Path) -> None:
    """Clone a repository without its history.

    Args:
        source: address or folder.
        name: tag or branch; that of the source where absent.
        target: a folder that does not exist yet.

    Raises:
        RefusedError: git cannot be run, or does not find it.
    """
    import os

    os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")
    hint = f"git ls-remote -- {quote(source)}"
    try:
        from git import Git
        from git.exc import GitError
    except ImportError:
        raise RefusedError("git is not installed.", hint="install git") from None
    chosen = ["--branch", name] if name else []
    address = Path(source).resolve().as_uri() if Path(source).is_dir() else source
    try:
        Git().execute(
            ["git", "clone", "--quiet", "--depth", "1", *chosen, "--", address, str(target)],
            env={"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"},
        )
    except (GitError, OSError) as error:
        words = str(getattr(error, "stderr", "") or error).strip()
        words = words.removeprefix("stderr: '").removesuffix("'")
        lines = [line.strip() for line in words.splitlines() if line.strip()]
        # The last line is often half a sentence of advice.
        told = [line for line in lines if line.startswith(("fatal:", "error:"))]
        why = (told or lines or ["git failed"])[-1]
        raise RefusedError(f"The benchmark cannot be fetched: {why}", hint=hint) from None


BASES = ("main", "origin/main", "master", "origin/master")
"""Branches that are taken for the base where none is named, in this order."""


def default_base(root: Path) -> str | None:
    """The branch that pull requests go to; None where there is none."""
    for name in BASES:
        if ask(root, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}") is not None:
            return name
    return None


def other_base(root: Path) -> str | None:
    """The same, but never the branch that is checked out."""
    here = (ask(root, "branch", "--show-current") or "").strip()
    for name in BASES:
        known = ask(root, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}") is not None
        if name != here and known:
            return name
    return None
