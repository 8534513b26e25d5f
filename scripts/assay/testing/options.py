"""What the command line, the environment and pytest's settings say, in this order."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import pytest
from pydantic import TypeAdapter, ValidationError

from assay.errors import UsageError
from assay.models.base import Day
from assay.testing.filters import Filter

VARIABLE = "ASSAY_BENCH"


@dataclass(frozen=True)
class Options:
    """The options of a session."""

    bench: str | None
    """Folder of the benchmark, relative to where pytest was called."""
    wanted: Filter
    """What is asked for."""
    trials: int | None
    """Number of trials."""
    today: str | None
    """The day to judge at."""
    run: str | None
    """Name of the run."""
    record: Path | None
    """Where observed runs are written."""
    gating: bool
    """Whether only cases that gate may fail the session."""
    holdout: bool
    """Whether held-out cases run."""

    @classmethod
    def of(cls, config: pytest.Config) -> Options:
        """The options of a configuration.

        Raises:
            UsageError: one has a value that it cannot have.
        """
        option = config.getoption
        parts = ("suite", "slice", "status", "category", "case")
        here = config.invocation_params.dir
        record = option("assay_record")
        today = option("assay_today")
        if today is not None:
            _require_day(today)
        return cls(
            bench=_bench(config, here),
            wanted=Filter.of({name: option(f"assay_{name}") for name in parts}, "--assay-…"),
            trials=option("assay_trials"),
            today=today,
            run=option("assay_run"),
            record=here / record if record else None,
            gating=option("assay_gating"),
            holdout=option("assay_holdout"),
        )


def _bench(config: pytest.Config, here: Path) -> str | None:
    given = config.getoption("assay_bench") or os.environ.get(VARIABLE)
    if given:
        return given if Path.cwd() == here else str(here / given)
    setting = config.getini("assay_bench")
    if not setting:
        return None
    beside = config.inipath.parent if config.inipath is not None else config.rootpath
    # Commands that a message names are typed here, wherever the settings stand.
    return os.path.relpath(beside / setting, Path.cwd())


def _require_day(text: str) -> None:
    try:
        TypeAdapter(Day).validate_python(text)
    except ValidationError:
        raise UsageError(
            f"--assay-today {text} is no day.", hint="write it as YYYY-MM-DD"
        ) from None
