"""A readable transcript of an observed run."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from assay.models.run import ObservedRun, ToolCall
from assay.reporting.phrases import VALUE_LIMIT, call_words, value_words
from assay.reporting.words import WIDTH, Paint, clipped, left, safe, safe_lines, wrap

_INDENT = " " * 18


@dataclass(frozen=True)
class Entry:
    """One thing that happened."""

    kind: str
    """``user``, ``call``, ``answer``, ``plan``, ``state``, ``harness`` or ``unknown``."""
    text: str
    """What was said or called."""
    turn: int | None = None
    """Zero-based turn."""
    call: int | None = None
    """Zero-based index over all calls, as evidence counts them."""
    outcome: str = ""
    """Outcome of a call."""
    reply: str = ""
    """What a call gave back, or its error."""


def entries(run: ObservedRun, limit: int = VALUE_LIMIT) -> list[Entry]:
    """Everything that happened, in order; values are cut at `limit` characters."""
    return list(_entries(run, limit))


def _entries(run: ObservedRun, limit: int) -> Iterator[Entry]:
    for message in run.infrastructure_errors:
        yield Entry("harness", message)
    for step in run.planning_steps:
        yield Entry("plan", f"{step.agent}: {step.instruction}" if step.agent else step.instruction)
    index = 0
    for number, turn in enumerate(run.turns):
        if turn.user is not None:
            yield Entry("user", turn.user, number)
        for call in turn.tool_calls:
            yield _call(call, number, index, limit)
            index += 1
        if turn.answer is not None:
            yield Entry("answer", turn.answer, number)
    answers = [turn.answer for turn in run.turns]
    if run.final_answer is not None and run.final_answer not in answers[-1:]:
        yield Entry("answer", run.final_answer, len(run.turns) - 1 if run.turns else None)
    elif run.final_answer is None and "final_answer" not in run.unknown:
        yield Entry("answer", "")
    if run.final_state is not None:
        yield Entry("state", clipped(value_words(run.final_state), limit))
    if run.unknown:
        yield Entry("unknown", ", ".join(name.replace("_", " ") for name in sorted(run.unknown)))


def _call(call: ToolCall, turn: int, index: int, limit: int) -> Entry:
    reply = ""
    if call.error is not None:
        reply = call.error
    elif call.result is not None:
        reply = value_words(call.result)
    tool = f"{call.server}/{call.name}" if call.server else call.name
    words = clipped(call_words(tool, call.args), limit)
    if call.started_at is not None:
        words += f"  [{call.started_at}]"
    if call.parallel_group is not None:
        words += f"  [together {call.parallel_group + 1}]"
    if call.duration_ms is not None:
        words += f"  [{call.duration_ms:,} ms]"
    return Entry("call", words, turn, index, call.outcome, clipped(reply, limit))


def transcript(
    run: ObservedRun,
    *,
    color: bool = False,
    width: int = WIDTH,
    marked: Collection[int] = (),
    reply_width: int | None = None,
    limit: int = VALUE_LIMIT,
) -> str:
    """The run as a person reads it: who said what, which calls were made, what came back.

    Args:
        run: what was observed.
        color: whether ANSI colours are used.
        width: columns of the terminal.
        marked: zero-based indexes of calls to point at.
        reply_width: characters of a call's result, and of the final state, that are shown; all
            up to `limit` where absent.
        limit: characters of any value that are shown.
    """
    paint = Paint(color)
    several = len(run.turns) > 1
    lines: list[str] = []
    last: int | None = None
    for entry in entries(run, limit):
        if several and entry.turn is not None and entry.turn != last:
            lines.append(paint.dim(f"  turn {entry.turn + 1}"))
            last = entry.turn
        lines += _lines(entry, paint, width, marked, reply_width)
    return "\n".join(lines) + "\n" if lines else ""


def heading(run: ObservedRun) -> str:
    """Who did what when: case, trial, agent, model, start, tokens, cost, as far as is known."""
    parts = [run.case_id, f"trial {run.trial + 1}"]
    parts += [text for text in (run.agent, run.model, run.started_at) if text]
    parts += [f"given {run.policy}"] if run.policy else []
    tokens = [number for number in (run.tokens_in, run.tokens_out) if number is not None]
    parts += [f"{sum(tokens):,} tokens"] if tokens else []
    parts += [f"{run.cost} USD"] if run.cost is not None else []
    parts += [f"trace {run.trace_id}"] if run.trace_id else []
    return "  ".join(safe(part) for part in parts) + "\n"


_LABELS = {
    "user": "user",
    "answer": "agent",
    "plan": "plan",
    "state": "final state",
    "harness": "harness",
    "unknown": "not recorded",
}


def _lines(
    entry: Entry, paint: Paint, width: int, marked: Collection[int], reply_width: int | None
) -> list[str]:
    if entry.call is None:
        label = left(_LABELS[entry.kind], 14)
        if entry.kind == "answer" and not entry.text:
            return [f"  {paint.dim(label)}  {paint.warn('no answer')}"]
        lines = []
        text = entry.text
        if entry.kind == "state" and reply_width is not None:
            text = clipped(text, reply_width)
        for paragraph in safe_lines(text) or [""]:
            lines += wrap(paragraph, width, indent=_INDENT)
        return [f"  {paint.dim(label)}  {lines[0][len(_INDENT) :]}", *lines[1:]]
    shown = {"ok": paint.good, "unknown": paint.dim}.get(entry.outcome, paint.bad)
    arrow = paint.bad("▸") if entry.call in marked else " "
    head, *rest = wrap(safe(entry.text), width, indent=_INDENT)
    label = f"{left(f'call {entry.call + 1}', 7)}{shown(left(entry.outcome, 7))}"
    lines = [f"{arrow} {label}  {head[len(_INDENT) :]}", *rest]
    if entry.reply:
        reply = entry.reply if reply_width is None else clipped(entry.reply, reply_width)
        lines += wrap(safe(reply), width, indent=_INDENT + "  ", first=_INDENT + "→ ")
    return lines
