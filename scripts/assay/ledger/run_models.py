"""Which model made which part of a stored run; all that the rules need to know of runs."""

from __future__ import annotations

from pathlib import Path

from assay.errors import AssayError
from assay.files.reading import json_lines
from assay.ledger.layout import RUNS

RunModels = dict[tuple[str, int], tuple[str | None, ...]]
"""Case id and trial to the models named there; none for a model that is not named."""


def models_of_run(root: Path, suite: str, run: str) -> RunModels | None:
    """The models of a run in ``runs/<suite>/<run>.jsonl``, or in ``runs/<run>.jsonl``.

    Returns:
        None where there is no such file or it cannot be read; scoring it says why.
    """
    # A run's name comes from a verdict file and must not lead out of the folder.
    if "/" in run or "\\" in run or run.startswith("."):
        return None
    places = [root / RUNS / suite / f"{run}.jsonl", root / RUNS / f"{run}.jsonl"]
    try:
        path = next((place for place in places if place.is_file()), None)
    except (OSError, ValueError):  # Too long for a file name, or with a NUL in it.
        return None
    if path is None:
        return None
    found: dict[tuple[str, int], list[str | None]] = {}
    try:
        for _, value in json_lines(path):
            if isinstance(value, dict):
                case_id, trial, model = (
                    value.get("case_id"),
                    value.get("trial", 0),
                    value.get("model"),
                )
                if isinstance(case_id, str) and isinstance(trial, int):
                    named = model if isinstance(model, str) else None
                    found.setdefault((case_id, trial), []).append(named)
    except AssayError:
        return None
    return {key: tuple(dict.fromkeys(models)) for key, models in found.items()}
