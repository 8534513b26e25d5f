"""Observed runs as results of the ADK's evaluation."""

from __future__ import annotations

from typing import Any

from assay.models.run import ObservedRun, ObservedTurn
from tests.intake.writers import dumps
from tests.intake.writers.adk_session import responses, steps

FORMAT = "adk-result"
ONE = True
"""Results of one case are numbered anew: the trials of random runs are not."""


def carried(run: ObservedRun) -> ObservedRun:
    """The run without what invocations do not tell."""
    kept = responses(run)
    acted = any(turn.tool_calls for turn in run.turns)
    more = {"trial": 0, "agent": "desk" if acted else None, "model": None}
    return kept.model_copy(update={**more, "tokens_in": None, "tokens_out": None})


def write(runs: list[ObservedRun]) -> tuple[str, bytes]:
    """One file of results."""
    results = [
        {
            "eval_id": run.case_id,
            "final_eval_status": 3,
            "eval_metric_result_per_invocation": [
                {"actual_invocation": invocation(turn, number)}
                for number, turn in enumerate(run.turns)
            ],
            "session_id": "s",
        }
        for run in runs
    ]
    return "a.evalset_result.json", dumps({"eval_case_results": results}).encode()


def invocation(turn: ObservedTurn, number: int) -> dict[str, Any]:
    """A turn as the ADK records it."""
    made: dict[str, Any] = {
        "invocation_id": f"i{number}",
        "user_content": {"role": "user", "parts": [{"text": turn.user}]},
        "intermediate_data": {"invocation_events": steps(turn)},
    }
    if turn.answer is not None:
        made["final_response"] = {"role": "model", "parts": [{"text": turn.answer}]}
    return made
