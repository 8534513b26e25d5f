"""What ``assay check`` looks at: the folder, or a commit of anybody's as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from assay.checks.runner import run_checks
from assay.errors import UsageError
from assay.forge.approvals import read_reviews
from assay.ledger.changes import History, branch_history, main_history
from assay.ledger.commit_tree import tree_at
from assay.ledger.owners.files import load_owners
from assay.ledger.repository import Repository
from assay.ledger.signatures import SignedBranch, signed_branch
from assay.models.finding import FindingReport


@dataclass(frozen=True)
class Asked:
    """What the rules are asked."""

    today: str | None = None
    """The day; that of ``params.yaml`` where absent."""
    policies: tuple[str, ...] = ()
    """What-if: versions in place of those in force."""
    select: tuple[str, ...] = ()
    """Codes or patterns; every rule where empty."""
    only: tuple[str, ...] = ()
    """Cases; all where empty."""
    base: str | None = None
    """What a branch is compared with."""
    since: str | None = None
    """The commit after which main is looked at, commit by commit."""
    committed: bool = False
    """Whether what is not committed is left out."""
    head: str | None = None
    """A commit that is looked at in place of the folder."""
    approvals: Path | None = None
    """What the forge says of the reviews."""


@dataclass(frozen=True)
class Checked:
    """What was found, and what was looked at for it."""

    report: FindingReport
    """What the rules found."""
    today: str
    """The day that it was judged at."""
    history: History | None = None
    """What was changed, where that was asked for."""
    signed: SignedBranch | None = None
    """Who signed it, where that was asked for."""


def check_repository(root: Path, asked: Asked, files: Sequence[Path] = ()) -> Checked:
    """What the rules find.

    Args:
        root: the benchmark repository; its code runs, and with `head` nothing of it is read.
        asked: the question.
        files: interchange files whose records stand in for those of the repository.

    Raises:
        InputError: a file cannot be read.
        RefusedError: git cannot tell what is asked.
        UsageError: an unknown case, code, commit or policy.
    """
    with _looked_at(root, asked.head) as place:
        repository = Repository.load(place, truth=files)
        unknown = sorted(set(asked.only) - repository.revisions.keys() - repository.cases.keys())
        if unknown:
            raise UsageError(f"No case is called `{unknown[0]}`.", hint="assay truth show")
        history = _history(root, asked)
        signed = None
        if history is not None:
            reviews = read_reviews(asked.approvals) if asked.approvals is not None else None
            signed = signed_branch(root, repository, history, reviews, head=asked.head or "HEAD")
        report = run_checks(
            repository,
            today=asked.today,
            policies=asked.policies,
            select=asked.select,
            only=asked.only or None,
            history=history,
            owners=load_owners(place, repository.people.model.forge) if not files else None,
            signed=signed,
        )
        return Checked(report, asked.today or repository.params.model.today, history, signed)


@contextmanager
def _looked_at(root: Path, head: str | None) -> Iterator[Path]:
    if head is None:
        yield root
        return
    with tree_at(root, head) as view:
        yield view


def _history(root: Path, asked: Asked) -> History | None:
    if asked.base is not None:
        return branch_history(root, asked.base, committed=asked.committed, head=asked.head)
    return main_history(root, asked.since) if asked.since is not None else None
