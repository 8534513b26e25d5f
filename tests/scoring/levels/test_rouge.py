"""ROUGE: equal to the rouge-score package on ASCII; every other script has words too."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.scoring.levels.rouge import rouge
from assay.scoring.levels.words import words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Stop the pump, P-101_b!", ["stop", "the", "pump", "p", "101", "b"]),
        ("停止冷却水泵 P-3", ["停", "止", "冷", "却", "水", "泵", "p", "3"]),
        ("ポンプを止める", ["ポ", "ン", "プ", "を", "止", "め", "る"]),
        ("น้ำเย็น", ["น้ำ", "เ", "ย็", "น"]),
        ("Останови насос", ["останови", "насос"]),
        ("أوقف المضخة", ["أوقف", "المضخة"]),
        ("दो पंप", ["दो", "पंप"]),
        ("펌프를 멈춰", ["펌프를", "멈춰"]),
        ("Cafe\u0301 STRASSE straße", ["café", "strasse", "strasse"]),
        ("x² ≠ x2", ["x²", "x2"]),
        ("…", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_a_worked_example() -> None:
    found = rouge("stop the cooling pump", "the pump is stopped")
    assert found.rouge1.f1 == Fraction(2, 4)
    assert found.rouge2.f1 == 0
    assert found.rouge_l.f1 == Fraction(2, 4)
    assert found.rouge_l.precision == found.rouge_l.recall == Fraction(1, 2)


@given(st.text(max_size=40), st.text(max_size=40))
def test_bounds_and_sides(one: str, other: str) -> None:
    here, there = rouge(one, other), rouge(other, one)
    for a, b in ((here.rouge1, there.rouge1), (here.rouge_l, there.rouge_l)):
        assert 0 <= a.f1 == b.f1 <= 1
        assert a.precision == b.recall
    itself = rouge(one, one)
    assert itself.rouge1.f1 == itself.rouge_l.f1 == bool(words(one))


ASCII = st.text(st.sampled_from("ab c1-_.,\n'Z\t\x00"), max_size=60)


@pytest.mark.conformance
@given(ASCII, ASCII)
def test_equal_to_the_package_on_ascii(reference: str, candidate: str) -> None:
    scorer = pytest.importorskip("rouge_score.rouge_scorer")
    theirs = scorer.RougeScorer(["rouge1", "rouge2", "rougeL"]).score(reference, candidate)
    ours = rouge(reference, candidate)
    for name, mine in (("rouge1", ours.rouge1), ("rouge2", ours.rouge2), ("rougeL", ours.rouge_l)):
        assert theirs[name].precision == pytest.approx(float(mine.precision), abs=1e-12)
        assert theirs[name].recall == pytest.approx(float(mine.recall), abs=1e-12)
        assert theirs[name].fmeasure == pytest.approx(float(mine.f1), abs=1e-12)


RECORDED = Path(__file__).with_name("rouge_score_0_1_2.json")


def test_equal_to_what_the_package_said() -> None:
    """Values of rouge-score 0.1.2, recorded: the package itself is not always at hand."""
    rows = json.loads(RECORDED.read_text(encoding="utf-8"))
    assert len(rows) == 60
    for reference, candidate, *values in rows:
        ours = rouge(reference, candidate)
        found = [ours.rouge1.f1, ours.rouge2.f1, ours.rouge_l.f1]
        assert list(map(float, found)) == pytest.approx(list(map(float, values)), abs=1e-12)
