"""A trace as data: truth, clause, people, run, scorer, and what of it can be proved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from assay.models.result import CaseResult, ExcludedCase, Result

PartState = Literal["same", "changed", "unknown"]


@dataclass(frozen=True)
class Part:
    """One thing that a result was measured against or measures."""

    name: str
    """Its field in the context or subject."""
    of: str
    """What it is the digest of, and where that lies."""
    recorded: str
    """What the result says: a digest, or names."""
    now: str | None
    """What the files that lie here give today; none where that cannot be computed."""

    @property
    def state(self) -> PartState:
        """Whether it still is that."""
        if self.now is None:
            return "unknown"
        return "same" if self.now == self.recorded else "changed"


@dataclass(frozen=True)
class Signature:
    """Somebody, or a model, whose name stands in a record."""

    handle: str
    """The handle, or the model's name."""
    part: Literal["labeler", "adjudicator", "drafter"]
    """What the record says they did."""
    roles: Mapping[str, Sequence[str]]
    """Day to the roles they had on it."""
    proof: str
    """What proves it, or that it is claimed."""


@dataclass(frozen=True)
class Revision:
    """One revision of the record."""

    revision: int
    """Its number."""
    path: str
    """Its file."""
    status: str
    """Its status."""
    change: str
    """Why there is one."""
    rationale: Sequence[str]
    """The reasons that it gives."""
    used: bool
    """Whether the result was scored against it."""
    counts: bool
    """Whether it counts today."""
    commit: str | None
    """The commit that brought it; none where git does not know."""
    day: str | None
    """That commit's day."""
    author: str | None
    """That commit's author, as handle where ``people.yaml`` knows the address."""


@dataclass(frozen=True)
class Clause:
    """A clause that the record relies on."""

    citation: str
    """``refunds-v7#3.2``."""
    path: str
    """The policy's file; empty where it has none."""
    words: str
    """Its text; empty where it cannot be found."""
    whole: bool | None
    """Whether the policy's text has the digest that ``policies.yaml`` gives; none without one."""


@dataclass(frozen=True)
class CaseTrace:
    """One case of the result."""

    case_id: str
    """The case."""
    lines: Sequence[CaseResult]
    """Its verdicts, a trial each; empty where it was not scored."""
    excluded: ExcludedCase | None
    """Why it was not scored."""
    content: Part | None
    """Content hash of the record that it was scored against."""
    revisions: Sequence[Revision]
    """The record's history, the first revision first."""
    clauses: Sequence[Clause]
    """Clauses that the revision relies on."""
    signatures: Sequence[Signature]
    """Whose names stand in it."""
    trace_ids: Sequence[str]
    """The run's own ids of what was observed."""


@dataclass(frozen=True)
class Made:
    """The tree that a result was made from."""

    commit: str | None
    """The commit; none where it is not known."""
    recorded: bool
    """Whether the published result says so; else it is the commit that is checked out, from which
    the same result was made just now."""
    clean: Mapping[str, bool]
    """Part of the tree to whether it was as committed."""
    present: bool
    """Whether this clone has the commit."""
    subject: str
    """First line of its message."""


@dataclass(frozen=True)
class Trace:
    """What a result rests on."""

    result: Result
    """The result."""
    path: str
    """Its file; empty where it was scored just now."""
    published: str
    """The file that it is published in; empty where it is not."""
    parts: Sequence[Part]
    """Context, scored set and what was observed."""
    statuses: Mapping[str, int]
    """Status of records to number of cases that were scored against them."""
    excluded: Mapping[str, int]
    """Code to number of cases that it excluded."""
    run_path: str
    """The file of the run; empty where it is not known."""
    run_file: Part | None
    """Digest of that file, where it was recorded."""
    made: Made
    """The tree that it was made from."""
    again: str
    """``same`` where scoring the run here today gives this result; ``numbers`` where it gives this
    id with other numbers, ``other`` another id, ``unknown`` where it cannot be scored here."""
    again_id: str
    """The id that it gives."""
    commands: Sequence[str]
    """What to type to make it again."""
    doubts: Sequence[str]
    """What cannot be proved, in sentences."""
    case: CaseTrace | None = None
    """The case that was asked about."""
