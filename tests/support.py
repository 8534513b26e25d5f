"""A tiny repository to test on; the shipped truth and cases are never used here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

CANARY = "0f7c1d7e-1111-4222-8333-444455556666"

PARAMS = """\
today: "2026-11-30"
suites: [shop]
gate:
  unmeasured: allow
"""

TOOLS = """\
schema_version: 1
tools:
  - name: lookup_order
    server: orders
    effect: reads
    parameters:
      type: object
      properties:
        order_id: {type: string}
      required: [order_id]
  - name: issue_refund
    server: payments
    effect: writes
    parameters:
      type: object
      properties:
        order_id: {type: string}
        amount: {type: number}
      required: [order_id, amount]
  - name: refund_order
    server: payments
    effect: writes
    renamed_to: issue_refund
    reason: one name for all payments
  - name: send_mail
    server: crm
    effect: writes
"""

POLICIES = """\
schema_version: 1
families:
  refunds:
    title: Refunds
    versions:
      - version: refunds-v7
        effective: "2026-06-01"
        file: policies/refunds-v7.md
      - version: refunds-v8
        effective: "2027-03-01"
        file: policies/refunds-v8.md
"""

POLICY_TEXT = "# Refunds\n\n## 3.2 Window\n\nThirty days from delivery.\n"

PEOPLE = """\
schema_version: 1
people:
  ana:
    roles: [{role: labeler, from: "2026-01-01"}]
  bo:
    roles: [{role: labeler, from: "2026-01-01"}]
  cleo:
    roles: [{role: adjudicator, from: "2026-01-01"}, {role: owner, from: "2026-01-01"}]
"""


def case(case_id: str, text: str, state: dict[str, Any] | None = None) -> dict[str, Any]:
    """An eval case with one turn."""
    value: dict[str, Any] = {
        "eval_id": case_id,
        "conversation": [{"user_content": {"parts": [{"text": text}], "role": "user"}}],
    }
    if state is not None:
        value["session_input"] = {"state": state}
    return value


def record(case_id: str, revision: int = 1, **fields: Any) -> dict[str, Any]:
    """A gold record about a refund."""
    value: dict[str, Any] = {
        "schema_version": 1,
        "case_id": case_id,
        "revision": revision,
        "status": "gold",
        "change": "new" if revision == 1 else "correction",
        "rationale": ["Delivered nine days ago, so inside the window of thirty."],
        "clauses": ["refunds-v7#3.2"],
        "required_tools": [{"tool": "issue_refund", "args": {"order_id": "0142", "amount": 40}}],
        "facts": [{"id": "amount", "any_of": ["$40.00"]}],
        "policy_version": "refunds-v7",
        "as_of": "2026-09-18",
        "expires": "2027-03-18",
        "labelers": ["ana", "bo"],
        "adjudicator": "cleo",
    }
    value.update(fields)
    return {key: item for key, item in value.items() if item is not None}


def make_repository(
    root: Path,
    records: list[dict[str, Any]] | None = None,
    cases: list[dict[str, Any]] | None = None,
) -> Path:
    """A repository with the suite ``shop``; finished and formatted by `finish`."""
    if cases is None:
        cases = [
            case(
                "refund-0142",
                "Please refund order 0142.",
                {"orders": {"0142": {"paid": 40, "status": "delivered"}}},
            )
        ]
    if records is None:
        records = [record("refund-0142")]
    files = {
        "params.yaml": PARAMS,
        "truth/tools.yaml": TOOLS,
        "truth/policies.yaml": POLICIES,
        "truth/policies/refunds-v7.md": POLICY_TEXT,
        "truth/policies/refunds-v8.md": POLICY_TEXT.replace("Thirty", "Fourteen"),
        "truth/people.yaml": PEOPLE,
    }
    suite = f"""\
schema_version: 1
suite: shop
title: A shop
owner: cleo
canary: {CANARY}
licence: CC-BY-4.0
reference_date: "2026-09-18"
cases:
"""
    for entry in cases:
        suite += f"  {entry['eval_id']}: {{slice: window, template: {entry['eval_id']}}}\n"
    files["cases/shop/suite.yaml"] = suite
    files["cases/shop/shop.evalset.json"] = json.dumps(
        {"eval_set_id": "shop", "description": f"canary {CANARY}", "eval_cases": cases}
    )
    for value in records:
        path = f"truth/records/shop/{value['case_id']}.r{value['revision']:04d}.json"
        files[path] = json.dumps(value, indent=2)
    for name, text in files.items():
        target = root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")
    return root


def finish(root: Path) -> Path:
    """Finish and format every record, as ``assay fmt`` does."""
    from assay.ledger.formatting import formatted, write_formatted
    from assay.ledger.repository import Repository

    write_formatted(root, formatted(Repository.load(root)))
    return root
