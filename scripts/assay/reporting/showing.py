"""``assay runs show``: the runs of a file as a table, and one of them as a transcript."""

from __future__ import annotations

from collections.abc import Sequence

from assay.files.model_text import plain_object, value_text
from assay.models.base import JsonValue
from assay.models.run import ObservedRun
from assay.reporting.phrases import value_words
from assay.reporting.transcript import transcript
from assay.reporting.words import (
    WIDTH,
    Paint,
    count,
    left,
    right,
    safe,
    shortened,
    width_of,
    wrap,
)

_HEADS = ("case", "trial", "turns", "calls", "failed", "harness", "tokens", "cost")
_CASE = 40
_QUESTION = 24


def question(run: ObservedRun) -> str:
    """The first thing that the user said; empty where it is unknown."""
    return next((turn.user for turn in run.turns if turn.user), "")


def failed_calls(run: ObservedRun) -> int:
    """Calls that failed or were blocked."""
    return sum(call.outcome in ("error", "blocked") for _, call in run.tool_calls)


def table(runs: Sequence[ObservedRun], *, color: bool = False, width: int = WIDTH) -> str:
    """A line a run: what it holds, and the first words of the question; then what is unknown.

    A dot stands where the trace does not tell.
    """
    paint = Paint(color)
    # A column that nothing is known of is left out; what is unknown is said below.
    every = [_HEADS, *map(_row, runs)]
    told = [column for column in zip(*every, strict=True) if set(column[1:]) != {"·"}]
    heads, *rows = zip(*told, strict=True)
    widths = [max(map(width_of, column)) for column in told]
    room = max(_QUESTION, width - sum(widths) - 2 * len(widths) - 2)
    lines = [f"  {paint.dim(_columns(heads, widths) + '  question')}"]
    for run, row in zip(runs, rows, strict=True):
        line = _columns(row, widths)
        if run.infrastructure_errors:
            line = paint.warn(line)
        asked = shortened(" ".join(safe(question(run).replace("\n", " ")).split()), room)
        lines.append(f"  {line}  {asked}".rstrip())
    lines += ["", *_totals(runs, width)]
    return "\n".join(lines) + "\n"


def _row(run: ObservedRun) -> tuple[str, ...]:
    no_calls = "tool_calls" in run.unknown
    no_outcomes = no_calls or ("call_outcomes" in run.unknown and not failed_calls(run))
    tokens = [part for part in (run.tokens_in, run.tokens_out) if part is not None]
    return (
        shortened(safe(run.case_id), _CASE),
        str(run.trial + 1),
        str(len(run.turns)),
        "·" if no_calls and not run.tool_calls else str(len(run.tool_calls)),
        "·" if no_outcomes else str(failed_calls(run)),
        str(len(run.infrastructure_errors)),
        f"{sum(tokens):,}" if tokens else "·",
        f"${safe(value_words(run.cost))}" if run.cost is not None else "·",
    )


def _columns(cells: Sequence[str], widths: Sequence[int]) -> str:
    case, *rest = zip(cells, widths, strict=True)
    return "  ".join([left(*case), *(right(cell, width) for cell, width in rest)])


def _totals(runs: Sequence[ObservedRun], width: int) -> list[str]:
    cases = len({run.case_id for run in runs})
    words = [f"{count(cases, 'case')}, {count(len(runs), 'run')}"]
    for label, values in (
        ("agent", {run.agent for run in runs}),
        ("model", {run.model for run in runs}),
        ("policy", {run.policy for run in runs}),
        ("read as", {run.format for run in runs}),
    ):
        known = sorted(safe(value) for value in values if value)
        if known:
            more = f" and {len(known) - 3} more" if len(known) > 3 else ""
            words.append(f"{label} {', '.join(known[:3])}{more}")
    lines = wrap("; ".join(words) + ".", width, indent="  ")
    missing = sorted({part.replace("_", " ") for run in runs for part in run.unknown})
    if missing:
        lines += wrap(f"Not recorded in every run: {', '.join(missing)}.", width, indent="  ")
    return lines


def page(run: ObservedRun, *, color: bool = False, width: int = WIDTH, full: bool = False) -> str:
    """One run: what is known of it as a whole, and its transcript."""
    paint = Paint(color)
    facts = [f"trial {run.trial + 1}"]
    facts += [
        f"{label} {safe(value)}"
        for label, value in (
            ("agent", run.agent),
            ("model", run.model),
            ("policy", run.policy),
            ("begun", run.started_at),
            ("trace", run.trace_id),
        )
        if value
    ]
    if run.tokens_in is not None or run.tokens_out is not None:
        pair = ("·" if part is None else f"{part:,}" for part in (run.tokens_in, run.tokens_out))
        facts.append("tokens {} in, {} out".format(*pair))
    if run.cost is not None:
        facts.append(f"cost ${safe(value_words(run.cost))}")
    lines = [f"  {paint.bold(safe(run.case_id))}", *wrap("; ".join(facts), width, indent="  "), ""]
    shown = transcript(
        run,
        color=color,
        width=width,
        limit=None if full else _SHOWN,
        remarks=True,
    )
    return "\n".join(lines) + "\n" + shown


_SHOWN = 400
"""Characters of a value that are shown without ``--full``."""


def table_json(runs: Sequence[ObservedRun], name: str) -> str:
    """What ``--format json`` prints without a case: an object a run, in the order of the table."""
    rows: list[JsonValue] = [
        {
            "case_id": run.case_id,
            "trial": run.trial,
            "turns": len(run.turns),
            "calls": len(run.tool_calls),
            "failed_calls": failed_calls(run),
            "infrastructure_errors": list(run.infrastructure_errors),
            "tokens_in": run.tokens_in,
            "tokens_out": run.tokens_out,
            "cost": run.cost,
            "question": question(run),
            "unknown": sorted(run.unknown),
        }
        for run in runs
    ]
    return value_text({"schema_version": 1, "run": name, "runs": rows}) + "\n"


def page_json(run: ObservedRun) -> str:
    """What ``--format json`` prints of one run: the observed run as the repository holds it."""
    return value_text({"schema_version": 1, "run": plain_object(run)}) + "\n"
