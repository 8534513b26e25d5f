"""Which observed calls meet which expected ones.

Section 2.4 of the design, *Tools* and *Arguments*. Every question has three answers: a call
meets an expectation, does not, or it cannot be told, because the run's format does not carry
the arguments or outcomes, or because a bare name fits two tools. What is only possible never
meets an expectation and never breaks one.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from assay.models.base import JsonValue
from assay.models.truth import Order
from assay.scoring.bipartite import (
    Edges,
    Matching,
    in_order_matching,
    maximum_matching,
    ordered_matching,
)
from assay.scoring.compiled import Argument, Entry
from assay.scoring.matchers import Answer, Exact, Sight
from assay.scoring.observed import SeenCall, SeenRun
from assay.scoring.values import MISSING, exact


@dataclass
class Assigned:
    """What one expected call came to."""

    entry: Entry
    """The expectation."""
    sure: tuple[int, ...]
    """Indexes of all calls that meet it."""
    perhaps: tuple[int, ...]
    """Indexes of all calls that meet it or may meet it."""
    calls: tuple[int, ...] = ()
    """Indexes of the calls that were assigned to it."""
    outcome: Answer = None
    """Met, not met, or it cannot be told."""


@dataclass
class Table:
    """All expected calls against all observed ones."""

    rows: list[Assigned]
    """In the order of the record."""
    order_kept: Answer = True
    """Whether the order asked for is kept; True also where a missing call leaves it open."""
    extra: tuple[int, ...] = ()
    """Indexes of calls that no expectation was assigned."""
    reasons: dict[int, str] = field(default_factory=dict)
    """Row to why it could not be told whether a call meets it."""


def meets(entry: Entry, call: SeenCall, seen: SeenRun, sight: Sight) -> Answer:
    """Whether a call without error of one of its tools meets an expectation."""
    if entry.turn is not None and entry.turn != call.turn:
        return False
    answer: Answer = True
    if entry.args:
        if "call_arguments" in seen.unknown:
            return sight.unknown("the run's format does not carry arguments")
        args = call.args
        for argument in entry.args:
            one = argument_meets(argument, args, sight)
            if one is False:
                return False
            if one is None:
                answer = None
    if len(call.names) > 1 and not entry.names.issuperset(call.names):
        return sight.unknown(f"{call.label} fits several tools")
    return answer


def argument_meets(argument: Argument, args: dict[str, JsonValue], sight: Sight) -> Answer:
    """Whether a call's argument is as expected; an omitted one stands for its default."""
    value = args.get(argument.name, argument.default)
    if value is MISSING:
        return False
    return argument.node.test(value, sight)


def assign(entries: Sequence[Entry], seen: SeenRun, order: Order, sight: Sight) -> Table:
    """Assign observed calls to expected ones, one to one, as many as possible.

    Args:
        entries: what is expected.
        seen: the run.
        order: `any`, `in_order` or `exact`; for `plan` see `assign_steps`.
        sight: what comparisons may look at.
    """
    rows, reasons = _rows(entries, seen, sight)
    table = Table(rows, reasons=reasons)
    size = len(seen.calls)
    if order in ("in_order", "exact"):
        copies = [i for i, row in enumerate(rows) for _ in range(row.entry.least)]
        finder = in_order_matching
    else:
        # The expectations that say most come first, so that a loose one is named as unmet.
        by_detail = sorted(range(len(rows)), key=lambda i: (-len(rows[i].entry.args), i))
        copies = [i for i in by_detail for _ in range(rows[i].entry.least)]
        finder = maximum_matching
    _settle(table, copies, size, finder)
    if order != "any" and any(row.outcome is False for row in rows):
        # Is something missing, or is it all there in another order?
        free = Table([Assigned(row.entry, row.sure, row.perhaps) for row in rows])
        _settle(free, copies, size, maximum_matching)
        table.rows = free.rows
        table.order_kept = any(row.outcome is False for row in free.rows)
    elif order == "exact":
        table.order_kept = _exactly(rows, size)
    _find_extra(table, size)
    return table


def assign_steps(
    entries: Sequence[Entry], before: Sequence[frozenset[int]], seen: SeenRun, sight: Sight
) -> Table:
    """Assign observed calls to the steps of a plan, each after all its predecessors.

    `order_kept` is None where the search for an order gave up.
    """
    rows, reasons = _rows(entries, seen, sight)
    table = Table(rows, reasons=reasons)
    size = len(seen.calls)
    _settle(table, list(range(len(rows))), size, maximum_matching)
    if all(row.outcome is not False for row in rows):
        sure = ordered_matching([row.sure for row in rows], size, before)
        if sure is not None and sure.complete:
            for row, partner in zip(rows, sure.partner, strict=True):
                assert partner is not None
                row.calls, row.outcome = (partner,), True
        else:
            perhaps = ordered_matching([row.perhaps for row in rows], size, before)
            gave_up = sure is None or perhaps is None
            table.order_kept = None if gave_up or (perhaps and perhaps.complete) else False
    _find_extra(table, size)
    return table


