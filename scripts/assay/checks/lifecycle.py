"""Life cycle: which revision may follow which, and whose names it must carry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assay.checks.rule import Found, Rule, at
from assay.checks.world import Judged, World
from assay.ledger.lifecycle import (
    EXPECTATIONS,
    QUIET,
    SIGNERS,
    Row,
    effect,
    expectations,
    next_changes,
    next_statuses,
    row_for,
)
from assay.ledger.records import StoredRecord
from assay.models.truth import TruthRecord


def _steps(world: World) -> Iterator[tuple[Judged, TruthRecord | None]]:
    """Judged revisions, each with the one before it, where that is there."""
    for judged in world.judged:
        if judged.record.redacted is not None:
            continue  # What the step was can no longer be seen; it was judged when it was merged.
        revisions = world.repository.revisions[judged.case_id]
        before = _before(revisions, judged.record.revision)
        if judged.record.revision == 1 or before is not None:
            yield judged, before


def _before(revisions: tuple[StoredRecord, ...], revision: int) -> TruthRecord | None:
    for stored in revisions:
        if stored.revision == revision - 1:
            return stored.record
    return None


class LIF001(Rule):
    """A revision takes a step that a record may not take.

    Silver does not become a draft again, retired is final, and gold changes only by a change
    that says why: otherwise a label could move without the people who must agree to it.

    Choose the status and change that fit what was done.
    """

    severity = "error"
    needs = ("LIF002",)

    def find(self, world: World) -> Iterable[Found]:
        """Judged revisions whose step is in no row of the table."""
        for judged, before in _steps(world):
            record = judged.record
            if row_for(before, record, world.names) is not None or _quiet_lie(
                world, judged, before
            ):
                continue
            was = before.status if before is not None else "nothing"
            changes = next_changes(before, record.status)
            if before is not None and before.status == "retired":
                yield at(judged, "/status", "A retired record has no next revision.", "remove it")
            elif changes:
                message = f"From {was} to {record.status} by `{record.change}` is no step."
                yield at(judged, "/change", message, f"change: {', '.join(changes)}")
            else:
                message = f"From {was} to {record.status} is no step."
                statuses = ", ".join(next_statuses(before))
                yield at(judged, "/status", message, f"after {was} comes {statuses}")


def _quiet_lie(world: World, judged: Judged, before: TruthRecord | None) -> bool:
    return (
        before is not None
        and judged.record.change in QUIET
        and before.status in ("gold", "disputed")
        and effect(before, judged.record, world.names) != "none"
    )


class LIF002(Rule):
    """A change that promises to move no verdict moves one.

    `wording`, `rename`, `renewal` and `upheld` need one signature, since nothing that decides is
    other than before. Here it is.

    Call it `correction`, `policy` or `world`, with the signatures which that needs, or put the
    expectations back.
    """

    severity = "error"

    def find(self, world: World) -> Iterable[Found]:
        """Judged revisions of gold and disputed records that change what is expected quietly."""
        for judged, before in _steps(world):
            if before is None or not _quiet_lie(world, judged, before):
                continue
            names = ", ".join(f"`{name}`" for name in _different(before, judged.record, world))
            yield at(
                judged,
                "/change",
                f"`{judged.record.change}` moves no verdict, but {names} differ from revision"
                f" {before.revision}.",
                'write "change": "correction", with two labelers and an adjudicator',
            )


def _different(before: TruthRecord, after: TruthRecord, world: World) -> list[str]:
    old, new = expectations(before, world.names), expectations(after, world.names)
    return [name for name in EXPECTATIONS if old[name] != new[name]]


class LIF003(Rule):
    """The names that must stand under this step are missing.

    Who agreed is part of the label: whoever disputes it later must know whom to ask.

    Name the labelers and the adjudicator.
    """

    severity = "error"
    needs = ("LIF001", "LIF002", "REC004")

    def find(self, world: World) -> Iterable[Found]:
        """Judged revisions without the names that their row of the table asks for."""
        for judged, before in _steps(world):
            row = row_for(before, judged.record, world.names)
            missing = _missing(row, judged.record) if row is not None else ""
            if row is not None and missing:
                yield at(
                    judged,
                    "/adjudicator" if judged.record.adjudicator else "/labelers",
                    f"This step is signed by {SIGNERS[row.signs]}: {missing} missing.",
                    "add the names; no command writes them",
                )


def _missing(row: Row, record: TruthRecord) -> str:
    needed = {"two_and_adjudicator": 2, "labeler_and_adjudicator": 1, "adjudicator": 0}
    if row.signs not in needed:
        return ""
    parts = []
    short = needed[row.signs] - len(set(record.labelers))
    if short > 0:
        parts.append("a labeler is" if short == 1 else "two labelers are")
    if record.adjudicator is None:
        parts.append("the adjudicator is" if not parts else "the adjudicator")
    return " and ".join(reversed(parts))
