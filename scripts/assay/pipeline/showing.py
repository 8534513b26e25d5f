"""The observed runs that a name means: of the repository, of a result, or of any trace file."""

from __future__ import annotations

import difflib
from pathlib import Path

from assay.errors import RefusedError, UsageError
from assay.intake.runs.read import read_runs
from assay.models.run import ObservedRun
from assay.pipeline.naming import (
    PublishedResult,
    RunFile,
    ScoredResult,
    StoredRun,
    resolve,
    run_of_result,
)


def observed(root: Path | None, name: str, *, suite: str | None = None) -> tuple[ObservedRun, ...]:
    """Everything that a run did, by case and trial.

    Raises:
        RefusedError: there are only verdicts.
        UsageError: the name means nothing.
        InputError: the file cannot be read.
    """
    named = resolve(root, name, suite=suite)
    if isinstance(named, StoredRun | RunFile):
        path = named.path
    elif isinstance(named, ScoredResult | PublishedResult) and root is not None:
        path = run_of_result(root, named)
    else:
        raise RefusedError(
            "There are only verdicts in it, and no conversation.",
            path=name,
            hint="name the run itself, or a trace file",
        )
    return read_runs(path).runs


def of_case(
    runs: tuple[ObservedRun, ...], case_id: str, trial: int | None
) -> tuple[ObservedRun, ...]:
    """The trials of one case, or one of them.

    Args:
        runs: all of them.
        case_id: the case.
        trial: one-based; every trial where absent.

    Raises:
        UsageError: the run has no such case or trial.
    """
    found = tuple(run for run in runs if run.case_id == case_id)
    if not found:
        known = sorted({run.case_id for run in runs})
        near = difflib.get_close_matches(case_id, known, 3)
        hint = f"did you mean {', '.join(near)}?" if near else f"it has {', '.join(known[:6])} …"
        raise UsageError(f"The run has no case `{case_id}`.", hint=hint)
    if trial is None:
        return found
    chosen = tuple(run for run in found if run.trial == trial - 1)
    if not chosen:
        trials = ", ".join(str(run.trial + 1) for run in found)
        raise UsageError(f"The run has no trial {trial} of {case_id}.", hint=f"trials: {trials}")
    return chosen
