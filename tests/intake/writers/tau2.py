"""Observed runs as results of tau2-bench."""

from __future__ import annotations

from typing import Any

from assay.models.run import ObservedRun
from tests.intake.writers import dumps, groups, result_text

FORMAT = "tau2"


def carried(run: ObservedRun) -> ObservedRun:
    """One model for all simulations; a reward for each."""
    return run.model_copy(
        update={"model": "m", "agent": "desk", "cost": 1, "outcome_given": "passed",
                "score_given": 1}
    )  # fmt: skip


def messages(run: ObservedRun) -> list[dict[str, Any]]:
    """The conversation of a run; the first message of the agent after the greeting has tokens."""
    made: list[dict[str, Any]] = [{"role": "assistant", "content": "Hi! How can I help?"}]
    usage = {"prompt_tokens": run.tokens_in, "completion_tokens": run.tokens_out}
    for turn in run.turns:
        made.append({"role": "user", "content": turn.user})
        for group in groups(turn):
            calls = [{"id": c.id, "name": c.name, "arguments": c.args} for c in group]
            made.append({"role": "assistant", "content": None, "tool_calls": calls})
            results = [
                {
                    "role": "tool",
                    "id": call.id,
                    "content": result_text(call),
                    "error": call.outcome == "error",
                    "requestor": "assistant",
                }
                for call in group
            ]
            several = {"role": "tool", "tool_messages": results}
            made += [several] if len(results) > 1 else results
        if turn.answer is not None:
            made.append({"role": "assistant", "content": turn.answer})
    if run.tokens_in is not None:
        next(item for item in made[1:] if item["role"] == "assistant")["usage"] = usage
    return [*made, {"role": "user", "content": "###STOP###"}]


def write(runs: list[ObservedRun]) -> tuple[str, bytes]:
    """One file of results."""
    simulations = [
        {
            "id": f"s{number}",
            "task_id": run.case_id,
            "trial": run.trial,
            "termination_reason": "user_stop",
            "agent_cost": run.cost,
            "reward_info": {"reward": run.score_given},
            "messages": messages(run),
        }
        for number, run in enumerate(runs)
    ]
    info = {"agent_info": {"implementation": "desk", "llm": "m"}}
    return "results.json", dumps({"info": info, "tasks": [], "simulations": simulations}).encode()
