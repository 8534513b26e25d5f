"""The process of a run against a plan: orders, links by data, flags, conditions, alternatives."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.models.base import JsonValue
from tests.scoring.levels.plans import flags, levels, measure, plan, step, value_of
from tests.scoring.making import call, run

DIAMOND = plan(
    [
        step("order", "find_order", number="A-1", outputs=["order"]),
        step("customer", "lookup_customer", "crm", of="order", outputs=["customer"]),
        step("stock", "check_stock", "stock", of="order", outputs=["stock"]),
        step("charge", "charge", "payments", to="customer", item="stock"),
        step("finish", "Finish", "orders"),
    ],
    "order>customer order>stock customer>charge stock>charge charge>finish",
)


GOOD = [
    call("find_order", number="A-1", result={"id": "ord-77", "line": "itm-5"}),
    call("lookup_customer", of="ord-77", result={"customer": "cus-9"}),
    call("check_stock", of="ord-77", result={"item": "itm-5"}),
    call("charge", to="cus-9", item="itm-5"),
]


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (0, 2, 1, 3)])
def test_every_order_that_the_links_permit_is_right(order: tuple[int, ...]) -> None:
    made = levels(DIAMOND, run([GOOD[i] for i in order], answer="done"))
    assert value_of(made, "process") == 1.0
    assert made.faults == ()
    assert made.efficiency is not None
    assert made.efficiency.step_ratio == 1.0


@pytest.mark.parametrize("order", [(1, 0, 2, 3), (0, 1, 3, 2), (3, 2, 1, 0)])
def test_an_order_against_a_link_is_not(order: tuple[int, ...]) -> None:
    made = levels(DIAMOND, run([GOOD[i] for i in order], answer="done"))
    assert value_of(made, "process") is not None
    assert measure(made, "edge_f1").value < 1  # type: ignore[operator]
    assert measure(made, "completeness").value == 1.0
    assert "wrong_order" in {fault.tag for fault in made.faults}


def test_calls_that_were_made_at_once_do_not_build_on_each_other() -> None:
    at_once = [
        {**each, "parallel_group": 0 if i in (0, 1) else None} for i, each in enumerate(GOOD)
    ]
    blind = [{**each, "result": None} for each in at_once]
    made = levels(DIAMOND, run(blind, answer="done", unknown=["call_results"]))
    assert [(f.tag, f.pointer) for f in made.faults] == [("wrong_order", "/plan/execution_steps/1")]
    assert levels(DIAMOND, run(at_once, answer="done")).faults == (), "they used its result"


def test_a_link_that_carries_data_needs_the_data() -> None:
    made = levels(
        DIAMOND, run([*GOOD[:3], call("charge", to="cus-1", item="itm-5")], answer="done")
    )
    assert [(f.tag, f.pointer, f.call) for f in made.faults] == [
        ("hallucinated_value", "/plan/execution_steps/3", 3)
    ]
    swapped = [*GOOD[:3], call("charge", to="itm-5", item="itm-5")]
    assert [f.tag for f in levels(DIAMOND, run(swapped, answer="done")).faults] == [
        "wrong_argument"
    ]
    asked = run([*swapped[:3], call("charge", to="cus-1", item="itm-5")], answer="done")
    told = asked.model_copy(
        update={"turns": (asked.turns[0].model_copy(update={"user": "charge cus-1"}),)}
    )
    assert levels(DIAMOND, told).faults == (), "the user said so"


def test_more_calls_lower_it_and_are_named() -> None:
    made = levels(DIAMOND, run([*GOOD, call("send_mail")], answer="done"))
    assert 0.8 < value_of(made, "process") < 1  # type: ignore[operator]
    assert [(f.tag, f.call) for f in made.faults] == [("unnecessary_step", 4)]


@given(st.permutations(range(4)), st.sets(st.integers(0, 3)))
def test_it_is_1_only_for_what_the_plan_permits(order: list[int], without: set[int]) -> None:
    calls = [GOOD[i] for i in order if i not in without]
    made = levels(DIAMOND, run(calls, answer="done"))
    value = value_of(made, "process")
    assert value is not None
    assert 0 <= value <= 1
    right = not without and order.index(0) == 0 and order.index(3) == 3
    assert (value == 1.0) == right
    assert bool(made.faults) != right


# -- flags ---------------------------------------------------------------------------------------


def test_an_argument_that_is_not_flagged_is_not_compared() -> None:
    asked = step("a", "find_order", number="A-1", deterministic=flags(arguments=False))
    made = levels(plan([asked]), run([call("find_order", number="B-2")], answer="x"))
    assert value_of(made, "process") == 1.0
    flagged = step("a", "find_order", number="A-1", deterministic=flags())
    made = levels(plan([flagged]), run([call("find_order", number="B")], answer="x"))
    assert [f.tag for f in made.faults] == ["wrong_argument"]


OPEN = plan(
    [
        step("get", "find_order", number="A-1", outputs=["order"]),
        step("total", "sum_up", of="order", outputs=["total"], deterministic=flags(action=False)),
        step("charge", "charge", "payments"),
    ]
)


@pytest.mark.parametrize(
    ("result", "right"), [({"total": 12}, True), ({"sum": 12}, False), (None, True)]
)
def test_a_step_whose_action_is_open_is_met_by_its_output(result: JsonValue, right: bool) -> None:
    calls = [
        call("find_order", number="A-1"),
        call("calculator", result=result),
        call("charge"),
    ]
    made = levels(OPEN, run(calls, answer="x"))
    assert (value_of(made, "process") == 1.0) == right
    assert [f.tag for f in made.faults] == ([] if right else ["wrong_tool"])


def test_or_by_the_answer_where_that_holds_it() -> None:
    calls = [call("find_order", number="A-1"), call("charge")]
    assert levels(OPEN, run(calls, answer='{"total": 12}')).faults == ()
    made = levels(OPEN, run(calls, answer="12"))
    assert [(f.tag, f.pointer) for f in made.faults] == [
        ("missing_step", "/plan/execution_steps/1")
    ]


def test_a_step_of_which_nothing_is_compared_need_not_be_seen() -> None:
    nothing = flags(action=False, arguments=False, outputs=False)
    value = plan(
        [
            step("get", "find_order"),
            step("load", "pickle.load", outputs=["rows"], deterministic=nothing),
            step("ask", "Self-Ask"),
            step("charge", "charge", "payments"),
        ]
    )
    made = levels(value, run([call("find_order"), call("charge")], answer="x"))
    assert value_of(made, "process") == 1.0
    turned = levels(value, run([call("charge"), call("find_order")], answer="x"))
    assert [f.tag for f in turned.faults] == ["wrong_order"], "the order over it still holds"


# -- conditions and alternatives -----------------------------------------------------------------

CONDITION = plan(
    [
        step("get", "find_order"),
        step("decide", "if_then_else", then_action="refund", else_action="apologise"),
        step("refund", "charge", "payments", amount=-5),
        step("tell", "send_mail", "crm", about="refund"),
        step("apologise", "send_mail", "crm", about="sorry"),
        step("close", "close_ticket"),
    ],
    "get>decide decide>refund refund>tell decide>apologise tell>close apologise>close",
)


@pytest.mark.parametrize(
    ("calls", "path"),
    [
        (
            [call("charge", amount=-5), call("send_mail", about="refund")],
            "plan, without apologise",
        ),
        ([call("send_mail", about="sorry")], "plan, without refund"),
    ],
)
def test_the_branch_not_taken_is_not_missing(calls: list[dict[str, Any]], path: str) -> None:
    made = levels(CONDITION, run([call("find_order"), *calls, call("close_ticket")], answer="done"))
    assert made.path == path
    assert made.faults == ()
    assert value_of(made, "process") == 1.0


def test_a_branch_half_taken_has_a_step_missing() -> None:
    made = levels(
        CONDITION,
        run([call("find_order"), call("charge", amount=-5), call("close_ticket")], answer="done"),
    )
    assert [(f.tag, f.pointer) for f in made.faults] == [
        ("missing_step", "/plan/execution_steps/3")
    ]


ALTERNATIVES: list[Any] = [
    {"execution_steps": [step("l", "list_orders"), step("b", "charge", "payments")]},
    ["list_orders", "send_mail"],
    "ask a colleague",
    {"steps": [{"action": "lookup"}, {"action": "charge"}], "links": []},
]


@pytest.mark.parametrize(
    ("tools", "path"),
    [
        ("find_order charge", "plan"),
        ("list_orders charge", "alternative 1"),
        ("list_orders send_mail", "alternative 2"),
        ("charge lookup", "alternative 4"),
    ],
)
def test_the_best_path_counts_and_is_named(tools: str, path: str) -> None:
    value = plan(
        [step("a", "find_order"), step("b", "charge", "payments")],
        possible_alternatives=ALTERNATIVES,
    )
    made = levels(value, run([call(tool) for tool in tools.split()], answer="done"))
    assert made.path == path
    assert value_of(made, "process") == 1.0
    assert made.notes == ("Alternative 3 lists no steps, so no run is compared with it.",)


def test_a_fault_points_into_the_alternative() -> None:
    value = plan(
        [step("a", "find_order"), step("b", "charge", "payments"), step("c", "send_mail", "crm")],
        possible_alternatives=[["list_orders", "close_ticket", "open_ticket"]],
    )
    made = levels(value, run([call("list_orders"), call("close_ticket")], answer="done"))
    assert [f.pointer for f in made.faults] == ["/plan/possible_alternatives/0/2"]


# -- the answer as a step ------------------------------------------------------------------------


def test_a_run_without_an_answer_ended_too_early() -> None:
    value = plan([step("a", "find_order"), step("b", "charge", "payments"), step("f", "finish")])
    made = levels(value, run([call("find_order")]))
    assert [(f.tag, f.pointer, f.call) for f in made.faults] == [
        ("missing_step", "/plan/execution_steps/1", None),
        ("premature_end", "/plan/execution_steps/2", 0),
    ]
    silent = levels(value, run([call("find_order"), call("charge")], unknown=["final_answer"]))
    assert value_of(silent, "process") == 1.0, "a format that has no answer says nothing of it"
