"""A published result: what a run came to, case by case, and the tree that it was made from."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from assay.models.base import CaseId, Many, Model, Name, Sha256
from assay.models.result import CaseResult, Outcome, Result
from assay.models.truth import Status

CommitId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40}([0-9a-f]{24})?$")]
"""Full name of a git commit."""

TreePart = Literal["truth", "cases", "params", "runs", "code"]
"""What a result is made of, as it lies in the repository."""


class PublishedCase(Model):
    """One case in one trial: enough to compare it later, without its run and its evidence."""

    case_id: CaseId
    """The eval case."""
    trial: int = Field(ge=0)
    """Zero-based trial."""
    outcome: Outcome
    """The verdict."""
    status: Status
    """Status of the record that it was scored against."""
    revision: int
    """Revision of that record."""
    content_hash: Sha256
    """Content hash of that record."""
    gates: bool
    """Whether the case could block a merge."""
    slice: str
    """The case's slice."""
    cluster: str
    """Template or anchor: cases of one cluster are not independent."""
    category: str | None = None
    """The case's category."""
    observed: Sha256
    """Digest of what the agent did."""

    def line(self, run: str) -> CaseResult:
        """The same as a line of scores; components, notes and tags were not kept."""
        return CaseResult(run=run, **dict(self))


class PublishedRun(Model):
    """The file of observed runs that was scored."""

    path: Name
    """The file, relative to the repository's root."""
    sha256: Sha256
    """SHA-256 of its bytes, line ends read as LF."""


class MadeFrom(Model):
    """The commit that a result can be made from again."""

    commit: CommitId
    """The commit that was checked out."""
    clean: dict[TreePart, bool]
    """Part of the tree to whether it was as committed; without `code` where the engine is no part
    of the repository, and only its digest in the context says which one it was."""


class PublishedSelection(Model):
    """What was asked for, so that the same can be asked again."""

    statuses: Many[Status]
    """Statuses of records that were scored."""
    only: Many[Name] = ()
    """Case ids or patterns; all cases where empty."""
    repeat: int | None = None
    """How many trials were taken; all where absent."""


class Published(Model):
    """``results/<year>/<id>.json``: one result, written once and never changed."""

    schema_version: Literal[1] = 1
    """Version of this format."""
    digest: Sha256
    """SHA-256 over everything else in the file, in canonical JSON."""
    result: Result
    """What the run came to; its id names the file, the year of its day the folder."""
    selection: PublishedSelection
    """What was asked for."""
    run: PublishedRun
    """What was scored."""
    made_from: MadeFrom
    """The tree that it was made from."""
    cases: Many[PublishedCase]
    """Every case and trial that was scored, by case and trial."""

    @property
    def lines(self) -> tuple[CaseResult, ...]:
        """The cases as lines of scores; components, notes and tags were not kept."""
        return tuple(case.line(self.result.subject.run) for case in self.cases)
