"""Whatever stands in a label or a run, scoring ends with a verdict and never with a traceback."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from assay.models.run import ObservedRun
from assay.scoring.case import Scorer
from assay.scoring.proof import prove
from tests.scoring.making import NAMES, case, record, score

TEXTS = st.text(max_size=20) | st.sampled_from(
    ["\0", "e\u0301", "12 EUR", "-", "[1", '{"a": 1}', "2026-08-24T10:00Z", "1e400"]
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.decimals(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
MATCHERS = st.one_of(
    VALUES,
    st.builds(lambda v: {"$number": v, "tolerance": 1, "unit": "EUR"}, VALUES),
    st.builds(lambda v: {"$one_of": v}, st.lists(VALUES, max_size=2)),
    st.builds(lambda v: {"$multiset": v}, st.lists(VALUES, max_size=2)),
    st.builds(lambda v: {"$set": [{"$any": True}, v]}, VALUES),
    st.builds(lambda v: {"$pattern": v}, st.sampled_from(["a*", "(", "[^x]+", "\\d"])),
    st.builds(lambda v: {"$date": v}, TEXTS | st.just("2026-08-24")),
    st.builds(lambda v: {"$instant": v, "zone": "Europe/Berlin"}, TEXTS),
    st.builds(lambda v: {"$relative": v}, TEXTS | st.just("next monday")),
    st.builds(lambda v: {"$ref": "find_order", "pointer": v}, TEXTS | st.just("/a/0")),
    st.dictionaries(TEXTS, st.just({"$any": True}), max_size=2),
)
POINTERS = st.sampled_from(["", "/a", "/a/0", "/~1", "/-", "//"])
CHECKS = st.one_of(
    st.builds(lambda p, v: {"path": p, "equals": v}, POINTERS, MATCHERS),
    st.builds(lambda p, v: {"path": p, "equals": v, "unordered": True}, POINTERS, MATCHERS),
    st.builds(lambda p, v: {"path": p, "contains": v}, POINTERS, MATCHERS),
    st.builds(lambda p: {"path": p, "unchanged": True}, POINTERS),
    st.builds(lambda p: {"path": p, "absent": True}, POINTERS),
    st.builds(lambda p: {"path": p, "count": 1}, POINTERS),
)
FACTS = st.lists(st.builds(lambda t: {"id": "f", "any_of": [t]}, TEXTS.filter(bool)), max_size=2)
LABELS = st.fixed_dictionaries(
    {},
    optional={
        "required_tools": st.lists(
            st.builds(
                lambda args: {"tool": "charge", "args": args},
                st.dictionaries(TEXTS, MATCHERS, max_size=2),
            ),
            max_size=2,
        ),
        "order": st.sampled_from(["any", "in_order", "exact", "plan"]),
        "acceptable_answers": st.lists(TEXTS, max_size=2),
        "facts": FACTS,
        "must_not_state": FACTS,
        "final_out": MATCHERS,
        "state": st.lists(CHECKS, max_size=2),
    },
)
CALLS = st.lists(
    st.builds(
        lambda args, result: {"name": "charge", "args": args, "result": result, "outcome": "ok"},
        st.dictionaries(TEXTS, VALUES, max_size=2),
        VALUES,
    ),
    max_size=3,
)
RUNS = st.builds(
    lambda calls, answer, state, as_text: ObservedRun.model_validate(
        {
            "run": "r",
            "case_id": "c-1",
            "turns": [{"answer": answer, "tool_calls": calls}],
            "final_answer": answer,
            "final_state": state,
            "arguments_as_text": as_text,
        }
    ),
    CALLS,
    st.none() | TEXTS,
    VALUES,
    st.booleans(),
)


@given(LABELS, RUNS, st.sampled_from(["en", "de", "zh", "xx"]))
@settings(max_examples=300)
def test_any_run_can_be_scored(label: dict[str, Any], observed: ObservedRun, language: str) -> None:
    result = score(label, observed, state={"a": [1]}, language=language)
    again = score(label, observed, state={"a": [1]}, language=language)
    assert result == again


@given(LABELS)
@settings(max_examples=300)
def test_any_label_can_be_put_to_the_proof(label: dict[str, Any]) -> None:
    proof = prove(
        record(**label), case("x", {"a": [1]}), Scorer(NAMES), reference_date="2026-08-19"
    )
    assert proof.oracle is not None or proof.not_built
