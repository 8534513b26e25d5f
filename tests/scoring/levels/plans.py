"""Plans by hand, plans drawn at random, and errors that are made in a correct one."""

from __future__ import annotations

import copy
import itertools
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from assay.models.levels import Levels, Measure
from assay.models.params import Weights
from assay.models.plan import Plan
from assay.models.result import CaseResult
from assay.models.run import ObservedRun
from assay.scoring.levels.plan_graph import StepGraph, plan_graph
from tests.scoring.making import record, score

PlanData = dict[str, Any]


def step(name: str, action: str, agent: str = "orders", /, **fields: Any) -> dict[str, Any]:
    """A step; keyword arguments that are no fields of a step are its arguments."""
    known = {k: fields.pop(k) for k in ("outputs", "deterministic") if k in fields}
    return {"name": name, "action": action, "agent": agent, "arguments": fields, **known}


def plan(steps: Sequence[Mapping[str, Any]], links: str = "", **fields: Any) -> PlanData:
    """A plan; links are written ``a>b b>c``, or the steps follow each other where there are none.

    ``-`` stands for no link at all.
    """
    names = [str(each["name"]) for each in steps]
    pairs = (
        []
        if links == "-"
        else [tuple(word.split(">")) for word in links.split()]
        if links
        else list(itertools.pairwise(names))
    )
    return {
        "execution_steps": list(steps),
        "execution_links": [{"source": a, "target": b} for a, b in pairs],
        **fields,
    }


def flags(**changed: bool) -> dict[str, bool]:
    """The four flags, all true but for those that are named."""
    return {"name": True, "action": True, "arguments": True, "outputs": True, **changed}


def graph(value: PlanData) -> StepGraph:
    """A plan as a graph."""
    return plan_graph(Plan.model_validate(value))


def case_of(value: PlanData, observed: ObservedRun, **fields: Any) -> CaseResult:
    """The result of a run on a case with a plan."""
    verdicts = fields.pop("verdicts", ())
    names = {"names": fields.pop("names")} if "names" in fields else {}
    return score(
        record(plan=value, **fields), observed, weights=Weights(), verdicts=verdicts, **names
    )


def levels(value: PlanData, observed: ObservedRun, **fields: Any) -> Levels:
    """The levels of a run on a case with a plan."""
    found = case_of(value, observed, **fields).levels
    assert found is not None
    return found


def value_of(found: Levels, level: str) -> float | None:
    """What a level came to."""
    return next(part.value for part in found.levels if part.level == level)


def measure(found: Levels, name: str) -> Measure:
    """One number of a level."""
    return next(m for part in found.levels for m in part.measures if m.name == name)


# -- plans drawn at random -----------------------------------------------------------------------


@st.composite
def plans(draw: st.DrawFn, most: int = 9) -> PlanData:
    """Plans with few tools, so that steps are alike, with references and several roots."""
    size = draw(st.integers(1, most))
    tools = draw(st.integers(1, 4))
    steps: list[dict[str, Any]] = []
    links: list[dict[str, str]] = []
    for at in range(size):
        sources = draw(st.sets(st.integers(0, at - 1), max_size=2)) if at else set()
        links += [{"source": f"s{a}", "target": f"s{at}"} for a in sorted(sources)]
        arguments: dict[str, Any] = {"k": draw(st.integers(0, 1))}
        if sources:
            arguments["from"] = f"o{min(sources)}"
        made = step(f"s{at}", f"t{draw(st.integers(1, tools))}", draw(st.sampled_from("AB")))
        made["arguments"] = arguments
        made["outputs"] = [f"o{at}"]
        if draw(st.integers(0, 9)) == 0:
            made["deterministic"] = flags(arguments=draw(st.booleans()), action=draw(st.booleans()))
        steps.append(made)
    return {"execution_steps": steps, "execution_links": links}


def renamed(value: PlanData, seed: int) -> PlanData:
    """The same plan with other names of steps and outputs, written in another order."""
    draw = random.Random(seed)
    steps = copy.deepcopy(value["execution_steps"])
    new = {each["name"]: f"n{draw.randrange(10**9)}-{i}" for i, each in enumerate(steps)}
    outputs = {name: f"p{i}" for i, each in enumerate(steps) for name in each.get("outputs", ())}
    for each in steps:
        each["name"] = new[each["name"]]
        each["outputs"] = [outputs[name] for name in each.get("outputs", ())]
        if each["arguments"].get("from") in outputs:
            each["arguments"]["from"] = outputs[each["arguments"]["from"]]
    links = [{key: new[name] for key, name in link.items()} for link in value["execution_links"]]
    draw.shuffle(steps)
    draw.shuffle(links)
    return {"execution_steps": steps, "execution_links": links}


# -- errors --------------------------------------------------------------------------------------


def _step_missing(value: PlanData) -> None:
    gone = value["execution_steps"].pop()["name"]
    value["execution_links"] = [e for e in value["execution_links"] if gone not in e.values()]


def _step_too_many(value: PlanData) -> None:
    value["execution_steps"].append(step("one more", "another tool"))


def _other_tool(value: PlanData) -> None:
    value["execution_steps"][0]["action"] = "another tool"


def _other_agent(value: PlanData) -> None:
    value["execution_steps"][0]["agent"] = "somebody else"


def _other_value(value: PlanData) -> None:
    value["execution_steps"][0]["arguments"]["k"] = 77


def _argument_missing(value: PlanData) -> None:
    del value["execution_steps"][0]["arguments"]["k"]


def _argument_too_many(value: PlanData) -> None:
    value["execution_steps"][0]["arguments"]["more"] = True


def _link_missing(value: PlanData) -> None:
    value["execution_links"].pop()


def _link_turned(value: PlanData) -> None:
    last = value["execution_links"][-1]
    value["execution_links"][-1] = {"source": last["target"], "target": last["source"]}


def _doubled_step(value: PlanData) -> None:
    again = copy.deepcopy(value["execution_steps"][0])
    value["execution_steps"].append({**again, "name": "once more", "outputs": []})


ERRORS: dict[str, Callable[[PlanData], None]] = {
    "a step is missing": _step_missing,
    "a step too many": _step_too_many,
    "a step with another tool": _other_tool,
    "a step of another agent": _other_agent,
    "an argument with another value": _other_value,
    "an argument is missing": _argument_missing,
    "an argument too many": _argument_too_many,
    "a link is missing": _link_missing,
    "a link turned round": _link_turned,
    "a step twice": _doubled_step,
}
"""Errors that make a plan another one."""


def with_error(value: PlanData, name: str) -> PlanData:
    """A copy of a plan with one error."""
    made = copy.deepcopy(value)
    ERRORS[name](made)
    return made
