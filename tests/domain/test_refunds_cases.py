"""The shipped cases: consistent worlds, no two alike, and loadable by the ADK itself."""

from __future__ import annotations

import json
from collections import Counter
from decimal import Decimal
from typing import Any

import pytest

from tests.domain.shipped import SUITE, counting, repository

pytestmark = pytest.mark.domain


def worlds() -> dict[str, dict[str, Any]]:
    """Case id to its initial state."""
    return {
        case_id: dict(stored.case.initial_state or {})
        for case_id, stored in sorted(repository().cases.items())
        if stored.suite == "refunds"
    }


def test_every_case_has_a_record_and_an_entry() -> None:
    suite = repository().suites["refunds"].suite
    assert worlds().keys() == suite.cases.keys() == counting().keys()
    assert len({entry.template for entry in suite.cases.values()}) >= 20


def test_the_world_stands_on_the_reference_day() -> None:
    suite = repository().suites["refunds"].suite
    for case_id, world in worlds().items():
        day = suite.cases[case_id].reference_date or suite.reference_date
        assert world["today"] == day, case_id
        for order in world["orders"].values():
            assert order["placed"] <= order.get("delivered", day) <= day, case_id


def test_worlds_are_whole() -> None:
    for case_id, world in worlds().items():
        assert world["orders"].keys() == world["payments"].keys(), case_id
        for order in world["orders"].values():
            assert order["customer_id"] in world["customers"], case_id
        for kind in ("returns", "tickets"):
            for entry in world[kind].values():
                assert entry["order_id"] in world["orders"], case_id


def test_what_was_charged_is_what_the_order_costs() -> None:
    for case_id, world in worlds().items():
        for order_id, order in world["orders"].items():
            total = sum(
                (item["paid"] * item.get("qty", 1) for item in order["items"].values()),
                Decimal(0),
            )
            total += order.get("delivery_fee", 0) + order.get("express_fee", 0)
            charges = world["payments"][order_id]["charges"]
            charged = sum(charge["amount"] for charge in charges)
            assert charged in (total, 2 * total), (case_id, order_id)


def test_no_two_cases_say_the_same() -> None:
    texts = Counter(
        stored.case.user_text.lower()
        for stored in repository().cases.values()
        if stored.suite == "refunds"
    )
    assert texts.most_common(1)[0][1] == 1


def test_the_canary_is_in_every_eval_set() -> None:
    canary = repository().suites["refunds"].suite.canary
    for path in SUITE.glob("*.evalset.json"):
        assert canary in json.loads(path.read_text(encoding="utf-8"))["description"]


@pytest.mark.conformance
def test_the_adk_loads_every_eval_set() -> None:
    eval_set = pytest.importorskip("google.adk.evaluation.eval_set")
    loaded = 0
    for path in SUITE.glob("*.evalset.json"):
        parsed = eval_set.EvalSet.model_validate_json(path.read_text(encoding="utf-8"))
        loaded += len(parsed.eval_cases)
    assert loaded == len(worlds())
