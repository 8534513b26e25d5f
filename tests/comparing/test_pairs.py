"""Every case that either side names is dealt with, once."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.comparing.compare import compare
from assay.comparing.pairs import pair
from assay.comparing.sides import Side
from tests.comparing.making import HASH, side, table
from tests.situations.given import load

NAMES = ["k1", "k2", "k3", "k4", "k5"]
SIDES = st.builds(
    lambda verdicts, excluded, unmatched, more: side(
        verdicts,
        more=more,
        excluded=[name for name in excluded if name not in verdicts],
        unmatched=[n for n in unmatched if n not in verdicts and n not in excluded],
    ),
    st.dictionaries(st.sampled_from(NAMES), st.text("PFNE", min_size=1, max_size=3)),
    st.sets(st.sampled_from(NAMES)),
    st.sets(st.sampled_from(NAMES)),
    st.dictionaries(
        st.sampled_from(NAMES),
        st.fixed_dictionaries({"content_hash": st.sampled_from([HASH["1"], HASH["9"]])}),
    ),
)


@given(SIDES, SIDES, st.booleans())
def test_the_counts_add_up(a: Side, b: Side, unchanged: bool) -> None:
    found = pair(a, b, unchanged=unchanged)
    parts = found.pairing
    groups = (parts.only_a, parts.only_b, parts.unevaluated, parts.neither, parts.changed)
    named = [entry.case_id for group in groups for entry in group]
    named += [p.case_id for p in found.pairs]
    assert sorted(named) == sorted({*a.names, *b.names})
    assert parts.cases == parts.pairs + sum(map(len, groups))
    assert parts.pairs == len(found.pairs)
    for p in found.pairs:
        assert p.a.evaluated
        assert p.b.evaluated
    mirrored = pair(b, a, unchanged=unchanged).pairing
    assert [e.case_id for e in mirrored.only_a] == [e.case_id for e in parts.only_b]
    assert mirrored.pairs == parts.pairs


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ({"content_hash": HASH["9"]}, "truth"),
        ({"case_digest": HASH["9"]}, "case"),
        ({"case_digest": None}, "unknown"),
        ({}, None),
    ],
)
def test_unchanged_is_proved_by_hash(more: dict[str, Any], what: str | None) -> None:
    a = side({"k1": "P", "k2": "P"})
    b = side({"k1": "P", "k2": "P"}, more={"k1": more}, cases=HASH["8"], truth=HASH["8"])
    found = pair(a, b, unchanged=True).pairing
    assert [entry.what for entry in found.changed] == ([what] if what else [])
    assert pair(a, b).pairing.pairs == 2


def test_equal_cases_as_a_whole_need_no_single_digest() -> None:
    more = {"k1": {"case_digest": None}, "k2": {"content_hash": HASH["9"]}}
    found = pair(side({"k1": "P", "k2": "P"}), side({"k1": "P", "k2": "F"}, more=more,
                                                    truth=HASH["8"]), unchanged=True)  # fmt: skip
    assert [p.case_id for p in found.pairs] == ["k1"]
    assert [(entry.case_id, entry.what) for entry in found.pairing.changed] == [("k2", "truth")]


def test_a_table_proves_nothing_unchanged() -> None:
    found = pair(table({"k1": "P"}), table({"k1": "P"}), unchanged=True)
    assert [entry.what for entry in found.pairing.changed] == ["unknown"]


def test_compare_on_unchanged() -> None:
    b = side({"k1": "P", "k2": "F"}, more={"k1": {"content_hash": HASH["9"]}}, truth=HASH["8"])
    a = side({"k1": "P", "k2": "P"})
    assert compare(a, b).refused
    found = compare(a, b, on="unchanged")
    assert not found.refused
    assert [part.part for part in found.unlike] == ["truth"]
    assert found.passed is not None
    assert (found.passed.cases, found.passed.difference) == (1, -1.0)
    other = side({"k1": "P"}, truth=HASH["8"], scorer=HASH["8"])
    assert compare(a, other, on="unchanged").refused


def test_both_denominators() -> None:
    a = side({"q1": "P", "q2": "P", "q3": "F"})
    b = side({"q1": "P", "q2": "F"}, excluded=["q3"])
    found = compare(a, b)
    assert (found.a.passed, found.a.cases, found.b.passed, found.b.cases) == ("2", 3, "1", 2)
    assert found.pairing is not None
    (left,) = found.pairing.only_a
    assert (left.case_id, left.a, left.b) == ("q3", None, "excluded")
    assert found.passed is not None
    assert (found.passed.cases, found.passed.difference) == (2, -0.5)


@pytest.mark.data
def test_given_denominators() -> None:
    expected = load("23", "expected.json")
    sides = []
    for name in ("run1", "run2"):
        raw = load("23", f"{name}.json")
        verdicts = {case: "P" if said == "pass" else "F" for case, said in raw["cases"].items()}
        sides.append(side(verdicts, excluded=raw["excluded"]))
    found = compare(*sides)
    assert f"{found.a.passed}/{found.a.cases}" == expected["run1"]
    assert f"{found.b.passed}/{found.b.cases}" == expected["run2"]
    assert [case.case_id for case in found.b.excluded] == load("23", "run2.json")["excluded"]
    assert found.passed is not None
    assert found.passed.pairs is not None
    assert found.passed.cases == expected["common"]
    assert found.passed.difference == float(expected["difference_on_common"])
    passed = found.passed.pairs.both
    assert f"{passed + found.passed.pairs.lost}/8" == expected["run1_on_common"]
    assert f"{passed + found.passed.pairs.gained}/8" == expected["run2_on_common"]
