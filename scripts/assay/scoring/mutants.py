"""Runs with one required element removed or changed: each must fail the label."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from assay.files.locate import escape
from assay.files.model_text import compact_text
from assay.models.base import JsonValue
from assay.models.case import EvalCase
from assay.models.run import ToolCall
from assay.models.truth import TruthRecord
from assay.scoring.compiled import CompiledRecord, Entry, StateRule
from assay.scoring.components.final_out import structured_result
from assay.scoring.components.state import check_state
from assay.scoring.instances import other
from assay.scoring.matchers import AnyValue, Sight
from assay.scoring.matching import assign, assign_steps
from assay.scoring.observed import SeenRun
from assay.scoring.oracle import Draft
from assay.scoring.state_edits import placed, removed
from assay.scoring.text import states
from assay.scoring.values import MISSING, resolve


class Mutant(NamedTuple):
    """An oracle run with one flaw."""

    pointer: str
    """JSON pointer into the record: the expectation that it breaks."""
    flaw: str
    """What is wrong with it, in words."""
    draft: Draft
    """The run."""


def mutants(
    truth: CompiledRecord, oracle: Draft, case: EvalCase | None, reference_date: str | None
) -> Iterator[Mutant]:
    """Every way to break one expectation of the components that decide.

    Args:
        truth: the record.
        oracle: a run that passes.
        case: the case, for its initial state.
        reference_date: the day that relative dates refer to.
    """
    seen = SeenRun(oracle.run(truth.record.case_id, "oracle"), truth.names, truth.language)
    sight = Sight(reference_date, earlier=seen.earlier)
    if "trajectory" in truth.basis:
        yield from _of_calls(truth, oracle, seen, sight)
    if "outcome" in truth.basis:
        yield from _of_answers(truth, oracle)
    if "state" in truth.basis:
        yield from _of_state(truth, oracle, case, sight)


# -- calls --------------------------------------------------------------------------------------


def _of_calls(
    truth: CompiledRecord, oracle: Draft, seen: SeenRun, sight: Sight
) -> Iterator[Mutant]:
    order = truth.record.order
    tables = [assign(truth.required, seen, "any" if order == "plan" else order, sight)]
    if order == "plan":
        tables.append(assign_steps(truth.steps, truth.before, seen, sight))
    for table in tables:
        for row in table.rows:
            if not row.calls or row.entry.least == 0:
                continue
            at = row.calls[0]
            without = _without(oracle, at)
            if not _still_met(truth, row.entry, without, sight):
                flaw = f"`{row.entry.tool}` is not called"
                yield Mutant(row.entry.pointer, flaw, without)
            sight.before = at
            yield from _arguments(row.entry, oracle, at, sight)
            if row.entry.most is not None:
                yield Mutant(
                    row.entry.pointer,
                    f"`{row.entry.tool}` is called more than {row.entry.most} times",
                    _repeated(oracle, at, row.entry.most),
                )
    if order in ("in_order", "exact"):
        yield from _swapped(oracle)
    for tool in (*truth.forbidden, *truth.max_calls):
        name = min(tool.names)
        extra = ToolCall(name=name, outcome="ok")
        calls = (*oracle.calls, *(extra for _ in range(tool.limit + 1)))
        turns = (*oracle.turn_of, *(max(oracle.turn_of, default=0) for _ in range(tool.limit + 1)))
        what = f"called {tool.limit + 1} times more" if tool.limit else "called"
        yield Mutant(
            tool.pointer, f"`{name}` is {what}", replace(oracle, calls=calls, turn_of=turns)
        )


def _without(oracle: Draft, at: int) -> Draft:
    return replace(
        oracle,
        calls=oracle.calls[:at] + oracle.calls[at + 1 :],
        turn_of=oracle.turn_of[:at] + oracle.turn_of[at + 1 :],
    )


def _still_met(truth: CompiledRecord, step: Entry, draft: Draft, sight: Sight) -> bool:
    """Whether another call serves a step of the plan, so that nothing was broken."""
    if step not in truth.steps or truth.record.order != "plan":
        return False
    seen = SeenRun(draft.run(truth.record.case_id, "mutant"), truth.names, truth.language)
    table = assign_steps(truth.steps, truth.before, seen, sight)
    return all(row.outcome is True for row in table.rows) and table.order_kept is True


def _repeated(oracle: Draft, at: int, times: int) -> Draft:
    return replace(
        oracle,
        calls=(*oracle.calls[:at], *(oracle.calls[at],) * times, *oracle.calls[at:]),
        turn_of=(*oracle.turn_of[:at], *(oracle.turn_of[at],) * times, *oracle.turn_of[at:]),
    )


def _arguments(entry: Entry, oracle: Draft, at: int, sight: Sight) -> Iterator[Mutant]:
    call = oracle.calls[at]
    for argument in entry.args:
        if isinstance(argument.node, AnyValue) or argument.name not in call.args:
            continue
        value = other(call.args[argument.name])
        if argument.node.test(value, sight) is not False:
            continue  # a matcher that is content with nearly everything
        changed = {**call.args, argument.name: value}
        calls = list(oracle.calls)
        calls[at] = call.model_copy(update={"args": changed})
        yield Mutant(
            f"{entry.pointer}/args/{escape(argument.name)}",
            f"`{entry.tool}` gets another {argument.name}",
            replace(oracle, calls=tuple(calls)),
        )


def _swapped(oracle: Draft) -> Iterator[Mutant]:
    for at in range(len(oracle.calls) - 1):
        first, second = oracle.calls[at], oracle.calls[at + 1]
        if (first.name, first.args) == (second.name, second.args):
            continue
        if oracle.turn_of[at] != oracle.turn_of[at + 1]:
            continue
        calls = list(oracle.calls)
        calls[at], calls[at + 1] = second, first
        yield Mutant(
            "/order",
            f"`{second.name}` comes before `{first.name}`",
            replace(oracle, calls=tuple(calls)),
        )


# -- answers ------------------------------------------------------------------------------------


def _of_answers(truth: CompiledRecord, oracle: Draft) -> Iterator[Mutant]:
    record = truth.record
    if record.acceptable_answers:
        yield Mutant(
            "/acceptable_answers",
            "the answer is another one",
            replace(oracle, final_answer=str(other(oracle.final_answer or ""))),
        )
    for i, (fact, compiled) in enumerate(zip(record.facts, truth.facts, strict=True)):
        draft = _unstated(oracle, fact.any_of)
        seen = SeenRun(draft.run(record.case_id, "mutant"), truth.names, truth.language)
        if not any(states(answer.text, compiled.wordings).stated for answer in seen.answers):
            # Else another fact implies this one, and nothing was removed.
            yield Mutant(f"/facts/{i}", f"{fact.id} is not stated", draft)
    for i, fact in enumerate(record.must_not_state):
        text = f"{oracle.final_answer or ''}\n{fact.any_of[0]}".strip()
        if fact.turn is None:
            draft = replace(oracle, final_answer=text)
        else:
            said = f"{oracle.answers.get(fact.turn, '')}\n{fact.any_of[0]}".strip()
            draft = replace(oracle, answers={**oracle.answers, fact.turn: said})
        yield Mutant(f"/must_not_state/{i}", f"{fact.id} is stated", draft)
    if record.final_out is not None and oracle.final_answer is not None:
        yield from _of_result(record, oracle)


def _unstated(oracle: Draft, wordings: Sequence[str]) -> Draft:
    """The oracle without the lines that are the fact's wordings, in any turn."""

    def cut(text: str) -> str:
        return "\n".join(line for line in text.split("\n") if line not in wordings)

    final = oracle.final_answer
    return replace(
        oracle,
        answers={turn: cut(text) for turn, text in oracle.answers.items()},
        final_answer=None if final is None else cut(final) or None,
    )


