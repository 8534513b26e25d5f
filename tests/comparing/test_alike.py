"""What refuses a comparison, in which order, and with which words."""

from __future__ import annotations

from typing import Any

import pytest

from assay.comparing.alike import PARTS, same_data, unlike
from tests.comparing.making import context, result, sha, side


def found(a: dict[str, Any], b: dict[str, Any], **options: Any) -> list[tuple[str, str, str]]:
    sides = (side("P", against=result(context(**fields))) for fields in (a, b))
    return [(item.part, item.a, item.b) for item in unlike(*sides, **options)]


@pytest.mark.parametrize(
    "part",
    [p for p in PARTS if p not in ("status", "context", "policies", "weights", "suite")],
)
def test_every_digest(part: str) -> None:
    a, b = {part: sha("1")}, {part: sha("2")}
    assert found(a, b) == [(part, "1" * 10, "2" * 10)]
    assert found(a, a) == []


def test_parts_stand_in_order_with_what_differs_in_them() -> None:
    a: dict[str, Any] = {"scorer": sha("1"), "policies": {"p": "p-v1", "q": "q-v1"}}
    b: dict[str, Any] = {"scorer": sha("2"), "policies": {"p": "p-v2", "q": "q-v1"}}
    a |= {"weights": {"facts": 1, "calls": 2}, "suite": "one"}
    b |= {"weights": {"facts": 1}, "suite": "two"}
    assert found(a, b) == [
        ("suite", "one", "two"),
        ("policies", "p p-v1", "p p-v2"),
        ("scorer", "1" * 10, "2" * 10),
        ("weights", "calls 2", "calls none"),
    ]


def test_day_engine_and_exclusions_never_refuse() -> None:
    a = side("PP", against=result(), excluded=["x"])
    b = side("P", against=result(today="2027-03-20", engine="9", scored_set=sha("7")))
    assert unlike(a, b) == ()


def test_rename_maps_refuse_only_where_a_name_in_use_maps_differently() -> None:
    a, b = {"rename_map": sha("1")}, {"rename_map": sha("2")}
    assert found(a, b, mapped_otherwise=()) == []
    assert found(a, b, mapped_otherwise=("search",)) == [("rename_map", "1" * 10, "2" * 10)]
    assert found(a, b, mapped_otherwise=None) != []


def test_drafts_are_never_compared() -> None:
    drafts = side("P", against=result(exploratory=True))
    (item,) = unlike(drafts, side("P", against=result()))
    assert (item.part, item.a, item.b) == ("status", "with drafts", "reviewed")
    assert unlike(drafts, drafts)[0].part == "status"


def test_what_nobody_knows_is_not_alike() -> None:
    known = side("P", against=result())
    table = side("P")
    (item,) = unlike(known, table)
    assert (item.part, item.a, item.b) == ("context", "truth aaaaaaaaaa", "unknown")
    assert unlike(table, table) == ()


def test_same_data_is_all_but_the_scorer() -> None:
    assert same_data(context(), context(scorer=sha("9")))
    assert not same_data(context(), context(truth=sha("9")))
