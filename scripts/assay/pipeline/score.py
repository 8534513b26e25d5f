"""Stage ``score``: all runs of one suite against the truth that was compiled for it."""

from __future__ import annotations

import shutil
from pathlib import Path

from assay.errors import InputError, UsageError
from assay.intake.runs.load import load_runs
from assay.ledger.layout import RUNS
from assay.pipeline.against import from_build
from assay.pipeline.scored import write_metrics, write_scored
from assay.pipeline.stage import run_stage
from assay.scoring.run import score_run
from assay.scoring.selection import Selection


def score_stage(root: Path, arguments: list[str]) -> int:
    """Write ``scores/<suite>/`` and ``scores/<suite>.metrics/``."""
    if len(arguments) != 1:
        raise UsageError("Name one suite.", hint="python -m assay.pipeline.score refunds")
    name = arguments[0]
    against = from_build(root, name)
    folder, metrics = root / f"scores/{name}", root / f"scores/{name}.metrics"
    for stale in (folder, metrics):
        shutil.rmtree(stale, ignore_errors=True)
        stale.mkdir(parents=True)
    files = sorted((root / RUNS / name).glob("*.jsonl"))
    if not files:
        raise InputError(
            "There are no runs to score.",
            path=f"{RUNS}/{name}",
            hint=f"assay runs import FILE --out {RUNS} --suite {name}",
        )
    # A suite without a scorable case is a result to be shown, not a pipeline that stops.
    everything = Selection(allow_empty=True)
    for path in files:
        label = path.relative_to(root).as_posix()
        results, result = score_run(path.stem, load_runs(path, name=label), against, everything)
        write_scored(folder, results, result)
        write_metrics(metrics, result)
    return 0


if __name__ == "__main__":
    run_stage(score_stage)
