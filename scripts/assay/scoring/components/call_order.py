"""Evidence for the order of calls: listed, exact, or by the plan's dependencies."""

from __future__ import annotations

from assay.models.result import Evidence
from assay.scoring.build import evidence
from assay.scoring.compiled import CompiledRecord
from assay.scoring.components.required_calls import blind_piece, required_pieces
from assay.scoring.matchers import Sight
from assay.scoring.matching import Table, assign_steps
from assay.scoring.observed import SeenRun


def order_pieces(truth: CompiledRecord, table: Table, seen: SeenRun, blind: bool) -> list[Evidence]:
    """Whether the required calls came as listed; nothing where a missing call leaves it open."""
    order = truth.record.order
    asked = " → ".join(entry.tool for entry in truth.required) or "no call"
    made = " → ".join(call.call.name for call in seen.calls) or "no call"
    if blind:
        return [blind_piece("order_unknown", "/order")]
    if table.order_kept is None:
        return [
            evidence(
                "order_unknown",
                "not_evaluated",
                "/order",
                "It cannot be told whether the calls are in the order asked for.",
                expected=asked,
                observed=made,
            )
        ]
    if not table.order_kept:
        # Certain even where it cannot be told whether a call is the one that was asked for: then
        # it is missing or in the wrong place.
        missing = any(row.outcome is not True for row in table.rows)
        extra = [seen.calls[index] for index in table.extra]
        if order == "exact" and extra and not missing:
            message = f"Exactly {asked} was asked for; {extra[0].label} is one call more."
        else:
            message = f"The calls are not in the order {asked}."
        return [
            evidence(
                "wrong_order",
                "failed",
                "/order",
                message,
                call=extra[0].index if extra else None,
                turn=extra[0].turn if extra else None,
                expected=asked,
                observed=made,
            )
        ]
    if any(row.outcome is not True for row in table.rows):
        return []
    return [
        evidence(
            "order_kept",
            "passed",
            "/order",
            "The required calls are in the order asked for.",
            expected=asked,
            observed=made,
        )
    ]


def plan_pieces(
    truth: CompiledRecord, required: Table, seen: SeenRun, sight: Sight, blind: bool
) -> list[Evidence]:
    """The plan's steps, each met after all that it depends on.

    Calls that meet a step are no longer extra ones in the table of required calls.
    """
    if not truth.steps:
        return [
            evidence(
                "no_plan",
                "not_evaluated",
                "/order",
                "The order is that of the plan, and the record has no plan with tool calls.",
            )
        ]
    table = assign_steps(truth.steps, truth.before, seen, sight)
    reasons: list[Evidence] = []
    for i, row in enumerate(table.rows):
        reasons += required_pieces(row, table.reasons.get(i, ""), seen, sight, blind)
    taken = {index for row in (*table.rows, *required.rows) for index in row.calls}
    required.extra = tuple(index for index in range(len(seen.calls)) if index not in taken)
    if any(row.outcome is not True for row in table.rows) and table.order_kept is True:
        return reasons
    made = " → ".join(call.call.name for call in seen.calls) or "no call"
    if table.order_kept is True:
        reasons.append(
            evidence(
                "order_kept",
                "passed",
                "/order",
                "Every step comes after the steps that it depends on.",
                observed=made,
            )
        )
    elif table.order_kept is None:
        reasons.append(
            evidence(
                "order_unknown",
                "not_evaluated",
                "/order",
                "It cannot be told whether every step comes after those that it depends on.",
                observed=made,
            )
        )
    else:
        reasons.append(
            evidence(
                "wrong_order",
                "failed",
                "/order",
                f"The steps are all there, but {_broken_link(truth, table)}.",
                observed=made,
            )
        )
    return reasons


def _broken_link(truth: CompiledRecord, table: Table) -> str:
    """A dependency that no assignment can keep, or the first that this one breaks."""
    for target, sources in enumerate(truth.before):
        for source in sorted(sources):
            earliest = min(table.rows[source].perhaps)
            latest = max(table.rows[target].perhaps)
            if latest < earliest:
                return (
                    f"`{truth.steps[target].tool}` comes before `{truth.steps[source].tool}`, "
                    "which it depends on"
                )
    return "no assignment of the calls keeps every dependency"
