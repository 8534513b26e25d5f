"""``assay runs show``: a table of a run, a transcript of a case, and helpful refusals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from assay.cli.main import main

RUNS = [
    {
        "schema_version": 1, "run": "mine", "case_id": "refund-1", "agent": "a1",
        "turns": [{
            "user": "Refund \x1b[31morder 1\x1b[0m, please.", "answer": "Done.",
            "tool_calls": [
                {"name": "look", "server": "orders", "outcome": "ok", "args": {"id": "1"},
                 "result": {"text": "x" * 600}, "parallel_group": 0, "duration_ms": 1200},
                {"name": "pay", "outcome": "error", "error": "no card", "parallel_group": 0,
                 "started_at": "2026-01-02T03:04:05Z"},
            ],
        }],
        "final_answer": "Done.", "tokens_in": 1200, "tokens_out": 34, "unknown": ["cost"],
    },
    {
        "schema_version": 1, "run": "mine", "case_id": "refund-1", "trial": 1,
        "turns": [{"user": "Again."}], "infrastructure_errors": ["503"], "unknown": ["cost"],
    },
]  # fmt: skip

TABLE = """\
  case      trial  turns  calls  failed  harness  tokens  question
  refund-1      1      1      2       1        0   1,234  Refund \\e[31morder 1\\e[0m,…
  refund-1      2      1      0       0        1       ·  Again.

  1 case, 2 runs; agent a1.
  Not recorded in every run: cost.
"""
PAGE = """\
  refund-1
  trial 1; agent a1; tokens 1,200 in, 34 out

  user            Refund \\e[31morder 1\\e[0m, please.
  call 1 ok       orders/look(id="1")
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.jsonl"
    path.write_text("".join(json.dumps(run) + "\n" for run in RUNS), encoding="utf-8")
    return path


def show(*args: object) -> Result:
    return CliRunner().invoke(main, ["runs", "show", *map(str, args)])


def test_a_table(file: Path) -> None:
    assert show(file).output == TABLE


def test_a_transcript(file: Path) -> None:
    text = show(file, "refund-1").output
    assert text.startswith(PAGE)
    assert "1,200 ms, issued with call 2" in text
    assert "2026-01-02T03:04:05Z, issued with call 1" in text
    assert "more characters)" in text
    assert "x" * 600 in show(file, "refund-1", "--full").output
    assert "503" in show(file, "refund-1", "--trial", 2).output


def test_as_json(file: Path) -> None:
    every = json.loads(show(file, "--format", "json").output)
    assert [(run["case_id"], run["trial"]) for run in every["runs"]] == [
        ("refund-1", 0),
        ("refund-1", 1),
    ]
    one = json.loads(show(file, "refund-1", "--trial", 2, "--format", "json").output)
    assert one == {"schema_version": 1, "run": RUNS[1]}


def test_what_is_not_there(file: Path) -> None:
    for args, words in (
        ((file, "refund-2"), "refund-1"),
        ((file, "refund-1", "--trial", 9), "trials: 1, 2"),
        ((file.with_name("no.jsonl"),), "no.jsonl"),
    ):
        result = show(*args)
        assert result.exit_code != 0
        assert words in str(result.exception) + result.output
