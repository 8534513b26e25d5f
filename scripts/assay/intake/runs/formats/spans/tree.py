"""Spans of one trace as a tree: parents, order, duplicates. Never by the order in the file.

- Two records of one span (an exporter that tried twice) are one; the one that ended is kept.
- A child whose parent is not there hangs at the root.
- Order: by start; a parent before its children; then by the format's own order, and by id. A span
  without a start takes that of its parent.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from assay.intake.node import Source
from assay.intake.runs.formats.spans.span import Span, plain_id, stable_key

_Key = tuple[int, int, str, str, str]


@dataclass
class Tree:
    """One trace."""

    trace_id: str
    spans: list[Span]
    """In order."""
    depth: dict[str, int]
    """Id of a span to the number of spans above it."""
    parent: dict[str, Span] = field(default_factory=dict)
    """Id of a span to its parent, where that is there."""
    missing: int = 0
    """How many spans name a parent that is not there."""
    untimed: int = 0
    """How many spans have no start, neither of their own nor of a parent."""

    @property
    def roots(self) -> list[Span]:
        """Spans without a parent that is there, in order."""
        return [span for span in self.spans if span.id not in self.parent]

    @property
    def start(self) -> int | None:
        """When the first span began."""
        return min((span.start for span in self.spans if span.start is not None), default=None)


def traces(spans: list[Span], source: Source) -> list[Tree]:
    """The traces of a file, by the start of their first span, then by id."""
    by_trace: dict[str, list[Span]] = defaultdict(list)
    for span in spans:
        by_trace[plain_id(span.trace_id)].append(span)
    trees = [_tree(by_trace[key], source) for key in sorted(by_trace)]
    return sorted(trees, key=lambda tree: (tree.start or 0, plain_id(tree.trace_id)))


def _tree(spans: list[Span], source: Source) -> Tree:
    unique = _unique(spans, source)
    parents: dict[str, Span] = {}
    missing = 0
    for _, span in sorted(unique.items()):
        if span.parent is None:
            continue
        parent = unique.get(plain_id(span.parent))
        if parent is None:
            missing += 1
        elif parent is not span:
            parents[span.id] = parent
    depths = _depths(unique, parents)
    untimed = 0
    keys: dict[str, _Key] = {}
    for span in sorted(unique.values(), key=lambda item: depths[item.id]):
        if span.start is None and span.id in parents:
            span.start = parents[span.id].start
        untimed += span.start is None
        last = span.id if not span.id.startswith("#") else ""
        text = "" if last else stable_key(span)
        keys[span.id] = (span.start or 0, depths[span.id], span.order, last, text)
    ordered = sorted(unique.values(), key=lambda item: keys[item.id])
    return Tree(ordered[0].trace_id, ordered, depths, parents, missing, untimed)


def _unique(spans: list[Span], source: Source) -> dict[str, Span]:
    found: dict[str, Span] = {}
    for span in spans:
        key = plain_id(span.id)
        other = found.get(key)
        if other is None:
            found[key] = span
            continue
        source.drop("repeated span")
        if _rank(span) > _rank(other):
            found[key] = span
    return found


def _rank(span: Span) -> tuple[bool, int, int, str]:
    """Which of two records of a span is kept: the later and fuller one."""
    return (span.end is not None, span.end or 0, len(span.attributes), stable_key(span))


def _depths(unique: dict[str, Span], parents: dict[str, Span]) -> dict[str, int]:
    """Depth of every span. A link that closes a circle is cut."""
    depths: dict[str, int] = {}
    for _, span in sorted(unique.items()):
        path: list[Span] = []
        on_path: set[str] = set()
        place: Span | None = span
        while place is not None and place.id not in depths:
            path.append(place)
            on_path.add(place.id)
            above = parents.get(place.id)
            if above is not None and above.id in on_path:
                del parents[place.id]
                above = None
            place = above
        depth = depths[place.id] + 1 if place is not None else 0
        for item in reversed(path):
            depths[item.id] = depth
            depth += 1
    return depths
