"""Calls of one turn, seen twice: in what a model said, and as a span of the tool that ran.

- A call that a model asked for and a span of a tool are one call: by the call's id, else by name
  and arguments, else by name, in order. A second span for one id is a second call: the tool ran
  again.
- What one message asks for was issued together. Calls known from spans alone were issued together
  where they overlap in time under one parent; where they do not, it is unknown.
- Results come from the tool's span, else from the messages that the next call of a model was given.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.files.canonical import canonical_json
from assay.intake.runs.formats.spans.clock import instant, milliseconds
from assay.intake.runs.formats.spans.exchanges import exchanges
from assay.intake.runs.formats.spans.said import Result, Said
from assay.intake.runs.formats.spans.span import Step
from assay.intake.runs.imported import Call
from assay.models.run import RunField


@dataclass
class Entry:
    """One call of the turn."""

    call: Call
    asked: bool
    """Whether a model's message asks for it."""
    ran: Step | None = None
    """The span of the tool."""
    args_known: bool = True
    batch: int | None = None
    """The message that asked for it, where that asked for several."""


@dataclass
class Calls:
    """The calls of one turn, in the order in which they were issued."""

    entries: list[Entry] = field(default_factory=list)
    batches: int = 0

    def ask(self, calls: list[Call]) -> None:
        """Add what one message asks for."""
        batch = self.batches if len(calls) > 1 else None
        self.batches += len(calls) > 1
        for call in calls:
            early = next(
                (
                    entry
                    for entry in self.entries
                    if not entry.asked and call.id is not None and entry.call.id == call.id
                ),
                None,
            )
            if early is not None:
                early.asked, early.batch = True, batch
                if not early.args_known:
                    early.call.args, early.args_known = call.args, True
                continue
            self.entries.append(Entry(call, asked=True, batch=batch))

    def run(self, step: Step) -> None:
        """Add the span of a tool that ran."""
        made = step.call
        assert made is not None
        entry = self._waiting(made, step.args_known)
        if entry is None:
            entry = Entry(made, asked=False, args_known=step.args_known)
            self.entries.append(entry)
        else:
            call = entry.call
            call.id = made.id or call.id
            call.server = made.server or call.server
            if step.args_known:
                call.args = made.args
            if step.result_known:
                call.result, call.answered = made.result, True
            call.error = made.error
            call.outcome = made.outcome
        entry.ran = step
        entry.call.answered = entry.call.answered or step.result_known
        entry.call.started_at = instant(step.span.start)
        entry.call.duration_ms = milliseconds(step.span.start, step.span.end)

    def _waiting(self, made: Call, args_known: bool) -> Entry | None:
        """The call that a message asked for and that this span ran."""
        waiting = [e for e in self.entries if e.ran is None and e.call.name == made.name]
        if made.id is not None:
            for entry in waiting:
                if entry.call.id == made.id:
                    return entry
        if args_known:
            wanted = canonical_json(made.args)
            for entry in waiting:
                if canonical_json(entry.call.args) == wanted:
                    return entry
        return waiting[0] if waiting else None

    def hear(self, said: list[Said]) -> None:
        """Learn from the messages that a model was given since the user spoke."""
        free = {id(entry): entry for entry in self.entries}
        by_id: dict[tuple[str, str | None], Entry] = {
            (e.call.name, e.call.id): e for e in reversed(self.entries) if e.call.id
        }
        for calls, results in exchanges(said):
            fresh: list[Call] = []
            for call in calls:
                entry = by_id.get((call.name, call.id))
                if entry is None or id(entry) not in free:
                    entry = _same(free, call)
                if entry is None:
                    fresh.append(call)
                else:
                    del free[id(entry)]
                    if not entry.args_known:
                        entry.call.args, entry.args_known = call.args, True
                result = results.get(id(call))
                target = entry.call if entry is not None else call
                if result is not None and not target.answered:
                    _settle(target, result, ran=entry is not None and entry.ran is not None)
            if fresh:
                self.ask(fresh)

    def finished(self) -> tuple[list[Call], set[RunField]]:
        """The calls with their groups, and what is not known of them."""
        unknown: set[RunField] = set()
        overlapping = _overlapping([e for e in self.entries if not e.asked])
        groups: dict[object, int] = {}
        for entry in self.entries:
            key: object = entry.batch if entry.asked else overlapping.get(id(entry))
            if key is not None:
                marked = (entry.asked, key)
                entry.call.group = groups.setdefault(marked, len(groups))
            if not entry.asked and key is None and len(self.entries) > 1:
                unknown.add("parallel_groups")
            if not entry.args_known:
                unknown.add("call_arguments")
            if entry.ran is not None and not entry.call.answered and entry.call.outcome == "ok":
                unknown.add("call_results")
            if entry.ran is not None and entry.call.outcome == "unknown":
                unknown |= {"call_results", "call_outcomes"}
        return [entry.call for entry in self.entries], unknown


def _same(free: dict[int, Entry], call: Call) -> Entry | None:
    """The call of the turn that a message repeats."""
    named = [entry for entry in free.values() if entry.call.name == call.name]
    for entry in named:
        if call.id is not None and entry.call.id == call.id:
            return entry
    wanted = canonical_json(call.args)
    for entry in named:
        if entry.args_known and canonical_json(entry.call.args) == wanted:
            return entry
    return next((entry for entry in named if not entry.args_known), None)


def _settle(call: Call, result: Result, *, ran: bool) -> None:
    call.answered = True
    call.result = result.value
    if ran and call.outcome == "error":
        return
    if result.failed:
        call.outcome = "error"
        call.error = (
            result.value if isinstance(result.value, str) else canonical_json(result.value)
        ) or "error"
    elif not ran and call.error is None:
        call.outcome = "ok"


def _overlapping(entries: list[Entry]) -> dict[int, int]:
    """Calls known from spans alone that overlap under one parent: entry to number of its group."""
    found: dict[int, int] = {}
    last: dict[str | None, tuple[Entry, int]] = {}
    number = 0
    for entry in sorted(entries, key=lambda e: (e.ran.span.start or 0) if e.ran else 0):
        span = entry.ran.span if entry.ran is not None else None
        if span is None or span.start is None or span.end is None:
            continue
        before = last.get(span.parent)
        if before is not None and span.start < before[1]:
            first = before[0]
            if id(first) not in found:
                number += 1
                found[id(first)] = number
            found[id(entry)] = found[id(first)]
            last[span.parent] = (first, max(before[1], span.end))
        else:
            last[span.parent] = (entry, span.end)
    return found
