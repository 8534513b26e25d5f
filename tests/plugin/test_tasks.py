"""What an agent is handed: everything that it needs, and no expectation."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from assay.errors import UsageError
from assay.models.base import Model
from assay.testing import AssayCase, CaseList, load_cases
from tests.plugin.bench import STATE, make_bench
from tests.support import CANARY, case, finish, make_repository, record


@pytest.fixture(scope="module")
def cases(bench: Path) -> CaseList:
    return load_cases(bench)


def reachable(value: Any, seen: set[int]) -> Iterator[Any]:
    """Everything that attributes, items and keys lead to; not what functions are closed over."""
    if id(value) in seen or isinstance(value, type):
        return
    seen.add(id(value))
    yield value
    inner: list[Any] = []
    if isinstance(value, dict):
        inner += [*value.keys(), *value.values()]
    elif isinstance(value, list | tuple | set | frozenset):
        inner += list(value)
    elif type(value).__module__.startswith("assay."):
        names = [*getattr(value, "__dict__", {}), *getattr(type(value), "__slots__", ())]
        inner += [getattr(value, name) for name in names]
    for item in inner:
        yield from reachable(item, seen)


def test_no_expectation_is_within_reach(cases: CaseList) -> None:
    for item in cases:
        for value in reachable(item, set()):
            assert not isinstance(value, Model), value
            if isinstance(value, str):
                for secret in ("EXAMPLE", "SECRET", "too late", "$40.00", CANARY):
                    assert secret not in value
    for secret in ("EXAMPLE", "SECRET", CANARY):
        assert secret not in repr(cases[0].task) + json.dumps(
            dataclasses.asdict(cases[0].task), default=str
        )


def test_what_an_agent_may_know(cases: CaseList) -> None:
    item = cases[0]
    assert (item.id, item.suite, item.slice, item.status, item.gates) == (
        "refund-0142",
        "shop",
        "window",
        "gold",
        True,
    )
    assert item.question == "Please refund order 0142."
    assert item.turns == (item.question,)
    assert item.today == "2026-11-30"
    assert item.reference_date == "2026-09-18"
    assert list(item.policies) == ["refunds-v7"]
    assert "Thirty days" in item.policies["refunds-v7"]
    assert [tool.name for tool in item.tools] == ["issue_refund", "lookup_order", "send_mail"]
    assert json.loads(json.dumps(item.tools[0].openai()))["function"]["name"] == "issue_refund"
    assert item.tools[0].anthropic()["input_schema"]["required"] == ["order_id", "amount"]
    assert item.tools[2].openai()["function"]["parameters"]["type"] == "object"
    assert [tool.writes for tool in item.tools] == [True, False, True]


def test_the_state_is_a_fresh_copy(cases: CaseList) -> None:
    first = cases[0].initial_state
    assert first == {"orders": {"0142": {"paid": Decimal("40.5"), "status": "delivered"}}}
    first["orders"].clear()
    assert cases[0].initial_state["orders"]
    assert json.loads(cases[0].task.initial_state_json or "") == STATE
    assert cases[1].initial_state is None


def test_turns(tmp_path: Path) -> None:
    value = case("refund-0142", "Hello.")
    value["conversation"] += case("x", "Please refund order 0142.")["conversation"]
    root = finish(make_repository(tmp_path / "bench", [record("refund-0142")], [value]))
    (item,) = load_cases(root)
    assert item.turns == ("Hello.", "Please refund order 0142.")
    with pytest.raises(UsageError, match=r"assay_case\.converse"):
        _ = item.question
    calls = [("issue_refund", {"order_id": "0142", "amount": 40})]
    verdict = item.check(item.converse(lambda text: ("$40.00", calls if "0142" in text else [])))
    assert verdict.passed


# -- without pytest ---------------------------------------------------------------------------


def test_a_script(bench: Path, tmp_path: Path) -> None:
    cases = load_cases(bench, suite="shop", run="script")
    assert [item.id for item in cases] == ["refund-0142", "refund-0143", "refund-0145"]
    assert [item.case_id for item in cases.excluded] == ["refund-0144", "refund-0146"]
    assert isinstance(cases[0], AssayCase)
    assert "expected 5 = passed 0" in cases.summary()
    assert "unmatched 3" in cases.summary()
    outcomes = [item.score("$40.00", calls=[]).outcome for item in cases]
    assert outcomes == ["failed", "failed", "not_evaluated"]
    (path,) = cases.record(tmp_path)
    assert path == tmp_path / "shop/script.jsonl"
    (result,) = cases.results()
    assert (result.overall.failed, result.overall.excluded) == (2, 2)
    assert result.id in cases.summary()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"suite": "shp"}, "No case has the suite `shp`"),
        ({"status": "good"}, "there is no status `good`"),
        ({"trials": 0}, "runs nothing"),
        ({"run": "My Run"}, "cannot name a run"),
    ],
)
def test_a_script_that_asks_for_nothing(bench: Path, given: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        load_cases(bench, **given)
    with pytest.raises(UsageError, match="no benchmark repository"):
        load_cases(bench.parent)


def test_held_out_cases(tmp_path: Path) -> None:
    held = "split: {holdout_groups: ['template:refund-0143']}\n"
    bench = make_bench(tmp_path / "bench", held)
    cases = load_cases(bench, status="gold")
    assert (cases.held_out, [item.id for item in cases]) == (1, ["refund-0142"])
    everything = load_cases(bench, status="gold", holdout=True)
    verdict = everything[1].score("$40.00", calls=[])
    assert (verdict.outcome, "too late" in verdict.text) == ("failed", False)
