"""Nodes and documents: two spellings, exact places, the layout of a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.errors import InputError
from assay.intake.node import Node, Source, snake
from assay.intake.opening.feed import open_document
from tests.intake.support import put


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("evalSetId", "eval_set_id"),
        ("eval_id", "eval_id"),
        ("name", "name"),
        ("Name", "Name"),
        ("__llm_request_key__", "__llm_request_key__"),
    ],
)
def test_snake(name: str, wanted: str) -> None:
    assert snake(name) == wanted


def test_both_spellings_of_one_field_are_refused() -> None:
    node = Node({"evalId": "a", "eval_id": "b"}, Source("f.json"))
    with pytest.raises(InputError, match="two spellings"):
        node.field("eval_id")


def test_absent_null_and_present_are_three_things() -> None:
    node = Node({"a": None, "b": 1}, Source("f.json"))
    null = node.field("a")
    assert null is not None
    assert null.value is None
    assert node.get("a") is None
    assert node.field("c") is None
    assert node.need("b").value == 1


def test_an_error_names_file_line_and_field(tmp_path: Path) -> None:
    path = put(tmp_path, "x.json", '{\n "a": [\n  {"b": 1}\n ]\n}')
    node = open_document(path).first.need("a").items()[0].need("b")
    with pytest.raises(InputError) as caught, node.source.placed():
        node.text()
    error = caught.value
    assert (error.line, error.column, error.pointer) == (3, 9, "/a/0/b")
    assert error.message == "`b` must be text and is a number."


@pytest.mark.parametrize(
    ("name", "text", "layout", "records"),
    [
        ("a.json", '{"x": 1}', "json", 1),
        ("a.json", '[{"x": 1}, {"x": 2}]', "json", 2),
        ("a.json", '{"x": 1}\n{"x": 2}\n', "lines", 2),
        ("a.jsonl", '{"x": 1}\n\n{"x": 2}', "lines", 2),
        ("a.txt", "case_id,passed\na,true\n", "table", 1),
        ("a.csv", "case_id;passed\n\na;true\n", "table", 1),
        ("a.json", '"{\\"x\\": 1}"', "json", 1),
    ],
)
def test_layouts(tmp_path: Path, name: str, text: str, layout: str, records: int) -> None:
    document = open_document(put(tmp_path, name, text))
    assert (document.layout, len(document.records)) == (layout, records)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_mark_and_crlf_are_read_as_absent(tmp_path: Path, mark: str, end: str) -> None:
    lines = end.join(['{"x": "a"}', '{"x": "b"}', ""])
    rows = end.join(["case_id,passed", '"a, b",true', ""])
    for name, text in (("a.jsonl", lines), ("a.json", lines), ("a.csv", rows)):
        plain = open_document(put(tmp_path, name, text.replace("\r\n", "\n")))
        marked = open_document(put(tmp_path, name, mark + text))
        assert [n.value for n in marked.nodes] == [n.value for n in plain.nodes]
        assert marked.columns == plain.columns


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("case_id,passed\na\n", "The row has 1 fields", 2),
        ("case_id,case_id\n", "stands there twice", 1),
        ('case_id,passed\n"a,true\n', "Not a valid table", 2),
        ("\n", "empty", 1),
    ],
)
def test_wrong_tables(tmp_path: Path, text: str, message: str, line: int) -> None:
    with pytest.raises(InputError, match=message) as caught:
        open_document(put(tmp_path, "a.csv", text))
    assert caught.value.line == line
