"""The parts of rules that decide about values: wording, literals, arguments, sources, rationale."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assay.checks.arguments import argument_problems
from assay.checks.examples import example_run
from assay.checks.expectations import ENOUGH, criteria
from assay.checks.literals import contradictions
from assay.checks.runner import world_of
from assay.checks.schemas import plainly_fits, refusals, schema_problem, types_of
from assay.checks.sources import agreement
from assay.checks.wording import clock_words
from assay.ledger.repository import Repository
from assay.models.case import EvalCase
from tests.ledger.test_renames import record as plain_record
from tests.support import case, finish, make_repository, record


@pytest.mark.parametrize(
    ("text", "language", "word"),
    [
        ("What is open today?", "en", "today"),
        ("Book it for NEXT  Monday 09:30.", "en", "NEXT Monday"),
        ("I bought it 3 days ago.", "en", "3 days ago"),
        ("Is it on right now?", "en", "right now"),
        ("It just arrived.", "en", "just arrived"),
        ("The latest invoice, please.", "en", "latest"),
        ("I know nothing of currents.", "en", ""),
        ("Nowhere, nowadays-like", "en", "nowadays"),
        ("On 2026-09-18 I paid.", "en", ""),
        ("Monday's letter", "en", ""),
        ("today", "de", ""),
        ("Was gilt heute?", "de-AT", "heute"),
        ("in der n\u00e4chsten Woche", "de", "n\u00e4chsten Woche"),
        ("aujourd\u2019hui", "fr", "aujourd'hui"),
        ("la semaine prochaine", "fr", "semaine prochaine"),
        ("hace dos semanas", "es", "hace dos semanas"),
        ("due giorni fa", "it", "due giorni fa"),
        ("volgende week", "nl_BE", "volgende week"),
        ("today", "xx", ""),
        ("", "en", ""),
    ],
)
def test_words_of_the_clock(text: str, language: str, word: str) -> None:
    assert clock_words(text, language) == word


SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "seats": {"type": "integer", "minimum": 1},
        "class": {"type": "string", "enum": ["std", "flex"]},
        "from": {"type": "string"},
        "price": {"type": "number"},
        "when": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "address": {"$ref": "#/$defs/address"},
        "free": {},
        "either": {"type": ["string", "integer"]},
    },
    "required": ["from", "seats"],
    "$defs": {
        "address": {
            "type": "object",
            "properties": {"zip": {"type": "string"}},
            "required": ["zip"],
            "additionalProperties": False,
        }
    },
}


@pytest.mark.parametrize(
    ("args", "wanted"),
    [
        ({"from": "X"}, []),
        ({"seats": 1, "class": "flex"}, []),
        ({"seats": Decimal("2.0")}, []),
        ({"price": 1}, []),
        ({"price": Decimal("1.5")}, []),
        ({"when": None}, []),
        ({"free": [1, {}]}, []),
        ({"either": 3}, []),
        ({"tags": ["a"]}, []),
        ({"address": {"zip": "1010"}}, []),
        ({"seats": "1"}, ['seats: "1" is string, and the schema says integer.']),
        ({"seats": Decimal("1.5")}, ["seats: 1.5 is number, and the schema says integer."]),
        ({"seats": True}, ["seats: true is boolean, and the schema says integer."]),
        ({"seats": 0}, ["seats: 0 is less than the minimum of 1."]),
        ({"rating": 5}, ["`rating` is no argument."]),
        ({"class": "gold"}, ['class: "gold" is not one of "std", "flex".']),
        ({"price": None}, ["price: null is null, and the schema says number."]),
        ({"either": Decimal("1.5")}, ["either: 1.5 is number, and the schema says string or"]),
        ({"tags": ["a", 1]}, ["tags: 1 is integer, and the schema says string."]),
        ({"address": {}}, ["address: 'zip' is a required property."]),
        ({"address": {"zip": "1", "x": 1}}, ["address: Additional properties are not allowed"]),
        # Matchers, as far as it can be decided.
        ({"seats": {"$any": True}}, []),
        ({"seats": {"$one_of": [1, "2"]}}, ['seats: "2" is string']),
        ({"seats": {"$number": "1"}}, []),
        ({"seats": {"$pattern": "1"}}, ["seats: `$pattern` matches string"]),
        ({"from": {"$pattern": "V.*"}}, []),
        ({"from": {"$number": "1", "unit": "EUR"}}, []),
        ({"when": {"$date": "2026-01-01"}}, []),
        ({"tags": {"$set": ["a", 2]}}, ["tags: 2 is integer"]),
        ({"from": {"$set": ["a"]}}, ["from: `$set` matches array"]),
        ({"address": {"$literal": {"zip": 1}}}, ["address: 1 is integer"]),
        ({"seats": {"$ref": "a"}}, []),
        ({"free": {"$set": [1]}}, []),
    ],
)
def test_arguments(args: dict[str, Any], wanted: list[str]) -> None:
    found = [problem.message for problem in argument_problems(SCHEMA, args)]
    assert len(found) == len(wanted), found
    for message, start in zip(found, wanted, strict=True):
        assert message.startswith(start)


@pytest.mark.parametrize(
    "more",
    [{"additionalProperties": True}, {"additionalProperties": {}}, {"patternProperties": {}}],
)
def test_other_arguments_where_the_schema_welcomes_them(more: dict[str, Any]) -> None:
    assert argument_problems({**SCHEMA, **more}, {"rating": 5}) == ()


def test_a_schema_without_properties_says_nothing() -> None:
    assert argument_problems({"type": "object"}, {"a": 1}) == ()


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        (None, ""),
        ({}, ""),
        (SCHEMA, ""),
        ({"type": "array"}, "arguments are an object"),
        ({"properties": {"a": {"type": "money"}}}, "money"),
        ({"properties": []}, "not of type"),
        ([], "no object"),
        ("x", "no object"),
        ({"properties": {"a": {"$ref": "https://example.org/a"}}}, "is not in it"),
        ({"properties": {"a": {"$ref": "#/$defs/a"}}}, "is not in it"),
        ({"properties": {"a": {"$ref": "#"}}}, ""),
    ],
)
def test_schemas(schema: Any, words: str) -> None:
    problem = schema_problem(schema)
    assert (words in problem) if words else problem == ""


SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.sampled_from(["", "a", "std", "1"]),
    st.decimals(-3, 3, places=1),
)  # fmt: skip
PLAIN = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["string", "integer", "number", "boolean", "null"])
        | st.lists(st.sampled_from(["string", "integer"]), min_size=1, max_size=2, unique=True),
        "enum": st.lists(SCALARS, min_size=1, max_size=3),
        "description": st.just("d"),
    },
)


@given(PLAIN, SCALARS)
@example({"enum": [False]}, 0)
@example({"enum": [1]}, True)
def test_the_short_way_never_accepts_what_the_schema_refuses(schema: Any, value: Any) -> None:
    if plainly_fits(schema, value):
        assert list(refusals(schema, schema, value)) == []


def test_types() -> None:
    assert types_of({"type": "string"}) == {"string"}
    assert types_of({"type": ["a", "b"]}) == {"a", "b"}
    assert types_of({"anyOf": [{"type": "string"}, {"type": "null"}]}) == {"string", "null"}
    assert types_of({"anyOf": [{"type": "string"}, {}]}) is None
    assert types_of({"enum": [1, "a", None]}) == {"integer", "string", "null"}
    assert types_of({}) is None
    assert types_of(True) is None


@pytest.mark.parametrize(
    ("wording", "value", "wanted"),
    [
        ("7.5 mm", "7.5", "agrees"),
        ("7.50 mm", Decimal("7.5"), "agrees"),
        ("about 7.5 mm wide", "7.5", "agrees"),
        ("8.25 mm", "7.5", "contradicts"),
        ("$40.00", 40, "agrees"),
        ("$4.00", 40, "contradicts"),
        ("seven and a half", "7.5", "open"),
        ("2026-09-18", "2026-09-18", "agrees"),
        ("2026-09-19", "2026-09-18", "contradicts"),
        ("18 September 2026", "2026-09-18", "open"),
        ("black", "black", "agrees"),
        ("Black.", "black", "agrees"),
        ("grey", "black", "open"),
        ("yes", True, "open"),
        ("between 3 and 7", "5", "contradicts"),
        ("41.90", "41.90 EUR", "agrees"),
    ],
)
def test_wordings_and_sources(wording: str, value: Any, wanted: str) -> None:
    assert agreement(wording, value) == wanted


def test_numbers_of_another_language() -> None:
    assert agreement("7,5 mm", "7.5", "de") == "agrees"
    assert agreement("7,6 mm", "7.5", "de") == "contradicts"


@pytest.mark.parametrize(
    ("fields", "wanted"),
    [
        ({}, {}),
        ({"forbidden_tools": ["a"]}, {"trajectory": "/forbidden_tools"}),
        ({"required_tools": ["a"], "max_calls": {"a": 1}}, {"trajectory": "/required_tools"}),
        ({"max_calls": {"a": 1}}, {"trajectory": "/max_calls"}),
        ({"order": "exact"}, {}),
        ({"order": "plan", "plan": {}}, {"trajectory": "/plan"}),
        ({"final_out": 0}, {"outcome": "/final_out"}),
        ({"must_not_state": [{"id": "a", "any_of": ["x"]}]}, {"outcome": "/must_not_state"}),
        ({"state": []}, {}),
        ({"state": [{"path": "", "count": 0}]}, {"state": "/state"}),
        ({"rubric": [{"id": "a", "text": "?"}]}, {"rubric": "/rubric"}),
    ],
)
def test_criteria(fields: dict[str, Any], wanted: dict[str, str]) -> None:
    assert criteria(plain_record(**fields)) == wanted


@pytest.mark.parametrize(
    ("sentences", "enough"),
    [
        (["Correct."], False),
        (["The answer is 41.90 EUR.", "So it must be."], False),
        (["issue_refund is right."], False),
        (["Ninth day of thirty."], True),
        (["Clause 3.2: day nine."], True),
        (
            [
                "\u7b2c\u4e5d\u5929\uff0c\u5728\u4e09\u5341\u5929\u7684\u671f\u9650\u4e4b\u5185\u3002"
            ],
            True,
        ),
        (["x" * 200], True),
    ],
)
def test_a_rationale_says_more_than_the_verdict(
    tmp_path: Path, sentences: list[str], enough: bool
) -> None:
    from assay.checks.runner import run_checks

    value = record("refund-0142", rationale=sentences, facts=[{"id": "a", "any_of": ["41.90 EUR"]}])
    root = finish(make_repository(tmp_path, [value]))
    found = run_checks(Repository.load(root), select=["REC011"]).findings
    assert (not found) is enough
    assert ENOUGH == 12


def told(tmp_path: Path, text: str, args: dict[str, Any], **more: Any) -> list[str]:
    """Values in the label that a case contradicts."""
    state = more.pop("state", None)
    value = record("refund-0142", required_tools=[{"tool": "send_mail", "args": args}], **more)
    root = finish(make_repository(tmp_path, [value], [case("refund-0142", text, state)]))
    world = world_of(Repository.load(root))
    return [item.value for item in contradictions(world, world.judged[0])]


@pytest.mark.parametrize(
    ("text", "args", "wanted"),
    [
        # A date of the same shape, which the label uses nowhere.
        ("Pay with the card that expires 11/31.", {"exp": "12/25"}, ["12/25"]),
        ("Pay with the card that expires 11/31.", {"exp": "11/31"}, []),
        ("Cards 11/31 and 12/25.", {"exp": "12/25"}, []),
        ("Arrived on 2026-09-18.", {"day": "2026-09-19"}, ["2026-09-19"]),
        ("Arrived on 2026-09-18.", {"day": {"$date": "2026-09-19"}}, ["2026-09-19"]),
        ("Arrived on 18.09.2026.", {"day": "2026-09-18"}, []),
        # The case's own value is used too, so the other one may follow from it.
        ("From 2026-09-18 on.", {"from": "2026-09-18", "to": "2026-10-18"}, []),
        # Ids of one shape; others are left alone.
        ("Order ORD-4411, please.", {"id": "ORD-4417"}, ["ORD-4417"]),
        ("Order ORD-4411, please.", {"id": "RET-4417"}, []),
        ("Order ORD-4411, please.", {"id": "ORD-44117"}, []),
        ("Order ORD-4411, please.", {"note": "see ORD-4417"}, []),
        ("Order #W4411.", {"id": ["#W4412"]}, ["#W4412"]),
        ("Order ORD-4411.", {"id": {"$one_of": ["ORD-4417"]}}, []),
        # Amounts.
        ("I paid 59.90 EUR.", {"sum": "59.40 EUR"}, ["59.40"]),
        ("I paid 59.90 EUR.", {"sum": Decimal("59.4")}, ["59.40"]),
        ("I paid 59.90 EUR.", {"sum": Decimal("59.90")}, []),
        ("I paid $1,259.90.", {"sum": Decimal("1259.90")}, []),
        ("I paid 59.90 EUR and 18.00 EUR.", {"sum": Decimal("41.90")}, []),
        ("I paid 20.95 EUR each.", {"sum": Decimal("41.90")}, []),
        ("No numbers at all.", {"id": "ORD-4417", "sum": Decimal("1.25")}, []),
        ("", {"id": "ORD-4417"}, []),
    ],
)
def test_values_that_the_case_contradicts(
    tmp_path: Path, text: str, args: dict[str, Any], wanted: list[str]
) -> None:
    def plain(value: Any) -> Any:
        # The fixture goes through JSON text, in which a Decimal is written as it is.
        return float(value) if isinstance(value, Decimal) else value

    assert told(tmp_path, text, {k: plain(v) for k, v in args.items()}) == wanted


def test_what_the_world_holds_is_fine(tmp_path: Path) -> None:
    state = {"orders": {"ORD-4417": {"paid": 59.4, "due": "2026-10-01"}}}
    text = "Order ORD-4411 for 59.90 EUR on 2026-09-18."
    args = {"id": "ORD-4417", "sum": 59.4, "day": "2026-10-01"}
    assert told(tmp_path, text, args, state=state) == []


def test_an_id_that_the_visible_world_does_not_have(tmp_path: Path) -> None:
    state = {"orders": {"ORD-4411": {}}}
    assert told(tmp_path, "Refund my order.", {"id": "ORD-4417"}, state=state) == ["ORD-4417"]


def test_example_of_a_case() -> None:
    turn = {"user_content": {"parts": [{"text": "?"}]}}
    assert example_run(EvalCase.model_validate({"eval_id": "a", "conversation": [turn]})) is None
    empty = {**turn, "intermediate_data": {"tool_uses": []}}
    run = example_run(EvalCase.model_validate({"eval_id": "a", "conversation": [empty]}))
    assert run is not None
    assert "tool_calls" not in run.unknown
    assert {"final_answer", "final_state"} <= set(run.unknown)
    events = {
        **turn,
        "final_response": {"parts": [{"text": "Yes"}]},
        "intermediate_data": {
            "invocation_events": [
                {"content": {"parts": [{"function_call": {"name": "a", "args": {"x": 1}}}]}},
                {"content": {"parts": [{"text": "hm"}, 7]}},
                {"content": None},
                3,
            ]
        },
    }
    run = example_run(EvalCase.model_validate({"eval_id": "a", "conversation": [events]}))
    assert run is not None
    assert [(call.name, call.args) for _, call in run.tool_calls] == [("a", {"x": 1})]
    assert run.final_answer == "Yes"
