"""What a branch, or each commit of main, changes: what the rules about history look at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from assay.ledger.commits import EMPTY_TREE, NOTHING, REGULAR, Change, Commits, commits_of
from assay.ledger.layout import (
    AUDITS,
    CAMPAIGNS,
    LABELS,
    PEOPLE,
    POLICIES,
    RECORDS,
    RESULTS,
    TOOLS,
    record_key,
)

APPEND_ONLY = (RECORDS, LABELS, AUDITS, CAMPAIGNS, RESULTS)
"""Folders whose files are only ever added."""

CATALOGUES = (POLICIES, TOOLS, PEOPLE)
"""Files whose entries are only ever added."""


@dataclass(frozen=True)
class Step:
    """What one pull request, or one commit on main, changes."""

    name: str
    """What it is called in messages: ``this branch``, or a short commit."""
    added: tuple[str, ...]
    """Paths of new regular files."""
    changes: tuple[Change, ...]
    """Everything else that differs, sorted by path."""
    before: Mapping[str, bytes]
    """Catalogues and revision files that it changes, as they stood before."""
    after: Mapping[str, bytes | None]
    """The same as they stand afterwards; None where one is gone."""
    new_blobs: Callable[[], Mapping[str, str]]
    """Path of a new file to its object name."""
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
    data: bytes = b""
    """Its content."""
    free: int = 0
    """For a revision: the first number that the base has not given away."""


@dataclass(frozen=True)
class History:
    """What is compared with what."""

    base: str
    """The commit that was named, as it was named."""
    steps: tuple[Step, ...]
    """One for a branch; one a commit for main."""
    ahead: Mapping[str, Elsewhere] = field(default_factory=dict)
    """Append-only paths that this branch adds and that the base has gained meanwhile."""


def branch_history(
    root: Path, base: str, *, committed: bool = False, head: str | None = None
) -> History:
    """What the working tree changes since it left `base`: committed, uncommitted and new files.

    Args:
        root: the benchmark repository.
        base: anything that git takes for a commit.
        committed: look at commits alone; git then need not look at every file of the folder.
        head: the commit that is looked at in place of the working tree.

    Raises:
        RefusedError: no git, no common ancestor, a clone that is too shallow: exit 3.
        UsageError: no such commit.
    """
    committed = committed or head is not None
    with commits_of(root) as commits:
        tip, last, origins = commits.left(base, head or "HEAD")
        first, *others = [
            commits.changes(origin, last if committed else None) for origin in origins
        ]
        changed = {change.path: change for change in first.changes}
        # After criss-cross merges there are several; what breaks a rule against one breaks it.
        for other in others:
            changed.update((change.path, change) for change in other.changes)
        added = [path for path in first.added if path not in changed] if others else first.added
        if not committed:
            extra = [_new(root, path) for path in commits.untracked([*APPEND_ONLY, *CATALOGUES])]
            changed.update((change.path, change) for change in extra if change.mode != REGULAR)
            added = sorted({*added, *(c.path for c in extra if c.mode == REGULAR)})
        touched = [path for path in CATALOGUES if path in changed]
        edited = _edited(changed.values())
        step = Step(
            "this branch",
            tuple(added),
            tuple(changed[path] for path in sorted(changed)),
            {**_texts(commits, origins[0], touched), **_before(commits, edited)},
            {
                **{
                    path: commits.text_at(last, path) if committed else _content(root / path)
                    for path in touched
                },
                **_after(commits, root, edited),
            },
            lambda: first.blobs,  # Twenty thousand names that hardly any branch is asked for.
        )
        return History(base, (step,), _ahead(commits, root, origins, tip, step))


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
            found = commits.changes(parent or EMPTY_TREE, commit)
            touched = [change.path for change in found.changes if change.path in CATALOGUES]
            edited = _edited(found.changes)
            steps.append(
                Step(
                    commit[:10],
                    found.added,
                    found.changes,
                    {**_texts(commits, parent, touched), **_before(commits, edited)}
                    if parent
                    else {},
                    {
                        **{path: commits.text_at(commit, path) for path in touched},
                        **_after(commits, root, edited),
                    },
                    partial(getattr, found, "blobs"),
                    commit,
                    parent is None,
                )
            )
        return History(since, tuple(steps))


def _new(root: Path, path: str) -> Change:
    place = root / path
    mode = "120000" if place.is_symlink() else "040000" if place.is_dir() else REGULAR
    return Change(path, "A", "000000", mode, NOTHING, NOTHING)


def _texts(commits: Commits, commit: str, paths: list[str]) -> dict[str, bytes]:
    found = {path: commits.text_at(commit, path) for path in paths}
    return {path: data for path, data in found.items() if data is not None}


def _edited(changes: Iterable[Change]) -> list[Change]:
    """Revision files with other content than before: a tombstone is the one that may."""
    return sorted(
        (one for one in changes if one.letter == "M" and record_key(one.path) is not None),
        key=lambda change: change.path,
    )


def _before(commits: Commits, edited: Sequence[Change]) -> dict[str, bytes]:
    texts = commits.contents([change.blob_before for change in edited])
    return {change.path: data for change, data in zip(edited, texts, strict=True)}


def _after(commits: Commits, root: Path, edited: Sequence[Change]) -> dict[str, bytes | None]:
    stored = [change for change in edited if change.blob != NOTHING]
    texts = commits.contents([change.blob for change in stored])
    found: dict[str, bytes | None] = {
        change.path: data for change, data in zip(stored, texts, strict=True)
    }
    found.update(
        {change.path: _content(root / change.path) for change in edited if change.blob == NOTHING}
    )
    return found


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _ahead(
    commits: Commits, root: Path, origins: tuple[str, ...], tip: str, step: Step
) -> dict[str, Elsewhere]:
    """What the base gained that this branch adds too, with other content."""
    if tip in origins or not step.added:
        return {}
    mine = frozenset(step.added)
    theirs = commits.changes(origins[0], tip, APPEND_ONLY)
    found: dict[str, Elsewhere] = {}
    for path in theirs.added:
        if path in mine:
            blob = step.new_blobs().get(path, NOTHING)
            if blob == NOTHING:
                blob = commits.blob_of(root / path)
            if blob != theirs.blobs[path]:
                author, day = commits.last_touched(tip, path) or ("somebody", "?")
                data = commits.text_at(tip, path) or b""
                free = _free(path, theirs.added)
                found[path] = Elsewhere(theirs.blobs[path], author, day, data, free)
    return found


def _free(path: str, added: tuple[str, ...]) -> int:
    """The first number after all revisions of the same case that the base added."""
    key = record_key(path)
    if key is None:
        return 0
    keys = (record_key(one) for one in added if one.startswith(path.rpartition(".r")[0]))
    return 1 + max(
        (one.revision for one in keys if one is not None and one.case_id == key.case_id), default=0
    )
