"""Which runs ``assay runs show`` shows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from assay.errors import InputError, RefusedError, UsageError
from assay.models.run import ObservedRun


def runs_of(root: Path | None, name: str, suite: str | None) -> tuple[str, list[ObservedRun]]:
    """Name of a run, and its runs by case and trial.

    Raises:
        UsageError: nothing has this name, or several things have.
        InputError: a file cannot be read.
        RefusedError: it holds verdicts alone.
    """
    from assay.intake.runs import read_runs
    from assay.intake.runs.load import load_runs
    from assay.pipeline.naming import (
        PublishedResult,
        RunFile,
        ScoredResult,
        StoredRun,
        resolve,
        run_of_result,
    )

    named = resolve(root, name, suite=suite)
    found: Sequence[ObservedRun]
    if isinstance(named, StoredRun):
        label, found = named.run, load_runs(named.path)
    elif isinstance(named, ScoredResult | PublishedResult) and root is not None:
        path = run_of_result(root, named)
        label, found = path.stem, load_runs(path)
    elif isinstance(named, RunFile):
        read = read_runs(named.path, named.format)
        label, found = named.path.name, read.runs
        for item in read.findings:
            if item.severity == "error" and not found:
                raise InputError(item.message, path=item.path, line=item.line, hint=item.hint)
    else:
        raise RefusedError(
            "This holds verdicts; what the agent did is not in it.",
            path=name,
            hint="name the run, or the file of traces",
        )
    if not found:
        raise RefusedError("There is no run in it.", path=name)
    return label, sorted(found, key=lambda run: (run.case_id, run.trial))


def one_of(runs: Sequence[ObservedRun], case: str | None, trial: int | None) -> ObservedRun:
    """The run of a case, of its first trial where none is named; of the only case without one.

    Raises:
        UsageError: there is no such case or trial.
    """
    from assay.ledger.editing import nearest

    cases = tuple(dict.fromkeys(run.case_id for run in runs))
    if case is None and len(cases) > 1:
        raise UsageError("--trial needs a CASE.", hint=nearest("", cases))
    chosen = cases[0] if case is None else case
    trials = {run.trial: run for run in runs if run.case_id == chosen}
    if not trials:
        raise UsageError(f"The run has no case `{chosen}`.", hint=nearest(chosen, cases))
    if trial is None:
        return trials[min(trials)]
    if trial not in trials:
        known = ", ".join(str(number + 1) for number in sorted(trials)[:20])
        raise UsageError(f"There is no trial {trial + 1} of `{chosen}`.", hint=f"trials: {known}")
    return trials[trial]
