"""B against A: the numbers, and what may be said of them."""

from __future__ import annotations

import random
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.comparing.compare import compare
from assay.comparing.sides import Side
from assay.comparing.tables import VerdictRow
from assay.models.comparison import Comparison, PairedDifference
from tests.comparing.making import numbered, side

MIRROR = {"better": "worse", "worse": "better"}


def found(a: Side, b: Side, **more: Any) -> PairedDifference:
    difference = compare(a, b, **more).passed
    assert difference is not None
    return difference


def pairs(both: int, lost: int, gained: int, neither: int) -> tuple[Side, Side]:
    """Two sides with so many pairs."""
    a = numbered("P" * (both + lost) + "F" * (gained + neither))
    b = numbered("P" * both + "F" * lost + "P" * gained + "F" * neither)
    return side(a), side(b)


def test_nine_against_three_is_no_regression() -> None:
    difference = found(*pairs(60, 9, 3, 28))
    assert difference.pairs is not None
    assert (difference.pairs.lost, difference.pairs.gained) == (9, 3)
    assert (difference.a, difference.b, difference.exact) == (0.69, 0.63, "-3/50")
    assert difference.p == difference.mcnemar == 299 / 2048
    assert (difference.interval, difference.bootstrap) == ("score", None)
    assert difference.low is not None
    assert difference.high is not None
    assert difference.low < -0.06 < 0 < difference.high
    assert difference.answer == "no_difference_shown"


@pytest.mark.parametrize(
    ("counts", "answer"),
    [
        ((60, 12, 2, 28), "worse"),
        ((60, 2, 12, 28), "better"),
        ((100, 0, 0, 0), "no_difference_shown"),
        ((0, 0, 5, 0), "cannot_tell"),
        ((0, 0, 6, 0), "better"),
        ((59, 0, 0, 0), "cannot_tell"),
        ((60, 0, 0, 0), "no_difference_shown"),
        ((0, 0, 0, 0), "cannot_tell"),
    ],
)
def test_what_may_be_said(counts: tuple[int, int, int, int], answer: str) -> None:
    assert found(*pairs(*counts)).answer == answer


def test_the_smallest_gap_stands_beside_it() -> None:
    difference = found(*pairs(100, 5, 5, 40), label_errors=Decimal("0.05"))
    assert (difference.smallest_gap, difference.smallest_gap_with_errors) == (
        Decimal("7.2"), Decimal("7.6")
    )  # fmt: skip
    assert found(*pairs(40, 5, 5, 0)).smallest_gap is None


def test_the_level_is_an_input() -> None:
    assert found(*pairs(0, 0, 6, 60), alpha=Decimal("0.01")).answer == "no_difference_shown"


def test_trials_are_averaged_within_a_case_first() -> None:
    a = side({"k1": "PPPF", "k2": "F", "k3": "PN"})
    b = side({"k1": "FFFF", "k2": "P", "k3": "P"})
    difference = found(a, b)
    assert (difference.a, difference.b) == (7 / 12, 2 / 3)
    assert difference.exact == "1/12"
    assert (difference.pairs, difference.mcnemar, difference.answer) == (None, None, "cannot_tell")


def test_trials_that_agree_are_one_verdict() -> None:
    assert found(side({"k": "PP"}), side({"k": "FFF"})).pairs is not None


def test_siblings_are_not_independent() -> None:
    """Twelve lost cases out of two templates: McNemar alone would be sure."""
    names = [f"c{i:02}" for i in range(80)]
    more = {name: {"cluster": f"t{i // 6}" if i < 12 else name} for i, name in enumerate(names)}
    a = side(dict.fromkeys(names, "P"), more=more)
    b = side({name: "F" if i < 12 else "P" for i, name in enumerate(names)}, more=more)
    difference = found(a, b)
    assert difference.clusters == 70
    assert difference.mcnemar is not None
    assert difference.mcnemar < 0.001
    assert difference.p == difference.bootstrap
    assert difference.p is not None
    assert difference.p >= 0.5
    assert difference.answer == "no_difference_shown"


def test_one_cluster_tells_nothing() -> None:
    more = {f"c{i:02}": {"cluster": "t"} for i in range(70)}
    difference = found(side(numbered("P" * 70), more=more), side(numbered("F" * 70), more=more))
    assert (difference.p, difference.low, difference.answer) == (None, None, "cannot_tell")