_MANY = 10_000
"""Pairs of an expectation and a call from which on calls are looked up by an argument."""


class _Calls:
    """The calls that may meet an expectation; looked up where there are very many pairs."""

    def __init__(self, seen: SeenRun, entries: int, as_text: bool) -> None:
        self.calls = seen.calls
        few = entries * len(seen.calls) < _MANY
        self.all = few or as_text or "call_arguments" in seen.unknown
        self.found: dict[str, dict[object, list[SeenCall]]] = {}

    def of(self, entry: Entry) -> Sequence[SeenCall]:
        """Calls in order, without those whose argument is another literal."""
        if self.all:
            return self.calls
        for argument in entry.args:
            if isinstance(argument.node, Exact) and argument.default is MISSING:
                key = _key(argument.node.value)
                if key is not None:
                    return self._by(argument.name).get(key, ())
        return self.calls

    def _by(self, name: str) -> dict[object, list[SeenCall]]:
        if name not in self.found:
            values = self.found.setdefault(name, {})
            for call in self.calls:
                values.setdefault(_key(call.args.get(name)), []).append(call)
        return self.found[name]


def _key(value: JsonValue) -> object:
    """Equal for two scalars that `values.same` calls equal; None for anything else."""
    if isinstance(value, bool):
        return ("bool", value)
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    return exact(value) if isinstance(value, int | Decimal | float) else None


def _rows(
    entries: Sequence[Entry], seen: SeenRun, sight: Sight
) -> tuple[list[Assigned], dict[int, str]]:
    rows: list[Assigned] = []
    reasons: dict[int, str] = {}
    calls = _Calls(seen, len(entries), sight.as_text)
    # Entries without arguments that name one tool meet the same calls, and are looked at once.
    alike: dict[object, Assigned] = {}
    for i, entry in enumerate(entries):
        bare = (entry.names, entry.turn)
        if not entry.args and bare in alike:
            rows.append(Assigned(entry, alike[bare].sure, alike[bare].perhaps))
            continue
        sure: list[int] = []
        perhaps: list[int] = []
        for call in calls.of(entry):
            if not call.fine or entry.names.isdisjoint(call.names):
                continue
            sight.before = call.index
            answer = meets(entry, call, seen, sight)
            if answer:
                sure.append(call.index)
            elif answer is None:
                reasons[i] = sight.reason
            else:
                continue
            perhaps.append(call.index)
        rows.append(Assigned(entry, tuple(sure), tuple(perhaps)))
        if not entry.args and i not in reasons:
            alike[bare] = rows[-1]
    return rows, reasons


def _settle(
    table: Table, copies: list[int], size: int, finder: Callable[[Edges, int], Matching]
) -> None:
    """Decide each row by the sure meetings, and where these fail by the possible ones."""
    rows = table.rows
    sure = finder([rows[i].sure for i in copies], size)
    got: list[list[int]] = [[] for _ in rows]
    short: set[int] = set()
    for i, partner in zip(copies, sure.partner, strict=True):
        if partner is None:
            short.add(i)
        else:
            got[i].append(partner)
    possible: set[int] = set()
    if short and any(row.perhaps != row.sure for row in rows):
        perhaps = finder([rows[i].perhaps for i in copies], size)
        missed = {i for i, p in zip(copies, perhaps.partner, strict=True) if p is None}
        # If all are possible, or this one is, it cannot be told; else it is missing for certain.
        possible = short if not missed else short - missed
        if missed and possible == short:
            # One is missing whatever the unknown is, and another reading misses another one.
            possible = short - {next(i for i in reversed(copies) if i in short)}
    for i, row in enumerate(rows):
        row.calls = tuple(sorted(got[i]))
        row.outcome = True if i not in short else None if i in possible else False


def _exactly(rows: Sequence[Assigned], size: int) -> Answer:
    """Whether the calls are the expected ones in sequence and nothing else."""
    answers: list[bool] = []
    for sure in (True, False):
        places = {0}
        for row in rows:
            meeting = frozenset(row.sure if sure else row.perhaps)
            most = row.entry.least if row.entry.most is None else row.entry.most
            following: set[int] = set()
            for place in places:
                run = 0
                while run < most and place + run in meeting:
                    run += 1
                following.update(range(place + row.entry.least, place + run + 1))
            places = following
        answers.append(size in places)
    return True if answers[0] else None if answers[1] else False


def _find_extra(table: Table, size: int) -> None:
    taken = {index for row in table.rows for index in row.calls}
    table.extra = tuple(index for index in range(size) if index not in taken)
