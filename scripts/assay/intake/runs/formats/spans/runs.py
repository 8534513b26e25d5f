"""Traces to runs: which belong to one conversation, which case it is, and what stands above it all.

One trace is one run, unless spans within it name several cases: then each of these is one. Traces
that name the same conversation, and neither another case nor another
trial, are the turns of one.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from assay.errors import InputError
from assay.intake.document import Document
from assay.intake.node import Node
from assay.intake.runs.formats.spans.clock import instant
from assay.intake.runs.formats.spans.naming import case_of, cases_apart, trial_of
from assay.intake.runs.formats.spans.placing import Placed, Trace, place
from assay.intake.runs.formats.spans.span import LeftOut, Span, Step
from assay.intake.runs.formats.spans.tree import Tree, traces
from assay.intake.runs.formats.spans.turns import Talk
from assay.intake.runs.imported import Piece, RawRun
from assay.models.run import RunField

CANNOT: frozenset[RunField] = frozenset({"planning_steps", "final_state", "cost"})
"""What spans have no place for; a cost where they tell one."""

Meaning = Callable[[Span], Step | None]
"""What a span means; None for one of another instrumentation."""


def read_traces(
    document: Document,
    spans: list[Span],
    meaning: Meaning,
    conversation: tuple[str, ...],
    *,
    foreign: str = "span of another instrumentation",
) -> list[Piece]:
    """The runs of a file of spans.

    Args:
        document: the file.
        spans: its spans.
        meaning: what a span means in the format.
        conversation: attributes that name the conversation.
        foreign: what spans are counted as that mean nothing.

    Raises:
        InputError: no span tells of an agent.
    """
    source = document.source
    found: list[Trace] = []
    for tree in cases_apart(traces(spans, source), source):
        steps: dict[str, Step] = {}
        for span in tree.spans:
            try:
                step = meaning(span)
            except LeftOut as left:
                source.drop(left.rule, bool(left.rule))
            except InputError as error:
                source.drop("span that cannot be read")
                source.failed(error, "IRU020")
            else:
                if step is None:
                    source.drop(foreign)
                else:
                    steps[span.id] = step
        if steps:
            found.append(Trace(tree, steps))
    if not found:
        raise document.first.error(
            f"No span tells what an agent did; {len(spans)} were looked at.",
            "export the spans of the agent's own instrumentation",
        )
    groups: dict[tuple[str, ...], list[Trace]] = {}
    for trace in found:
        groups.setdefault(_key(trace, conversation), []).append(trace)
    return [(_place(group), _reader(group)) for group in groups.values()]


def _key(trace: Trace, conversation: tuple[str, ...]) -> tuple[str, ...]:
    tree = trace.tree
    for name in conversation:
        for span in tree.spans:
            value = span.attributes.get(name)
            if isinstance(value, str) and value:
                trial = trial_of(tree)
                return (value, case_of(tree) or "", "" if trial is None else str(trial))
    return ("", tree.trace_id, tree.roots[0].id)


def _place(group: list[Trace]) -> Node:
    tree = group[0].tree
    return tree.roots[0].node


def _reader(group: list[Trace]) -> Callable[[Node], RawRun]:
    def read(record: Node) -> RawRun:
        return _run(record, group)

    return read


def _run(record: Node, group: list[Trace]) -> RawRun:
    first = group[0].tree
    raw = RawRun(
        record,
        case_id=next((case for trace in group if (case := case_of(trace.tree))), None),
        trial=trial_of(first),
        trace_id=first.trace_id or None,
        started_at=instant(first.start),
        unknown=set(CANNOT),
    )
    for trace in reversed(group):
        for span in reversed(trace.tree.spans):
            raw.attributes |= span.resource | span.attributes
    talk = Talk()
    steps: list[Placed] = []
    for trace in group:
        placed = place(trace, record.source)
        steps += placed
        for item in placed:
            talk.take(item)
        _complain(record, trace.tree, raw)
    made = talk.finished()
    raw.turns = made.turns
    raw.unknown |= made.unknown
    raw.infrastructure_errors = made.failures
    if made.earlier:
        record.source.drop("message of an earlier turn", made.earlier)
        record.source.note(
            "IRU022",
            f"The first model of the run was told {made.earlier} earlier messages; the turns that"
            " they come from are not in the file.",
            node=record,
            case_id=raw.case_id,
            hint="export the whole conversation, under one conversation id",
        )
    _head(raw, steps)
    return raw


def _complain(record: Node, tree: Tree, raw: RawRun) -> None:
    if tree.missing:
        record.source.note(
            "IRU021",
            f"{tree.missing} spans name a parent that is not in the file; they are read as roots.",
            node=record,
            case_id=raw.case_id,
            hint="export the whole trace",
        )
    if tree.untimed > 1:
        record.source.note(
            "IRU023",
            f"{tree.untimed} spans have no start; their order is that of their ids.",
            node=record,
            case_id=raw.case_id,
        )
        raw.unknown.add("parallel_groups")


def _head(raw: RawRun, steps: list[Placed]) -> None:
    """Agent, models, tokens, cost."""
    named = [item.step.name for item in steps if item.step.name]
    agents = [item.step.name for item in steps if item.step.name and item.step.kind == "agent"]
    raw.agent = next(iter(agents or named), None)
    models = list(dict.fromkeys(item.step.model for item in steps if item.step.model))
    raw.model = models[0] if models else None
    if len(models) > 1:
        raw.record.source.note(
            "IRU007",
            f"Several models took part: {', '.join(models)}; the first one is named.",
            node=raw.record,
            case_id=raw.case_id,
        )
    for name in ("tokens_in", "tokens_out", "cost"):
        total = _total([getattr(i.step, name) for i in steps if i.step.kind == "model"])
        if total is None:
            # An agent's span carries the sum over its models, and of the agents within it.
            outer = [i.step for i in steps if i.step.kind == "agent" and i.outer is i.step]
            total = _total([getattr(step, name) for step in outer])
        setattr(raw, name, total)


def _total(values: list[int | Decimal | None]) -> int | Decimal | None:
    told = [value for value in values if value is not None]
    return sum(told) if told else None
