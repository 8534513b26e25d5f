"""What waits for one person, for a terminal and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assay.models.base import JsonValue
from assay.reporting.words import WIDTH, left, safe, shortened, wrap

Kind = Literal["sign", "decide", "renew", "campaign", "label", "repair", "lift"]
KINDS: tuple[Kind, ...] = ("sign", "decide", "renew", "campaign", "label", "repair", "lift")
"""`sign` a revision of this branch; `decide` a dispute; `renew` a label that ends; move a case of a
`campaign`; `label` a draft; `repair` what keeps a case from being scored; `lift` a waiver or a
quarantine that ends."""


@dataclass(frozen=True)
class Waiting:
    """One thing that waits for somebody."""

    kind: Kind
    """What is to be done."""
    case_id: str
    """The case."""
    suite: str
    """Its suite."""
    why: str
    """Why it waits, in a few words."""
    due: str | None
    """The day by which it should be done, where there is one."""
    command: str
    """What to type."""


@dataclass(frozen=True)
class Todo:
    """Everything that waits for one person."""

    handle: str
    """The person."""
    today: str
    """The day."""
    items: tuple[Waiting, ...]
    """By kind, day and case."""
    notes: tuple[str, ...]
    """What could not be looked at, in sentences."""


HEADS: dict[Kind, str] = {
    "sign": "to sign on this branch",
    "decide": "disputes to decide",
    "renew": "labels that end",
    "campaign": "left of campaigns",
    "label": "drafts",
    "repair": "not scored",
    "lift": "waivers and quarantines that end",
}
"""Kind to its heading."""

MOST = 12
"""Items of a kind that are listed."""


def todo_text(found: Todo) -> str:
    """A paragraph a kind, each item with what to type."""
    lines: list[str] = []
    for kind in KINDS:
        items = [item for item in found.items if item.kind == kind]
        if not items:
            continue
        lines += ["", f"{HEADS[kind]}  ({len(items):,})"]
        for item in items[:MOST]:
            lines.append(f"  {left(safe(item.case_id), 20)}  {shortened(safe(item.why), 56)}")
            lines.append(f"  {'':20}  {safe(item.command)}")
        if len(items) > MOST:
            lines.append(f"  … and {len(items) - MOST:,} more: --format json lists all")
    head = f"{safe(found.handle)}, {found.today}"
    lines = [head, *lines] if lines else [f"{head}: nothing waits."]
    for note in found.notes:
        lines += ["", *wrap(safe(note), WIDTH)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def todo_json(found: Todo) -> JsonValue:
    """What ``assay todo --format json`` prints."""
    return {
        "schema_version": 1,
        "handle": found.handle,
        "today": found.today,
        "items": [
            {
                "kind": item.kind,
                "case_id": item.case_id,
                "suite": item.suite,
                "why": item.why,
                "due": item.due,
                "next": item.command,
            }
            for item in found.items
        ],
        "notes": list(found.notes),
    }
