"""Two sides compared: pairs, figures, conclusions, and counts that add up."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.comparing.pairs import bounds, pair
from assay.comparing.sides import know_each_other
from assay.comparing.whole import compare
from assay.models.comparison import Comparison
from assay.models.result import Tally
from assay.reporting.comparison import render
from assay.statistics.paired import mcnemar
from tests.comparing.making import result, sha, side


def passed(made: Comparison) -> Any:
    return made.measures[0]


def balanced(tally: Tally) -> bool:
    return tally.expected == (
        tally.passed
        + tally.failed
        + tally.not_evaluated
        + tally.errored
        + tally.excluded
        + tally.unmatched
    )


def test_nine_to_three_is_no_difference_shown() -> None:
    made = compare(side("P" * 9 + "F" * 3 + "P" * 88), side("F" * 9 + "P" * 3 + "P" * 88))
    found = passed(made)
    assert (found.lower, found.higher, found.level) == (9, 3, 88)
    assert found.p == float(mcnemar(9, 3)) == pytest.approx(0.146, abs=5e-4)
    assert (found.method, made.conclusion) == ("exact McNemar", "no_difference_shown")
    assert found.exact == "-3/50"
    assert found.gap.discordant == 0.12
    assert made.attribution is None


def test_other_numbers_of_trials_are_told_case_by_case() -> None:
    made = compare(side({"a": "P", "b": "PP"}), side({"a": "PP", "b": "P"}))
    assert any("different numbers of trials" in remark for remark in made.remarks)
    made = compare(side({"a": "P", "b": "PP"}), side({"a": "F", "b": "FP"}))
    assert not any("different numbers of trials" in remark for remark in made.remarks)


@pytest.mark.parametrize(
    ("a", "b", "conclusion"),
    [
        ("F" * 12 + "P" * 90, "P" * 102, "better"),
        ("P" * 102, "F" * 12 + "P" * 90, "worse"),
        ("P" * 102, "P" * 102, "no_difference_shown"),
        # Five to nothing is no proof, and fifty cases cannot show a gap.
        ("F" * 5 + "P" * 45, "P" * 50, "cannot_tell"),
        ("F" * 6 + "P" * 44, "P" * 50, "better"),
        ("PPPP", "FFFF", "cannot_tell"),
        ("NNNN", "PPPP", "cannot_tell"),
    ],
)
def test_conclusions(a: str, b: str, conclusion: str) -> None:
    made = compare(side(a), side(b))
    assert made.conclusion == conclusion
    assert passed(made).why


def test_siblings_count_as_one() -> None:
    """Twelve siblings of two templates are two witnesses, not twelve."""
    clusters = {f"c{index:03d}": f"t{index // 6}" for index in range(12)}
    made = compare(side("F" * 60, clusters=clusters), side("P" * 12 + "F" * 48, clusters=clusters))
    found = passed(made)
    assert (found.method, found.clusters) == ("exact sign flips of clusters", 50)
    assert (found.p, made.conclusion) == (0.5, "cannot_tell")
    alone = compare(side("F" * 60), side("P" * 12 + "F" * 48))
    assert alone.conclusion == "better"


def test_trials_are_averaged_within_a_case_first() -> None:
    a = side({"x": "PPPF", "y": "F", "z": "PP"})
    b = side({"x": "PPPP", "y": "P", "z": "PF"})
    made = compare(a, b)
    found = passed(made)
    assert found.exact == str(Fraction(1, 4) / 3 + Fraction(1, 3) - Fraction(1, 6))
    assert found.method == "exact sign flips of clusters"
    first, second, *_ = made.trials
    assert (first.k, first.cases) == (1, 3)
    assert first.pass_hat_k_a == pytest.approx(1.75 / 3)
    # pass^2 of x: C(3, 2) / C(4, 2); of z: 1. pass@2 of z on the second side: 1.
    assert (second.cases, second.pass_hat_k_a, second.pass_hat_k_b) == (2, 0.75, 0.5)
    assert (second.pass_at_k_a, second.pass_at_k_b) == (1.0, 1.0)
    assert len(made.trials) == 4


def test_graded_scores_are_resampled() -> None:
    names = [f"c{index:03d}" for index in range(40)]
    low = {name: [f"0.{20 + index % 7}"] for index, name in enumerate(names)}
    high = {name: [f"0.{30 + index % 5}"] for index, name in enumerate(names)}
    made = compare(side("P" * 40, scores=low), side("P" * 40, scores=high))
    verdicts, scores = made.measures
    assert verdicts.conclusion == made.conclusion == "cannot_tell"
    assert (scores.measure, scores.method) == ("score", "paired cluster bootstrap")
    assert scores.conclusion == "better"
    assert scores.low is not None
    assert 0 < scores.low < (scores.difference or 0) < (scores.high or 0)


def test_slices_after_holm() -> None:
    slices = {f"c{index:03d}": "one" if index < 60 else "two" for index in range(120)}
    a = side("F" * 7 + "P" * 113, slices=slices)
    b = side("P" * 120, slices=slices)
    made = compare(a, b)
    one, two = made.slices
    assert (one.slice, one.measure.p, one.measure.adjusted) == ("one", 2 / 128, 4 / 128)
    assert (one.measure.conclusion, two.measure.conclusion) == ("better", "no_difference_shown")
    assert compare(side("PP"), side("PF")).slices == ()


def test_unchanged_labels() -> None:
    a = side("PPP", against=result(), hashes={"c001": sha("1")})
    b = side("PFF", against=result(), hashes={"c001": sha("2")})
    made = compare(a, b, on="unchanged")
    assert passed(made).cases == 2
    assert [(item.case_id, item.other_label) for item in made.left_out] == [("c001", True)]
    assert pair(side("P"), side("P"), unchanged=True).pairs == ()


def test_missing_is_neither_passed_nor_failed() -> None:
    a = side({"x": "P", "y": "N", "z": "E", "w": "P"})
    b = side({"x": "P", "y": "P", "z": "P"}, excluded=["w"])
    a, b = know_each_other(a, b)
    made = compare(a, b)
    assert passed(made).cases == 1
    assert [(i.case_id, i.a, i.b) for i in made.left_out] == [
        ("w", "evaluated", "excluded"),
        ("y", "not_evaluated", "evaluated"),
        ("z", "error", "evaluated"),
    ]
    # Had y and z passed on the first side nothing had changed; had they failed, two of three.
    assert bounds(a, b, pair(a, b)) == (Fraction(0), Fraction(2, 3))


@given(st.text("PFNE", max_size=9), st.text("PFNE", max_size=9), st.data())
def test_counts_add_up_in_every_view(a: str, b: str, data: Any) -> None:
    names = [f"c{index:03d}" for index in range(9)]
    slices = {name: data.draw(st.sampled_from(["one", "two"])) for name in names}
    sides = [
        side(
            letters,
            slices=slices,
            excluded=["x1"] if index else ["x1", "x2"],
            unmatched=["u"] if index else [],
        )
        for index, letters in enumerate((a, b))
    ]
    for first, second in (
        sides,
        know_each_other(*sides),
        [one.within(["one"], slices | {"x1": "one", "u": "two"}) for one in sides],
    ):
        made = compare(first, second)
        for one, view in ((first, made.a.tally), (second, made.b.tally)):
            assert balanced(view)
            assert view.passed + view.failed == view.evaluated
            assert view.expected == len(one.known)
        left = sum(not item.other_label for item in made.left_out)
        assert passed(made).cases + left == len({*first.known, *second.known})
        if passed(made).cases:
            for fmt in ("text", "markdown", "json"):
                assert "nan" not in render(fmt, made).lower().replace("nannot", "")
            assert json.loads(render("json", made))["schema_version"] == 1


def test_no_difference_in_few_cases_leaves_much_open() -> None:
    found = passed(compare(side("P" * 20), side("P" * 20)))
    assert (found.low, found.high) == (
        pytest.approx(-0.161, abs=1e-3),
        pytest.approx(0.161, abs=1e-3),
    )


def test_scores_have_no_gap_of_disagreements() -> None:
    names = [f"c{index:03d}" for index in range(60)]
    a, b = (side("P" * 60, scores={name: [score] for name in names}) for score in ("0.4", "0.5"))
    verdicts, scores = compare(a, b).measures
    assert verdicts.gap is not None
    assert (scores.measure, scores.gap, scores.low) == ("score", None, None)
    assert scores.conclusion == "better"


def test_a_name_need_not_be_utf8() -> None:
    odd = replace(side("PPFF"), name="a\udcff.csv", run="a\udcff")
    made = compare(odd, side("PPFF"))
    assert (made.a.name, made.a.run) == ("a\\udcff.csv", "a\\udcff")
