"""Runs that lie in the repository: native lines, strict and fast."""

from __future__ import annotations

from pathlib import Path

from assay.errors import AssayError, InputError
from assay.files.reading import parse_json, raw_lines
from assay.files.validation import require
from assay.models.run import ObservedRun


def load_runs(path: Path, *, name: str | None = None) -> tuple[ObservedRun, ...]:
    """The observed runs of a native file.

    Raises:
        InputError: a line is no observed run, or names another run than the file.
    """
    label = name or path.as_posix()
    found: list[ObservedRun] = []
    for line, raw in raw_lines(path, name=label):
        value = parse_json(raw, name=label, first_line=line)
        try:
            run = require(ObservedRun, value, name=label, first_line=line)
        except AssayError as error:
            error.line = error.line or line
            raise
        if run.run != path.stem:
            raise InputError(
                f"The line belongs to the run `{run.run}`; the file is called `{path.stem}`.",
                path=label,
                line=line,
                pointer="/run",
                hint="one file a run, named after it",
            )
        found.append(run)
    return tuple(found)
