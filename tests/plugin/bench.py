"""A benchmark with one case of every kind, and agents that stand for a user's own."""

from __future__ import annotations

import importlib.metadata
import textwrap
from pathlib import Path
from typing import Any

from tests.support import case, finish, make_repository, record

INSTALLED = any(
    point.name == "assay-bench" for point in importlib.metadata.entry_points(group="pytest11")
)
LOAD = () if INSTALLED else ("-p", "assay.testing.plugin")
"""Loads the plugin where the environment does not."""

STATE = {"orders": {"0142": {"paid": 40.5, "status": "delivered"}}}

HASTY = '''
import json
import re

import pytest


def hasty(question):
    """Refunds whatever it is asked about."""
    order = re.search("[0-9]{4}", question)[0]
    arguments = json.dumps({"order_id": order, "amount": 40})
    call = {"id": "1", "type": "function",
            "function": {"name": "issue_refund", "arguments": arguments}}
    return [
        {"role": "user", "content": question},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": '{"status": "refunded"}'},
        {"role": "assistant", "content": f"$40.00 for order {order} are on their way."},
    ]


'''


def agent_test(body: str) -> str:
    """A test module with the hasty agent."""
    return HASTY + textwrap.dedent(body)


CHECK = agent_test(
    """
    def test_hasty(assay_case):
        assay_case.check(hasty(assay_case.question))
    """
)


def secret_case() -> dict[str, Any]:
    """A case that carries an example of everything that an agent must not see."""
    value = case("refund-0142", "Please refund order 0142.", STATE)
    turn = value["conversation"][0]
    turn["final_response"] = {"parts": [{"text": "EXAMPLE-ANSWER $40.00"}], "role": "model"}
    turn["intermediate_data"] = {
        "tool_uses": [{"name": "issue_refund", "args": {"order_id": "0142", "amount": 40}}]
    }
    value["final_session_state"] = {"orders": {"0142": {"note": "EXAMPLE-STATE"}}}
    return value


def make_bench(root: Path, params: str = "") -> Path:
    """Passed, failed, expired, not evaluated (silver), and a draft, for the hasty agent."""
    cases = [
        secret_case(),
        case("refund-0143", "Please refund order 0143, delivered 45 days ago."),
        case("refund-0144", "Please refund order 0144."),
        case("refund-0145", "Please be kind about order 0145."),
        case("refund-0146", "Please refund order 0146."),
    ]
    rubric = [{"id": "kind", "text": "Is it kind to the SECRET-GUEST?"}]
    bare: dict[str, Any] = {"required_tools": None, "facts": None}
    records = [
        record("refund-0142", rationale=["SECRET-REASON: inside the window of thirty days."]),
        record(
            "refund-0143",
            required_tools=["lookup_order"],
            forbidden_tools=["issue_refund"],
            facts=[{"id": "late", "any_of": ["too late"]}],
        ),
        record("refund-0144", expires="2026-11-01"),
        record("refund-0145", status="silver", adjudicator=None, rubric=rubric, **bare),
        record(
            "refund-0146",
            status="draft",
            adjudicator=None,
            labelers=None,
            required_tools=[{"tool": "issue_refund", "args": {"order_id": "0146", "amount": 40}}],
        ),
    ]
    make_repository(root, records, cases)
    if params:
        path = root / "params.yaml"
        path.write_text(path.read_text(encoding="utf-8") + params, encoding="utf-8")
    suite = root / "cases/shop/suite.yaml"
    text = suite.read_text(encoding="utf-8")
    text = text.replace(
        "refund-0143: {slice: window", "refund-0143: {slice: late, category: decision"
    )
    suite.write_text(text, encoding="utf-8")
    return finish(root)
