"""H14, H22, H23, H24 and H38, where two results are put side by side."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from assay.comparing.alike import unlike
from assay.comparing.sides import Side
from assay.comparing.whole import compare
from assay.reporting.comparison import render
from assay.statistics.agreement import cohen_kappa
from tests.cli.conftest import Run, run
from tests.comparing.making import context, result, side
from tests.pipeline.history import tiny
from tests.situations.given import load

__all__ = ["run"]


# -- H14 ------------------------------------------------------------------------------------------


def test_a_judge_without_a_verdict_leaves_the_pairs_and_is_counted() -> None:
    made = compare(side("PNPNFN", "judged"), side("PPPFFP", "other"))
    assert made.measures[0].cases == 3
    assert (made.a.tally.evaluated, made.a.tally.not_evaluated, made.a.tally.expected) == (3, 3, 6)
    assert made.measures[0].exact == "0"
    assert "3 not evaluated" in render("text", made)
    assert "Verdicts are missing." in " ".join(render("text", made).split())


@pytest.mark.data
def test_given_judge() -> None:
    expected = load("14", "expected.json")
    words = {"pass": "P", "fail": "F", "not_evaluated": "N"}
    verdicts = {name: words[value] for name, value in expected.items() if value in words}
    verdicts.pop("gate", None)
    made = compare(side(verdicts), side(dict.fromkeys(verdicts, "P")))
    tally = made.a.tally
    assert f"{tally.passed}/{tally.evaluated}" == expected["pass_rate"]
    assert tally.not_evaluated == expected["not_evaluated"]
    assert made.measures[0].cases == expected["evaluated"]


# -- H22 ------------------------------------------------------------------------------------------


def scored(truth: str | None, scorer: str, passed: int, of: int) -> Side:
    digest = {"truth": (truth or "").encode().hex().ljust(64, "0")}
    digest["scorer"] = scorer.encode().hex().ljust(64, "0")
    against = result(context(**digest)) if truth else None
    return side("P" * passed + "F" * (of - passed), truth or "?", against=against)


def test_one_truth_and_one_scorer_or_nothing() -> None:
    a, c = scored("aaaa", "1.4", 6, 9), scored("aaaa", "1.4", 7, 9)
    assert unlike(a, c) == ()
    assert compare(a, c).measures[0].exact == "1/9"
    others = {"truth": scored("bbbb", "1.4", 7, 9), "scorer": scored("aaaa", "1.5", 7, 9)}
    for part, other in others.items():
        (found,) = unlike(a, other)
        assert found.part == part
        assert found.a != found.b
    assert unlike(a, scored(None, "1.4", 7, 9))[0].part == "context"


@pytest.mark.data
def test_given_hashes() -> None:
    rows = {row["run"]: row for row in load("22", "results.jsonl")}
    sides = {
        name: scored(row["truth_hash"], row["scorer"], row["passed"], row["scored"])
        for name, row in rows.items()
    }
    for pair, expected in load("22", "expected.json").items():
        a, b = (sides[name] for name in pair.split("-"))
        assert (unlike(a, b) == ()) is expected["allowed"], pair
        if expected["allowed"]:
            found = compare(a, b).measures[0].exact
            assert Fraction(found or "") == Fraction(str(expected["difference"]))


# -- H23 ------------------------------------------------------------------------------------------


def test_a_rate_that_rises_because_cases_left() -> None:
    a = side("PPPPPPPPFF", against=result())
    b = side("PPPPPPPF", against=result(today="2027-03-20"), excluded=["c008", "c009"])
    assert unlike(a, b) == ()
    made = compare(a, b)
    assert (made.a.tally.passed, made.a.tally.evaluated) == (8, 10)
    assert (made.b.tally.passed, made.b.tally.evaluated) == (7, 8)
    assert made.measures[0].exact == "-1/8"
    for fmt in ("text", "markdown", "json"):
        shown = render(fmt, made)
        assert "+7.5" not in shown
        assert "0.075" not in shown
        assert "c008" in shown
    assert "80.0 (8/10)" in render("text", made)
    assert "87.5 (7/8)" in render("text", made)


@pytest.mark.data
def test_given_denominators() -> None:
    expected = load("23", "expected.json")
    words = {"pass": "P", "fail": "F"}
    sides = []
    for name in ("run1", "run2"):
        given: dict[str, Any] = load("23", f"{name}.json")
        verdicts = {case: words[value] for case, value in given["cases"].items()}
        against = result(today=given["today"])
        sides.append(side(verdicts, name, excluded=given["excluded"], against=against))
    made = compare(*sides)
    for name, one in (("run1", made.a), ("run2", made.b)):
        assert f"{one.tally.passed}/{one.tally.evaluated}" == expected[name]
    found = made.measures[0]
    assert found.cases == expected["common"]
    assert f"{round((found.a or 0) * found.cases)}/{found.cases}" == expected["run1_on_common"]
    assert f"{round((found.b or 0) * found.cases)}/{found.cases}" == expected["run2_on_common"]
    assert found.exact == str(Fraction(str(expected["difference_on_common"])))


# -- H24 ------------------------------------------------------------------------------------------


def test_one_label_only_is_no_number_that_is_none() -> None:
    found = cohen_kappa("yyy", "yyy")
    assert (found.value, found.degenerate) == (Fraction(1), True)
    assert cohen_kappa("yy", "nn").value == 0
    for first, second in (("", ""), ("y", "yn")):
        with pytest.raises(ValueError, match="same items"):
            cohen_kappa(first, second)
    for letters in ("PPPPP", "FFFFF", "P"):
        shown = render("json", compare(side(letters), side(letters)))
        assert "NaN" not in shown
        assert json.loads(shown)["measures"][0]["p"] == 1.0


@pytest.mark.data
def test_given_labels() -> None:
    labels, expected = load("24", "labels.json"), load("24", "expected.json")
    for name, wanted in expected.items():
        if wanted == "error":
            with pytest.raises(ValueError, match="same items"):
                cohen_kappa(*labels[name])
            continue
        found = cohen_kappa(*labels[name])
        assert float(found.value) == pytest.approx(float(wanted["kappa"]), abs=1e-10)
        assert found.degenerate is wanted.get("degenerate", False)


# -- H38 ------------------------------------------------------------------------------------------


def test_nothing_to_compare_is_no_success(tmp_path: Path, run: Run) -> None:
    root = tiny(tmp_path)
    params = root / "params.yaml"
    text = params.read_text(encoding="utf-8")
    params.write_text(text.replace("2026-11-30", "2027-04-01"), encoding="utf-8")
    code, out, err = run("compare", "agent", "agent")
    assert (code, out) == (3, "")
    assert "refund-0142" in err
    assert "xpired on 2027-03-18" in err
    empty = root / "empty.csv"
    empty.write_text("case_id,passed\n", encoding="utf-8")
    code, out, err = run("compare", str(empty), str(empty))
    assert code != 0
    assert out == ""
    assert compare(side(""), side("")).a.tally.pass_rate is None
