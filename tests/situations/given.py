"""Situations as they were handed in, where the folder is at hand; mapped to our fields."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from assay.files.reading import json_lines, read_json

ROOT = Path(__file__).resolve().parents[2]


def folder(number: str) -> Path:
    """The folder of a situation; skips the test where it is not at hand."""
    data = Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data"))
    found = sorted((data.parent / "situations").glob(f"{number}-*"))
    if not found:
        pytest.skip(f"situation {number} is not beside the repository")
    return found[0]


def load(number: str, name: str) -> Any:
    """A JSON or JSONL file of a situation."""
    path = folder(number) / name
    if path.suffix == ".jsonl":
        return [value for _, value in json_lines(path)]
    return read_json(path)


def label(raw: Mapping[str, Any], *keep: str) -> dict[str, Any]:
    """The expectations of a truth record in our fields."""
    fields = {name: raw[name] for name in ("forbidden_tools", "max_calls", *keep) if name in raw}
    fields["required_tools"] = [
        {"tool": entry["name"], "args": {k: _value(v) for k, v in entry["args"].items()}}
        for entry in raw.get("required_tools", ())
    ]
    return fields


def _value(value: Any) -> Any:
    if isinstance(value, Mapping) and set(value) == {"equals"}:
        return value["equals"]
    if isinstance(value, Mapping) and set(value) == {"relative"}:
        return {"$relative": value["relative"]}
    return value


def calls(raw: Any) -> list[dict[str, Any]]:
    """Observed calls; one without error counts as one that came back."""
    return [
        {
            "name": one["name"],
            "args": one["args"],
            "id": one.get("id"),
            "error": one.get("error"),
            "outcome": "ok"
            if not one.get("error")
            else "blocked"
            if "blocked" in one["error"]
            else "error",
        }
        for one in raw
    ]
