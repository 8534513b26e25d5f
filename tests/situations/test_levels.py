"""H33 steps before their inputs, H35 planning texts in every script: how they are scored."""

from __future__ import annotations

from typing import Any

import pytest

from assay.models.plan import Plan
from assay.scoring.levels.plan_graph import links_of
from assay.scoring.levels.rouge import rouge
from assay.scoring.levels.similarity import similarity
from assay.scoring.levels.steps import topological
from tests.scoring.levels.plans import graph, levels, plan, step, value_of
from tests.scoring.making import call, run
from tests.situations.given import load

# -- H33 ------------------------------------------------------------------------------------------

TOOLS = ("find_order", "list_orders", "charge", "send_mail")
AGENTS = ("orders", "orders", "payments", "crm")
FORWARD = [step(*each) for each in zip("abcd", TOOLS, AGENTS, strict=True)]
LINKS = "a>b a>c b>d c>d"


@pytest.mark.parametrize("turned", [False, True])
def test_the_order_of_the_list_is_not_the_order_of_the_steps(turned: bool) -> None:
    steps = list(reversed(FORWARD)) if turned else list(FORWARD)
    value = plan(steps, LINKS)
    assert similarity(graph(value), graph(plan(FORWARD, LINKS))).value == 1
    for order in ("abcd", "acbd"):
        made = run([call(dict(zip("abcd", TOOLS, strict=True))[name]) for name in order], "done")
        assert value_of(levels(value, made), "process") == 1.0
    read = Plan.model_validate(value)
    names = [each.name for each in read.execution_steps]
    assert [names[at] for at in topological(names, links_of(read))] == ["a", "b", "c", "d"]


@pytest.mark.data
def test_given_steps_before_their_inputs() -> None:
    raw, expected = load("33", "plan.json"), load("33", "expected.json")
    steps: list[dict[str, Any]] = [{**each, "agent": "any"} for each in raw["execution_steps"]]
    read = Plan.model_validate({**raw, "execution_steps": steps})
    names = [each.name for each in read.execution_steps]
    assert [names[at] for at in topological(names, links_of(read))] == expected["order"]


# -- H35 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ours", "theirs", "value"),
    [
        ("检查水泵", "检查水泵", 1.0),
        ("ตรวจสอบปั๊ม", "ตรวจสอบปั๊ม", 1.0),
        ("افحص المضخة", "افحص المضخة", 1.0),
        ("Проверь насос", "Проверь насос", 1.0),
        ("check the pump", "check the pump", 1.0),
        ("检查水泵", "启动风机", 0.0),
        ("…", "check the pump", 0.0),
        ("check the pump", "…", 0.0),
        ("…", "…", 0.0),
    ],
)
def test_a_planning_text_is_one_against_itself_in_every_script(
    ours: str, theirs: str, value: float
) -> None:
    asked = {"planning_steps": [{"agent": "a", "instruction": ours}]}
    found = levels(asked, run(answer="x", planning_steps=[{"instruction": theirs}]))
    assert value_of(found, "planning") == value
    (planning,) = [part for part in found.levels if part.level == "planning"]
    assert ("nothing to compare" in planning.message) == ("…" in (ours, theirs))


@pytest.mark.data
def test_given_pairs_of_texts() -> None:
    pairs, expected = load("35", "pairs.json"), load("35", "expected.json")
    found = [float(rouge(one, other).rouge1.f1) for one, other in pairs]
    assert found == [float(value) for value in expected["rouge1_f"]]
