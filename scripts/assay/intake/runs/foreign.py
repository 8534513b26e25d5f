"""What a file looks like that no importer reads: a name for it, so that the refusal helps."""

from __future__ import annotations

from collections.abc import Callable

from assay.intake.document import Document
from assay.intake.node import Node


def describe(document: Document) -> str:
    """What the file looks like, in words."""
    if document.layout == "table":
        return f"a table with the columns {', '.join(document.columns[:8])}"
    records = document.records
    first = records[0] if records else document.first
    for name, fits in _KNOWN:
        if isinstance(first.value, dict) and fits(first):
            return f"{name}, which is not read yet"
    if isinstance(first.value, dict):
        keys = ", ".join(f"`{key}`" for key in list(first.value)[:8]) or "no fields"
        return f"{'objects' if first is not document.first else 'an object'} with {keys}"
    return "an empty list" if document.first.value == [] else "no object at all"


def is_eval_set(document: Document) -> bool:
    """Whether the file holds cases, not runs."""
    records = document.records
    return bool(records) and all(
        record.has("eval_cases", "query") or (record.has("eval_id") and record.has("conversation"))
        for record in records
    )


def _spans(node: Node) -> bool:
    return node.has("resource_spans") or node.has_all("start_time", "end_time", "attributes")


_KNOWN: tuple[tuple[str, Callable[[Node], bool]], ...] = (
    ("OpenTelemetry spans without an agent in them", _spans),
    ("an agent-platform data set", lambda n: n.has("eval_cases")),
)
