"""What a bisection found, as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

ChangeKind = Literal["record", "policy", "params", "cases", "catalogue", "code"]


@dataclass(frozen=True)
class Standing:
    """What the run came to at one commit."""

    rate: float | None
    """Pass rate; none where nothing was evaluated."""
    passed: int
    """Passed cases and trials."""
    evaluated: int
    """Passed and failed ones."""
    excluded: int
    """Cases without valid truth."""
    result: str
    """Id of the result."""
    scorer: str
    """Digest of the code that scored."""


@dataclass(frozen=True)
class Change:
    """One thing that a commit changed."""

    kind: ChangeKind
    """What it belongs to."""
    path: str
    """The file; of code the folder."""
    words: str
    """What changed, in one line: ``refund-0142 r0001 → r0002, correction``."""
    because: str = ""
    """The rationale of a record."""
    case_id: str = ""
    """The case of a record."""


@dataclass(frozen=True)
class Flip:
    """A verdict that changed."""

    case_id: str
    """The case."""
    trial: int | None
    """Zero-based trial; none where the case is not scored before or after."""
    before: str
    """Verdict before; ``excluded EXP001`` or ``absent`` where there was none."""
    after: str
    """Verdict after."""


@dataclass(frozen=True)
class Move:
    """A commit that moved the score, or the verdict of the case."""

    commit: str
    """Its full name."""
    day: str
    """Its author's day."""
    author: str
    """Handle of the author; the name in git where ``people.yaml`` does not know the address."""
    subject: str
    """First line of its message."""
    changes: Sequence[Change]
    """What it changed of what decides a score."""
    before: Standing
    """The run before it."""
    after: Standing
    """The run after it."""
    flips: Sequence[Flip]
    """Verdicts that changed, by case and trial."""
    halfway: Standing | None = None
    """Its data under the code before, where it changed both: the rest of the way is the code's."""
    not_own_code: bool = False
    """Whether both sides were scored by the code of today, since theirs does not run here."""
    unseen: Sequence[str] = ()
    """Commits just before it whose score is not known: the change may be theirs."""


@dataclass(frozen=True)
class Blind:
    """A commit of which something is not known."""

    commit: str
    """Its full name."""
    day: str
    """Its author's day."""
    subject: str
    """First line of its message."""
    what: Literal["scorer", "score"]
    """Whether only the effect of its code is unknown, or the whole score."""
    reason: str
    """Why."""


@dataclass(frozen=True)
class Bisection:
    """Which commits moved a score."""

    suite: str
    """The suite."""
    run: str
    """The run."""
    case_id: str | None
    """The one case whose verdict was followed."""
    first: str
    """The commit that the walk began at, full name."""
    last: str
    """The commit that it ended at."""
    commits: int
    """Commits of the first-parent line between them, both counted."""
    relevant: int
    """Those among them that touch what decides a score, and the first."""
    looked_at: int
    """Those that were scored."""
    start: Standing | None
    """The run at the first commit; none where it cannot be scored there."""
    end: Standing | None
    """The run at the last."""
    moves: Sequence[Move]
    """What moved it, the oldest first."""
    blind: Sequence[Blind] = ()
    """What could not be seen, the oldest first."""
    remarks: Sequence[str] = field(default_factory=tuple)
    """What a reader must know, in sentences."""
