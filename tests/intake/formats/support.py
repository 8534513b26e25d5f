"""What tests of single formats share."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

from assay.errors import InputError
from assay.intake.runs import RunImport, read_runs
from assay.models.run import ObservedRun, ObservedTurn, ToolCall
from tests.intake.test_bad_input import JUNK, places, replaced


def imported(folder: Path, value: Any, name: str = "file.json") -> RunImport:
    """Import a value as a JSON file; a list as lines where the name says so."""
    path = folder / name
    text = (
        "".join(json.dumps(line) + "\n" for line in value)
        if name.endswith(".jsonl")
        else json.dumps(value)
    )
    path.write_text(text, encoding="utf-8")
    return read_runs(path, name=name)


def one(folder: Path, value: Any, name: str = "file.json") -> ObservedRun:
    """The only run of a file."""
    (run,) = imported(folder, value, name).runs
    return run


def turn(user: str | None, answer: str | None, *calls: ToolCall, **more: Any) -> ObservedTurn:
    return ObservedTurn(user=user, answer=answer, tool_calls=calls, **more)


def ok(name: str, args: dict[str, Any], result: Any, id: str | None, **more: Any) -> ToolCall:
    """A call that worked."""
    return ToolCall(name=name, args=args, outcome="ok", result=result, id=id, **more)


def bad(name: str, args: dict[str, Any], result: Any, id: str | None, **more: Any) -> ToolCall:
    """A call that failed; the result is the error unless another one is given."""
    given = {"error": result, **more}
    return ToolCall(name=name, args=args, outcome="error", result=result, id=id, **given)


def codes(result: RunImport) -> list[str]:
    return [item.code for item in result.findings]


def endures(folder: Path, value: Any, name: str = "file.json") -> None:
    """Every value replaced by every kind of junk ends in a message, never in a traceback."""
    for place in places(value):
        for junk in JUNK:
            with contextlib.suppress(InputError):
                imported(folder, replaced(value, place, junk), name)
