"""What gates and what is scored, before and after, suite by suite."""

from __future__ import annotations

from collections.abc import Mapping

from assay.models.compiled import EffectiveTruth
from assay.models.review import Coverage, ExclusionChange
from assay.reporting.numbers import trimmed
from assay.reporting.scoreboard.readiness import Readiness, readiness
from assay.reviewing.sides import Side


def coverage(base: Side, head: Side, moved: Mapping[str, tuple[str, ...]]) -> tuple[Coverage, ...]:
    """Every suite, by name.

    Args:
        base: how it was.
        head: how it is.
        moved: suite to the parts of the context of its results that are another one.
    """
    before, after = _ready(base), _ready(head)
    return tuple(
        _suite(name, before.get(name), after.get(name), base, head, moved.get(name, ()))
        for name in sorted({*before, *after})
    )


def _ready(side: Side) -> dict[str, Readiness]:
    truths = [entry for entries in side.compiled.suites.values() for entry in entries]
    floors = side.world.repository.params.model.gate.floors
    return {item.suite: item for item in readiness(truths, floors)}


def _suite(
    name: str,
    before: Readiness | None,
    after: Readiness | None,
    base: Side,
    head: Side,
    moved: tuple[str, ...],
) -> Coverage:
    floor = after.floor if after is not None else None
    return Coverage(
        suite=name,
        gating_before=before.gating if before else 0,
        gating=after.gating if after else 0,
        cases_before=before.cases if before else 0,
        cases=after.cases if after else 0,
        floor=trimmed(floor) if floor is not None else None,
        ready_before=before is not None and before.ready,
        ready=after is not None and after.ready,
        truth_before=base.compiled.context.truth.get(name),
        truth=head.compiled.context.truth.get(name),
        moved=moved,
    )


def exclusion_changes(base: Side, head: Side) -> tuple[ExclusionChange, ...]:
    """Cases that are scored on one side only and are on both, by suite and case."""
    found = []
    for case_id in sorted(base.entries.keys() & head.entries.keys()):
        was, now = base.entries[case_id], head.entries[case_id]
        if bool(was.exclusions) != bool(now.exclusions):
            found.append(_change(was, now))
    return tuple(sorted(found, key=lambda item: (item.suite, item.case_id)))


def _change(was: EffectiveTruth, now: EffectiveTruth) -> ExclusionChange:
    excluded = now if now.exclusions else was
    return ExclusionChange(
        suite=now.suite,
        case_id=now.case_id,
        gained=bool(now.exclusions),
        codes=tuple(item.code for item in excluded.exclusions),
        reason=excluded.exclusions[0].reason,
    )
