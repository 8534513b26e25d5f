"""Sides from results, lines and plain tables."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from assay.comparing.sides import Side
from assay.comparing.tables import VerdictRow, rows_of
from assay.errors import InputError
from assay.intake.opening.feed import open_document
from tests.comparing.making import line, side


def read(tmp_path: Path, text: str, name: str = "before.csv") -> list[VerdictRow]:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return rows_of(open_document(path, name=name).records)


def test_a_table_with_everything(tmp_path: Path) -> None:
    rows = read(
        tmp_path,
        "case_id,passed,score,trial,slice,template\n"
        "q1,true,0.1,0,easy,t1\nq1,no,0.2,1,easy,t1\n007,PASS,,,,\nq2,,,,hard,t1\n",
    )
    found = Side.from_rows("before.csv", rows)
    assert list(found.cases) == ["007", "q1", "q2"]
    q1 = found.cases["q1"]
    assert (q1.share, q1.score, q1.slice, q1.cluster) == ((1, 2), Fraction(3, 20), "easy", "t1")
    assert (found.cases["007"].score, found.cases["007"].cluster) == (None, "007")
    assert found.why("q2") == "not_evaluated"
    assert found.rate == Fraction(3, 4)
    summary = found.summary()
    assert (summary.cases, summary.passed, summary.without_verdict) == (2, "3/2", 1)


def test_json_lines_say_the_same(tmp_path: Path) -> None:
    text = '{"case_id": 7, "passed": true, "score": 0.5}\n{"case_id": "b", "passed": null}\n'
    rows = read(tmp_path, text, "a.jsonl")
    assert [(row.case_id, row.passed, row.score) for row in rows] == [
        ("7", True, Fraction(1, 2)), ("b", None, None)
    ]  # fmt: skip


def test_rows_without_a_trial_count_up_around_those_with_one(tmp_path: Path) -> None:
    rows = read(tmp_path, "case_id,passed,trial\na,1,\na,0,0\na,1,\n")
    case = Side.from_rows("t", rows).cases["a"]
    assert [(t.trial, t.outcome) for t in case.trials] == [
        (0, "failed"), (1, "passed"), (2, "passed")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("case_id,passed\nq1,maybe\n", "`passed` is 'maybe'"),
        ("case_id,passed,trial\nq1,1,-1\n", "`trial` is -1"),
        ("case_id,passed,trial\nq1,1,0.5\n", "`trial` is 0.5"),
        ("case_id,passed,score\nq1,1,high\n", "no number"),
        ("case_id,passed\n,1\n", "case_id"),
        ("name,passed\nq1,1\n", "case_id"),
    ],
)
def test_a_wrong_row_is_named(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, text)
    assert words in str(caught.value)
    assert caught.value.path == "before.csv"
    assert caught.value.line == 2


def test_two_rows_for_one_trial_are_refused() -> None:
    rows = [VerdictRow("a", True, trial=0, line=2), VerdictRow("a", False, trial=0, line=3)]
    with pytest.raises(InputError, match="second row for case a, trial 0") as caught:
        Side.from_rows("t.csv", rows)
    assert caught.value.line == 3


def test_a_result_says_why_there_is_no_verdict() -> None:
    found = side({"a": "PF", "b": "N", "c": "EE", "d": "NE", "e": "PN"},
                 excluded=["f"], unmatched=["g"])  # fmt: skip
    assert {name: found.why(name) for name in [*found.names, "h"]} == {
        "a": None, "b": "not_evaluated", "c": "error", "d": "not_evaluated", "e": None,
        "f": "excluded", "g": "no_entry", "h": "absent",
    }  # fmt: skip
    summary = found.summary()
    assert (summary.cases, summary.pass_rate, summary.passed) == (2, 0.75, "3/2")
    assert (summary.without_verdict, summary.trials_without_verdict) == (4, 1)
    assert [case.case_id for case in summary.excluded] == ["f"]


def test_lines_in_any_order() -> None:
    lines = [line("b", "P"), line("a", "F", 1), line("a", "P", 0)]
    found = Side.from_lines("x", lines)
    assert [t.outcome for t in found.cases["a"].trials] == ["passed", "failed"]
    assert found.context is None
    assert Side.from_rows("none", []).rate is None
