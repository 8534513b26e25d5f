"""Runs that are built from a label and prove it.

An oracle run does what the label asks for and must pass. A run that does nothing, one that says
the question again, and runs with one required element removed or changed must not. Section 1.3
of the design, *Labels are proved*.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from assay.files.model_text import compact_text
from assay.models.base import JsonValue
from assay.models.case import EvalCase
from assay.models.run import ObservedRun, ObservedTurn, ToolCall
from assay.models.truth import TruthRecord
from assay.scoring.build import verdict_of
from assay.scoring.case import Scorer
from assay.scoring.compiled import CompiledRecord, Entry
from assay.scoring.components.outcome import judge as judge_outcome
from assay.scoring.components.state import check_state
from assay.scoring.instances import NoOracleError, instance
from assay.scoring.matchers import Sight
from assay.scoring.matching import assign
from assay.scoring.observed import SeenRun
from assay.scoring.state_edits import placed, removed, with_count, with_element

REF_VALUE = "ref-1"
"""What a result holds where a later call refers to it."""


@dataclass(frozen=True)
class Draft:
    """A run in the making."""

    calls: tuple[ToolCall, ...]
    """Calls in order."""
    turn_of: tuple[int, ...]
    """Turn of each call."""
    answers: Mapping[int, str]
    """Turn to answer."""
    final_answer: str | None
    """The final answer."""
    final_state: JsonValue
    """The final state."""
    last: int = 0
    """The last turn, whose answer is the final one."""

    def run(self, case_id: str, name: str) -> ObservedRun:
        """The observed run."""
        answers = dict(self.answers)
        if self.final_answer is not None:
            answers[self.last] = self.final_answer
        turns = tuple(
            ObservedTurn(
                answer=answers.get(turn),
                tool_calls=tuple(
                    call for call, at in zip(self.calls, self.turn_of, strict=True) if at == turn
                ),
            )
            for turn in range(self.last + 1)
        )
        return ObservedRun(
            run=name,
            case_id=case_id,
            turns=turns,
            final_answer=self.final_answer,
            final_state=self.final_state,
            format="built",
        )


def do_nothing(case_id: str, case: EvalCase | None) -> ObservedRun:
    """A run without calls and without answer; the world stays as it was."""
    return Draft((), (), {}, None, _start(case)).run(case_id, "do-nothing")


def echo(case_id: str, case: EvalCase | None) -> ObservedRun:
    """A run that says the question again and does nothing else."""
    text = case.user_text if case is not None else ""
    return Draft((), (), {}, text, _start(case)).run(case_id, "echo")


def _start(case: EvalCase | None) -> JsonValue:
    initial = case.initial_state if case is not None else None
    return {} if initial is None else initial


def oracle_draft(
    record: TruthRecord, case: EvalCase | None, scorer: Scorer, reference_date: str | None
) -> Draft:
    """A run that does what the record asks for.

    Args:
        record: the record, after the rename map.
        case: the case, for its initial state.
        scorer: rename map and language.
        reference_date: the day that relative dates refer to.

    Raises:
        NoOracleError: why no such run can be made up.
    """
    truth = scorer.compiled(record)
    calls, turns = _calls(truth, reference_date)
    last = max((*turns, *(fact.turn or 0 for fact in record.facts), 0))
    answers, final = _answers(truth, reference_date, last)
    state = _state(truth, _start(case), reference_date)
    return Draft(tuple(calls), tuple(turns), answers, final, state, last)


# -- calls --------------------------------------------------------------------------------------


def _calls(truth: CompiledRecord, reference_date: str | None) -> tuple[list[ToolCall], list[int]]:
    record = truth.record
    wanted: list[tuple[Entry, Mapping[str, JsonValue]]] = []
    if record.order == "plan" and record.plan is not None:
        steps = record.plan.execution_steps
        for at in _in_plan_order(truth.before):
            entry = truth.steps[at]
            step = steps[int(entry.pointer.rsplit("/", 1)[1])]
            named = {argument.name for argument in entry.args}
            free = {a.name for a in entry.args if a.expected == '{"$any":true}'}
            wanted.append(
                (
                    entry,
                    {
                        name: {"$any": True} if name in free else value
                        for name, value in step.arguments.items()
                        if name in named
                    },
                )
            )
    made = [_call(entry, args, reference_date) for entry, args in _joined(truth, wanted)]
    turns = [0] * len(made)
    for entry, source in zip(truth.required, record.required, strict=True):
        if record.order == "plan" and _served(truth, made, entry):
            continue
        for _ in range(entry.least):
            made.append(_call(entry, source.args, reference_date))
            turns.append(entry.turn or 0)
    order = sorted(range(len(made)), key=lambda i: turns[i])
    made, turns = [made[i] for i in order], [turns[i] for i in order]
    return _with_results(truth, made), turns


def _joined(
    truth: CompiledRecord, steps: Sequence[tuple[Entry, Mapping[str, JsonValue]]]
) -> Iterator[tuple[Entry, Mapping[str, JsonValue]]]:
    """Steps, each with the arguments of a required entry that the same call can meet."""
    open_entries = [i for i, entry in enumerate(truth.required) if entry.least]
    for step, args in steps:
        free = {argument.name for argument in step.args if argument.expected == '{"$any":true}'}
        for i in open_entries:
            entry, asked = truth.required[i], truth.record.required[i].args
            fixed = {name: args[name] for name in args.keys() & asked.keys() if name not in free}
            if entry.names == step.names and all(
                compact_text(asked[name]) == compact_text(value) for name, value in fixed.items()
            ):
                open_entries.remove(i)
                yield step, {**args, **asked}
                break
        else:
            yield step, args


def _in_plan_order(before: Sequence[frozenset[int]]) -> Iterator[int]:
    done: set[int] = set()
    while len(done) < len(before):
        ready = [i for i in range(len(before)) if i not in done and before[i] <= done]
        if not ready:
            raise NoOracleError("the plan's links form a cycle")
        done.add(ready[0])
        yield ready[0]


def _served(truth: CompiledRecord, made: list[ToolCall], entry: Entry) -> bool:
    """Whether a call that was made for a step meets a required entry as well."""
    run = Draft(tuple(made), (0,) * len(made), {}, None, None).run("case", "oracle")
    seen = SeenRun(run, truth.names, truth.language)
    return assign([entry], seen, "any", Sight()).rows[0].outcome is True


def _call(entry: Entry, args: Mapping[str, JsonValue], reference_date: str | None) -> ToolCall:
    name = min(entry.names)
    server: str | None = None
    if "/" in name and name != entry.tool:
        server, _, name = name.partition("/")
    built = {key: instance(value, reference_date, REF_VALUE) for key, value in args.items()}
    return ToolCall(name=name, server=server, args=built, outcome="ok")


def _with_results(truth: CompiledRecord, calls: list[ToolCall]) -> list[ToolCall]:
    """Results that hold what later calls refer to."""
    wanted: dict[str, list[str]] = {}
    for source in truth.record.required:
        for value in source.args.values():
            for tool, pointer in _references(value):
                for name in truth.names.label(tool):
                    wanted.setdefault(name, []).append(pointer)
    made: list[ToolCall] = []
    for call in calls:
        pointers = [
            pointer
            for name in truth.names.call(call.name, call.server, call.args).names
            for pointer in wanted.get(name, ())
        ]
        result: JsonValue = {"ok": True}
        for pointer in pointers:
            result = placed(result, pointer, REF_VALUE)
        made.append(call.model_copy(update={"result": result}))
    return made


def _references(value: JsonValue) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        if isinstance(value.get("$ref"), str):
            if value.get("from", "result") != "result":
                raise NoOracleError("`$ref` to an argument is not built")
            yield str(value["$ref"]), str(value.get("pointer", ""))
        for item in value.values():
            yield from _references(item)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for item in value:
            yield from _references(item)


# -- answers ------------------------------------------------------------------------------------


def _answers(
    truth: CompiledRecord, reference_date: str | None, last: int
) -> tuple[dict[int, str], str | None]:
    """Answer of each turn, and the final answer, which is that of the last turn."""
    record = truth.record
    answers: dict[int, str] = {}
    stated: list[str] = []
    for fact in record.facts:
        wording = fact.any_of[0]
        if fact.turn is None or fact.turn == last:
            stated.append(wording)
        else:
            before = answers.get(fact.turn)
            answers[fact.turn] = wording if before is None else f"{before}\n{wording}"
    parts: list[str] = []
    if record.final_out is not None:
        built = instance(record.final_out, reference_date)
        if isinstance(built, str) or not isinstance(built, Mapping | Sequence):
            parts.append(built if isinstance(built, str) else compact_text(built))
        else:
            parts.append(f"```json\n{compact_text(built)}\n```" if stated else compact_text(built))
    composed = "\n".join([*parts, *stated]) or None
    options = [*record.acceptable_answers] if record.acceptable_answers else [composed]
    for option in options:
        draft = Draft((), (), answers, option, None, last)
        seen = SeenRun(draft.run("case", "oracle"), truth.names, truth.language)
        if not truth.has_criteria & {"outcome"}:
            break
        if verdict_of(judge_outcome(truth, seen, Sight(reference_date))) == "passed":
            return answers, option
    return answers, options[0]


def _state(truth: CompiledRecord, start: JsonValue, reference_date: str | None) -> JsonValue:
    """The initial state, with every check that does not hold yet made to hold."""
    state = start
    sight = Sight(reference_date)
    kinds = ("equals", "absent", "contains", "count")
    for rule in sorted(truth.state, key=lambda r: _rank(r.check.model_fields_set, kinds)):
        check, given = rule.check, rule.check.model_fields_set
        if check_state(rule, start, state, sight).outcome == "passed":
            continue
        if "equals" in given:
            state = placed(state, check.path, instance(check.equals, reference_date))
        elif "contains" in given:
            state = with_element(state, check.path, instance(check.contains, reference_date))
        elif "count" in given:
            state = with_count(state, check.path, check.count or 0)
        elif "absent" in given:
            state = removed(state, check.path)
    return state


def _rank(given: set[str], kinds: tuple[str, ...]) -> int:
    """Sizes are put right last, when everything that a collection must hold is in it."""
    return next((i for i, kind in enumerate(kinds) if kind in given), len(kinds))
