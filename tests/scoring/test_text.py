"""Facts: containment of whole tokens, and negation in the same clause."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.scoring.text import Prose, states


def told(fact: str, answer: str, language: str = "en") -> str:
    """``stated``, ``negated`` or ``missing``."""
    found = states(Prose(answer, language), (Prose(fact, language),))
    if found.stated:
        return "stated"
    return "negated" if found.span else "missing"


@pytest.mark.parametrize(
    ("fact", "answer"),
    [
        ("12 EUR", "You get €12.00 back."),
        ("12 EUR", "You get **12** back."),
        ("12", "You get 12 EUR back."),
        ("a fee of 12 EUR", "There is a fee of EUR 12."),
        ("between 10 and 20", "somewhere between 10.0 and 20 units"),
        ("order 0012", "Order 0012: shipped"),
        ("0012", "#0012"),
        ("PMP-4", "PMP-4/PMP-5"),
        ("pump", "The pump's filter"),
        ("Lyon, France", "He lives in Lyon, France."),
        ("shipped.", "It was shipped yesterday"),
        ("C#", "I know C#, and Go"),
        ("14 days", "a 14-day window"),
        ("退款", "全额退款已完成"),
        ("40元", "共40元。"),
        ("서울", "서울은 수도입니다"),
        ("10-20", "from 10\u201320 on"),
        ("not refundable", "It is not refundable."),
        ("no fee", "There is no fee."),
        ("30 November", "until 30 November 2026"),
        ("2026", "until November 2026"),
        ("30 EUR", "a fee of 30 may apply"),
        ("5 million EUR", "about 5 million EUR"),
    ],
)
def test_stated(fact: str, answer: str) -> None:
    assert told(fact, answer) == "stated"


@pytest.mark.parametrize(
    ("fact", "answer"),
    [
        ("12", "There are 112 units"),
        ("30 days", "Return it until November 30."),
        ("30 days", "Return it by 30 Nov. 2026."),
        ("30 days", "open on 28-30 May"),
        ("5 EUR", "It comes to 5 million."),
        ("5 EUR", "It comes to 5 thousand EUR."),
        ("12", "There are 12.5 units"),
        ("12", "on 2026-12-01"),
        ("12", "order 12-B"),
        ("12", "order 0012"),
        ("12", "1,012 units"),
        ("12", "5-12 units"),
        ("12", "-12 °C"),
        ("PMP-4", "PMP-41"),
        ("PMP", "PMP-4"),
        ("refundable", "non-refundable"),
        ("refund", "refunds"),
        ("can", "You can't."),
        ("C", "written in C++"),
        ("example", "see example.org"),
        ("12 EUR", "12 USD"),
        ("12 EUR", "costs 12 EUR/month"),
        ("Lyon, France", "Lyon"),
        ("cafe", "the café"),
        ("x2", "x\u00b2"),
        ("order 12", "border 12"),
        ("12 units", "12 units2"),
    ],
)
def test_missing(fact: str, answer: str) -> None:
    assert told(fact, answer) == "missing"


@pytest.mark.parametrize(
    ("fact", "answer"),
    [
        ("12 EUR", "You do not get 12 EUR."),
        ("12 EUR", "You won't get 12 EUR"),
        ("12 EUR", "You won\u2019t get 12 EUR"),
        ("12 EUR", "12 EUR are never paid out"),
        ("12 EUR", "Neither 12 EUR nor more"),
        ("12 EUR", "It is not, as you said, a 12 EUR fee"),
        ("12 EUR", "It is not (as you said) a 12 EUR fee"),
        ("fees", "We do not refund shipping, taxes, or fees."),
        ("12 EUR", "It is not approx. 12 EUR"),
        ("not refundable", "It is never not refundable"),
        ("refund", "Without a refund, we close the case"),
        ("12 EUR", "cannot be 12 EUR"),
        ("12 EUR", "isnt 12 EUR"),
        ("30 days", "There is no discount for men within 30 days."),
        ("30 days", "We do not sell ale within 30 days."),
        ("5 EUR", "The fee is not, however, 5 EUR."),
        ("30 days", "It is not though 30 days."),
    ],
)
def test_negated(fact: str, answer: str) -> None:
    assert told(fact, answer) == "negated"


@pytest.mark.parametrize(
    ("fact", "answer"),
    [
        ("12 EUR", "You can't cancel. You get 12 EUR."),
        ("12 EUR", "You can't cancel; you get 12 EUR."),
        ("12 EUR", "You can't cancel\n12 EUR are yours"),
        ("12 EUR", "You get 12 EUR, not 30 EUR."),
        ("12 EUR", "It is not 30 but 12 EUR."),
        ("12 EUR", "You cannot cancel, however you get 12 EUR"),
        ("12 EUR", "No, 12 EUR."),
        ("12 EUR", "You get 12 EUR (not more)."),
        ("12 EUR", "You get 12 EUR \u2014 nothing else is due"),
        ("12", "Invoice no. 12 is paid"),
        ("12 EUR", "He knows another way: 12 EUR"),
        ("12 EUR", "It is not 12 EUR. Correction: you do get 12 EUR."),
        ("30 days", "No, however, 30 days are fine."),
    ],
)
def test_a_negation_in_another_clause_is_none(fact: str, answer: str) -> None:
    assert told(fact, answer) == "stated"


@pytest.mark.parametrize(
    ("language", "fact", "answer"),
    [
        ("de", "12 EUR", "Sie erhalten keine 12 EUR"),
        ("de", "12 EUR", "Das sind nicht 12 EUR"),
        ("fr", "12 EUR", "Ce n'est pas 12 EUR"),
        ("fr", "12 EUR", "n'atteint 12 EUR"),
        ("es", "12 EUR", "Nunca fueron 12 EUR"),
        ("zh", "12元", "不是12元"),
        ("ja", "12円", "12円ではありません"),
        ("ru", "12 EUR", "Это не 12 EUR"),
        ("de", "12 EUR", "It is not 12 EUR"),
        ("xx", "12 EUR", "nicht 12 EUR"),
        ("xx", "12 EUR", "pas 12 EUR"),
        ("nn-NO", "12 EUR", "ikke 12 EUR"),
    ],
)
def test_negation_by_language(language: str, fact: str, answer: str) -> None:
    assert told(fact, answer, language) == "negated"


def test_words_of_another_language_do_not_negate() -> None:
    assert told("12 EUR", "Die Annonce: nicht 12 EUR", "en") == "stated"


def test_any_wording_is_enough_and_a_plain_one_beats_a_negated_one() -> None:
    answer = Prose("It was not refused. It was paid.")
    found = states(answer, (Prose("refused"), Prose("paid")))
    assert found.stated
    assert found.wording == "paid"


WORDS = st.sampled_from(["pump", "order", "12", "7.5 kW", "AHU-1", "€3", "ok", "not", "(x)", "a,"])


@given(st.lists(WORDS, min_size=1, max_size=4), st.lists(WORDS, max_size=4))
def test_a_text_contains_each_run_of_its_own_words(some: list[str], more: list[str]) -> None:
    fact = Prose(" ".join(some))
    answer = Prose(" ".join([*more, *some, *more]))
    assert fact.quantities or answer.occurrences(fact)
    if not more:
        assert answer.equals(fact)
        assert answer.occurrences(fact)


@given(st.text(max_size=30), st.text(max_size=80), st.sampled_from(["en", "de", "zh", "xx"]))
def test_any_fact_can_be_looked_for_in_any_answer(fact: str, answer: str, language: str) -> None:
    one, other = Prose(fact, language), Prose(answer, language)
    for span in other.occurrences(one):
        assert 0 <= span.start < span.end <= len(other.form)
        other.negated(span, one)
    assert one.equals(other) == other.equals(one)
    if one.equals(other):
        assert other.equals(one)


@given(
    st.text(alphabet="0123456789.,' e-+€%", max_size=14),
    st.text(alphabet="0123456789.,' e-+€%a", max_size=30),
    st.sampled_from(["en", "de", "fr"]),
)
def test_no_number_is_overlooked_for_its_spelling(fact: str, answer: str, language: str) -> None:
    one, other = Prose(fact, language), Prose(answer, language)
    if len(one.quantities) != 1 or any(one.pieces):
        return
    wanted = one.quantities[0]
    assert len(other.occurrences(one)) == sum(wanted.same_as(q) for q in other.quantities)
