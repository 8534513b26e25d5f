"""Which case and which trial a trace is, by the attributes of its spans and of their resource."""

from __future__ import annotations

from assay.intake.runs.formats.spans.attributes import Attributes, count_in, decoded
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
    for span in tree.roots:
        inner = decoded(span.attributes.get("metadata"))
        for given in (span.attributes, inner if isinstance(inner, dict) else {}, span.resource):
            for name in sorted(given):
                if name in TRIAL or name.endswith(tuple(f".{item}" for item in TRIAL)):
                    return count_in(given, name)
    return None
