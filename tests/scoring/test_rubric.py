"""Recorded verdicts, replayed."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from assay.models.verdict import Verdict
from assay.scoring.observed_digest import observed_digest
from tests.scoring.making import kinds, pieces, record, run, score, verdict

TONE = {"id": "tone", "text": "Is it polite?"}
LEAK = {"id": "leak", "text": "Does it name the price?", "negate": True}
RUN = run([], "Good morning")


def outcome(criterion: dict[str, Any], *verdicts: Verdict, **options: Any) -> str:
    label = {"rubric": [criterion], **options.pop("label", {})}
    return score(label, options.pop("run", RUN), verdicts=verdicts, **options).outcome


def said(text: str | None, criterion: str = "tone", **fields: Any) -> Verdict:
    return verdict(criterion, text, **fields)


@pytest.mark.parametrize(
    ("criterion", "verdicts", "expected"),
    [
        (TONE, [said("yes")], "passed"),
        (TONE, [said("no")], "failed"),
        (TONE, [], "not_evaluated"),
        (TONE, [said(None, error="timeout")], "not_evaluated"),
        (TONE, [said("yes", error="cut off")], "not_evaluated"),
        (TONE, [said("more or less")], "not_evaluated"),
        (TONE, [said("Yes")], "not_evaluated"),
        (LEAK, [said("yes", "leak")], "failed"),
        (LEAK, [said("no", "leak")], "passed"),
        (LEAK, [said(None, "leak")], "not_evaluated"),
        (LEAK, [], "not_evaluated"),
        ({**TONE, "labels": ["good", "fair", "poor"]}, [said("good")], "passed"),
        ({**TONE, "labels": ["good", "fair", "poor"]}, [said("fair")], "failed"),
        (TONE, [said("yes"), said("yes", repeat=1), said("no", repeat=2)], "passed"),
        (TONE, [said("yes"), said("no", repeat=1)], "not_evaluated"),
        (TONE, [said("yes"), said(None, repeat=1)], "not_evaluated"),
        (TONE, [said("yes"), said("yes", repeat=1), said(None, repeat=2)], "passed"),
        (TONE, [said("yes"), said("yes")], "passed"),
        (TONE, [said("yes"), said("no")], "not_evaluated"),
        (TONE, [said("yes"), said("no", judge="judge-2")], "not_evaluated"),
        (TONE, [said("yes"), said("yes", judge="j2"), said("no", judge="j3")], "passed"),
        (TONE, [said("no"), said("yes", judge="ana", judge_kind="person")], "passed"),
        (TONE, [said("yes"), said(None, judge="ana", judge_kind="person")], "not_evaluated"),
        (TONE, [said("yes", case_id="c-2")], "not_evaluated"),
        (TONE, [said("yes", run="other")], "not_evaluated"),
        (TONE, [said("yes", trial=1)], "not_evaluated"),
        (TONE, [said("yes", "other")], "not_evaluated"),
    ],
)
def test_verdicts(criterion: Any, verdicts: list[Verdict], expected: str) -> None:
    assert outcome(criterion, *verdicts) == expected
    assert outcome(criterion, *reversed(verdicts)) == expected


def test_a_verdict_on_another_answer_does_not_count() -> None:
    right = said("yes", observed=observed_digest(RUN))
    assert outcome(TONE, right) == "passed"
    result = score({"rubric": [TONE]}, run([], "Hey"), verdicts=[right])
    assert kinds(result) == ["verdict_of_another_answer"]
    fresh = said("no", repeat=1, observed=observed_digest(run([], "Hey")))
    assert outcome(TONE, right, fresh, run=run([], "Hey")) == "failed"


def test_the_digest_ignores_ids_times_and_names() -> None:
    one = run([{"name": "f", "id": "1", "args": {"a": 1, "b": 2}}], "x", agent="a", cost=1)
    other = run(
        [{"name": "f", "id": "2", "args": {"b": Decimal("2.0"), "a": 1}}], "x", run="q", trial=3
    )
    assert observed_digest(one) == observed_digest(other)
    assert observed_digest(one) != observed_digest(run([], "x"))


@pytest.mark.parametrize("field", ["candidate", "drafter"])
def test_a_judge_that_is_candidate_or_drafter_is_refused(field: str) -> None:
    def same(one: str, other: str) -> bool:
        return one.removeprefix("route/") == other.removeprefix("route/")

    label = {"rubric": [TONE], "facts": [{"id": "f", "any_of": ["morning"]}]}
    if field == "drafter":
        label["drafted_by"] = "route/judge-1"
    observed = run([], "Good morning", model="judge-1" if field == "candidate" else "cand-1")
    result = score(label, observed, verdicts=[said("yes", judge="route/judge-1")], same_model=same)
    assert result.outcome == "not_evaluated"
    assert kinds(result) == ["judge_refused"]
    assert [part.outcome for part in result.components] == ["passed", "not_evaluated"]
    two = [said("yes", judge="route/judge-1"), said("no", judge="judge-2")]
    assert score(label, observed, verdicts=two, same_model=same).outcome == "failed"
    person = said("yes", judge="ana", judge_kind="person")
    assert score(label, observed, verdicts=[*two, person], same_model=same).outcome == "passed"


@pytest.mark.parametrize("model", [None, "", "  "])
def test_a_candidate_that_is_not_named_is_not_trusted(model: str | None) -> None:
    result = score({"rubric": [TONE]}, run([], "x", model=model), verdicts=[said("yes")])
    assert kinds(result) == ["judge_refused"]
    assert "does not name its model" in pieces(result)[0].message
    by_hand = said("yes", judge="ana", judge_kind="person")
    assert outcome(TONE, by_hand, run=run([], "x", model=model)) == "passed"


def test_evidence_says_who_said_what_and_why() -> None:
    of = record(rubric=[TONE])
    result = score(of, RUN, verdicts=[said("no", reason="It is curt.")])
    [piece] = pieces(result)
    assert piece.pointer == "/rubric/0"
    assert piece.observed == "no: It is curt."
    assert piece.message == "`tone` is not satisfied: judge-1 said no."
