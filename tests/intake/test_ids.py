"""Ids: safe ones are kept, others are derived, stable and safe."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.intake.ids import derived, file_name, is_safe, safe_id, slug, stem


@pytest.mark.parametrize("case_id", ["ok-1", "ok_2.v1", "0", "a" * 96])
def test_safe_ids_are_kept(case_id: str) -> None:
    assert safe_id(case_id) == case_id


@pytest.mark.parametrize(
    ("source_id", "wanted"),
    [
        ("tests/fixture/order_query.test.json", "order_query-a0efd5b1"),
        ("../escaped", "escaped-"),
        ("a b", "a-b-"),
        ("Größe", "groe-"),
        ("..", "case-"),
        ("ok-1\n", "ok-1-"),
    ],
)
def test_derived_ids_are_readable(source_id: str, wanted: str) -> None:
    assert safe_id(source_id).startswith(wanted[: wanted.rindex("-") + 1])


@settings(deadline=None)
@given(st.text())
def test_every_text_gets_a_safe_id(source_id: str) -> None:
    made = safe_id(source_id)
    assert is_safe(made)
    assert safe_id(made) == made
    assert derived(source_id) == derived(source_id)
    assert is_safe(slug(source_id))
    assert is_safe(file_name(source_id))


@settings(deadline=None)
@given(st.text(), st.text())
def test_different_ids_stay_different(first: str, second: str) -> None:
    if first != second:
        assert derived(first) != derived(second)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("eval/a.test.json", "a"),
        ("x.evalset_result.json", "x"),
        ("gpt-4o.even-tasks.json", "gpt-4o.even-tasks"),
        ("noext", "noext"),
        (".json", ".json"),
    ],
)
def test_stem(name: str, wanted: str) -> None:
    assert stem(name) == wanted


def test_long_file_names_are_told_apart() -> None:
    names = {file_name("x" * 120 + end + ".json") for end in "ab"}
    assert len(names) == 2
