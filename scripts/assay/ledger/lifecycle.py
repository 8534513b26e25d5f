"""The life of a record: which revision may follow which, and who must sign for it.

The table is data, so that the check, the commands and the report of a pull request read the same
one. What a revision does to its predecessor is looked at, not believed: a `wording` that
changes a verdict is no wording.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from assay.files.model_text import plain
from assay.ledger.hashes import DECIDING
from assay.ledger.renames import map_record
from assay.ledger.toolnames import ToolNames
from assay.models.base import JsonValue
from assay.models.truth import Change, Status, TruthRecord

Effect = Literal["none", "accepts_more", "changes"]
"""What a revision does to verdicts: nothing; some answers pass that failed; anything else."""

Signs = Literal[
    "anyone",
    "author",
    "adjudicator",
    "labeler_and_adjudicator",
    "two_and_adjudicator",
    "two_approvals",
]
"""Who must sign; `two_and_adjudicator`: two blind labelers and an adjudicator who is neither."""

SIGNERS: dict[Signs, str] = {
    "anyone": "anyone, with a reason",
    "author": "its author",
    "adjudicator": "the adjudicator",
    "labeler_and_adjudicator": "one labeler and the adjudicator",
    "two_and_adjudicator": "two blind labelers and the adjudicator",
    "two_approvals": "two who answer for the truth",
}
"""The same in words."""

EXPECTATIONS = tuple(name for name in DECIDING if name not in ("policy_version", "as_of"))
"""What is expected, without the policy and the day that it rests on."""

QUIET: frozenset[Change] = frozenset({"wording", "rename", "renewal", "upheld"})
"""Changes that say that no verdict moves."""


_ALL: tuple[Effect, ...] = ("none", "accepts_more", "changes")


@dataclass(frozen=True)
class Row:
    """One row of the table: from, to, why, and who signs."""

    before: tuple[Status | None, ...]
    """Status of the revision before; none for the first."""
    after: tuple[Status, ...]
    """Status of the revision."""
    changes: tuple[Change, ...]
    """Its `change`."""
    signs: Signs
    """Who must sign."""
    effects: tuple[Effect, ...] = _ALL
    """What it does to verdicts."""


_ANY_BUT_RETIRE: tuple[Change, ...] = (
    "new",
    "correction",
    "wording",
    "policy",
    "rename",
    "world",
    "renewal",
    "upheld",
)
_MOVES: tuple[Change, ...] = ("correction", "policy", "world")

TABLE: tuple[Row, ...] = (
    Row((None, "draft"), ("draft", "silver"), _ANY_BUT_RETIRE, "author"),
    Row(("silver",), ("silver",), _ANY_BUT_RETIRE, "author"),
    Row((None, "draft", "silver"), ("gold",), ("new",), "two_and_adjudicator"),
    Row(("gold",), ("gold",), ("wording", "rename", "upheld", "renewal"), "adjudicator", ("none",)),
    Row(("gold",), ("gold",), _MOVES, "adjudicator", ("none",)),
    Row(("gold",), ("gold",), ("correction",), "labeler_and_adjudicator", ("accepts_more",)),
    Row(("gold",), ("gold",), _MOVES, "two_and_adjudicator", ("accepts_more", "changes")),
    Row(("gold",), ("silver",), ("policy",), "author"),
    Row(("gold", "silver"), ("disputed",), ("rename",), "author", ("none",)),
    Row(("disputed",), ("disputed",), ("rename", "wording"), "author", ("none",)),
    Row((None, "draft", "silver", "gold", "disputed"), ("disputed",), ("dispute",), "anyone"),
    Row(("disputed",), ("silver", "gold"), ("upheld",), "adjudicator", ("none",)),
    Row(("disputed",), ("silver",), ("correction",), "author"),
    Row(("disputed",), ("gold",), ("correction",), "two_and_adjudicator"),
    Row((None, "draft", "silver", "gold", "disputed"), ("retired",), ("retire",), "adjudicator"),
)
"""Every step that a record may take; the first row that fits is the one that holds."""

APPROVERS = ("adjudicator", "owner", "maintainer")
"""Roles that may approve a redaction."""

REDACTION = Row((), (), (), "two_approvals")
"""No step: the content of a revision that stays where it is has to go."""


def effect(before: TruthRecord, after: TruthRecord, names: ToolNames) -> Effect:
    """What a revision does to the verdicts of its predecessor, after the rename map."""
    old, new = expectations(before, names), expectations(after, names)
    if old == new:
        return "none"
    return "accepts_more" if _accepts_more(old, new) else "changes"


def expectations(record: TruthRecord, names: ToolNames) -> dict[str, JsonValue]:
    """What a record expects, after the rename map, in one spelling."""
    mapped = map_record(record, names).record
    values: dict[str, JsonValue] = {name: plain(getattr(mapped, name)) for name in EXPECTATIONS}
    values["required_tools"] = [plain(entry) for entry in mapped.required]
    values["forbidden_tools"] = sorted(set(mapped.forbidden_tools))
    return values


def _accepts_more(old: dict[str, JsonValue], new: dict[str, JsonValue]) -> bool:
    """Whether the only difference is that further forms of an answer or a fact are accepted."""
    for name in EXPECTATIONS:
        if old[name] == new[name]:
            continue
        if name == "acceptable_answers":
            if not old[name] or not _within(old[name], new[name]):
                return False
        elif name == "facts":
            if not _facts_widen(old[name], new[name]):
                return False
        else:
            return False
    return True


def _within(old: JsonValue, new: JsonValue) -> bool:
    return isinstance(old, Sequence) and isinstance(new, Sequence) and all(x in new for x in old)


def _facts_widen(old: JsonValue, new: JsonValue) -> bool:
    if not isinstance(old, Sequence) or not isinstance(new, Sequence) or len(old) != len(new):
        return False
    for before, after in zip(old, new, strict=True):
        if not isinstance(before, dict) or not isinstance(after, dict):
            return False
        rest = [{key: fact[key] for key in fact if key != "any_of"} for fact in (before, after)]
        if rest[0] != rest[1] or not _within(before.get("any_of"), after.get("any_of")):
            return False
    return True


def row_for(before: TruthRecord | None, after: TruthRecord, names: ToolNames) -> Row | None:
    """The row of the table that allows a revision to follow another; None where none does."""
    status = before.status if before is not None else None
    done: Effect | None = "changes" if before is None else None
    for row in TABLE:
        if status not in row.before or after.status not in row.after:
            continue
        if after.change not in row.changes:
            continue
        if before is None or row.effects == _ALL:
            return row
        done = done or effect(before, after, names)  # Asked for last: it costs more than the rest.
        if done in row.effects:
            return row
    return None


def next_changes(before: TruthRecord | None, after: Status) -> tuple[Change, ...]:
    """The changes by which a record may come to a status, in the order of the table."""
    status = before.status if before is not None else None
    found = [
        change
        for row in TABLE
        if status in row.before and after in row.after
        for change in row.changes
    ]
    return tuple(dict.fromkeys(found))


def next_statuses(before: TruthRecord | None) -> tuple[Status, ...]:
    """Every status that the next revision may have, in the order of the table."""
    status = before.status if before is not None else None
    found = [after for row in TABLE if status in row.before for after in row.after]
    return tuple(dict.fromkeys(found))
