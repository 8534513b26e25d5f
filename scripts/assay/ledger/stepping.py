"""Steps in the life of a record, asked before anything is written: which is meant, which may be."""

from __future__ import annotations

from assay.errors import RefusedError
from assay.ledger.lifecycle import (
    EXPECTATIONS,
    QUIET,
    expectations,
    next_changes,
    next_statuses,
    row_for,
)
from assay.ledger.toolnames import ToolNames
from assay.models.truth import Change, TruthRecord

_APART = frozenset(
    {
        "revision",
        "change",
        "rationale",
        "supersedes",
        "case_digest",
        "adjudicator",
        "evidence",
        "redacted",
    }
)
"""Fields that say nothing about what kind of change a revision is."""


def likely_change(before: TruthRecord | None, after: TruthRecord, names: ToolNames) -> Change:
    """The change that a revision most likely is, where nobody says it: one that the table allows,
    if one of those that fit is. What a change claims beyond that, such as a new policy or a world
    that moved, is never guessed.

    Args:
        before: the revision before; none for the first.
        after: the revision; its own `change` is not looked at.
        names: the rename map.
    """
    guesses = _guesses(before, after, names)
    for change in guesses:
        if row_for(before, after.model_copy(update={"change": change}), names) is not None:
            return change
    return guesses[0]


def _guesses(before: TruthRecord | None, after: TruthRecord, names: ToolNames) -> list[Change]:
    if after.status == "retired":
        return ["retire"]
    if before is None:
        return ["dispute"] if after.status == "disputed" else ["new"]
    if after.status == "disputed" and before.status != "disputed":
        return ["dispute"]
    if after.status == "gold" and before.status in ("draft", "silver"):
        return ["new"]
    if after.policies != before.policies:
        return ["policy", "correction"]
    if expectations(before, names) != expectations(after, names):
        return ["correction", "dispute"] if before.status == "disputed" else ["correction"]
    if before.status == "disputed" and after.status in ("gold", "silver"):
        return ["upheld"]
    changed = {
        name
        for name in TruthRecord.model_fields
        if name not in _APART and getattr(before, name) != getattr(after, name)
    }
    if changed == {"expires"} and (after.expires or "9999") > (before.expires or "9999"):
        return ["renewal"]
    if after.case_digest != before.case_digest or before.status == "draft":
        return ["correction"]
    return ["wording", "correction"]


def require_revisable(before: TruthRecord) -> None:
    """See that a record may have a next revision at all.

    Raises:
        RefusedError: it is retired.
    """
    if before.status == "retired":
        raise RefusedError(
            f"`{before.case_id}` is retired, which is final.",
            hint="assay new CASE, under another id",
        )


def require_step(before: TruthRecord | None, after: TruthRecord, names: ToolNames) -> None:
    """See that a record may take a step, before it is written.

    Raises:
        RefusedError: the table has no such step; the hint says which ones there are.
    """
    if row_for(before, after, names) is not None:
        return
    case = after.case_id
    was = before.status if before is not None else "nothing"
    if before is not None:
        require_revisable(before)
    if before is not None and after.status == "draft":
        raise RefusedError(
            f"`{case}` is {was}; no record goes back to draft.",
            hint=f'assay dispute {case} --why "…"',
        )
    changes = next_changes(before, after.status)
    if before is not None and after.change in QUIET and after.change in changes:
        moved = ", ".join(f"`{name}`" for name in _different(before, after, names))
        others = ", ".join(change for change in changes if change not in QUIET)
        raise RefusedError(
            f"`{after.change}` moves no verdict, but {moved} would differ from revision"
            f" {before.revision}.",
            hint=f"--change: {others}" if others else "leave what is expected as it is",
        )
    if changes:
        raise RefusedError(
            f"From {was} to {after.status} by `{after.change}` is no step.",
            hint=f"--change: {', '.join(changes)}",
        )
    raise RefusedError(
        f"From {was} to {after.status} is no step.",
        hint=f"--status: after {was} comes {', '.join(next_statuses(before))}",
    )


def _different(before: TruthRecord, after: TruthRecord, names: ToolNames) -> list[str]:
    old, new = expectations(before, names), expectations(after, names)
    return [name for name in EXPECTATIONS if old[name] != new[name]]
