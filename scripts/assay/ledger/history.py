"""What a branch, or each commit of main, changes: what the rules about history look at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from assay.ledger.commits import EMPTY_TREE, REGULAR, Change, Commits, commits_of
from assay.ledger.layout import AUDITS, CAMPAIGNS, LABELS, PEOPLE, POLICIES, RECORDS, RESULTS, TOOLS

APPEND_ONLY = (RECORDS, LABELS, AUDITS, CAMPAIGNS, RESULTS)
"""Folders whose files are only ever added."""

CATALOGUES = (POLICIES, TOOLS, PEOPLE)
"""Files whose entries are only ever added."""


@dataclass(frozen=True)
class Step:
    """What one pull request, or one commit on main, changes."""

    name: str
    """What it is called in messages: ``this branch``, or a short commit."""
    changes: tuple[Change, ...]
    """Every path that differs, sorted."""
    before: Mapping[str, bytes]
    """Catalogues that it changes, as they stood before."""
    after: Mapping[str, bytes | None]
    """The same as they stand afterwards; None where one is gone."""
    commit: str | None = None
    """The commit on main; none for a branch with what is not committed yet."""
    is_root: bool = False
    """Whether there was nothing before."""


@dataclass(frozen=True)
class Elsewhere:
    """A file that the base has gained since the branch left it."""

    blob: str
    """Its object name."""
    author: str
    """Address of who added it last."""
    day: str
    """When, ``YYYY-MM-DD``."""


@dataclass(frozen=True)
class History:
    """What is compared with what."""

    base: str
    """The commit that was named, as it was named."""
    steps: tuple[Step, ...]
    """One for a branch; one a commit for main."""
    ahead: Mapping[str, Elsewhere] = field(default_factory=dict)
    """Append-only paths that this branch adds and that the base has gained meanwhile."""

    @cached_property
    def added(self) -> frozenset[str]:
        """Paths that were added."""
        return frozenset(c.path for step in self.steps for c in step.changes if c.letter == "A")


def branch_history(root: Path, base: str) -> History:
    """What the working tree changes since it left `base`: committed, uncommitted and new files.

    Raises:
        RefusedError: no git, no common ancestor, a clone that is too shallow: exit 3.
        UsageError: no such commit.
    """
    with commits_of(root) as commits:
        tip = commits.commit(base)
        found: dict[str, Change] = {}
        # After criss-cross merges there are several; what breaks a rule against one breaks it.
        origins = commits.merge_bases(tip)
        for origin in origins:
            for change in commits.changes(origin, None):
                known = found.get(change.path)
                if known is None or known.letter == "A":
                    found[change.path] = change
        for path in commits.untracked([*APPEND_ONLY, *CATALOGUES]):
            found.setdefault(path, _new(root, path, commits))
        changes = tuple(found[path] for path in sorted(found))
        touched = [change.path for change in changes if change.path in CATALOGUES]
        step = Step(
            "this branch",
            changes,
            _texts(commits, origins[0], touched),
            {path: _content(root / path) for path in touched},
        )
        return History(base, (step,), _ahead(commits, root, origins, tip, changes))


def main_history(root: Path, since: str) -> History:
    """What each commit of main after `since` changed, along first parents.

    Raises:
        RefusedError: no git, `since` is no ancestor, a clone that is too shallow: exit 3.
        UsageError: no such commit.
    """
    with commits_of(root) as commits:
        steps = []
        for commit in commits.first_parents(since):
            parent = commits.parent(commit)
            changes = commits.changes(parent or EMPTY_TREE, commit)
            touched = [change.path for change in changes if change.path in CATALOGUES]
            steps.append(
                Step(
                    commit[:10],
                    changes,
                    _texts(commits, parent, touched) if parent else {},
                    {path: commits.text_at(commit, path) for path in touched},
                    commit,
                    parent is None,
                )
            )
        return History(since, tuple(steps))


def _new(root: Path, path: str, commits: Commits) -> Change:
    place = root / path
    mode = "120000" if place.is_symlink() else "040000" if place.is_dir() else REGULAR
    blob = commits.blob_of(place) if mode == REGULAR else ""
    return Change(path, "A", "000000", mode, "0" * 40, blob)


def _texts(commits: Commits, commit: str, paths: list[str]) -> dict[str, bytes]:
    found = {path: commits.text_at(commit, path) for path in paths}
    return {path: data for path, data in found.items() if data is not None}


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _ahead(
    commits: Commits, root: Path, origins: tuple[str, ...], tip: str, changes: tuple[Change, ...]
) -> dict[str, Elsewhere]:
    """What the base gained that this branch adds too, with other content."""
    mine = {change.path: change for change in changes if change.letter == "A"}
    if tip in origins or not mine:
        return {}
    found: dict[str, Elsewhere] = {}
    for other in commits.changes(origins[0], tip, APPEND_ONLY):
        change = mine.get(other.path)
        if change is None or other.letter == "D":
            continue
        blob = change.blob
        if not blob.strip("0") and (root / other.path).is_file():
            blob = commits.blob_of(root / other.path)
        if blob != other.blob:
            author, day = commits.last_touched(tip, other.path) or ("somebody", "?")
            found[other.path] = Elsewhere(other.blob, author, day)
    return found
