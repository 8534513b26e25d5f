"""Bad bytes give one message with a place; good ones give exact values."""

from __future__ import annotations

import os
import subprocess
from decimal import Decimal
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.files import reading
from assay.files.locate import locate
from assay.files.reading import json_lines, parse_json, read_json
from assay.files.yamls import parse_yaml


@pytest.mark.parametrize(
    ("data", "place", "words"),
    [
        (b"", "x.json:1", "empty"),
        (b"   \n", "x.json:1", "empty"),
        (b'{"a": NaN}', "x.json:1:7", "NaN is no number in JSON"),
        (b'{"a":\n Infinity}', "x.json:2:2", "Infinity is no number in JSON"),
        (b'{"a": Nil}', "x.json:1:7", "expected"),
        (b'{"a": 1,\n "a": 2}', "x.json:2", 'duplicate key "a"'),
        (b'{"a": 1', "x.json:1:7", "EOF"),
        (b"\xff\xfe{\x00}\x00", "x.json:1", "UTF-16"),
        (b'{"a":\n "\xe9"}', "x.json:2", "0xe9 is not UTF-8"),
        (b"[1] 2", "x.json:1", "trailing"),
    ],
)
def test_bad_json_names_the_place(tmp_path: Path, data: bytes, place: str, words: str) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        read_json(path, name="x.json")
    assert caught.value.where.startswith(place)
    assert words in caught.value.message
    assert caught.value.hint


def test_missing_folder_and_forbidden(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_json(tmp_path / "none.json")
    with pytest.raises(InputError, match="folder"):
        read_json(tmp_path)
    with pytest.raises(InputError, match="folder"):
        list(json_lines(tmp_path))


def test_a_pipe_in_a_folder_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(InputError, match="pipe"):
        read_json(tmp_path / "pipe.json")
    with pytest.raises(InputError, match="pipe"):
        list(json_lines(tmp_path / "pipe.json"))


def test_what_the_shell_hands_over_is_read() -> None:
    reading, writing = os.pipe()
    os.write(writing, b'{"a": 1}\n')
    os.close(writing)
    assert list(json_lines(Path(f"/dev/fd/{reading}"))) == [(1, {"a": 1})]
    os.close(reading)


def test_a_yaml_number_beyond_reading_is_one_message() -> None:
    with pytest.raises(InputError, match="5,000 characters") as caught:
        parse_yaml("a:\n  - " + "9" * 5000, name="x.yaml")
    assert caught.value.where == "x.yaml:2:5  /a/0"


def test_mark_and_crlf_are_read_as_if_absent(tmp_path: Path) -> None:
    plain, marked = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    plain.write_bytes(b'{"a": 1}\n{"a": 2}\n')
    marked.write_bytes(b'\xef\xbb\xbf{"a": 1}\r\n{"a": 2}\r\n')
    assert list(json_lines(plain)) == list(json_lines(marked))


def test_lines_end_at_line_feeds_only(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": "x\u2028y\u0085z"}\n\n{"a": "\u2029"}', encoding="utf-8")
    assert list(json_lines(path)) == [(1, {"a": "x\u2028y\u0085z"}), (3, {"a": "\u2029"})]


def test_a_line_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_LINE_BYTES", 1000)
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"a": 1}\n"' + b"x" * 2000)
    with pytest.raises(InputError, match="more than 1,000 bytes") as caught:
        list(json_lines(path))
    assert caught.value.line == 2


def test_numbers_are_exact() -> None:
    value = parse_json('{"a": 9007199254740993, "b": 0.1, "c": 1e400}', name="x")
    assert value == {"a": 9007199254740993, "b": Decimal("0.1"), "c": Decimal("1e400")}


def test_places_of_values() -> None:
    text = '{\n  "a": [1, {"b/c": "x"}],\n  "d": {"e": null}\n}'
    assert locate(text, "/a/1/b~1c") == (2, 20)
    assert locate(text, "/d/e") == (3, 14)
    assert locate(text, "/d/nothing") == (3, 8)
    assert locate(text, "", first_line=5) == (5, 1)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: 1\na: 2\n", "Duplicate key `a`"),
        ("a: &x 1\nb: *x\n", "aliases"),
        ("a: .nan\n", "not a number"),
        ("a: !!python/object:os.system x\n", "Tags"),
        ("a: [1\n", "Not valid YAML"),
        ("a: 1\n---\nb: 2\n", "another document"),
    ],
)
def test_yaml_that_is_refused(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words.replace("[", r"\[")) as caught:
        parse_yaml(text, name="x.yaml")
    assert caught.value.line is not None


def test_the_hint_looks_at_the_line_that_is_broken(tmp_path: Path) -> None:
    path = tmp_path / "two lines.jsonl"
    path.write_bytes(b'{"a": 1}\n{"a": \n')
    with pytest.raises(InputError) as caught:
        list(json_lines(path))
    assert caught.value.line == 2
    done = subprocess.run(caught.value.hint, shell=True, capture_output=True, text=True)
    assert "line 2 column 1" in done.stderr, "of what it was given: the line and its end"
    assert "Extra data" not in done.stderr


def test_nesting_has_a_limit_and_the_hint_says_which() -> None:
    assert parse_json("[" * 200 + "]" * 200, name="a.json")
    with pytest.raises(InputError, match="recursion limit") as caught:
        parse_json("[" * 202 + "]" * 202, name="a.json")
    assert "at most 200" in caught.value.hint