def test_slices_share_one_level() -> None:
    letters = {"lost": ("P" * 40 + "P" * 7, "P" * 40 + "F" * 7), "same": ("P" * 60, "P" * 60),
               "more": ("P" * 60, "P" * 60)}  # fmt: skip
    a, b, more = {}, {}, {}
    for name, (before, after) in letters.items():
        for i, (one, two) in enumerate(zip(before, after, strict=True)):
            case = f"{name}{i}"
            a[case], b[case], more[case] = one, two, {"slice": name}
    comparison = compare(side(a, more=more), side(b, more=more))
    assert list(comparison.by_slice) == ["lost", "more", "same"]
    lost = comparison.by_slice["lost"]
    assert (lost.p, lost.adjusted) == (1 / 64, 3 / 64)
    # 47 cases: found all the same, for seven to none is significant even so.
    assert lost.answer == "worse"
    assert comparison.by_slice["same"].answer == "no_difference_shown"
    four = {**more, **{f"same{i}": {"slice": f"s{i % 2}"} for i in range(60)}}
    again = compare(side(a, more=four), side(b, more=four)).by_slice["lost"]
    assert (again.adjusted, again.answer) == (4 / 64, "cannot_tell")


def rows(scores: dict[str, tuple[bool, str]]) -> list[VerdictRow]:
    return [
        VerdictRow(name, passed, Fraction(score) if score else None)
        for name, (passed, score) in scores.items()
    ]


def test_graded_scores_where_both_have_them() -> None:
    chance = random.Random(5)
    before = {f"q{i}": (True, f"0.{chance.randrange(20, 60)}") for i in range(40)}
    after = {name: (True, str(Decimal(score) + Decimal("0.1") + chance.randrange(3)))
             for name, (_, score) in before.items()}  # fmt: skip
    after["q0"] = (True, "")
    comparison = compare(Side.from_rows("a", rows(before)), Side.from_rows("b", rows(after)))
    graded = comparison.score
    assert graded is not None
    assert (graded.cases, comparison.score_missing, graded.interval) == (39, 1, "bootstrap")
    assert (graded.answer, graded.smallest_gap, graded.pairs) == ("better", None, None)
    assert graded.low is not None
    assert graded.low > 0
    assert compare(*pairs(3, 0, 0, 0)).score is None
    few = compare(
        Side.from_rows("a", rows({"q1": (True, "1")})),
        Side.from_rows("b", rows({"q1": (True, "2")})),
    ).score
    assert few is not None
    assert few.answer == "cannot_tell"


def test_pass_hat_k_and_pass_at_k_over_the_same_pairs() -> None:
    a = side({"k1": "PPF", "k2": "PF", "k3": "PP"})
    b = side({"k1": "PPP", "k2": "FF", "k4": "PP"})
    first, second, third = compare(a, b).trials
    assert (third.k, third.cases, third.a_pass_hat_k, third.b_pass_hat_k) == (3, 1, 0.0, 1.0)
    assert (first.k, first.cases, first.a_pass_hat_k, first.b_pass_at_k) == (1, 2, 7 / 12, 0.5)
    assert (second.k, second.cases) == (2, 2)
    assert second.a_pass_hat_k == 1 / 6
    assert second.a_pass_at_k == 1.0
    assert second.b_pass_hat_k == second.b_pass_at_k == 0.5
    assert compare(side({"k": "PP"}), side({"k": "P"})).trials == ()


CASES = st.dictionaries(
    st.sampled_from([f"k{i}" for i in range(9)]), st.text("PFNE", min_size=1, max_size=3)
)
CLUSTERS = st.lists(st.sampled_from(["t1", "t2", "t3"]), min_size=9, max_size=9)


@settings(deadline=None)
@given(CASES, CASES, CLUSTERS)
def test_a_and_b_mirror_each_other(a: Any, b: Any, clusters: list[str]) -> None:
    more = {f"k{i}": {"cluster": name} for i, name in enumerate(clusters)}
    one, two = side(a, more=more), side(b, more=more)
    here, there = found(one, two), found(two, one)
    assert there.answer == MIRROR.get(here.answer, here.answer)
    assert (there.p, there.cases, there.clusters) == (here.p, here.cases, here.clusters)
    assert there.low == (None if here.high is None else -here.high)
    if here.exact is not None:
        assert there.exact is not None
        assert Fraction(here.exact) == -Fraction(there.exact)
        assert here.p is None or 0 < here.p <= 1
    if here.answer in MIRROR:
        assert here.difference
        assert here.p is not None
        assert here.p < 0.05


def test_the_whole_survives_its_own_json() -> None:
    comparison = compare(*pairs(60, 9, 3, 28), label_errors=Decimal("0.05"))
    text = comparison.model_dump_json()
    assert Comparison.model_validate_json(text, strict=False) == comparison
