"""Required, forbidden and counted tools, order, plans: verdicts and their evidence."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from assay.ledger.toolnames import ToolNames
from assay.models.catalog import ToolCatalog
from tests.scoring.making import CATALOG, call, kinds, pieces, record, run, score

FIND, CHARGE = call("find_order", nr=7), call("charge", amount=9, memo="m")


def required(*entries: Any, **fields: Any) -> dict[str, Any]:
    return {"required_tools": list(entries), **fields}


def entry(tool: str, **fields: Any) -> dict[str, Any]:
    return {"tool": tool, **fields}


@pytest.mark.parametrize(
    ("label", "calls", "outcome", "what"),
    [
        (required("charge"), [CHARGE], "passed", []),
        (required("charge"), [FIND], "failed", ["missing_call"]),
        (required("charge"), [call("charge", error="503")], "failed", ["failed_call"]),
        (required("charge"), [call("charge", error="503"), CHARGE], "passed", []),
        (required("charge"), [call("charge", outcome="blocked")], "failed", ["failed_call"]),
        (required("charge", "charge"), [CHARGE], "failed", ["missing_call"]),
        (required(entry("charge", min=2)), [CHARGE], "failed", ["missing_call"]),
        (required(entry("charge", min=2)), [CHARGE, CHARGE], "passed", []),
        (required(entry("charge", min=0, max=1)), [], "passed", []),
        (required(entry("charge", min=0, max=1)), [CHARGE, CHARGE], "failed", ["too_many_calls"]),
        (required(entry("charge", max=1)), [CHARGE, call("charge", error="x")], "passed", []),
        (required(entry("charge", args={"amount": 9})), [CHARGE], "passed", []),
        (required(entry("charge", args={"amount": "9"})), [CHARGE], "failed", ["wrong_argument"]),
        (required(entry("charge", args={"currency": "EUR"})), [CHARGE], "passed", []),
        (required(entry("charge", args={"currency": "USD"})), [CHARGE], "failed",
         ["wrong_argument"]),
        # `memo` has a default but is demanded: leaving it out is not the default.
        (required(entry("charge", args={"memo": "none"})), [call("charge", amount=9)], "failed",
         ["wrong_argument"]),
        (required(entry("charge", turn=0)), [CHARGE], "passed", []),
        (required(entry("charge", turn=1)), [CHARGE], "failed", ["wrong_turn"]),
        ({"forbidden_tools": ["charge"], **required("find_order")}, [FIND], "passed", []),
        ({"forbidden_tools": ["charge"]}, [CHARGE], "failed", ["forbidden_call"]),
        ({"forbidden_tools": ["charge"]}, [call("charge", error="no")], "failed",
         ["forbidden_call"]),
        ({"max_calls": {"charge": 1}}, [CHARGE, call("charge", amount=8)], "failed",
         ["max_calls_exceeded"]),
        ({"max_calls": {"charge": 1}}, [CHARGE, call("charge", error="x")], "passed", []),
        (required("find_order", "charge", order="in_order"), [FIND, CHARGE], "passed", []),
        (required("find_order", "charge", order="in_order"), [CHARGE, FIND], "failed",
         ["wrong_order"]),
        (required("find_order", "charge", order="in_order"), [CHARGE, FIND, CHARGE], "passed", []),
        (required("find_order", "charge", order="in_order"), [CHARGE], "failed",
         ["missing_call"]),
        (required("find_order", "charge", order="exact"), [FIND, CHARGE], "passed", []),
        (required("find_order", "charge", order="exact"), [FIND, FIND, CHARGE], "failed",
         ["wrong_order"]),
        (required("find_order", "charge", order="exact"),
         [FIND, call("charge", error="x"), CHARGE], "failed", ["wrong_order"]),
        (required("find_order", entry("charge", max=2), order="exact"), [FIND, CHARGE, CHARGE],
         "passed", []),
        (required(order="exact"), [], "passed", []),
        (required(order="exact"), [FIND], "failed", ["wrong_order"]),
    ],
)  # fmt: skip
def test_trajectory(label: Any, calls: Any, outcome: str, what: list[str]) -> None:
    result = score(label, run(calls))
    assert (result.outcome, kinds(result)) == (outcome, what)
    assert result.components[0].component == "trajectory"


def test_a_loose_entry_leaves_the_exact_call_to_the_strict_one() -> None:
    label = required("find_order", entry("find_order", args={"nr": 7}))
    assert score(label, run([FIND, call("find_order", nr=8)])).outcome == "passed"
    result = score(label, run([FIND]))
    unmet = [piece for piece in pieces(result) if piece.outcome == "failed"]
    assert [piece.pointer for piece in unmet] == ["/required_tools/0"]


def test_evidence_names_call_turn_and_both_names() -> None:
    label = {"forbidden_tools": ["charge"], **required("find_order")}
    observed = run([FIND, call("mcp__payments__bill", error="no rights", outcome="blocked")])
    result = score(label, observed)
    found = next(piece for piece in pieces(result) if piece.outcome == "failed")
    assert (found.call, found.turn, found.pointer) == (1, 0, "/forbidden_tools/0")
    assert found.message == (
        "`mcp__payments__bill` (is `charge`) is forbidden and was attempted, blocked (no rights)."
    )
    assert result.tags == ("forbidden_call",)


def test_the_nearest_call_is_named_with_its_difference() -> None:
    label = required(entry("charge", args={"amount": 9, "memo": "m"}))
    calls = [call("charge", amount=1, memo="x"), call("charge", amount=8, memo="m")]
    [found] = [p for p in pieces(score(label, run(calls))) if p.outcome == "failed"]
    assert found.call == 1
    assert found.message == "`charge` was called, but amount is 8, expected 9."
    assert found.expected == 'charge(amount=9, memo="m")'


def test_unknown_results_are_met_and_noted() -> None:
    result = score(required("charge"), run([call("charge", outcome="unknown")]))
    assert result.outcome == "passed"
    assert "its result is not known" in pieces(result)[0].message


def test_extra_calls_are_noted_and_fail_nothing() -> None:
    result = score(required("charge"), run([FIND, CHARGE, FIND]))
    assert result.outcome == "passed"
    assert "2 calls beyond the required ones: find_order ×2." in result.notes


def test_words_count_calls_and_turns_from_one() -> None:
    (kept,) = pieces(score(record(max_calls={"charge": 1}), run([FIND, CHARGE])))
    assert kept.observed == "1 call"
    late = score(record(**required(entry("charge", turn=1))), run([FIND, CHARGE]))
    (found,) = pieces(late)
    assert found.message == "`charge` was called in turn 1, not in turn 2."
    assert (found.call, found.turn, found.observed) == (1, 0, "turn 1")
    twice = score(record(**required("charge")), run([FIND, CHARGE, CHARGE]))
    assert any("(calls 2, 3)" in note for note in twice.notes)
    assert "2 calls beyond the required ones: charge, find_order." in twice.notes


def test_repeated_writes_are_noted_and_tagged_even_when_passed() -> None:
    twice = [call("charge", id="1", amount=9), call("bill", id="2", amount=Decimal("9.0"))]
    result = score(required("charge"), run(twice))
    assert result.outcome == "passed"
    assert result.tags == ("repeated_write",)
    reads = score(required("find_order"), run([FIND, FIND]))
    assert reads.tags == ()


# -- what cannot be told --------------------------------------------------------------------------


def test_a_bare_name_that_fits_two_tools_is_matched_to_neither() -> None:
    label = required(entry("orders/lookup", args={"nr": 1}))
    bare = score(label, run([call("lookup", nr=1)]))
    assert (bare.outcome, kinds(bare)) == ("not_evaluated", ["call_unknown"])
    assert score(label, run([call("lookup", server="orders", nr=1)])).outcome == "passed"
    assert score(label, run([call("lookup", server="crm", nr=1)])).outcome == "failed"
    other_args = score(label, run([call("lookup", nr=2)]))
    assert other_args.outcome == "failed"
    forbidden = score({"forbidden_tools": ["crm/lookup"]}, run([call("lookup", nr=1)]))
    assert (forbidden.outcome, kinds(forbidden)) == ("not_evaluated", ["forbidden_unknown"])


def test_a_split_tool_counts_as_all_its_halves_when_undecided() -> None:
    both = {"forbidden_tools": ["open_ticket", "close_ticket"]}  # as the map expands `ticket`
    one = {"forbidden_tools": ["open_ticket"]}
    assert score(both, run([call("ticket")])).outcome == "failed"
    assert score(one, run([call("ticket")])).outcome == "not_evaluated"
    assert score({"forbidden_tools": ["ticket"]}, run([call("ticket")])).outcome == "failed"
    assert score(one, run([call("ticket", do="open")])).outcome == "failed"
    assert score(one, run([call("ticket", do="close")])).outcome == "passed"
    label = required(entry("open_ticket", args={"title": "t"}))
    assert score(label, run([call("ticket", do="open", title="t")])).outcome == "passed"


def test_a_format_without_calls_proves_nothing_but_what_it_shows() -> None:
    label = {**required("find_order"), "forbidden_tools": ["charge"], "max_calls": {"charge": 1}}
    blind = score(label, run([], unknown=["tool_calls"]))
    assert blind.outcome == "not_evaluated"
    assert kinds(blind) == ["call_unknown", "forbidden_unknown", "max_calls_unknown"]
    assert score(label, run([CHARGE], unknown=["tool_calls"])).outcome == "failed"
    for order in ("in_order", "exact"):
        asked = required("find_order", order=order)
        assert score(asked, run([], unknown=["tool_calls"])).outcome == "not_evaluated"


def test_a_format_without_arguments() -> None:
    blind = run([call("charge")], unknown=["call_arguments"])
    assert score(required("charge"), blind).outcome == "passed"
    with_args = score(required(entry("charge", args={"amount": 9})), blind)
    assert (with_args.outcome, kinds(with_args)) == ("not_evaluated", ["call_unknown"])
    twice = required(entry("charge", args={"amount": 9}), entry("charge", args={"amount": 8}))
    assert score(twice, blind).outcome == "failed"


def test_a_format_without_outcomes() -> None:
    calls = [call("charge", outcome="unknown"), call("charge", outcome="unknown")]
    label = {"max_calls": {"charge": 1}}
    told = score(label, run(calls))
    assert told.outcome == "failed"
    blind = score(label, run(calls, unknown=["call_outcomes"]))
    assert (blind.outcome, kinds(blind)) == ("not_evaluated", ["max_calls_unknown"])
    at_most = score(required(entry("charge", max=1)), run(calls, unknown=["call_outcomes"]))
    assert (at_most.outcome, kinds(at_most)) == ("not_evaluated", ["too_many_calls"])


def test_a_relative_day_without_reference_date() -> None:
    label = required(entry("charge", args={"when": {"$relative": "tomorrow"}}))
    observed = run([call("charge", when="2026-08-20")])
    assert score(label, observed).outcome == "not_evaluated"
    assert score(label, observed, reference_date="2026-08-19").outcome == "passed"
    assert score(label, observed, reference_date="2026-08-20").outcome == "failed"


def test_a_reference_is_the_value_of_an_earlier_call() -> None:
    label = required(
        "find_order", entry("charge", args={"order": {"$ref": "find_order", "pointer": "/id"}})
    )
    found = call("find_order", result={"id": "A-1"})
    text = call("find_order", result='{"id": "A-1"}')
    good, wrong = call("charge", order="A-1"), call("charge", order="A-2")
    assert score(label, run([found, good])).outcome == "passed"
    assert score(label, run([text, good])).outcome == "passed"
    assert score(label, run([found, wrong])).outcome == "failed"
    assert score(label, run([good, found])).outcome == "failed"
    nothing = score(label, run([call("find_order"), good], unknown=["call_results"]))
    assert nothing.outcome == "not_evaluated"


def test_a_broken_matcher_is_the_labels_fault_and_fails_nobody() -> None:
    label = required(entry("charge", args={"amount": {"$numbr": 9}}))
    assert score(label, run([CHARGE])).outcome == "not_evaluated"


def test_texts_as_arguments_are_read_as_values_and_noted() -> None:
    label = required(entry("charge", args={"amount": 9}))
    texts = [call("charge", amount="9.00")]
    assert score(label, run(texts)).outcome == "failed"
    result = score(label, run(texts, arguments_as_text=True))
    assert result.outcome == "passed"
    assert any("texts only" in note for note in result.notes)


# -- plans ----------------------------------------------------------------------------------------


def plan(**fields: Any) -> dict[str, Any]:
    def step(name: str, action: str, **more: Any) -> dict[str, Any]:
        return {"name": name, "action": action, "agent": "a", **more}

    return {
        "order": "plan",
        "plan": {
            "execution_steps": [
                step("pay", "charge", arguments={"amount": "total"}, outputs=["receipt"]),
                step("one", "find_order", arguments={"nr": 1}, outputs=["total"]),
                step("two", "find_order", arguments={"nr": 2}, outputs=["other"]),
                step("end", "Finish"),
            ],
            "execution_links": [
                {"source": "one", "target": "pay"},
                {"source": "two", "target": "pay"},
                {"source": "pay", "target": "end"},
            ],
        },
        **fields,
    }


ONE, TWO = call("find_order", nr=1), call("find_order", nr=2)


@pytest.mark.parametrize(
    ("calls", "outcome", "what"),
    [
        ([ONE, TWO, CHARGE], "passed", []),
        ([TWO, ONE, CHARGE], "passed", []),
        ([ONE, CHARGE, TWO], "failed", ["wrong_order"]),
        ([ONE, CHARGE, TWO, CHARGE], "passed", []),
        ([ONE, CHARGE], "failed", ["wrong_argument"]),
        ([], "failed", ["missing_call"] * 3),
        ([ONE, TWO, call("charge", error="x")], "failed", ["failed_call"]),
    ],
)
def test_a_step_comes_after_all_that_it_needs(calls: Any, outcome: str, what: list[str]) -> None:
    result = score(plan(), run(calls))
    assert (result.outcome, kinds(result)) == (outcome, what)


def test_required_tools_and_plan_share_calls() -> None:
    label = plan(required_tools=["charge"])
    result = score(label, run([ONE, TWO, CHARGE]))
    assert result.outcome == "passed"
    assert not any("beyond" in note for note in result.notes)


def test_what_comes_before_a_step_without_a_call_still_comes_before() -> None:
    label = plan()
    steps = label["plan"]["execution_steps"]
    steps.insert(
        0,
        {
            "name": "think",
            "action": "reason",
            "agent": "a",
            "deterministic": {"name": False, "action": False, "arguments": False, "outputs": True},
        },
    )
    label["plan"]["execution_links"] = [
        {"source": "one", "target": "think"},
        {"source": "think", "target": "pay"},
    ]
    assert score(label, run([ONE, TWO, CHARGE])).outcome == "passed"
    assert score(label, run([CHARGE, TWO, ONE])).outcome == "failed"
    assert score(label, run([ONE, CHARGE, TWO])).outcome == "passed"


def test_the_order_of_a_plan_without_a_plan() -> None:
    result = score(required("charge", order="plan"), run([CHARGE]))
    assert (result.outcome, kinds(result)) == ("not_evaluated", ["no_plan"])


def test_names_in_the_record_are_canonical_already() -> None:
    names = ToolNames.from_catalog(ToolCatalog.model_validate(CATALOG))
    assert score(record(required_tools=["bill"]), run([CHARGE]), names=names).outcome == "passed"


@pytest.mark.parametrize(
    ("names", "required", "order"),
    [
        # One call cannot be two, whatever its arguments are.
        (["charge"], [{"tool": "charge", "args": {"amount": 1}}, "charge"], "any"),
        (["charge"], ["charge", {"tool": "charge", "args": {"amount": 1}}], "in_order"),
        # The order of the first two is wrong, whatever the third one is.
        (
            ["charge", "find_order", "send_mail"],
            ["find_order", "charge", {"tool": "send_mail", "args": {"to": "a"}}],
            "in_order",
        ),
    ],
)
def test_what_no_unknown_argument_can_mend_has_failed(
    names: list[str], required: list[Any], order: str
) -> None:
    observed = run([call(name) for name in names], unknown=["call_arguments"])
    result = score({"required_tools": required, "order": order}, observed)
    assert result.outcome == "failed"
