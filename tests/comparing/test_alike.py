"""What differs between two contexts, in a fixed order, and what to do about it."""

from __future__ import annotations

from typing import Any

import pytest

from assay.comparing.alike import REMEDIES, Renames, by_table, likeness
from assay.comparing.compare import compare
from assay.comparing.sides import Side
from assay.models.comparison import ContextPart
from assay.models.result import Context
from tests.comparing.making import HASH, line, side, table
from tests.situations.given import load

BOTH = {"c1": "P", "c2": "F"}


def test_alike() -> None:
    assert likeness(side(BOTH), side(BOTH)).alike
    assert likeness(side(BOTH), side(BOTH)).remedies == ()


def test_the_day_and_the_scored_set_never_refuse() -> None:
    found = likeness(side(BOTH, excluded=["c3"]), side(BOTH, unmatched=["c4"]))
    assert found.alike


CHANGED: list[tuple[str, Any, str, tuple[str, ...]]] = [
    ("suite", "t", "", ()),
    ("truth", HASH["9"], "", ("on_unchanged", "regrade")),
    ("cases", HASH["9"], "", ("on_unchanged", "regrade")),
    ("policies", {"refunds": "refunds-v8"}, "refunds", ("on_unchanged", "regrade")),
    ("scorer", HASH["9"], "", ("regrade",)),
    ("weights", {"outcome": "0.6"}, "outcome", ("regrade",)),
    ("split", HASH["9"], "", ("on_unchanged", "regrade")),
    ("store", HASH["9"], "", ("run_again",)),
    ("cassettes", HASH["9"], "", ("run_again",)),
    ("verdicts", HASH["9"], "", ("regrade",)),
    ("rename_map", HASH["9"], "", ("regrade",)),
]


@pytest.mark.parametrize(("part", "value", "name", "remedies"), CHANGED)
def test_every_part_alone(part: str, value: Any, name: str, remedies: tuple[str, ...]) -> None:
    found = likeness(side(BOTH), side(BOTH, **{part: value}))
    (only,) = found.unlike
    assert (only.part, only.name, found.remedies) == (part, name, remedies)
    assert only.a != only.b
    assert compare(side(BOTH), side(BOTH, **{part: value})).passed is None


def test_every_part_of_a_context_is_looked_at_and_told_in_order() -> None:
    assert {part for part, *_ in CHANGED} == set(Context.model_fields)
    found = likeness(side(BOTH), side(BOTH, **{part: value for part, value, *_ in CHANGED}))
    assert [part.part for part in found.unlike] == [part for part, *_ in CHANGED]
    assert found.remedies == ()
    assert set(REMEDIES) == {part for part, *_ in CHANGED} | {"exploratory", "known"}


def test_remedies_are_what_every_part_allows() -> None:
    other = side(BOTH, truth=HASH["9"], scorer=HASH["9"])
    assert likeness(side(BOTH), other).remedies == ("regrade",)


def test_maps_that_differ_refuse_only_where_a_used_name_is_mapped_otherwise() -> None:
    a, b = side(BOTH), side(BOTH, rename_map=HASH["9"])
    before, after = by_table({"old": "new"}), by_table({"old": "new", "far": "away"})
    assert likeness(a, b, Renames({"old", "new"}, before, after)).alike
    (only,) = likeness(a, b, Renames({"old", "far"}, before, after)).unlike
    assert (only.part, only.name, only.a, only.b) == ("rename_map", "far", "far", "away")


def test_drafts_are_never_compared() -> None:
    (only,) = likeness(side(BOTH), side(BOTH, exploratory=True)).unlike
    assert (only.part, only.a, only.b) == (
        "exploratory", "reviewed records only", "drafts scored"
    )  # fmt: skip
    assert only.remedies == ("score_reviewed",)


def test_what_is_not_known_is_not_taken_to_be_the_same() -> None:
    found = likeness(table(BOTH), side(BOTH))
    (only,) = found.unlike
    assert (only.part, only.a, only.b) == ("known", None, HASH["0"])
    assert found.remedies == ("score_traces",)
    two = compare(table(BOTH), table(BOTH))
    assert (two.refused, two.context) == (False, "neither")


def test_lines_without_results_still_tell_their_records() -> None:
    a = Side.from_lines("a", [line("c1", "P"), line("c2", "P")])
    assert likeness(a, a).alike
    b = Side.from_lines("b", [line("c1", "P"), line("c2", "P", content_hash=HASH["9"])])
    (only,) = likeness(a, b).unlike
    assert (only.part, only.name, only.b) == ("truth", "c2", HASH["9"])


def refused(a: dict[str, Any], b: dict[str, Any]) -> tuple[bool, list[ContextPart]]:
    found = compare(_given(a), _given(b))
    assert (found.passed is None) == found.refused
    return found.refused, [part.part for part in found.unlike]


def _given(raw: dict[str, Any]) -> Side:
    verdicts = {f"c{i}": "P" if i < raw["passed"] else "F" for i in range(raw["scored"])}
    if raw["truth_hash"] is None:
        return table(verdicts)
    scorer = HASH[raw["scorer"][-1]]
    return side(verdicts, truth=HASH[raw["truth_hash"][0]], scorer=scorer)


@pytest.mark.data
def test_given_results_across_hashes() -> None:
    runs = {row["run"]: row for row in load("22", "results.jsonl")}
    for pair, expected in load("22", "expected.json").items():
        a, b = (runs[name] for name in pair.split("-"))
        assert refused(a, b)[0] == (not expected["allowed"])
        if expected["allowed"]:
            found = compare(_given(a), _given(b)).passed
            assert found is not None
            assert found.difference == float(expected["difference"])


def test_results_across_hashes() -> None:
    one = {"truth_hash": "a", "scorer": "4", "passed": 4, "scored": 5}
    assert refused(one, {**one, "passed": 5}) == (False, [])
    assert refused(one, {**one, "truth_hash": "b"}) == (True, ["truth"])
    assert refused(one, {**one, "truth_hash": None}) == (True, ["known"])
    assert refused(one, {**one, "scorer": "5"}) == (True, ["scorer"])
