"""Text form, and where one token ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.scoring.text import Prose
from assay.scoring.text_form import fold, glued, is_word, token_at


def form(text: str) -> str:
    return fold(text)[1]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("na\u00efve", "nai\u0308ve"),
        ("Zürich", "ZÜRICH"),
        ("gro\u00df", "GROSS"),
        ("\uff21\uff11\uff0c", "a1,"),
        ("\u201cit\u2019s\u201d", '"it\'s"'),
        ("7\u20139", "7-9"),
        ("a\u2014b", "a-b"),
        ("\u22124", "-4"),
        ("no\u200bblank\u00ad\ufeff", "noblank"),
        ("a\u00a0b\t\n c", "a b c"),
        ("  end.  ", "end"),
        ("end\u3002", "end"),
        ("line\u2028two", "line two"),
    ],
)
def test_texts_that_have_one_form(one: str, other: str) -> None:
    assert form(one) == form(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("m\u00b2", "m2"), ("cote", "côté"), ("end..", "end"), ("a,b", "a b"), ("a\u2083", "a3")],
)
def test_texts_that_differ(one: str, other: str) -> None:
    assert form(one) != form(other)


@pytest.mark.parametrize("text", ["", " ", ".", "\u200b", "\u3002", " . "])
def test_the_empty_text_equals_nothing(text: str) -> None:
    assert not Prose(text)
    assert not Prose(text).equals(Prose(text))
    assert Prose("anything").occurrences(Prose(text)) == []


@given(st.text())
def test_both_foldings_have_one_length(text: str) -> None:
    cased, folded = fold(text)
    assert len(cased) == len(folded)
    assert "\n" not in folded
    assert folded == folded.strip()


@given(st.text())
def test_folding_again_only_drops_full_stops(text: str) -> None:
    once = fold(text)[1]
    again = fold(once)[1]
    assert once.startswith(again)
    assert set(once[len(again) :]) <= set(".\u3002\uff61 ")


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("AHU-1, AHU-12", ["AHU-1", "AHU-12"]),
        ("non-refundable", ["non-refundable"]),
        ("ana@example.org.", ["ana@example.org"]),
        ("it's can't O'Neil", ["it", "s", "can't", "O", "Neil"]),
        ("C++, C# and A+", ["C++", "C#", "and", "A+"]),
        ("done.The end", ["done", "The", "end"]),
        ("v1.2 at 09:30", ["v1.2", "at", "09:30"]),
        ("one/two 3/4", ["one", "two", "3/4"]),
        ("dash\u2014dash", ["dash", "dash"]),
        ("退款40元", ["退", "款", "40", "元"]),
        ("snake_case", ["snake_case"]),
    ],
)
def test_tokens(text: str, tokens: list[str]) -> None:
    cased = fold(text)[0]
    found = []
    place = 0
    while place < len(cased):
        if not is_word(cased[place]):
            place += 1
            continue
        end = place + 1
        while glued(cased, end):
            end += 1
        found.append(cased[place:end])
        place = end
    assert found == tokens


@given(st.text(alphabet="aA0nNtT1 _.,:/'@-+#\n", max_size=12), st.data())
def test_the_pattern_of_a_token_says_what_glued_says(text: str, data: st.DataObject) -> None:
    cased = fold(text)[0]
    words = [place for place, char in enumerate(cased) if is_word(char)]
    if not words:
        return
    place = data.draw(st.sampled_from(words))
    start, end = place, place + 1
    while glued(cased, start):
        start -= 1
    while glued(cased, end):
        end += 1
    assert token_at(cased, place) == (start, end)
