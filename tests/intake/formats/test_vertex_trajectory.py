"""Rows of the Vertex evaluation service: however the table was written, and what a row may lack."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assay.intake.runs import read_runs
from tests.intake.formats.support import codes, endures, imported, one
from tests.intake.formats.test_records import ROW

BARE = {key: value for key, value in ROW.items() if key != "case_id"}
SECOND = {**BARE, "prompt": "And that one?", "predicted_trajectory": []}


def essence(result: Any) -> Any:
    return [
        (run.turns[0].user, [(c.name, c.args) for _, c in run.tool_calls]) for run in result.runs
    ]


WANTED = [
    ("Where is it?", [("track", {"parcel": "17", "n": 2.5})]),
    ("And that one?", []),
]


def columns(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    return {key: [row[key] for row in rows] for key in rows[0]}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("rows.json", [BARE, SECOND]),
        ("rows.jsonl", [BARE, SECOND]),
        ("rows.json", columns([BARE, SECOND])),
        (
            "rows.json",
            {key: {str(n): v for n, v in enumerate(col)}
             for key, col in columns([BARE, SECOND]).items()},
        ),
    ],
    ids=["list", "lines", "columns", "indexed columns"],
)  # fmt: skip
def test_rows_are_rows_however_they_were_written(tmp_path: Path, name: str, value: Any) -> None:
    result = imported(tmp_path, value, name)
    assert result.format == "vertex-trajectory"
    assert essence(result) == WANTED
    assert [(run.case_id, run.trial) for run in result.runs] == [("rows-1", 0), ("rows-2", 0)]
    assert codes(result) == ["IRU005", "IRU005"], "rows are different cases, not trials of one"
    assert result.dropped == {"expected trajectory": 2}


def test_one_row_alone_is_called_after_the_file(tmp_path: Path) -> None:
    assert one(tmp_path, BARE, "parcel-17.json").case_id == "parcel-17"


def test_columns_of_different_length(tmp_path: Path) -> None:
    value = {**columns([BARE, SECOND]), "prompt": ["one"]}
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(value))
    with pytest.raises(Exception, match="has 1 values") as caught:
        read_runs(path)
    assert "to_json" in caught.value.hint  # type: ignore[attr-defined]


def test_a_trajectory_in_python(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(
        "prompt,predicted_trajectory\n"
        "a,\"[{'tool_name': 'track', 'tool_input': {}}]\"\n"
        'b,"[{""tool_name"": ""track"", ""tool_input"": ""{\\""n\\"": 2}""}]"\n'
    )
    result = read_runs(path)
    (run,) = result.runs
    assert run.tool_calls[0][1].args == {"n": 2}
    (error,) = [item for item in result.findings if item.severity == "error"]
    assert "is Python, not JSON" in error.message
    assert (error.line, "to_json" in error.hint) == (2, True)


def test_a_failure_is_no_answer(tmp_path: Path) -> None:
    said = "Error occurred during inference: quota"
    row = {**ROW, "failure": 1, "response": said, "predicted_trajectory": None}
    run = one(tmp_path, row)
    assert (run.infrastructure_errors, run.final_answer) == ((said,), None)
    assert "tool_calls" in run.unknown
    for fine in (0, "0", "0.0", False, None, ""):
        assert one(tmp_path, {**ROW, "failure": fine}).infrastructure_errors == ()


def test_no_trajectory_is_not_an_empty_one(tmp_path: Path) -> None:
    assert "tool_calls" in one(tmp_path, {**ROW, "predicted_trajectory": None}).unknown
    assert "tool_calls" in one(tmp_path, {**ROW, "predicted_trajectory": ""}).unknown
    assert "tool_calls" not in one(tmp_path, {**ROW, "predicted_trajectory": []}).unknown
    assert "tool_calls" not in one(tmp_path, {**ROW, "predicted_trajectory": "[]"}).unknown


def test_what_people_rated_and_what_nobody_reads(tmp_path: Path) -> None:
    row = {**ROW, "human_ratings": 4.50, "latency_in_seconds": 2.1, "coherence/score": 3}
    result = imported(tmp_path, row)
    assert str(result.runs[0].score_given) in ("4.5", "4.50")
    assert result.dropped == {
        "expected trajectory": 1,
        "field `coherence/score`": 1,
        "field `latency_in_seconds`": 1,
    }
    result = imported(tmp_path, {**ROW, "human_ratings": [4, 5]})
    assert result.runs[0].score_given is None
    assert result.dropped["rating that is no number"] == 1


def test_junk_never_ends_in_a_traceback(tmp_path: Path) -> None:
    endures(tmp_path, columns([BARE, SECOND]))
    endures(tmp_path, {**ROW, "human_ratings": 3, "failure": 0})
