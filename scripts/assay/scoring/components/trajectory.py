"""Trajectory: required, forbidden and counted tools, and their order."""

from __future__ import annotations

from assay.models.result import Evidence
from assay.scoring.build import evidence
from assay.scoring.canonical_text import canonical_text
from assay.scoring.compiled import CompiledRecord, NamedTool
from assay.scoring.components.call_order import order_pieces, plan_pieces
from assay.scoring.components.required_calls import (
    CALLS_UNKNOWN,
    blind_piece,
    calls_in_words,
    required_pieces,
    surely_fine,
    times,
)
from assay.scoring.matchers import Sight
from assay.scoring.matching import Table, assign
from assay.scoring.observed import SeenCall, SeenRun
from assay.scoring.values import shown


def judge(truth: CompiledRecord, seen: SeenRun, sight: Sight) -> tuple[list[Evidence], list[str]]:
    """Reasons in the order of the record's fields, and notes that decide nothing."""
    reasons: list[Evidence] = []
    notes: list[str] = []
    order = truth.record.order
    blind = "tool_calls" in seen.unknown
    table = assign(truth.required, seen, "any" if order == "plan" else order, sight)
    for i, row in enumerate(table.rows):
        reasons += required_pieces(row, table.reasons.get(i, ""), seen, sight, blind)
    for i, tool in enumerate(truth.forbidden):
        found = _forbidden(tool, truth.all_forbidden, seen)
        if found:
            reasons += found
        elif blind:
            reasons.append(blind_piece("forbidden_unknown", tool.pointer))
        else:
            reasons.append(truth.clean[i])
    if order in ("in_order", "exact"):
        reasons += order_pieces(truth, table, seen, blind)
    elif order == "plan":
        reasons += plan_pieces(truth, table, seen, sight, blind)
    for tool in truth.max_calls:
        reasons.append(_counted(tool, seen, blind))
    if table.extra and order != "exact":
        notes.append(_extra_note(table, seen))
    notes += _repeated_writes(seen)
    notes += [f"Call {call.index + 1}: {call.note}." for call in seen.calls if call.note]
    if sight.leniency_used:
        notes.append("The run's format has texts only: a text argument was read as a value.")
    return reasons, notes


def _forbidden(tool: NamedTool, every: frozenset[str], seen: SeenRun) -> list[Evidence]:
    found: list[Evidence] = []
    for call in seen.calls:
        if tool.names.isdisjoint(call.names):
            continue
        if not every.issuperset(call.names):  # it may be a permitted tool as well
            found.append(
                evidence(
                    "forbidden_unknown",
                    "not_evaluated",
                    tool.pointer,
                    f"{call.label} may be `{tool.tool}`, which is forbidden.",
                    call=call.index,
                    turn=call.turn,
                    expected=f"no call of {tool.tool}",
                    observed=call.label,
                )
            )
            continue
        how = {"blocked": "attempted, blocked", "error": "attempted, failed"}.get(
            call.call.outcome, "called"
        )
        found.append(
            evidence(
                "forbidden_call",
                "failed",
                tool.pointer,
                f"{call.label} is forbidden and was {how}"
                + (f" ({call.call.error})." if call.call.error else "."),
                call=call.index,
                turn=call.turn,
                expected=f"no call of {tool.tool}",
                observed=f"{call.label} {shown(call.call.args)}: {how}",
            )
        )
    return found


def _counted(tool: NamedTool, seen: SeenRun, blind: bool) -> Evidence:
    able = [c for c in seen.calls if c.fine and not tool.names.isdisjoint(c.names)]
    sure = [c for c in able if tool.names.issuperset(c.names) and surely_fine(c, seen)]
    expected = f"at most {tool.limit} successful calls of {tool.tool}"
    if len(sure) > tool.limit:
        last = sure[tool.limit]
        return evidence(
            "max_calls_exceeded",
            "failed",
            tool.pointer,
            f"`{tool.tool}` was called {times(len(sure))}, at most {tool.limit}.",
            call=last.index,
            turn=last.turn,
            expected=expected,
            observed=calls_in_words(len(sure)),
        )
    if blind or len(able) > tool.limit:
        return evidence(
            "max_calls_unknown",
            "not_evaluated",
            tool.pointer,
            CALLS_UNKNOWN
            if blind
            else f"It cannot be told how many of {len(able)} calls of `{tool.tool}` succeeded.",
            expected=expected,
        )
    return evidence(
        "max_calls_kept",
        "passed",
        tool.pointer,
        f"`{tool.tool}` was called {times(len(sure))}, at most {tool.limit}.",
        expected=expected,
        observed=calls_in_words(len(sure)),
    )


def _extra_note(table: Table, seen: SeenRun) -> str:
    counts: dict[str, int] = {}
    for index in table.extra:
        name = seen.calls[index].call.name
        counts[name] = counts.get(name, 0) + 1
    names = ", ".join(
        name if count == 1 else f"{name} ×{count}" for name, count in sorted(counts.items())
    )
    count = len(table.extra)
    return f"{calls_in_words(count)} beyond the required ones: {names}."


def _repeated_writes(seen: SeenRun) -> list[str]:
    """The same writing tool with the same arguments, more than once without error."""
    by_name: dict[str, list[SeenCall]] = {}
    for call in seen.calls:
        if call.fine and len(call.names) == 1:
            by_name.setdefault(call.names[0], []).append(call)
    writes: dict[tuple[str, str], list[int]] = {}
    for name, calls in by_name.items():
        tool = seen.names.tool(name) if len(calls) > 1 else None
        if tool is not None and tool.effect == "writes":
            for call in calls:
                writes.setdefault((name, canonical_text(call.args)), []).append(call.index)
    return [
        f"Repeated write: `{name}` was called {len(places)} times with the same arguments"
        f" (calls {', '.join(str(place + 1) for place in places)})."
        for (name, _), places in sorted(writes.items(), key=lambda item: item[1])
        if len(places) > 1
    ]
