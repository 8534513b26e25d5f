"""Observed runs as inference results of the ADK's evaluation."""

from __future__ import annotations

from assay.models.run import ObservedRun
from tests.intake.writers import dumps
from tests.intake.writers.adk_result import invocation
from tests.intake.writers.adk_session import responses

FORMAT = "adk-inference"
ONE = True
"""Inference results name no trial: of several for one case they are numbered anew."""


def carried(run: ObservedRun) -> ObservedRun:
    """The run without what an inference result does not tell."""
    more = {"trial": 0, "agent": "desk", "model": None, "tokens_in": None, "tokens_out": None}
    return responses(run).model_copy(update=more)


def write(runs: list[ObservedRun]) -> tuple[str, bytes]:
    """One line for every run."""
    lines = [
        dumps(
            {
                "app_name": run.agent,
                "eval_set_id": "s",
                "eval_case_id": run.case_id,
                "inferences": [invocation(turn, n) for n, turn in enumerate(run.turns)],
                "session_id": "s",
                "status": 1,
                "error_message": None,
            }
        )
        for run in runs
    ]
    return "inferences.jsonl", "".join(f"{line}\n" for line in lines).encode()
