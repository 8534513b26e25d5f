"""H03 answers with commas, H36 whole tokens, H37 Unicode forms, H05 kinds of numbers."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tests.scoring.making import call, run, score
from tests.situations.given import load

# -- H03 ------------------------------------------------------------------------------------------


def accepted(answers: list[str], said: str) -> bool:
    return score({"acceptable_answers": answers}, run([], said)).outcome == "passed"


@pytest.mark.parametrize(
    ("said", "good"),
    [
        ("Graz", True),
        ("GRAZ", True),
        ("Graz, Styria", True),
        (" graz,  styria . ", True),
        ("Styria", False),
        ("Graz, Linz", False),
        ("Graz Styria", False),
        ("", False),
        (".", False),
    ],
)
def test_a_comma_is_part_of_an_answer(said: str, good: bool) -> None:
    assert accepted(["Graz", "Graz, Styria"], said) is good


@pytest.mark.data
def test_given_answers() -> None:
    answers = load("03", "truth.json")["acceptable_answers"]
    expected = load("03", "expected.json")
    assert {said: accepted(answers, said) for said in load("03", "answers.json")} == expected


# -- H36 ------------------------------------------------------------------------------------------


def stated(fact: str, said: str) -> bool:
    label = {"facts": [{"id": "f", "any_of": [fact]}]} if fact else {"acceptable_answers": [fact]}
    return score(label, run([], said)).outcome == "passed"


@pytest.mark.parametrize(
    ("fact", "said", "good"),
    [
        ("55", "The parcel is 00000055.", False),
        ("00000055", "The parcel is 00000055.", True),
        ("7", "There are 17 of them", False),
        ("7", "There are 7 of them", True),
        ("0", "errors: 0. Checked: all", True),
        ("2004", "4", False),
        ("Bern, Switzerland", "e", False),
        ("Bern", "That would be Bern.", True),
        ("Bern", "Bernese food", False),
        ("12", "12 litres", True),
        ("FAN-2", "FAN-23 is down", False),
        ("FAN-2", "FAN-2, FAN-3", True),
        ("C#", "in C#.", True),
        ("x", "", False),
    ],
)
def test_a_fact_is_stated_in_whole_tokens(fact: str, said: str, good: bool) -> None:
    assert stated(fact, said) is good


@pytest.mark.data
def test_given_tokens() -> None:
    found = [stated(fact, said) for fact, said in load("36", "pairs.json")]
    assert found == load("36", "expected.json")


# -- H37 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "said", "good"),
    [
        ("Tromsø", "TROMS\u00d8", True),
        ("\u00e0 la carte", "a\u0300 la carte", True),
        ("8 bar", "8\u00a0bar", True),
        ("don't", "don\u2019t", True),
        ("\uff14\uff12", "42", True),
        ("\u03a9", "\u2126", True),
        ("weiss", "wei\u00df", True),
        ("uber", "über", False),
        ("\u00b5", "\u03bc", True),
        ("r\u00b3", "r3", False),
        ("p-q", "p\u2013q", True),
        ("p\u200bq", "pq", True),
        ("\u0130zmir", "izmir", False),
    ],
)
def test_texts_that_look_alike_are_alike(label: str, said: str, good: bool) -> None:
    assert accepted([label], said) is good


@pytest.mark.data
def test_given_unicode_forms() -> None:
    found = [accepted([label], said) for label, said in load("37", "pairs.json")]
    assert found == load("37", "expected.json")


# -- H05 ------------------------------------------------------------------------------------------


def argument(label: Any, observed: Any) -> bool:
    """Whether an argument, and the same value in the final state, are as the label says."""
    asked = {
        "required_tools": [{"tool": "set", "args": {"value": label}}],
        "state": [{"path": "/value", "equals": label}],
    }
    result = score(asked, run([call("set", value=observed)], final_state={"value": observed}))
    one, other = result.components
    assert one.outcome == other.outcome
    return result.outcome == "passed"


@pytest.mark.parametrize(
    ("label", "observed", "good"),
    [
        ([7, 8], [Decimal("7.0"), Decimal("8.00")], True),
        (1, True, False),
        (True, 1, False),
        ("3", 3, False),
        (0, False, False),
        (None, "", False),
        (None, 0, False),
        (Decimal("2000.0"), 2000, True),
        (Decimal("0.3"), Decimal("0.30"), True),
        (9007199254740993, 9007199254740992, False),
        ({"x": 1, "y": [2]}, {"y": [2], "x": 1}, True),
        ([1, 2], [2, 1], False),
        ([1, 2], [1, 2, 2], False),
        ("Q", "q", False),
    ],
)
def test_numbers_are_compared_by_value_and_kinds_never_mix(
    label: Any, observed: Any, good: bool
) -> None:
    assert argument(label, observed) is good


def test_text_is_a_number_only_where_the_format_has_nothing_else() -> None:
    asked = {"required_tools": [{"tool": "set", "args": {"value": 40}}]}
    made = [call("set", value="40")]
    assert score(asked, run(made)).outcome == "failed"
    lenient = score(asked, run(made, arguments_as_text=True))
    assert lenient.outcome == "passed"
    assert lenient.notes != ()


@pytest.mark.data
def test_given_numbers() -> None:
    found = [argument(pair["label"], pair["observed"]) for pair in load("05", "pairs.json")]
    assert found == load("05", "expected.json")
