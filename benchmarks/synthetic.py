"""Made-up records, cases and runs in any number; every byte follows from the index."""

from __future__ import annotations

import json
from typing import Any

TOOLS = ("lookup_order", "issue_refund", "send_mail")


def record(index: int) -> dict[str, Any]:
    """A gold record with all common fields."""
    order = f"{index:06d}"
    return {
        "schema_version": 1,
        "case_id": f"case-{order}",
        "revision": 1,
        "status": "gold",
        "change": "new",
        "rationale": [
            f"Order {order} was delivered nine days before the request.",
            "The window is thirty days, and the item is unopened.",
        ],
        "clauses": ["refunds-v7#3.2"],
        "required_tools": [
            {"tool": "lookup_order", "args": {"order_id": order}},
            {"tool": "issue_refund", "args": {"order_id": order, "amount": 40 + index % 50}},
        ],
        "forbidden_tools": ["send_mail"],
        "facts": [{"id": "amount", "any_of": [f"${40 + index % 50}.00"]}],
        "policy_version": "refunds-v7",
        "as_of": "2026-09-18",
        "expires": "2027-03-18",
        "labelers": ["ana", "bo"],
        "adjudicator": "cleo",
    }


def observed(index: int) -> dict[str, Any]:
    """A run that does what the record asks for; every fifth one does not."""
    order, amount = f"{index:06d}", 40 + index % 50 - (index % 5 == 0)
    return {
        "schema_version": 1,
        "run": "bench",
        "case_id": f"case-{order}",
        "turns": [
            {
                "user": f"Please refund order {order}.",
                "answer": f"I have refunded ${amount}.00 for order {order}.",
                "tool_calls": [
                    {"name": "lookup_order", "args": {"order_id": order}, "outcome": "ok"},
                    {
                        "name": "issue_refund",
                        "args": {"order_id": order, "amount": amount, "request_id": "r-1"},
                        "outcome": "ok",
                    },
                ],
            }
        ],
        "final_answer": f"I have refunded ${amount}.00 for order {order}.",
    }


def line(value: dict[str, Any]) -> bytes:
    """One line of a JSONL file."""
    return json.dumps(value).encode() + b"\n"
