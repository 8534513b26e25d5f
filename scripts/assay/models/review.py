"""A review: what a range of commits changes in meaning, and what that does to every score.

What ``assay diff --format json`` prints. Texts that people wrote stand in it as they wrote them;
who renders it escapes them.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from assay.models.base import Day, Many, Model, Name, Sha256
from assay.models.finding import Finding
from assay.models.result import Outcome
from assay.models.truth import Change, Status

Class = Literal["no_effect", "clarifies", "moves_scores", "breaks_comparison"]
"""What a change does to scores; each includes those before it. Defined in docs/reviewing.md."""

CLASSES: tuple[Class, ...] = ("no_effect", "clarifies", "moves_scores", "breaks_comparison")
"""From the least to the gravest."""

State = Literal["ready", "waiting", "wrong"]
"""`wrong`: a file or the history is wrong; `waiting`: somebody has not signed."""


class Sides(Model):
    """What is compared with what."""

    base: Name
    """What was named as the base."""
    origin: Name
    """Full name of the commit at which the branch left the base."""
    head: str | None
    """Full name of the other commit; none for the working tree."""
    today_before: Day
    """The day that the base was judged at."""
    today: Day
    """The day that the head was judged at."""
    engine: Name
    """Version of the engine."""
    command: Name
    """The command that prints the same."""


class FieldChange(Model):
    """One line of what is expected, before and after, in words and in today's tool names."""

    field: Name
    """Name of the field in the record."""
    label: Name
    """What kind of thing it is, in a few words."""
    before: Many[Name] = ()
    """What stood there and no longer does; empty where nothing is gone."""
    after: Many[Name] = ()
    """What stands there now and did not; empty where nothing came."""
    decides: bool
    """Whether verdicts may depend on it."""


class Clause(Model):
    """A policy clause that a record cites."""

    clause: Name
    """As it is cited: ``refunds-v7#3.2``."""
    text: str | None = None
    """Its words; none where they cannot be found."""


class Signature(Model):
    """Somebody whose name the revision carries, and whether that is more than a claim."""

    handle: Name
    """The person."""
    role: Literal["labeler", "adjudicator", "author"]
    """In which role."""
    proof: Literal["forge", "git", "claimed"]
    """The forge recorded the approval; git shows the person as author; or nothing does."""


class RevisionReview(Model):
    """One new revision: why it was written, and who signs for it."""

    revision: int
    """Its number."""
    path: Name
    """Its file."""
    status: Status
    """Its status."""
    change: Change
    """Why it exists."""
    why: Many[Name] = ()
    """Sentences that it adds to the rationale."""
    signs: str | None
    """Who must sign, in words; none where the life cycle does not allow the step."""
    signatures: Many[Signature] = ()
    """Whose names it carries."""
    awaited: Many[Name] = ()
    """Handles, or words such as ``a labeler``, of whom a signature is still missing."""
    declared: str | None = None
    """Name of the proved bulk change that wrote it."""


class Scored(Model):
    """How a case stands on one side."""

    revision: int | None
    """The revision that counts."""
    status: Status | None
    """Its status."""
    content_hash: Sha256 | None
    """Its content hash, under that side's own rename map."""
    exclusions: Many[Name] = ()
    """Codes of what excludes it."""
    gates: bool = False
    """Whether it may block a merge."""


class Flip(Model):
    """A verdict of a stored run that is another one."""

    suite: Name
    """The suite."""
    run: Name
    """The run."""
    case_id: Name
    """The case."""
    trial: int | None
    """Zero-based trial; none where the case is not scored on one side at all."""
    before: Outcome | Literal["excluded", "not in the run", "absent"]
    """The verdict at the base."""
    after: Outcome | Literal["excluded", "not in the run", "absent"]
    """The verdict at the head."""
    reason: str
    """The deciding evidence at the head, or why it is not scored there."""
    was: str
    """The same at the base."""


class CaseReview(Model):
    """Everything that is new about one case."""

    suite: str
    """Its suite."""
    case_id: Name
    """The case."""
    asked: str | None
    """What the user says; none where there is no case."""
    kind: Class
    """What the change does."""
    revisions: Many[RevisionReview]
    """New revisions, in order."""
    changes: Many[FieldChange] = ()
    """Field by field, from what counted or stood last to the last new revision."""
    clauses: Many[Clause] = ()
    """Clauses that the last new revision cites."""
    before: Scored
    """How it stood."""
    after: Scored
    """How it stands."""
    flips: int = 0
    """Verdicts of stored runs that flip on it."""
    finished: str | None = None
    """The finished file, where the last new revision is not finished or not canonical."""


class Line(Model):
    """Another change, in a line."""

    path: Name
    """The file."""
    text: Name
    """What is new, in a line."""


