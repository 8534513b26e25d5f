"""Files of a scored run: ``<run>.jsonl`` with a line a case and trial, ``<run>.json``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from assay.files.model_text import model_line, model_text, value_text
from assay.files.writing import write_text
from assay.models.base import JsonValue
from assay.models.result import CaseResult, Result
from assay.pipeline.against import read_model, read_models

LINES = ".jsonl"
RESULT = ".json"


def write_scored(folder: Path, results: Sequence[CaseResult], result: Result) -> list[Path]:
    """Write both files; returns their paths."""
    run = result.subject.run
    lines, whole = folder / f"{run}{LINES}", folder / f"{run}{RESULT}"
    write_text(lines, "".join(map(model_line, results)))
    write_text(whole, model_text(result))
    return [lines, whole]


def write_metrics(folder: Path, result: Result) -> None:
    """The few numbers of a result that ``dvc metrics`` shows and compares."""
    numbers: dict[str, JsonValue] = {
        name: getattr(result.overall, name)
        for name in ("pass_rate", "wilson_low", "wilson_high", "worst", "best")
    }
    for name in ("passed", "failed", "not_evaluated", "errored", "excluded", "unmatched"):
        numbers[name] = getattr(result.overall, name)
    write_text(folder / f"{result.subject.run}.json", value_text(numbers) + "\n")


def read_scored(root: Path, folder: str) -> tuple[list[Result], list[CaseResult]]:
    """All results in a folder, by name, and the lines behind them.

    Raises:
        InputError: a file is not what it should be.
    """
    results: list[Result] = []
    lines: list[CaseResult] = []
    for path in sorted((root / folder).glob(f"*{RESULT}")):
        name = path.relative_to(root).as_posix()
        results.append(read_model(root, name, Result))
        lines += read_models(root, name.removesuffix(RESULT) + LINES, CaseResult)
    return results, lines
