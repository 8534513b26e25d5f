"""Observed runs as an eval set in trace mode."""

from __future__ import annotations

from assay.models.run import ObservedRun
from tests.intake.writers import dumps
from tests.intake.writers.adk_inference import carried
from tests.intake.writers.adk_result import invocation

__all__ = ["FORMAT", "ONE", "carried", "write"]

FORMAT = "adk-trace"
ONE = True
"""An eval set has one recording of a case."""


def write(runs: list[ObservedRun]) -> tuple[str, bytes]:
    """One eval set; what was asked stands in both conversations."""
    cases = [
        {
            "eval_id": run.case_id,
            "eval_mode": "trace",
            "session_input": {"app_name": run.agent, "user_id": "u", "state": {}},
            "conversation": [
                {"user_content": invocation(turn, n)["user_content"]}
                for n, turn in enumerate(run.turns)
            ],
            "actual_conversation": [invocation(turn, n) for n, turn in enumerate(run.turns)],
        }
        for run in runs
    ]
    return "a.evalset.json", dumps({"eval_set_id": "s", "eval_cases": cases}).encode()
