"""Files that hold no runs: what they look like, and what to do next."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assay.errors import InputError
from assay.intake.runs import read_runs

from .support import put


def refusal(path: Path) -> InputError:
    with pytest.raises(InputError) as caught:
        read_runs(path)
    return caught.value


@pytest.mark.parametrize(
    ("header", "hint"),
    [
        ("task_id,success", "rename the columns: `task_id` to case_id and `success` to passed"),
        ("case_id,Label", "rename the columns: `Label` to passed"),
        ("ID,passed", "rename the columns: `ID` to case_id"),
        ("id,task_id,passed", "needs the columns case_id and passed"),
        ("name,colour", "needs the columns case_id and passed"),
    ],
)
def test_a_table_with_other_columns(tmp_path: Path, header: str, hint: str) -> None:
    width = len(header.split(","))
    error = refusal(put(tmp_path, "t.csv", f"{header}\n{','.join('1' * width)}\n"))
    assert f"a table with the columns {header.replace(',', ', ')}." in error.message
    assert hint in error.hint
    assert "docs/formats/table.md" in error.hint


@pytest.mark.parametrize(
    ("value", "words", "hint"),
    [
        ({"eval_cases": [{"prompt": "?"}]}, "eval cases and no recorded run", "assay cases import"),
        ({"judge_model": "m", "score": 1}, "a judge's verdict", "leaves files like this one out"),
        ({"run_name": "x", "total_runs": 3}, "notes about runs", "leaves files like this one out"),
        ({"output_path": "x.json"}, "notes about runs", "leaves files like this one out"),
        ({"id": 1, "text": "?", "expected_tools": []}, "scenarios or plans", "that answer them"),
        ({"planning_steps": [], "execution_steps": []}, "scenarios or plans", "that answer them"),
        ({"$schema": "https://json-schema.org/x", "type": "object"}, "a JSON Schema", "formats"),
        ({"colour": "red"}, "an object with `colour`", "openai-chat takes plain messages"),
        ({}, "an object with no fields", "openai-chat takes plain messages"),
        ([], "an empty list", "openai-chat takes plain messages"),
        ([{"colour": "red"}], "objects with `colour`", "openai-chat takes plain messages"),
        ([1, 2], "no object at all", "openai-chat takes plain messages"),
    ],
)
def test_something_else(tmp_path: Path, value: Any, words: str, hint: str) -> None:
    error = refusal(put(tmp_path, "x.json", value))
    assert words in error.message
    assert hint in error.hint


def test_many_and_long_names_are_cut(tmp_path: Path) -> None:
    named = {f"{'long' * 40}{index:02}": 1 for index in range(20)}
    error = refusal(put(tmp_path, "x.json", named))
    assert "and 12 more" in error.message
    looks = error.message.split("looks like ")[1].split(". Tried")[0]
    assert len(looks) < 500


@pytest.mark.parametrize("name", ["notes.md", "notes.txt", "run.py", "x.yaml"])
def test_text_that_is_no_data(tmp_path: Path, name: str) -> None:
    error = refusal(put(tmp_path, name, "Monday: it worked.\nTuesday: it did not.\n"))
    assert error.message == "The file is neither JSON, nor JSON lines, nor a table."
    assert (error.line, error.path) == (1, str(tmp_path / name))
    assert "docs/formats/README.md" in error.hint


@pytest.mark.parametrize(
    ("name", "text"),
    [("x.txt", '{"case_id": "a",'), ("x.txt", '"{\\"case_id\\": '), ("x.json", "Monday")],
)
def test_text_that_was_meant_to_be_json(tmp_path: Path, name: str, text: str) -> None:
    assert "Not valid JSON" in refusal(put(tmp_path, name, text)).message


def test_nothing_at_all(tmp_path: Path) -> None:
    assert "empty" in refusal(put(tmp_path, "x.txt", " \n")).message
