"""The truth record: the reviewed statement of what is correct for one case.

One immutable file holds one revision of it. Field names follow the source text *Managing
Ground Truth for Agent Evals* ("A truth record and its validator") in snake case; the order of
the fields here is the order in which a file is written, the *why* first.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from assay.models.base import CaseId, Day, Handle, JsonValue, Many, Model, Name, Sha256
from assay.models.plan import Plan

Status = Literal["draft", "silver", "gold", "disputed", "retired"]
Change = Literal[
    "new",
    "correction",
    "wording",
    "policy",
    "rename",
    "world",
    "renewal",
    "dispute",
    "upheld",
    "retire",
]
Order = Literal["any", "in_order", "exact", "plan"]
Component = Literal["trajectory", "outcome", "rubric", "state"]

MOST_CALLS = 1_000
"""Largest number of calls that a label can ask for or bound; proofs make as many."""

MOST_ELEMENTS = 100_000
"""Largest collection that a label can ask for."""

MOST_TURNS = 1_000
"""Turns that a label can refer to."""

CallCount = Annotated[int, Field(ge=0, le=MOST_CALLS)]
"""How many calls."""

SCORABLE: tuple[Status, ...] = ("gold", "silver")


class RequiredTool(Model):
    """A tool that must be called, with the arguments that matter."""

    tool: Name
    """Name in the tool catalogue; ``server/tool`` where the bare name is not unique."""
    args: dict[str, JsonValue] = Field(default_factory=dict)
    """Argument name to literal or matcher. Arguments that are not named may be anything."""
    min: int = Field(default=1, ge=0, le=MOST_CALLS)
    """How many calls without error must match, at least."""
    max: int | None = Field(default=None, ge=0, le=MOST_CALLS)
    """How many calls without error may match, at most; unlimited when absent."""
    turn: int | None = Field(default=None, ge=0, lt=MOST_TURNS)
    """Zero-based turn in which the calls must happen; any turn when absent."""

    @model_validator(mode="after")
    def _bounds(self) -> RequiredTool:
        if self.max is not None and self.max < self.min:
            raise ValueError(f"max ({self.max}) is below min ({self.min})")
        return self


class FactSource(Model):
    """Where the value of a fact stands in frozen data, so that it can be recomputed."""

    fixture: Name
    """Path of the fixture below the suite's folder, or the name of a cassette."""
    key: JsonValue = None
    """Which row or recorded call: column or argument name to value."""
    field: Name
    """Column, or JSON pointer into the recorded result."""


class Fact(Model):
    """Something that an answer states, in any of several wordings."""

    id: Name
    """Names the fact within the record."""
    any_of: Many[Name] = Field(min_length=1)
    """Wordings; one that is contained in the answer as whole tokens is enough."""
    turn: int | None = Field(default=None, ge=0, lt=MOST_TURNS)
    """Zero-based turn whose answer must state it; any answer of the conversation when absent."""
    source: FactSource | None = None
    """Frozen data from which the value is recomputed."""


class Criterion(Model):
    """One question of a rubric. The rubric is the label; a judge only applies it."""

    id: Name
    """Names the criterion within the record; recorded verdicts refer to it."""
    text: Name
    """The question that a person or a judge model answers about the run."""
    labels: Many[Name] = Field(default=("yes", "no"), min_length=2)
    """The permitted verdicts. The first means *met*, every other one *not met*."""
    negate: bool = False
    """True where the first label means that something went wrong: then it must not be met."""


class StateCheck(Model):
    """What must hold in the final state of the world. Exactly one condition is given."""

    path: str
    """JSON pointer into the final state (RFC 6901); the empty text is the whole state."""
    equals: JsonValue = None
    """The value, literal or matcher, that must stand there; `null` is a value."""
    contains: JsonValue = None
    """An element that the collection must hold, or a value that the object must include."""
    count: int | None = Field(default=None, ge=0, le=MOST_ELEMENTS)
    """How many elements the collection has."""
    unchanged: Literal[True] | None = None
    """The value is the one that the case's initial state had: an invariant."""
    absent: Literal[True] | None = None
    """Nothing stands there."""
    unordered: bool = False
    """With `equals`: lists compare as multisets, at every depth."""

    @model_validator(mode="after")
    def _one_condition(self) -> StateCheck:
        given = self.model_fields_set & {"equals", "contains", "count", "unchanged", "absent"}
        if len(given) != 1:
            raise ValueError(
                "give exactly one of equals, contains, count, unchanged, absent"
                f" (given: {', '.join(sorted(given)) or 'none'})"
            )
        if self.path and not self.path.startswith("/"):
            raise ValueError("path is a JSON pointer: it is empty or begins with '/'")
        return self


class WitnessCall(Model):
    """One tool call of a witness."""

    tool: Name
    """Tool name as an agent would call it."""
    args: dict[str, JsonValue] = Field(default_factory=dict)
    """All arguments of the call."""
    error: str | None = None
    """Error text where the call failed."""


