"""Matchers of labels: what they accept, what is wrong with them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.scoring.differences import differences
from assay.scoring.instances import instance, other
from assay.scoring.matcher_forms import COMPANIONS, Reader, matcher_problems
from assay.scoring.matchers import Answer, Sight
from tests.scoring.test_values import VALUES

DAY = "2026-08-19"


def test(expected: Any, observed: Any, **options: Any) -> Answer:
    prose = options.pop("prose", False)
    unordered = options.pop("unordered", False)
    sight = Sight(**{"reference_date": DAY, **options})
    node = Reader(prose=prose, unordered=unordered).read(expected)
    answer = node.test(observed, sight)
    found = differences(node, observed, sight)
    assert (not found) == (answer is True)
    assert any(difference.certain for difference in found) == (answer is False)
    return answer


test.__test__ = False  # type: ignore[attr-defined]

NUMBER = {"$number": "41.90", "tolerance": "0.05", "unit": "EUR"}
NEXT = {"$relative": "next monday 09:30"}
BERLIN = {"zone": "Europe/Berlin"}


@pytest.mark.parametrize(
    ("expected", "observed"),
    [
        (40, Decimal("40.0")),
        ({"a": [1, {"b": None}]}, {"a": [Decimal("1.00"), {"b": None}]}),
        ({"$any": True}, None),
        ({"$any": True}, {"x": 1}),
        ({"$one_of": ["a", 2, {"$number": 5}]}, Decimal("5.0")),
        ({"$number": "41.90"}, Decimal("41.9")),
        ({"$number": Decimal("41.90")}, Decimal("41.9")),
        (NUMBER, Decimal("41.95")),
        (NUMBER, Decimal("41.85")),
        (NUMBER, "41.90 EUR"),
        (NUMBER, "€41.94"),
        ({"$set": ["a", "b"]}, ["b", "a", "a"]),
        ({"$multiset": ["a", "b", "a"]}, ["a", "a", "b"]),
        ({"$multiset": [{"$any": True}, 1]}, [1, "x"]),
        ({"$multiset": [{"$any": True}, 1]}, ["x", 1]),
        ({"$set": []}, []),
        ({"$date": "2026-08-24"}, "2026-08-24"),
        ({"$date": "2026-08-24"}, "2026-08-24T23:30:00Z"),
        ({"$date": "2026-08-25", **BERLIN}, "2026-08-24T23:30:00Z"),
        ({"$date": "2026-08-24", **BERLIN}, "2026-08-24T23:30"),
        ({"$instant": "2026-08-24T09:30:00+02:00"}, "2026-08-24T07:30:00.000Z"),
        ({"$instant": "2026-08-24T09:30", **BERLIN}, "2026-08-24T07:30Z"),
        ({"$instant": "2026-08-24T09:30", **BERLIN}, "2026-08-24T09:30"),
        ({"$instant": "2026-08-24T09:30Z", "tolerance": 60}, "2026-08-24T09:31Z"),
        (NEXT, "2026-08-24T09:30"),
        (NEXT, "2026-08-24 09:30:00"),
        (NEXT, "2026-08-24T09:30:00+05:00"),
        ({**NEXT, **BERLIN}, "2026-08-24T07:30:00Z"),
        ({"$relative": "tomorrow"}, "2026-08-20"),
        ({"$literal": {"$any": True}}, {"$any": True}),
        ({"to": {"$any": True}, "n": 1}, {"n": 1, "to": "x"}),
        ([{"$any": True}, 2], [1, 2]),
    ],
)
def test_what_matches(expected: Any, observed: Any) -> None:
    assert matcher_problems(expected) == []
    assert test(expected, observed) is True


@pytest.mark.parametrize(
    ("expected", "observed"),
    [
        (40, "40"),
        ("40", 40),
        (1, True),
        (None, ""),
        ({"a": 1}, {"a": 1, "b": 2}),
        ([1, 2], [2, 1]),
        ({"$one_of": ["a", 2]}, "b"),
        (NUMBER, Decimal("41.951")),
        (NUMBER, "41.90 USD"),
        (NUMBER, "41.90"),
        (NUMBER, "about 41.90 EUR"),
        (NUMBER, True),
        (NUMBER, None),
        ({"$number": 5}, "5"),
        ({"$set": ["a", "b"]}, ["a"]),
        ({"$set": ["a"]}, ["a", "b"]),
        ({"$set": ["a"]}, "a"),
        ({"$multiset": ["a", "b"]}, ["a", "b", "b"]),
        ({"$multiset": [{"$any": True}, 1]}, ["x", "y"]),
        ({"$date": "2026-08-24"}, "2026-08-25"),
        ({"$date": "2026-08-24"}, "24.08.2026"),
        ({"$date": "2026-08-24"}, 20260824),
        ({"$instant": "2026-08-24T09:30:00+02:00"}, "2026-08-24T09:30:00"),
        ({"$instant": "2026-08-24T09:30:00+02:00"}, "2026-08-24"),
        (NEXT, "2026-08-24"),
        (NEXT, "2026-08-19T09:30"),
        ({**NEXT, **BERLIN}, "2026-08-24T09:30:00Z"),
        ({"to": {"$any": True}}, {}),
        ({"to": {"$any": True}}, {"to": 1, "more": 2}),
        ([{"$any": True}], [1, 2]),
        ([{"$any": True}], {"0": 1}),
    ],
)
def test_what_does_not(expected: Any, observed: Any) -> None:
    assert test(expected, observed) is False


def test_a_missing_reference_date_is_no_failure() -> None:
    assert test(NEXT, "2026-08-24T09:30", reference_date=None) is None
    assert test({"a": NEXT, "b": 1}, {"a": "x", "b": 2}, reference_date=None) is False
    assert test({"$one_of": [NEXT, "x"]}, "x", reference_date=None) is True
    assert test({"$one_of": [NEXT, "x"]}, "y", reference_date=None) is None


def test_patterns() -> None:
    pytest.importorskip("re2", reason="google-re2 is not installed")
    assert matcher_problems({"$pattern": "RMA-[0-9]{4}"}) == []
    assert test({"$pattern": "RMA-[0-9]{4}"}, "RMA-0042") is True
    assert test({"$pattern": "RMA-[0-9]{4}"}, "my RMA-0042") is False
    assert test({"$pattern": "[0-9]+"}, 42) is False
    assert test({"$pattern": "(a|a)*b"}, "a" * 50_000) is False
    assert test({"$pattern": "\\p{L}+"}, "größe") is True
    [problem] = matcher_problems({"x": {"$pattern": "(?<=a)b"}})
    assert problem.pointer == "/x/$pattern"
    assert "RE2" in problem.hint
    assert test({"$pattern": "("}, "x") is None


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        (40, "40.0"),
        (True, "TRUE"),
        (None, "null"),
        ([1, 2], "[1, 2.0]"),
        ({"a": 1}, '{"a": 1}'),
        ({"$number": 40, "tolerance": 1}, "41"),
        ({"$set": [1, 2]}, "[2, 1]"),
    ],
)
def test_texts_stand_for_values_where_the_format_has_texts_only(expected: Any, text: str) -> None:
    assert test(expected, text) is False
    assert test(expected, text, as_text=True) is True
    sight = Sight(as_text=True)
    Reader().read(expected).test(text, sight)
    assert sight.leniency_used


def test_text_in_a_text_format_is_still_text() -> None:
    assert test("40", "40.0", as_text=True) is False
    assert test(40, "40 EUR", as_text=True) is False
    assert test(True, "1", as_text=True) is False


@pytest.mark.parametrize(
    ("expected", "observed", "matches"),
    [
        ("Lyon", "lyon.", True),
        ("41.90 EUR", "€41.90", True),
        ("41.90", Decimal("41.9"), True),
        (Decimal("41.9"), "41.90 EUR", True),
        (170, "000000170", False),
        ("000000170", 170, False),
        ("000000170", "000000170", True),
        ("41.90 EUR", "41.90 USD", False),
        ({"a": ["Lyon"]}, {"a": ["LYON"]}, True),
        (True, "true", False),
    ],
)
def test_structured_results_compare_as_answers_do(
    expected: Any, observed: Any, matches: bool
) -> None:
    assert test(expected, observed, prose=True) is matches


def test_unordered_at_every_depth() -> None:
    rows = [{"tags": [2, 1], "k": 1}, {"tags": [], "k": 2}]
    assert test([{"k": 2, "tags": []}, {"k": 1, "tags": [1, 2]}], rows, unordered=True) is True
    assert test([{"k": 2, "tags": []}, {"k": 1, "tags": [1, 1]}], rows, unordered=True) is False
    mixed = [{"k": {"$any": True}, "tags": []}, {"k": 1, "tags": [1, 2]}]
    assert test(mixed, rows, unordered=True) is True
    # A list below a multiset keeps its order where nothing says otherwise.
    assert test({"$multiset": [[1, 2]]}, [[2, 1]]) is False


def test_references() -> None:
    def earlier(before: int, tool: str, source: str, pointer: str) -> list[Any] | None:
        return {("find", "result", "/id"): ["A", "B"], ("find", "arguments", ""): None}[
            tool, source, pointer
        ]

    ref = {"$ref": "find", "pointer": "/id"}
    assert test(ref, "B", earlier=earlier) is True
    assert test(ref, "C", earlier=earlier) is False
    assert test({"$ref": "find", "from": "arguments"}, "C", earlier=earlier) is None
    assert test(ref, "B") is None


@pytest.mark.parametrize(
    ("value", "pointer"),
    [
        ({"$numbr": 1}, ""),
        ({"$number": 1, "$any": True}, ""),
        ({"$number": 1, "tolerence": 1}, "/tolerence"),
        ({"$number": "a lot"}, "/$number"),
        ({"$number": True}, "/$number"),
        ({"$number": 1, "tolerance": "-1"}, "/tolerance"),
        ({"$number": 1, "unit": "smoot"}, "/unit"),
        ({"$number": "1e99999"}, "/$number"),
        ({"$one_of": []}, "/$one_of"),
        ({"$one_of": "ab"}, "/$one_of"),
        ({"$set": {"a": 1}}, "/$set"),
        ({"$multiset": "ab"}, "/$multiset"),
        ({"$pattern": 5}, "/$pattern"),
        ({"$date": "24.08.2026"}, "/$date"),
        ({"$date": "2026-08-24T10:00"}, "/$date"),
        ({"$date": "2026-08-24", "zone": "Mars/Base"}, "/zone"),
        ({"$instant": "2026-08-24"}, "/$instant"),
        ({"$instant": "2026-08-24T09:30"}, "/$instant"),
        ({"$instant": "2026-10-25T02:30", **BERLIN}, "/$instant"),
        ({"$instant": "2026-03-29T02:30", **BERLIN}, "/$instant"),
        ({"$relative": "some day"}, "/$relative"),
        ({"$ref": ""}, "/$ref"),
        ({"$ref": "find", "from": "thin air"}, "/from"),
        ({"$ref": "find", "pointer": "id"}, "/pointer"),
        ({"$any": 5}, "/$any"),
    ],
)
def test_problems(value: Any, pointer: str) -> None:
    [problem] = matcher_problems({"deep": [value]})
    assert problem.pointer == f"/deep/0{pointer}"
    assert problem.message
    assert problem.hint
    assert test(value, "x") is None


def test_a_typo_is_met_with_the_right_name() -> None:
    [problem] = matcher_problems({"$numbr": 1})
    assert "did you mean `$number`?" in problem.hint


def test_literals_have_no_problems() -> None:
    assert matcher_problems({"a": [1, "x", {"b": None}], "number": 1}) == []


@given(VALUES, VALUES)
def test_a_literal_tests_as_its_differences_say(expected: Any, observed: Any) -> None:
    test(expected, observed)
    test(expected, observed, unordered=True)
    test(expected, observed, prose=True)


@given(VALUES)
def test_a_literal_matches_itself_and_nothing_changed(value: Any) -> None:
    assert test(value, value) is True
    assert test(value, value, unordered=True) is True
    assert test(value, other(value)) is False


@given(
    st.dictionaries(st.sampled_from([*COMPANIONS, "$x", "a", "zone", "unit"]), VALUES, max_size=3)
)
def test_any_object_can_be_read(value: dict[str, Any]) -> None:
    if "$pattern" in value:
        pytest.importorskip("re2")
    for problem in matcher_problems(value):
        assert problem.message
    test(value, "x")


@pytest.mark.parametrize(
    "expected", [NUMBER, NEXT, {"$one_of": [1, 2]}, {"$set": [1, NUMBER]}, {"$any": True},
                 {"$multiset": [1]}, {"$date": "2026-08-24"}, [1, {"a": NUMBER}]]
)  # fmt: skip
def test_an_instance_matches(expected: Any) -> None:
    assert test(expected, instance(expected, DAY)) is True
