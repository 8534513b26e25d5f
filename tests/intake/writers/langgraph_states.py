"""Observed runs as states of LangGraph, each behind an earlier state of its thread."""

from __future__ import annotations

from assay.models.run import ObservedRun
from tests.intake.writers import dumps
from tests.intake.writers.langchain_messages import messages

FORMAT = "langgraph-states"


def write(runs: list[ObservedRun]) -> tuple[str, bytes]:
    """Lines of states."""
    lines = []
    for number, run in enumerate(runs):
        about = {"case_id": run.case_id, "trial": run.trial}
        config = {"configurable": {"thread_id": f"t{number}"}}
        for cut in (1, None):
            values = {"messages": messages(run)[:cut]}
            lines.append(dumps({"values": values, "config": config, "metadata": about}) + "\n")
    return "states.jsonl", "".join(lines).encode()