class Witness(Model):
    """A small run whose verdict is known beforehand; it proves the label on every check."""

    note: str = ""
    """What this witness shows."""
    answer: str | None = None
    """The final answer; none when absent."""
    tool_calls: Many[WitnessCall] | None = None
    """The calls in order. When absent, the calls of the oracle run are taken."""
    final_state: JsonValue = None
    """The final state. When absent, the state of the oracle run is taken."""


class Witnesses(Model):
    """Runs that the checker must pass, and runs that it must fail."""

    accept: Many[Witness] = ()
    """Runs that must pass."""
    reject: Many[Witness] = ()
    """Runs that must fail."""


class Redaction(Model):
    """What is left of a revision whose content had to go: digests, and who agreed."""

    why: Name
    """Why it had to go: a law, a leaked secret."""
    approved_by: Many[Handle] = Field(min_length=2)
    """Who approved it; two different people at least."""
    content_hash: Sha256
    """Content hash that the revision had: what `supersedes` and past results name."""
    file_digest: Sha256
    """SHA-256 of the bytes of the file as it was."""

    @model_validator(mode="after")
    def _two_people(self) -> Redaction:
        if len(set(self.approved_by)) < 2:
            raise ValueError("a redaction is approved by two different people")
        return self


class TruthRecord(Model):
    """One revision of what is correct for one case: who says so, why, and until when."""

    schema_version: Literal[1] = 1
    """Version of this file format; every old one is read for ever."""
    case_id: CaseId
    """The eval case (`eval_id`) that this record is about; the file's path must agree."""
    revision: int = Field(ge=1)
    """1, 2, 3 … without gaps; a (case, revision) pair never changes."""
    status: Status
    """`gold` and `silver` are scored; a `disputed` revision hides an older gold one."""
    change: Change
    """Why this revision exists."""
    rationale: Many[Name] = Field(min_length=1)
    """Sentences that the next person to dispute the label needs; more than the verdict."""
    redacted: Redaction | None = None
    """Set in a tombstone, which holds no expectations: ``assay truth redact`` writes it."""
    clauses: Many[Name] = ()
    """Policy clauses relied on, as ``refunds-v7#3.2``."""
    supersedes: Sha256 | None = None
    """Content hash of the revision before; derived by ``assay fmt``."""
    applies_from: Day | None = None
    """Before this day the revision does not count. Default: the day its policy takes effect."""

    required_tools: Many[Name | RequiredTool] = ()
    """Tools that must be called; a bare name asks for one call with any arguments."""
    forbidden_tools: Many[Name] = ()
    """Tools that must not be called; an attempt counts even when it was blocked."""
    order: Order = "any"
    """Whether the required calls must come in the order given."""
    max_calls: dict[str, CallCount] = Field(default_factory=dict)
    """Tool name to the largest number of successful calls, whatever the arguments."""
    acceptable_answers: Many[str] = ()
    """Whole answers; the final answer must equal one. A comma never splits an answer."""
    facts: Many[Fact] = ()
    """What the answer must state."""
    must_not_state: Many[Fact] = ()
    """What the answer must not state."""
    rubric: Many[Criterion] = ()
    """Criteria for open answers."""
    state: Many[StateCheck] | None = None
    """What must hold in the world afterwards."""
    plan: Plan | None = None
    """The scenario plan: who does which step with what, in which order."""
    final_out: JsonValue = None
    """The structured result; leaves are literals or matchers."""
    score_basis: Many[Component] | None = None
    """Components that decide; every component that has criteria when absent."""

    policy_version: Name | Many[Name] | None = None
    """The policy version that the labeler read; several where several families govern."""
    as_of: Day | None = None
    """The day for which the label was true of the world."""
    expires: Day | None = None
    """From this day on, the label no longer counts."""
    labelers: Many[Handle] = ()
    """Who labelled the case, independently."""
    adjudicator: Handle | None = None
    """Who resolved the differences and signs for the label."""
    drafted_by: str | None = None
    """Model or person that drafted the label, where it was drafted."""
    evidence: Many[Name] = ()
    """What the label rests on: fixtures, tickets, recorded calls."""
    source_id: str | None = None
    """Id of the case where it was imported from, if that could not be kept."""
    case_digest: Sha256 | None = None
    """Digest of the case content that the labeler saw; derived by ``assay fmt``."""
    witnesses: Witnesses | None = None
    """Runs that prove the label."""

    @property
    def required(self) -> tuple[RequiredTool, ...]:
        """Required tools with bare names written out as entries."""
        return tuple(
            RequiredTool(tool=entry) if isinstance(entry, str) else entry
            for entry in self.required_tools
        )

    @property
    def policies(self) -> tuple[str, ...]:
        """Policy versions that govern the case, none to several."""
        if self.policy_version is None:
            return ()
        if isinstance(self.policy_version, str):
            return (self.policy_version,)
        return self.policy_version
