"""Frozen data: the value at a place, and why there is none."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from assay.ledger.fixtures import (
    Fixture,
    Found,
    Missing,
    load_fixture,
    same,
    suite_texts,
    value_at,
)

FILES = {
    "cases/shop/fixtures/t.csv": "ring,width\nR-20,7.5\nR-30,8.25\nR-30,9\nR-40,9\nR-40,9\n",
    "cases/shop/fixtures/semi.csv": "ring;width\nR-20;7,5\n",
    "cases/shop/fixtures/short.csv": "ring,width\nR-20\nR-30,1,2\n",
    "cases/shop/fixtures/o.json": '{"a": {"b": [10, 1.50]}, "c/d": "x"}',
    "cases/shop/fixtures/l.json": '[{"id": 1, "v": true}, {"id": 2, "v": null}, 7]',
    "cases/shop/cassettes/calls.json": (
        '{"interactions": [{"tool": "get", "args": {"id": "7"}, "result": {"sum": 41.90}},'
        ' {"tool": "put", "args": {"id": "7"}, "result": {"sum": 0}}]}'
    ),
    "cassettes/big.json": '[{"name": "get", "arguments": {"id": 8}, "response": {"sum": 5}}]',
    "cases/shop/fixtures/broken.json": "{",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "key", "field", "wanted"),
    [
        ("fixtures/t.csv", {"ring": "R-20"}, "width", "7.5"),
        ("t.csv", {"ring": "R-20"}, "width", "7.5"),
        ("t.csv", {"ring": "R-40"}, "width", "9"),
        ("t.csv", {"width": 7.5}, "ring", "R-20"),
        ("semi.csv", {"ring": "R-20"}, "width", "7,5"),
        ("o.json", None, "/a/b/1", Decimal("1.50")),
        ("o.json", None, "c/d", "x"),
        ("l.json", {"id": 1}, "v", True),
        ("l.json", {"id": 2}, "v", None),
        ("calls", {"tool": "get", "id": "7"}, "/sum", Decimal("41.90")),
        ("cassettes/calls.json", {"tool": "put"}, "sum", 0),
        ("big", {"id": 8}, "sum", 5),
    ],
)
def test_found(root: Path, name: str, key: Any, field: str, wanted: object) -> None:
    if isinstance(key, dict):
        key = {k: Decimal(str(v)) if isinstance(v, float) else v for k, v in key.items()}
    fixture = load_fixture(root, "shop", name)
    assert isinstance(fixture, Fixture)
    found = value_at(fixture, key, field)
    assert isinstance(found, Found), found
    assert found.value == wanted
    assert type(found.value) is type(wanted)


@pytest.mark.parametrize(
    ("name", "key", "field", "part", "words"),
    [
        ("t.csv", {"ring": "R-21"}, "width", "key", "No row"),
        ("t.csv", {"ring": "R-30"}, "width", "key", "2 rows"),
        ("t.csv", {"rings": "R-20"}, "width", "key", "No row"),
        ("t.csv", {"ring": "R-20"}, "depth", "field", "no `depth`"),
        ("t.csv", ["ring"], "width", "key", "must be an object"),
        ("o.json", {"a": 1}, "/a", "key", "one object"),
        ("o.json", None, "/a/b/2", "field", "no `/a/b/2`"),
        ("o.json", None, "/a/b/x", "field", "no `/a/b/x`"),
        ("l.json", {"id": "1"}, "w", "field", "no `w`"),
        ("calls", {"id": "7"}, "sum", "key", "with different `sum`"),
        ("calls", {"tool": "get", "id": 8}, "sum", "key", "No row"),
    ],
)
def test_missing(root: Path, name: str, key: Any, field: str, part: str, words: str) -> None:
    fixture = load_fixture(root, "shop", name)
    assert isinstance(fixture, Fixture)
    found = value_at(fixture, key, field)
    assert isinstance(found, Missing)
    assert found.part == part
    assert words in found.message


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("gone.csv", "There is no fixture"),
        ("../../../etc/passwd", "leaves"),
        ("/etc/passwd", "leaves"),
        ("broken.json", "cannot be read"),
    ],
)
def test_files_that_are_not_there(root: Path, name: str, words: str) -> None:
    found = load_fixture(root, "shop", name)
    assert isinstance(found, Missing)
    assert words in found.message


def test_recordings_that_were_not_fetched_say_nothing(root: Path) -> None:
    (root / "cassettes/big.json").unlink()
    (root / "cassettes").rmdir()
    (root / "cassettes.dvc").write_text("outs: []\n", encoding="utf-8")
    assert load_fixture(root, "shop", "big") is None


def test_short_and_long_rows_do_no_harm(root: Path) -> None:
    fixture = load_fixture(root, "shop", "short.csv")
    assert isinstance(fixture, Fixture)
    assert value_at(fixture, {"ring": "R-30"}, "width") == Found("1", fixture.path)
    assert value_at(fixture, {"ring": "R-20"}, "width") == Found(None, fixture.path)


@pytest.mark.parametrize(
    ("a", "b", "wanted"),
    [
        ("7.50", Decimal("7.5"), True),
        (7, "7", True),
        ("7", 8, False),
        ("x", 7, False),
        (True, "1", False),
        (True, 1, False),
        ("a", "a", True),
        ([1], [Decimal("1.0")], True),
    ],
)
def test_same(a: Any, b: Any, wanted: bool) -> None:
    assert same(a, b) is wanted
    assert same(b, a) is wanted


def test_texts_of_a_suite(root: Path) -> None:
    assert len(suite_texts(root, "shop")) == 7
    assert suite_texts(root, "none") == ()
