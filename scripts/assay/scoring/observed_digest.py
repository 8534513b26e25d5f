"""The digest of what an agent did, fast enough to be taken of every run that is scored."""

from __future__ import annotations

import hashlib

from assay.models.run import ObservedRun
from assay.scoring.canonical_text import canonical_text


def observed_digest(run: ObservedRun) -> str:
    """SHA-256 of what the agent did on a case: recorded verdicts refer to it.

    Inside: what was said in each turn, the calls with arguments, outcome and result, the final
    answer, the final state, the plan in words. Outside: ids, times, tokens, cost, and what names
    the run; two trials that did the same have the same digest.
    """
    text = canonical_text(
        {
            "turns": [
                [
                    turn.user,
                    turn.answer,
                    [
                        [c.name, c.server, c.args, c.outcome, c.result, c.error]
                        for c in turn.tool_calls
                    ],
                ]
                for turn in run.turns
            ],
            "final_answer": run.final_answer,
            "final_state": run.final_state,
            "plan": [[step.agent, step.instruction] for step in run.planning_steps],
        }
    )
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
