"""Observed runs as results of tau-bench."""

from __future__ import annotations

from assay.models.run import ObservedRun
from tests.intake.writers import dumps, succeeded
from tests.intake.writers.openai_chat import messages

FORMAT = "tau-bench"


def carried(run: ObservedRun) -> ObservedRun:
    """Nothing stands beside the messages but a reward."""
    update = {"model": None, "tokens_in": None, "tokens_out": None}
    return succeeded(run).model_copy(
        update={**update, "outcome_given": "failed", "score_given": run.trial + 2}
    )


def write(runs: list[ObservedRun]) -> tuple[str, bytes]:
    """A list of results."""
    results = [
        {
            "task_id": run.case_id,
            "trial": run.trial,
            "reward": run.score_given,
            "info": {"reward_info": {}},
            "traj": [*messages(run), {"role": "user", "content": "###STOP###"}],
        }
        for run in runs
    ]
    return "results.json", dumps(results).encode()
