"""Answers, facts, what must not be stated, structured results."""

from __future__ import annotations

from typing import Any

import pytest

from assay.scoring.components.final_out import share, structured_result
from assay.scoring.matcher_forms import Reader
from assay.scoring.matchers import Sight
from tests.scoring.making import kinds, pieces, run, score

FEE = {"id": "fee", "any_of": ["12 EUR", "twelve euros"]}


def turns(*answers: str | None) -> dict[str, Any]:
    return {"turns": [{"answer": answer} for answer in answers], "final_answer": answers[-1]}


@pytest.mark.parametrize(
    ("label", "answer", "outcome", "what"),
    [
        ({"acceptable_answers": ["Lyon", "Lyon, France"]}, "LYON, France.", "passed", []),
        ({"acceptable_answers": ["Lyon", "Lyon, France"]}, "France", "failed",
         ["answer_not_accepted"]),
        ({"acceptable_answers": ["Lyon"]}, None, "failed", ["no_answer"]),
        ({"acceptable_answers": ["Lyon"]}, "", "failed", ["answer_not_accepted"]),
        ({"acceptable_answers": [""]}, "", "failed", ["answer_not_accepted"]),
        ({"acceptable_answers": ["not Lyon"]}, "not Lyon", "passed", []),
        ({"facts": [FEE]}, "It costs €12.", "passed", []),
        ({"facts": [FEE]}, "It costs Twelve  Euros", "passed", []),
        ({"facts": [FEE]}, "It costs €13.", "failed", ["fact_missing"]),
        ({"facts": [FEE]}, "It does not cost €12.", "not_evaluated", ["negation"]),
        ({"facts": [FEE]}, None, "failed", ["fact_missing"]),
        ({"facts": [FEE, {"id": "b", "any_of": ["x"]}]}, "€12", "failed", ["fact_missing"]),
        ({"must_not_state": [FEE]}, "It costs €13.", "passed", []),
        ({"must_not_state": [FEE]}, "It costs €12.", "failed", ["must_not_state"]),
        ({"must_not_state": [FEE]}, "It does not cost €12.", "not_evaluated", ["negation"]),
        ({"must_not_state": [FEE]}, None, "passed", []),
        ({"facts": [FEE], "must_not_state": [{"id": "no", "any_of": ["sorry"]}]},
         "€12, sorry", "failed", ["must_not_state"]),
        ({"final_out": {"fee": 12}}, '{"fee": 12.0}', "passed", []),
        ({"final_out": {"fee": 12}}, 'Here:\n```json\n{"fee": "€12"}\n```\nBye', "passed", []),
        ({"final_out": {"fee": 12}}, 'see [1]: {"fee": 12} as asked', "passed", []),
        ({"final_out": {"fee": 12}}, "It costs 12", "failed", ["no_structured_result"]),
        ({"final_out": {"fee": 12}}, '{"fee": 13}', "failed", ["result_differs", "result_value"]),
        ({"final_out": {"fee": 12}}, '{"fee": 12, "more": 1}', "failed",
         ["result_differs", "result_value"]),
        ({"final_out": {"fee": {"$any": True}}}, '{"fee": null}', "passed", []),
        ({"final_out": "12 EUR"}, "€12.00.", "passed", []),
        ({"final_out": 12}, "12.0", "passed", []),
        ({"final_out": 12}, "€12", "passed", []),
        ({"final_out": 12}, "about 12", "failed", ["result_differs", "result_value"]),
        ({"final_out": {"when": {"$relative": "tomorrow"}}}, '{"when": "2026-08-20"}',
         "not_evaluated", ["result_unknown", "result_value"]),
    ],
)  # fmt: skip
def test_outcome(label: Any, answer: str | None, outcome: str, what: list[str]) -> None:
    result = score(label, run([], answer))
    assert (result.outcome, kinds(result)) == (outcome, what)
    assert [part.component for part in result.components] == ["outcome"]


def test_every_part_that_is_present_must_hold() -> None:
    label = {"acceptable_answers": ["It is 12 EUR"], "facts": [FEE], "must_not_state": [
        {"id": "x", "any_of": ["13 EUR"]}]}  # fmt: skip
    result = score(label, run([], "It is €12"))
    assert result.outcome == "passed"
    assert kinds(result, good=True) == ["answer_accepted", "fact_stated", "not_stated"]
    assert score(label, run([], "Well, it is €12")).outcome == "failed"


