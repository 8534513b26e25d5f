"""A foreign file as a whole: one JSON document, JSON lines, or a table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from assay.intake.node import Node, Source

Layout = Literal["json", "lines", "table"]


@dataclass(frozen=True)
class Document:
    """What stands in a file, before anybody asks what it means."""

    source: Source
    """The file."""
    layout: Layout
    """One JSON value; JSON values one after another, usually one a line; or rows under a header.
    """
    nodes: tuple[Node, ...]
    """The JSON value; or each of the values; or every row, header to text."""
    columns: tuple[str, ...] = ()
    """Header of a table."""
    encoded: bool = False
    """True where the JSON value was a text that held JSON again."""

    @property
    def first(self) -> Node:
        """The first value; a node of null in a file without any."""
        return self.nodes[0] if self.nodes else Node(None, self.source)

    @cached_property
    def records(self) -> tuple[Node, ...]:
        """The elements of a JSON list, or the value of every line, or the one value."""
        if self.layout == "json" and isinstance(self.first.value, list):
            return tuple(self.first.items())
        return self.nodes
