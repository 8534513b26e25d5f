"""Situations about revisions, as a repository: their records in our fields, and runs on them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tests.situations.given import label
from tests.support import case, finish, make_repository

ASKED = "Please look into it."
PEOPLE = """\
schema_version: 1
people:
  ana: {roles: [{role: labeler, from: "2026-01-01"}]}
  bo: {roles: [{role: labeler, from: "2026-01-01"}]}
  cleo:
    roles: [{role: adjudicator, from: "2026-01-01"}, {role: owner, from: "2026-01-01"}]
"""
CHANGES = {"disputed": "dispute", "retired": "retire"}


def raw(case_id: str, revision: int, status: str = "GOLD", **fields: Any) -> dict[str, Any]:
    """A record as situations are handed in: tools by name, statuses in capitals."""
    return {
        "case_id": case_id,
        "revision": revision,
        "status": status,
        "acceptable_answers": ["done"],
        "policy_version": "refunds-v7",
        "rationale": "Read in the pump log of that week; clause 3.2 asks for every pump.",
        **fields,
    }


def wanted(name: str, **args: Any) -> dict[str, Any]:
    """A required call as situations are handed in."""
    return {"name": name, "args": args}


def record_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """One of them in our fields, labelled by people of ours."""
    status = str(given["status"]).lower()
    tools = [
        entry if isinstance(entry, Mapping) else wanted(entry)
        for entry in given.get("required_tools", ())
    ]
    first = "new" if given["revision"] == 1 else "correction"
    value = {
        "schema_version": 1,
        "case_id": given["case_id"],
        "revision": given["revision"],
        "status": status,
        "change": CHANGES.get(status, first),
        "rationale": [given["rationale"]],
        **label({**given, "required_tools": tools}, "acceptable_answers"),
        "policy_version": given["policy_version"],
        "as_of": "2026-09-18",
        "expires": "2027-03-18",
        "labelers": ["ana", "bo"] if status != "silver" else ["ana"],
        "adjudicator": "cleo" if status != "silver" else None,
    }
    return {name: item for name, item in value.items() if item not in (None, [], {})}


def make(root: Path, given: Iterable[Mapping[str, Any]], tools: str, policies: str = "") -> Path:
    """A repository with these records, their cases and tools."""
    records = [record_of(item) for item in given]
    ids = dict.fromkeys(item["case_id"] for item in records)
    make_repository(root, records, [case(name, ASKED) for name in ids])
    (root / "truth/people.yaml").write_text(PEOPLE)
    (root / "truth/tools.yaml").write_text(f"schema_version: 1\ntools:\n{tools}")
    if policies:
        (root / "truth/policies.yaml").write_text(policies)
    (root / ".gitignore").write_text(".assay/\nout*/\n")
    return finish(root)


def write_run(
    root: Path, name: str, calls: Mapping[str, list[dict[str, Any]]], answer: str = "done"
) -> None:
    """A stored run: case to its calls, and the one answer that it always gives."""
    lines = []
    for case_id, made in sorted(calls.items()):
        called = [{"name": call["name"], "args": call["args"], "outcome": "ok"} for call in made]
        value = {
            "schema_version": 1,
            "run": name,
            "case_id": case_id,
            "turns": [{"user": ASKED, "answer": answer, "tool_calls": called}],
            "final_answer": answer,
        }
        lines.append(f"{json.dumps(value)}\n")
    (root / "runs/shop").mkdir(parents=True, exist_ok=True)
    (root / f"runs/shop/{name}.jsonl").write_text("".join(lines))