class Coverage(Model):
    """One suite on both sides."""

    suite: Name
    """The suite."""
    gating_before: int
    """Cases that gated."""
    gating: int
    """Cases that gate."""
    cases_before: int
    """Cases that were not retired."""
    cases: int
    """Cases that are not retired."""
    floor: str | None
    """Coverage (0 to 1) under which the gate refuses, as a decimal."""
    ready_before: bool
    """Whether the gate could judge."""
    ready: bool
    """Whether it can."""
    truth_before: Sha256 | None
    """Truth hash at the base; none where the suite is new."""
    truth: Sha256 | None
    """Truth hash at the head; none where the suite is gone."""
    moved: Many[Name] = ()
    """Parts of the context of results that are another one, so that comparison breaks."""


class ExclusionChange(Model):
    """A case that can no longer be scored, or can again."""

    suite: Name
    """The suite."""
    case_id: Name
    """The case."""
    gained: bool
    """True where it was scored and is excluded now."""
    codes: Many[Name]
    """What excludes it, or excluded it."""
    reason: str
    """In words."""


class RunImpact(Model):
    """One stored run under both truths."""

    suite: Name
    """The suite."""
    run: Name
    """The run."""
    passed_before: int
    """Passed at the base."""
    passed: int
    """Passed at the head."""
    evaluated_before: int
    """Passed and failed at the base."""
    evaluated: int
    """Passed and failed at the head."""
    rate_before: str | None
    """Pass rate (0 to 1) at the base as a decimal; none where nothing was evaluated."""
    rate: str | None
    """The same at the head."""
    rank_before: int | None
    """Place among the runs of the suite by rate, from 1; equal rates share a place."""
    rank: int | None
    """The same at the head."""
    flips: int
    """How many verdicts flip."""
    scored: bool
    """False where nothing that a verdict depends on moved, so that it was not scored again."""
    problem: str = ""
    """Why it could not be scored on one side; empty where it could."""


class Declared(Model):
    """A declared bulk change, and whether the same command writes the same files."""

    id: Name
    """Its name."""
    path: Name
    """Its file."""
    command: Many[Name]
    """The command with its arguments."""
    why: Name
    """Why it was done."""
    revisions: int
    """How many revisions it declares."""
    same: int = 0
    """Files that are exactly what the command writes."""
    different: Many[Name] = ()
    """Files of the command that are other ones, or are not there."""
    proved: bool
    """Whether all is as declared."""
    problem: str = ""
    """What is wrong; empty where it is proved."""
    kinds: dict[Class, int] = Field(default_factory=dict)
    """What it does: class to number of cases, the gravest first."""
    awaited: Many[Name] = ()
    """Who has still to sign for revisions that it covers."""


class Suspect(Model):
    """Another record that may have what was just corrected."""

    suite: str
    """Its suite."""
    case_id: Name
    """The case."""
    like: Name
    """The corrected case that it is most like."""
    score: int
    """How strongly; only the order means something."""
    reasons: Many[Name]
    """What both have, the strongest first."""


class Redacted(Model):
    """A merged revision whose content a tombstone replaces."""

    path: str
    """Its file."""
    case_id: Name
    """The case."""
    revision: int
    """Its number."""
    why: Name
    """Why it had to go."""
    awaited: Many[Name] = ()
    """Who is named as having approved it, and has not as far as the forge says."""


class Review(Model):
    """What ``assay diff --format json`` prints."""

    schema_version: Literal[1] = 1
    """Version of this shape."""
    state: State
    """Whether it can be merged."""
    kind: Class
    """What all of it does."""
    sides: Sides
    """What is compared."""
    cases: Many[CaseReview]
    """Cases with new revisions that no proved declaration covers, by class and case."""
    others: Many[Line] = ()
    """Policies, tools, people, cases and parameters that changed."""
    coverage: Many[Coverage] = ()
    """Every suite."""
    exclusions: Many[ExclusionChange] = ()
    """Cases that are no longer scored, or are again."""
    runs: Many[RunImpact] = ()
    """Every stored run."""
    flips: Many[Flip] = ()
    """Every verdict that flips, by suite, run, case and trial."""
    declared: Many[Declared] = ()
    """Declared bulk changes that the range adds."""
    suspects: Many[Suspect] = ()
    """The ten records that are most like what was corrected."""
    more_suspects: int = 0
    """How many more there are."""
    findings: Many[Finding] = ()
    """What the rules say about what changed: errors first."""
    elsewhere: int = 0
    """Errors that were there before and are about something else."""
    revisions: int = 0
    """New revision files."""
    redacted: Many[Redacted] = ()
    """Merged revisions that become tombstones, by path."""
    files: dict[str, int] = Field(default_factory=dict)
    """Kind of file to how many were added or changed."""
    notes: Many[Name] = ()
    """What a reader should know, such as why the impact is not known."""

    @property
    def broken(self) -> bool:
        """Whether a file, the history or a declaration is wrong."""
        return self.state == "wrong"

    @property
    def awaited(self) -> tuple[str, ...]:
        """Everybody who is awaited, sorted."""
        cases = {who for case in self.cases for rev in case.revisions for who in rev.awaited}
        more = [*(change.awaited for change in self.declared)]
        more += [item.awaited for item in self.redacted]
        return tuple(sorted(cases.union(*more)))