def _of_result(record: TruthRecord, oracle: Draft) -> Iterator[Mutant]:
    assert oracle.final_answer is not None
    value = structured_result(oracle.final_answer)
    if value is None:
        text = str(other(oracle.final_answer))
        yield Mutant("/final_out", "the result is another one", replace(oracle, final_answer=text))
        return
    for pointer in _leaves(record.final_out, value, ""):
        leaf = resolve(value, pointer)
        if leaf is MISSING:
            continue
        changed = compact_text(placed(value, pointer, other(leaf)))  # type: ignore[arg-type]
        text = oracle.final_answer.replace(compact_text(value), changed)
        yield Mutant(
            f"/final_out{pointer}",
            f"`{pointer or '/'}` of the result is another value",
            replace(oracle, final_answer=text),
        )


def _leaves(expected: JsonValue, value: JsonValue, at: str) -> Iterator[str]:
    """Pointers to the leaves of a result, but for those that may be one thing or another."""
    if isinstance(expected, Mapping) and ("$any" in expected or "$one_of" in expected):
        return
    if isinstance(value, Mapping) and value:
        inner = expected if isinstance(expected, Mapping) else {}
        for key, item in value.items():
            yield from _leaves(inner.get(key), item, f"{at}/{escape(key)}")
    elif isinstance(value, list | tuple) and value:
        same_shape = isinstance(expected, list | tuple) and len(expected) == len(value)
        for i, item in enumerate(value):
            yield from _leaves(
                expected[i] if same_shape else None,  # type: ignore[index]
                item,
                f"{at}/{i}",
            )
    else:
        yield at


# -- state --------------------------------------------------------------------------------------


def _of_state(
    truth: CompiledRecord, oracle: Draft, case: EvalCase | None, sight: Sight
) -> Iterator[Mutant]:
    initial = case.initial_state if case is not None else None
    for rule in truth.state:
        place = f"`{rule.check.path or '/'}`"
        for flaw, state in _broken_states(rule, oracle.final_state):
            if check_state(rule, initial, state, sight).outcome == "failed":
                yield Mutant(rule.pointer, f"{place} {flaw}", replace(oracle, final_state=state))


def _broken_states(rule: StateRule, state: JsonValue) -> Iterator[tuple[str, JsonValue]]:
    """States in which something else, or nothing, stands where the check looks."""
    path = rule.check.path
    here = resolve(state, path)
    if here is MISSING:
        yield "of the state is there", placed(state, path, "something")
        return
    yield "of the state is another", placed(state, path, other(here))  # type: ignore[arg-type]
    if isinstance(here, Mapping | list | tuple):
        empty: JsonValue = {} if isinstance(here, Mapping) else []
        yield "of the state is empty", placed(state, path, empty)
    if path:
        yield "is missing from the state", removed(state, path)
