"""Which case and which trial a trace is, by the attributes of its spans and of their resource."""

from __future__ import annotations

from assay.intake.node import Source
from assay.intake.runs.formats.spans.attributes import Attributes, count_in, decoded
from assay.intake.runs.formats.spans.span import Span
from assay.intake.runs.formats.spans.tree import Tree
from assay.models.base import JsonValue

CASE = ("case_id", "eval_case_id", "eval_id", "case.id")
"""Attributes that name the case: alone, or at the end of a dotted name."""
TRIAL = ("trial", "trial_index")


def case_of(tree: Tree) -> str | None:
    """The case that a trace names: roots first, then their resource, then the other spans."""
    roots = tree.roots
    places = [span.attributes for span in roots]
    places += [span.resource for span in roots]
    places += [span.attributes for span in tree.spans]
    return next((case for place in places if (case := named_case(place))), None)


def named_case(attributes: Attributes) -> str | None:
    """The case that attributes name, alone or within ``metadata``."""
    for wanted in CASE:
        for name in sorted(attributes):
            value = attributes[name]
            if (name == wanted or name.endswith(f".{wanted}")) and _is_id(value):
                return str(value)
    for name in sorted(attributes):
        if name == "metadata" or name.endswith(".metadata"):
            inner = decoded(attributes[name])
            if isinstance(inner, dict):
                case = named_case(inner)
                if case is not None:
                    return case
    return None


def _is_id(value: JsonValue) -> bool:
    return (isinstance(value, str) and value != "") or (
        isinstance(value, int) and not isinstance(value, bool)
    )


def trial_of(tree: Tree) -> int | None:
    """The trial that the roots of a trace name."""
    return next((trial for span in tree.roots if (trial := _trial(span)) is not None), None)


def cases_apart(trees: list[Tree], source: Source) -> list[Tree]:
    """The traces; one that holds several cases, as under one span of a harness, in its parts."""
    found: list[Tree] = []
    for tree in trees:
        found += _parts(tree, source)
    return found


def _parts(tree: Tree, source: Source) -> list[Tree]:
    heads: dict[str, Span | None] = {}
    """Id of a span to the uppermost span over it that names a case."""
    names: dict[str, tuple[str, int | None]] = {}
    for span in sorted(tree.spans, key=lambda item: tree.depth[item.id]):
        parent = tree.parent.get(span.id)
        head = heads[parent.id] if parent is not None else None
        if head is None and _may_name(span):
            case = named_case(span.attributes)
            if case is not None:
                head = span
                names[span.id] = (case, _trial(span))
        heads[span.id] = head
    if len(set(names.values())) < 2:
        return [tree]
    outside = sum(head is None for head in heads.values())
    source.drop("span outside of every case", outside)
    parts: dict[str, list[Span]] = {}
    for span in tree.spans:
        head = heads[span.id]
        if head is not None:
            parts.setdefault(head.id, []).append(span)
    return [
        Tree(
            tree.trace_id,
            spans,
            tree.depth,
            {s.id: tree.parent[s.id] for s in spans if s.id != head and s.id in tree.parent},
        )
        for head, spans in parts.items()
    ]


def _may_name(span: Span) -> bool:
    return any(name.endswith((*CASE, "metadata")) for name in span.attributes)


def _trial(span: Span) -> int | None:
    inner = decoded(span.attributes.get("metadata"))
    for given in (span.attributes, inner if isinstance(inner, dict) else {}, span.resource):
        for name in sorted(given):
            if name in TRIAL or name.endswith(tuple(f".{item}" for item in TRIAL)):
                return count_in(given, name)
    return None
