"""Observed runs as rows of the Vertex evaluation service."""

from __future__ import annotations

from assay.models.run import ObservedRun
from tests.intake.writers import dumps, unanswered

FORMAT = "vertex-trajectory"


def carried(run: ObservedRun) -> ObservedRun:
    """The first turn alone, and nothing that came back; a trial has no place."""
    return unanswered(run.model_copy(update={"case_id": f"{run.case_id}-{run.trial}", "trial": 0}))


def write(runs: list[ObservedRun]) -> tuple[str, bytes]:
    """JSON lines."""
    rows = [
        {
            "case_id": run.case_id,
            "prompt": run.turns[0].user,
            "response": run.turns[0].answer,
            "predicted_trajectory": [
                {"tool_name": call.name, "tool_input": call.args}
                for call in run.turns[0].tool_calls
            ],
        }
        for run in runs
    ]
    return "rows.jsonl", "".join(f"{dumps(row)}\n" for row in rows).encode()
