"""Revisions that got another number, for a terminal and as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from assay.files.model_text import plain
from assay.ledger.layout import record_key
from assay.ledger.renumbering import Collisions, Moved, Renumbered
from assay.models.base import JsonValue
from assay.reporting.words import WIDTH, listed, safe, wrap


def renumbered_text(case: Renumbered, base: str) -> str:
    """What becomes of the revisions of one case, before each is shown."""
    theirs = ", ".join(f"r{stored.revision:04d}" for stored in case.theirs)
    who = f" ({case.author})" if case.author else ""
    lines = [safe(f"{case.case_id}: {base} has {theirs}{who}")]
    for item in case.moved:
        lines += _moved(item)
    return "\n".join(lines) + "\n"


def _moved(item: Moved) -> list[str]:
    lines = [f"  yours, {_number(item.was)}, becomes {_number(item.draft.path)}"]
    indent = " " * 4
    if item.both:
        said = f"you both changed {listed(list(item.both))}: yours stands, look at it again"
        lines += wrap(safe(said), WIDTH, indent=indent)
    if item.taken:
        lines += wrap(safe(f"taken over: {listed(list(item.taken))}"), WIDTH, indent=indent)
    if item.called is not None:
        said = f"`{item.called}` does not fit what it now follows: `{item.draft.record.change}`"
        lines += wrap(safe(said), WIDTH, indent=indent)
    return lines


def _number(path: str) -> str:
    key = record_key(path)
    return f"r{key.revision:04d}" if key is not None else path


def renumbered_json(found: Collisions, written: Sequence[str], steps: Sequence[str]) -> JsonValue:
    """What ``assay renumber --format json`` prints."""
    return {
        "schema_version": 1,
        "base": found.base,
        "cases": [
            {
                "case_id": case.case_id,
                "stays": [stored.path for stored in case.theirs],
                "moved": [
                    {
                        "was": item.was,
                        "path": item.draft.path,
                        "both_changed": list(item.both),
                        "taken": list(item.taken),
                        "change_was": item.called,
                        "record": plain(item.draft.record),
                    }
                    for item in case.moved
                ],
            }
            for case in found.cases
        ],
        "next": list(steps),
        "written": list(written),
    }
