"""The outcome level: task completeness, data retrieval and result verification (y1, y2, y3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from assay.models.result import ComponentResult, Evidence
from assay.scoring.compiled import CompiledRecord, Entry
from assay.scoring.components.final_out import observed_result, share
from assay.scoring.levels.assignment import heaviest
from assay.scoring.levels.steps import PathSteps, compared_arguments, same_action
from assay.scoring.matchers import AnyValue, Sight
from assay.scoring.observed import SeenRun


class Part(NamedTuple):
    """A share, or why there is none."""

    value: Fraction | None
    """From 0 to 1; none where it cannot be evaluated."""
    message: str
    """What it was made of."""


def completeness(record: CompiledRecord, components: Sequence[ComponentResult]) -> Part:
    """y1: criteria of the rubric that are met ÷ criteria with a verdict."""
    if not record.record.rubric:
        return Part(None, "the record has no rubric")
    reasons = _evidence(components, "rubric")
    met = sum(reason.outcome == "passed" for reason in reasons)
    decided = met + sum(reason.outcome == "failed" for reason in reasons)
    if not decided:
        return Part(None, "no criterion of the rubric has a verdict")
    left = len(reasons) - decided
    words = f"{met} of {decided} criteria are met"
    return Part(Fraction(met, decided), words + (f"; {left} without a verdict" if left else ""))


def retrieval(record: CompiledRecord, path: PathSteps | None, seen: SeenRun, sight: Sight) -> Part:
    """y2: argument constraints that are met ÷ those of the required calls that read.

    The required calls are those of the record; where they name no arguments, the steps of the
    path. Each
    takes at most one call without error of its tool, so that as many constraints as possible are
    met. A reference to an earlier output is no constraint.
    """
    entries = [
        (entry, _constraints(entry)) for entry in _required(record, path) if _reads(entry, record)
    ]
    asked = sum(map(len, (constraints for _, constraints in entries)))
    if not asked:
        return Part(None, "no required call that reads has arguments")
    if {"tool_calls", "call_arguments"} & seen.unknown:
        return Part(None, "the run's format does not carry arguments")
    met: list[Mapping[int, int]] = []
    for entry, constraints in entries:
        options: dict[int, int] = {}
        for call in seen.calls:
            if call.fine and same_action(entry, call):
                _, wrong = compared_arguments(entry, call, seen, sight)
                options[call.index] = 1 + len(constraints - set(wrong))
        met.append(options)
    chosen = heaviest(met)
    total = sum(met[row][column] - 1 for row, column in chosen.items())
    return Part(Fraction(total, asked), f"{total} of {asked} argument constraints are met")


def _required(record: CompiledRecord, path: PathSteps | None) -> list[Entry]:
    given = [entry for entry in record.required for _ in range(entry.least)]
    if path is None or any(entry.args for entry in given):
        return given
    return [s.entry for s in path.steps if not (s.finish or s.inner or s.open)]


def _constraints(entry: Entry) -> set[int]:
    return {i for i, arg in enumerate(entry.args) if not isinstance(arg.node, AnyValue)}


def _reads(entry: Entry, record: CompiledRecord) -> bool:
    """Whether the catalogue says so, or does not know the tool."""
    tools = [record.names.tool(name) for name in sorted(entry.names)]
    return not any(tool is not None and tool.effect == "writes" for tool in tools)


def verification(
    record: CompiledRecord, components: Sequence[ComponentResult], seen: SeenRun, sight: Sight
) -> Part:
    """y3: the structured result by its matchers, else accepted answers and facts.

    The share of a structured result is matched values ÷ (expected + extra values).
    """
    if record.final_out is not None:
        if seen.final is None:
            return _no_answer(seen)
        value = observed_result(record.final_out, seen.final.text)
        sight.before = len(seen.calls)
        matched, total = share(record.final_out, value, sight)
        return Part(Fraction(matched, total), f"{matched} of {total} values of the result match")
    kinds = ("/acceptable_answers", "/facts", "/must_not_state")
    reasons = [r for r in _evidence(components, "outcome") if r.pointer.startswith(kinds)]
    if not reasons:
        return Part(None, "the record has no result, answers or facts")
    met = sum(reason.outcome == "passed" for reason in reasons)
    decided = met + sum(reason.outcome == "failed" for reason in reasons)
    if not decided:
        return Part(None, "no answer or fact could be evaluated")
    left = len(reasons) - decided
    words = f"{met} of {decided} answers and facts are as expected"
    return Part(Fraction(met, decided), words + (f"; {left} not evaluated" if left else ""))


def _no_answer(seen: SeenRun) -> Part:
    if "final_answer" in seen.unknown:
        return Part(None, "the run's format does not carry the answer")
    return Part(Fraction(0), "the agent gave no answer")


def _evidence(components: Sequence[ComponentResult], name: str) -> tuple[Evidence, ...]:
    return next((part.evidence for part in components if part.component == name), ())
