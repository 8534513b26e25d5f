"""Which results report a failure, and which only talk about one."""

from __future__ import annotations

from typing import Any

import pytest

from assay.intake.runs.disguised import failure

TEXTS = [
    "Error executing tool load: 1 validation error",
    "Error calling tool 'load': no",
    "An error occurred while running the tool. Please try again. Error: no",
    "Error invoking tool 'load' with kwargs {} with error: no",
    "Error: ValueError('x')\n Please fix your mistakes.",
    "Unknown tool: lod",
    "MCP error -32602: bad",
    "Traceback (most recent call last):\n  File",
]
FAILED: list[tuple[Any, str]] = [
    *((text, text) for text in TEXTS),
    ({"error": "No readings."}, "No readings."),
    ({"error": {"message": "No.", "code": 4}, "status": 404}, "No."),
    ([{"error": "No readings."}], "No readings."),
    ({"isError": True, "content": []}, "The result says that it is an error."),
    ({"success": False, "message": "No such order."}, "No such order."),
    ({"ok": False, "error": "closed"}, "closed"),
    ({"status": "error", "message": "down"}, "down"),
]

FINE: list[Any] = [
    None,
    "",
    "Error rate: 4 %",
    "Error: order not found",
    "The tool said: Error executing tool load: x",
    "Unknown tool: lod was asked for twice, see the log",
    {"error": None},
    {"error": ""},
    {"errors": []},
    {"error": "E42", "meaning": "overheated"},
    {"error": 0.25, "mean": 4},
    {"status": "failed", "amount": 40},
    {"status": "error", "orders": [1], "message": "one of two"},
    {"status": "error_free"},
    {"success": False},
    {"success": "false", "message": "x"},
    [{"error": "a"}, {"error": "b"}],
    [],
    [1],
    {"isError": False, "error": None},
    40,
    True,
]


@pytest.mark.parametrize(("result", "words"), FAILED)
def test_a_failure(result: Any, words: str) -> None:
    assert failure(result) == words


@pytest.mark.parametrize("result", FINE)
def test_an_answer(result: Any) -> None:
    assert failure(result) is None
