"""Every failure tag, with the step and the call that it points at."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from assay.models.levels import FaultTag
from assay.models.result import CaseResult
from tests.scoring.levels.plans import case_of, plan, step
from tests.scoring.making import call, run

ASKED = plan(
    [
        step("find", "find_order", number="A-17", outputs=["order"]),
        step("bill", "charge", "payments", amount=40, order="order"),
        step("tell", "send_mail", "crm"),
        step("finish", "Finish"),
    ]
)
FIND = call("find_order", number="A-17", result={"order": "ord-901", "total": "40.00"})
BILL = call("charge", amount=40, order="ord-901")
TELL = call("send_mail")
TRUTH: dict[str, Any] = {
    "facts": [{"id": "total", "any_of": ["40.00"]}],
    "forbidden_tools": ["close_ticket"],
}
ANSWER = "The total is 40.00."
STEP = "/plan/execution_steps/{}".format

SITUATIONS: dict[
    str, tuple[list[dict[str, Any]], str | None, list[tuple[str, str, int | None]]]
] = {
    "all is well": ([FIND, BILL, TELL], ANSWER, []),
    "wrong_tool": (
        [FIND, call("ticket", do="open", amount=40), TELL],
        ANSWER,
        [("wrong_tool", STEP(1), 1)],
    ),
    "wrong_argument": (
        [FIND, call("charge", amount=901, order="ord-901"), TELL],
        ANSWER,
        [("wrong_argument", STEP(1), 1), ("hallucinated_value", STEP(1), 1)],
    ),
    "missing_step": ([FIND, BILL], ANSWER, [("missing_step", STEP(2), None)]),
    "missing_step, every attempt failed": (
        [FIND, BILL, call("send_mail", error="no server")],
        ANSWER,
        [("missing_step", STEP(2), 2)],
    ),
    "wrong_order": (
        [FIND, TELL, BILL],
        ANSWER,
        [("wrong_order", STEP(2), 1)],
    ),
    "premature_end": (
        [FIND],
        None,
        [
            ("missing_step", STEP(1), None),
            ("missing_step", STEP(2), None),
            ("premature_end", STEP(3), 0),
        ],
    ),
    "forbidden_call": (
        [FIND, BILL, TELL, call("close_ticket")],
        ANSWER,
        [("forbidden_call", "/forbidden_tools/0", 3)],
    ),
    "repeated_write": ([FIND, BILL, BILL, TELL], ANSWER, [("repeated_write", "", 2)]),
    "unnecessary_step": (
        [FIND, BILL, TELL, call("list_orders")],
        ANSWER,
        [("unnecessary_step", "", 3)],
    ),
    "contradicts_evidence": (
        [FIND, BILL, TELL],
        "The total is 901.",
        [("contradicts_evidence", "/facts/0", 0), ("hallucinated_value", "/facts/0", None)],
    ),
    "hallucinated_value": (
        [FIND, call("charge", amount=40, order="ord-000"), TELL],
        ANSWER,
        [("hallucinated_value", STEP(1), 1)],
    ),
    "wrong_agent": (
        [FIND, call("charge", server="crm", amount=40, order="ord-901"), TELL],
        ANSWER,
        [("wrong_agent", STEP(1), 1)],
    ),
}


def result(name: str) -> CaseResult:
    calls, answer, _ = SITUATIONS[name]
    return case_of(ASKED, run(calls, answer=answer), **TRUTH)


@pytest.mark.parametrize("name", sorted(SITUATIONS))
def test_a_fault_points_at_its_step(name: str) -> None:
    found = result(name)
    assert found.levels is not None
    faults = [(f.tag, f.pointer, f.call) for f in found.levels.faults]
    assert faults == SITUATIONS[name][2]
    if found.outcome != "passed":
        assert {tag for tag, _, _ in faults} <= set(found.tags)


def test_every_tag_is_shown_by_a_situation() -> None:
    shown = {tag for _, _, faults in SITUATIONS.values() for tag, _, _ in faults}
    assert shown == set(get_args(FaultTag))


def test_a_number_that_is_counted_from_a_result_is_not_invented() -> None:
    rows = call("find_order", number="A-17", result=[{"id": f"x{i}"} for i in range(33)])
    found = case_of(ASKED, run([rows, BILL, TELL], answer="There are 33 orders."), **TRUTH)
    assert found.outcome == "failed"
    assert found.levels is not None
    assert "hallucinated_value" not in {f.tag for f in found.levels.faults if not f.call}
