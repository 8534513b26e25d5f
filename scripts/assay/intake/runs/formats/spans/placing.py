"""Where the steps of a trace stand: below which agent, how deep, and which of them are one.

A model's span within a model's span, and a tool's span within one of the same tool, are one call
that two instrumentations saw.
"""

from __future__ import annotations

from dataclasses import dataclass

from assay.intake.node import Source
from assay.intake.runs.formats.spans.span import Step
from assay.intake.runs.formats.spans.tree import Tree


@dataclass
class Trace:
    """One trace, and what its spans mean."""

    tree: Tree
    steps: dict[str, Step]
    """Id of a span to the step that it is."""


@dataclass
class Placed:
    """A step and where it stands."""

    step: Step
    trace: Tree
    outer: Step | None
    """The outermost agent above it, or itself."""
    depth: int
    """How many agents are above it."""


def place(trace: Trace, source: Source) -> list[Placed]:
    """The steps of a trace in order, those that say the same twice made one."""
    tree = trace.tree
    near: dict[str, Placed | None] = {}
    placed: dict[str, Placed] = {}
    ordered = sorted(tree.spans, key=lambda span: tree.depth[span.id])
    for span in ordered:
        parent = tree.parent.get(span.id)
        above = near[parent.id] if parent is not None else None
        step = trace.steps.get(span.id)
        if step is None:
            near[span.id] = above
            continue
        inner = above.step if above is not None else None
        if inner is not None and _is_the_same(inner, step):
            source.drop(f"{step.kind} span within its own span")
            _fill(inner, step)
            near[span.id] = above
            continue
        outer, depth = (above.outer, above.depth) if above is not None else (None, 0)
        if inner is not None and inner.kind == "agent":
            depth += 1
        if outer is None and step.kind == "agent":
            outer = step
        made = Placed(step, tree, outer, depth)
        placed[span.id] = near[span.id] = made
    return [placed[span.id] for span in tree.spans if span.id in placed]


def _is_the_same(outer: Step, inner: Step) -> bool:
    if outer.kind != inner.kind:
        return False
    if outer.call is not None and inner.call is not None:
        return outer.call.name == inner.call.name
    return outer.kind == "model"


def _fill(outer: Step, inner: Step) -> None:
    """Take over what the outer span does not tell."""
    for name in ("input", "output", "model", "tokens_in", "tokens_out", "cost", "turn", "failure"):
        if getattr(outer, name) is None:
            setattr(outer, name, getattr(inner, name))
    mine, other = outer.call, inner.call
    if mine is None or other is None:
        return
    if not outer.args_known and inner.args_known:
        mine.args, outer.args_known = other.args, True
    if not outer.result_known and inner.result_known:
        mine.result, outer.result_known = other.result, True
    mine.id = mine.id or other.id
    mine.server = mine.server or other.server
    if mine.outcome == "ok" and other.outcome == "error":
        mine.outcome, mine.error = other.outcome, other.error
