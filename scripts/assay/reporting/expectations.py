"""What a truth record asks for, line by line, each with the place in the record it stands at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.files.locate import escape
from assay.models.plan import ExecutionStep
from assay.models.truth import Fact, Order, StateCheck, TruthRecord
from assay.reporting.phrases import (
    times_words,
    turn_words,
    wanted_call_words,
    wanted_words,
)
from assay.reporting.words import count, listed


@dataclass(frozen=True)
class Expectation:
    """One thing that the record asks for."""

    pointer: str
    """JSON pointer into the record; evidence refers to it."""
    component: str
    """Component of the score that it belongs to, or ``plan``."""
    label: str
    """What kind of thing, in one or two words."""
    text: str
    """What is asked for."""


_ORDERS: dict[Order, str] = {
    "in_order": "the calls come in the order given",
    "exact": "exactly these calls, in this order, and no other",
    "plan": "every step comes after the steps that it depends on",
}


def expectations(record: TruthRecord) -> list[Expectation]:
    """Everything that the record asks for, in the order of its fields."""
    return [
        *_trajectory(record),
        *_outcome(record),
        *_rubric(record),
        *_state(record),
        *_plan(record),
        *_final_out(record),
    ]


def _trajectory(record: TruthRecord) -> Iterator[Expectation]:
    part = "trajectory"
    for index, entry in enumerate(record.required):
        extra = [times_words(entry.min, entry.max), turn_words(entry.turn)]
        words = ", ".join([wanted_call_words(entry.tool, entry.args), *filter(None, extra)])
        yield Expectation(f"/required_tools/{index}", part, "must call", words)
    for index, tool in enumerate(record.forbidden_tools):
        yield Expectation(f"/forbidden_tools/{index}", part, "must not call", tool)
    if record.order != "any":
        yield Expectation("/order", part, "order", _ORDERS[record.order])
    for tool, most in sorted(record.max_calls.items()):
        words_most = times_words(0, most)
        yield Expectation(f"/max_calls/{escape(tool)}", part, "at most", f"{tool}, {words_most}")


def _outcome(record: TruthRecord) -> Iterator[Expectation]:
    for index, answer in enumerate(record.acceptable_answers):
        label = "answer is" if index == 0 else "or"
        yield Expectation(f"/acceptable_answers/{index}", "outcome", label, f"“{answer}”")
    for name, label, facts in (
        ("facts", "must state", record.facts),
        ("must_not_state", "must not state", record.must_not_state),
    ):
        for index, fact in enumerate(facts):
            yield Expectation(f"/{name}/{index}", "outcome", label, _fact(fact))


def _fact(fact: Fact) -> str:
    words = listed([f"“{wording}”" for wording in fact.any_of], "or")
    turn = turn_words(fact.turn)
    return f"{words} ({fact.id}{', ' + turn if turn else ''})"


def _rubric(record: TruthRecord) -> Iterator[Expectation]:
    for index, criterion in enumerate(record.rubric):
        labels = " / ".join(criterion.labels)
        must = "must not be" if criterion.negate else "must be"
        words = f"{criterion.text} ({criterion.id}: {labels}; {must} {criterion.labels[0]})"
        yield Expectation(f"/rubric/{index}", "rubric", "criterion", words)


def _state(record: TruthRecord) -> Iterator[Expectation]:
    for index, check in enumerate(record.state or ()):
        yield Expectation(f"/state/{index}", "state", "afterwards", _state_words(check))


def _state_words(check: StateCheck) -> str:
    place = check.path or "the whole state"
    given = check.model_fields_set
    if "equals" in given:
        loosely = " in any order" if check.unordered else ""
        return f"{place} equals {wanted_words(check.equals)}{loosely}"
    if "contains" in given:
        return f"{place} contains {wanted_words(check.contains)}"
    if "count" in given:
        return f"{place} has {count(check.count or 0, 'element')}"
    return f"{place} is {'unchanged' if 'unchanged' in given else 'absent'}"


def _plan(record: TruthRecord) -> Iterator[Expectation]:
    plan = record.plan
    if plan is None:
        return
    for index, step in enumerate(plan.planning_steps):
        words = f"{step.agent}: {step.instruction}"
        yield Expectation(f"/plan/planning_steps/{index}", "plan", "plan", words)
    before: dict[str, list[str]] = {}
    for link in plan.execution_links:
        before.setdefault(link.target, []).append(link.source)
    for index, node in enumerate(plan.execution_steps):
        words = _step(node, sorted(before.get(node.name, [])))
        yield Expectation(f"/plan/execution_steps/{index}", "plan", "step", words)
    if plan.characteristic_form:
        words = plan.characteristic_form
        yield Expectation("/plan/characteristic_form", "plan", "result reads", words)


def _step(step: ExecutionStep, before: Sequence[str]) -> str:
    words = f"{step.name}: {wanted_call_words(step.action, step.arguments)} by {step.agent}"
    if step.outputs:
        words += f", gives {', '.join(step.outputs)}"
    return f"{words}, after {listed(list(before))}" if before else words


def _final_out(record: TruthRecord) -> Iterator[Expectation]:
    if record.final_out is not None:
        yield Expectation("/final_out", "outcome", "result is", wanted_words(record.final_out))
