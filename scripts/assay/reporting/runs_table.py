"""A run as a table of its cases, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from assay.files.model_text import plain
from assay.models.base import JsonValue
from assay.models.run import ObservedRun
from assay.reporting.words import WIDTH, count, left, right, safe, width_of

_MOST_ID = 28


def table(runs: Sequence[ObservedRun], *, width: int = WIDTH) -> str:
    """One line a case and trial: turns, calls, failed calls, tokens, cost, the first words."""
    room = min(_MOST_ID, max(width_of(safe(run.case_id)) for run in runs))
    counted = any(run.tokens_in is not None or run.tokens_out is not None for run in runs)
    priced = any(run.cost is not None for run in runs)
    head = f"{left('case', room)} trial turns calls failed"
    head += "  tokens" if counted else ""
    head += "     cost" if priced else ""
    lines = [f"{head}  question"]
    for run in runs:
        calls = [call for _, call in run.tool_calls]
        failed = sum(call.outcome in ("error", "blocked") for call in calls)
        hidden = "tool_calls" in run.unknown and not calls
        cells = [
            left(_cut(safe(run.case_id), room), room),
            right(str(run.trial + 1), 5),
            right(str(len(run.turns)), 5),
            right("?" if hidden else str(len(calls)), 5),
            right("?" if hidden else str(failed) if failed else "", 6),
        ]
        if counted:
            known = [n for n in (run.tokens_in, run.tokens_out) if n is not None]
            cells.append(right(f"{sum(known):,}" if known else "?", 7))
        if priced:
            cells.append(right("?" if run.cost is None else str(run.cost), 8))
        said = run.turns[0].user if run.turns and run.turns[0].user else ""
        if run.infrastructure_errors:
            said = f"harness: {run.infrastructure_errors[0]}"
        line = " ".join(cells) + "  "
        lines.append(line + _cut(safe(" ".join(said.split())), max(width - len(line), 12)))
    return "\n".join(line.rstrip() for line in lines) + "\n" + _foot(runs)


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else text[: room - 1] + "…"


def _foot(runs: Sequence[ObservedRun]) -> str:
    calls = [call for run in runs for _, call in run.tool_calls]
    failed = sum(call.outcome in ("error", "blocked") for call in calls)
    harness = sum(bool(run.infrastructure_errors) for run in runs)
    cases = len({run.case_id for run in runs})
    parts = [
        count(cases, "case"),
        count(len(runs), "conversation"),
        f"{count(len(calls), 'call')}, {failed:,} failed",
    ]
    if harness:
        parts.append(f"{harness:,} lost to the harness")
    lines = ["", "; ".join(parts) + "."]
    missing = sorted({name.replace("_", " ") for run in runs for name in run.unknown})
    if missing:
        lines.append(f"Not recorded, in some or all: {', '.join(missing)}.")
    return "\n".join(lines) + "\n"


def as_json(runs: Sequence[ObservedRun]) -> JsonValue:
    """What ``assay runs show --format json`` prints: the observed runs, as they are stored."""
    return {"schema_version": 1, "runs": [plain(run) for run in runs]}