def test_the_deciding_words_are_shown() -> None:
    result = score({"facts": [FEE]}, run([], "x " * 60 + "The fee is €12 in all. " + "y " * 60))
    [piece] = pieces(result)
    assert piece.observed is not None
    assert "The fee is €12 in all" in piece.observed
    assert piece.observed.startswith("…")


def test_without_a_turn_a_fact_holds_for_the_conversation() -> None:
    said_before = run(**turns("It costs €12.", "Bye!"))
    result = score({"facts": [FEE]}, said_before)
    assert result.outcome == "passed"
    assert pieces(result)[0].turn == 0
    assert score({"must_not_state": [FEE]}, said_before).outcome == "failed"
    assert score({"acceptable_answers": ["It costs €12."]}, said_before).outcome == "failed"


def test_a_turn_is_that_turn() -> None:
    observed = run(**turns("It costs €12.", "Bye!"))
    assert score({"facts": [{**FEE, "turn": 0}]}, observed).outcome == "passed"
    assert score({"facts": [{**FEE, "turn": 1}]}, observed).outcome == "failed"
    assert score({"facts": [{**FEE, "turn": 7}]}, observed).outcome == "failed"
    assert score({"must_not_state": [{**FEE, "turn": 1}]}, observed).outcome == "passed"


def test_what_a_format_cannot_carry() -> None:
    blind = run([], None, unknown=["final_answer", "answer"])
    for label in ({"facts": [FEE]}, {"must_not_state": [FEE]}, {"acceptable_answers": ["x"]},
                  {"final_out": {"a": 1}}):  # fmt: skip
        assert score(label, blind).outcome == "not_evaluated"
    seen = run(turns=[{"answer": "€12"}, {}], final_answer=None, unknown=["final_answer"])
    assert score({"facts": [FEE]}, seen).outcome == "passed"
    assert score({"must_not_state": [FEE]}, seen).outcome == "failed"
    last = run([], "Bye", turns=[{}, {}], unknown=["answer"])
    assert score({"facts": [FEE]}, last).outcome == "not_evaluated"
    assert score({"acceptable_answers": ["Bye"]}, last).outcome == "passed"
    assert score({"facts": [{**FEE, "turn": 0}]}, last).outcome == "not_evaluated"


def test_numbers_and_negations_follow_the_language() -> None:
    label = {"facts": [{"id": "fee", "any_of": ["1.234,50 EUR"]}]}
    assert score(label, run([], "Es sind 1234,5 €."), language="de").outcome == "passed"
    assert score(label, run([], "Es sind keine 1234,5 €."), language="de").outcome == (
        "not_evaluated"
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        (' ["a"] ', ["a"]),
        ("```\n[1]\n```\nthen\n```json\n[2]\n```", [2]),
        ('x [1] y {"a": [2, 3]} z', {"a": [2, 3]}),
        ("nothing", None),
        ("{broken", None),
        ('{"a": 1, "a": 2}', None),
        ("12", None),
        ("[" * 5000, None),
    ],
)
def test_where_a_structured_result_stands(text: str, value: Any) -> None:
    assert structured_result(text) == value


@pytest.mark.parametrize(
    ("expected", "value", "ratio"),
    [
        ({"codes": {"$set": ["a", "b", "c", "d", "e"]}}, {"codes": ["a", "c", "e"]}, (3, 5)),
        ({"codes": {"$set": ["a", "b"]}}, {"codes": ["a", "x", "y"]}, (1, 4)),
        ({"a": 1, "b": {"c": 2}}, {"a": 1, "b": {"c": 3}}, (1, 2)),
        ({"a": 1}, {"a": 1, "b": {"c": 2, "d": 3}}, (1, 3)),
        ([1, 2], [1], (1, 2)),
        ({}, {}, (1, 1)),
        ({"a": 1}, [1], (0, 1)),
    ],
)
def test_share_of_leaves(expected: Any, value: Any, ratio: tuple[int, int]) -> None:
    assert share(Reader(prose=True).read(expected), value, Sight()) == ratio
