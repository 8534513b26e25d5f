"""NaN and Infinity in a trace: null, and counted. The trace is worth more than that number."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from assay.errors import InputError
from assay.intake.cases import read_cases
from assay.intake.runs import read_runs

CALL = {"id": "c", "type": "function", "function": {"name": "mean", "arguments": "{}"}}
CHAT: dict[str, Any] = {
    "case_id": "a",
    "final_state": {"mean": float("nan"), "most": [float("-inf"), 0.1, {"x": float("inf")}]},
    "messages": [
        {"role": "user", "content": "How warm?"},
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "c", "content": "nothing"},
        {"role": "assistant", "content": "NaN degrees."},
    ],
}
RULE = "number that is none (NaN, Infinity)"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.json", json.dumps(CHAT)),
        ("x.jsonl", json.dumps(CHAT) + "\n"),
        ("x.json", json.dumps(CHAT, indent=1)),
        ("x.jsonl", json.dumps(CHAT, indent=1)),
        ("x.json", json.dumps([CHAT])),
    ],
)
def test_a_trace(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    result = read_runs(tmp_path / name)
    (run,) = result.runs
    state = run.final_state
    assert isinstance(state, dict)
    assert state == {"mean": None, "most": [None, Decimal("0.1"), {"x": None}]}
    assert run.final_answer == "NaN degrees."
    assert result.dropped == {RULE: 3}


def test_two_in_a_row(tmp_path: Path) -> None:
    text = json.dumps(CHAT, indent=1) + "\n" + json.dumps({**CHAT, "case_id": "b"}, indent=1)
    (tmp_path / "x.json").write_text(text)
    result = read_runs(tmp_path / "x.json")
    assert [run.case_id for run in result.runs] == ["a", "b"]
    assert result.dropped == {RULE: 6}


def test_a_case_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text('{"eval_set_id": "s", "eval_cases": [], "x": NaN}')
    with pytest.raises(InputError, match="NaN is no number in JSON"):
        read_cases(tmp_path / "x.json")
