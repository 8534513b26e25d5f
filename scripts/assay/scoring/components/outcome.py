"""Outcome: acceptable answers, facts, what must not be stated, the structured result."""

from __future__ import annotations

from collections.abc import Sequence

from assay.models.result import Evidence
from assay.scoring.build import evidence
from assay.scoring.compiled import CompiledRecord, Statement
from assay.scoring.components.final_out import judge as judge_final_out
from assay.scoring.matchers import Sight
from assay.scoring.observed import SeenAnswer, SeenRun
from assay.scoring.text import states
from assay.scoring.values import shown

NO_ANSWER = "The agent gave no answer."
ANSWER_UNKNOWN = "The run's format does not carry the answer."


def judge(truth: CompiledRecord, seen: SeenRun, sight: Sight) -> list[Evidence]:
    """Reasons in the order of the record's fields; every part that is present must hold."""
    reasons: list[Evidence] = []
    if truth.answers:
        reasons.append(_acceptable(truth, seen))
    reasons += [_stated(fact, seen, wanted=True) for fact in truth.facts]
    reasons += [_stated(fact, seen, wanted=False) for fact in truth.must_not_state]
    if truth.final_out is not None:
        reasons += judge_final_out(truth, seen, sight)
    return reasons


def _acceptable(truth: CompiledRecord, seen: SeenRun) -> Evidence:
    pointer = "/acceptable_answers"
    final = seen.final
    expected = shown(truth.record.acceptable_answers)
    if final is None:
        if "final_answer" in seen.unknown:
            return evidence(
                "answer_unknown", "not_evaluated", pointer, ANSWER_UNKNOWN, expected=expected
            )
        return evidence("no_answer", "failed", pointer, NO_ANSWER, expected=expected)
    for i, answer in enumerate(truth.answers):
        if final.equals(answer):
            return evidence(
                "answer_accepted",
                "passed",
                f"{pointer}/{i}",
                "The final answer is an accepted one.",
                expected=answer.text,
                observed=_cut(final.text),
            )
    return evidence(
        "answer_not_accepted",
        "failed",
        pointer,
        "The final answer equals none of the accepted ones.",
        expected=expected,
        observed=_cut(final.text),
    )


def _cut(text: str, limit: int = 200) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _where(fact: Statement, seen: SeenRun) -> tuple[Sequence[SeenAnswer], bool]:
    """The answers in which a fact may stand, and whether some of them are not known.

    Without a turn, an expectation holds for the whole conversation.
    """
    turn = fact.fact.turn
    if turn is not None:
        here = [answer for answer in seen.answers if answer.turn == turn]
        if not here and turn == len(seen.run.turns) - 1:
            here = [answer for answer in seen.answers if answer.turn is None]
        return here, not here and "answer" in seen.unknown
    return seen.answers, seen.answer_open


def _stated(fact: Statement, seen: SeenRun, *, wanted: bool) -> Evidence:
    """Whether a fact is stated: it must be when it is wanted, and must not be otherwise."""
    answers, blind = _where(fact, seen)
    name = fact.fact.id
    doubtful: Evidence | None = None
    for turn, text in answers:
        found = states(text, fact.wordings)
        if found.span is None:
            continue
        if found.stated:
            return evidence(
                "fact_stated" if wanted else "must_not_state",
                "passed" if wanted else "failed",
                fact.pointer,
                f"The answer states {name}{'' if wanted else ', which it must not'}.",
                turn=turn,
                expected=fact.expected,
                observed=text.clause(found.span),
            )
        doubtful = doubtful or evidence(
            "negation",
            "not_evaluated",
            fact.pointer,
            f"The answer mentions {name} beside the negation “{found.negation}”.",
            turn=turn,
            expected=fact.expected,
            observed=text.clause(found.span),
        )
    if doubtful is not None:
        return doubtful
    if blind:
        return evidence(
            "answer_unknown", "not_evaluated", fact.pointer, ANSWER_UNKNOWN, expected=fact.expected
        )
    if not wanted:
        return fact.clear
    last = answers[-1].text.text if answers else None
    return evidence(
        "fact_missing",
        "failed",
        fact.pointer,
        NO_ANSWER if last is None else f"The answer does not state {name}.",
        expected=fact.expected,
        observed=None if last is None else _cut(last),
    )
