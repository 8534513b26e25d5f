"""Observed runs as runs of LangSmith: the turns of a thread, one run a line."""

from __future__ import annotations

from typing import Any

from assay.models.run import ObservedRun
from tests.intake.span_writers import Made, clocked, iso, spans_of, usages
from tests.intake.writers import dumps, result_text
from tests.intake.writers.otel_genai import said

FORMAT = "langsmith"
carried = clocked


def message(item: dict[str, Any]) -> dict[str, Any]:
    """A message as LangChain serialises it."""
    kinds = {"user": "HumanMessage", "assistant": "AIMessage", "tool": "ToolMessage"}
    kwargs: dict[str, Any] = {"content": item.get("content", "")}
    if "calls" in item:
        kwargs["tool_calls"] = [
            {"name": c.name, "args": c.args, "id": c.id, "type": "tool_call"} for c in item["calls"]
        ]
    if item["role"] == "tool":
        call = item["call"]
        status = "error" if call.outcome == "error" else "success"
        kwargs |= {"tool_call_id": call.id, "name": call.name, "status": status}
    path = ["langchain", "schema", "messages", kinds[item["role"]]]
    return {"lc": 1, "type": "constructor", "id": path, "kwargs": kwargs}


def _body(run: ObservedRun, made: Made, tokens: dict[str, Any]) -> dict[str, Any]:
    if made.kind == "agent":
        answer = [] if made.text is None else [{"role": "assistant", "content": made.text}]
        metadata = {
            "thread_id": f"thread {run.trial}",
            "case_id": run.case_id,
            "trial": run.trial,
        }
        return {
            "run_type": "chain",
            "name": "desk",
            "inputs": {"messages": [{"role": "user", "content": made.user}]},
            "outputs": {"messages": answer},
            "extra": {"metadata": metadata},
        }
    if made.kind == "model":
        generation = {"text": "", "message": message(said(made))}
        return {
            "run_type": "llm",
            "name": "ChatModel",
            "inputs": {"messages": [[message(item) for item in made.history]]},
            "outputs": {"generations": [[generation]]},
            "extra": {"metadata": {"ls_model_name": run.model}},
            "prompt_tokens": tokens[made.id][0],
            "completion_tokens": tokens[made.id][1],
        }
    call = made.call
    assert call is not None
    failed = call.outcome == "error"
    output = {"content": result_text(call), "type": "tool", "tool_call_id": call.id}
    return {
        "run_type": "tool",
        "name": call.name,
        "inputs": {"input": dumps(call.args)},
        "outputs": {"output": output},
        "error": call.error if failed else None,
    }


def write(runs: list[ObservedRun]) -> tuple[str, bytes]:
    """One line for every run, the last ones first."""
    lines = []
    for run in runs:
        tokens = usages(run)
        for number, turn in enumerate(spans_of(run)):
            for made in turn:
                trace = f"{run.trial}-{number}"
                frame = {
                    "id": f"{trace}-{made.id}",
                    "trace_id": trace,
                    "parent_run_id": None if made.parent is None else f"{trace}-{made.parent}",
                    "dotted_order": f"{made.start}Z{made.id}",
                    "start_time": iso(made.start).removesuffix("Z"),
                    "end_time": iso(made.end).removesuffix("Z"),
                }
                lines.append(dumps({**frame, **_body(run, made, tokens)}))
    return "runs.jsonl", "".join(f"{line}\n" for line in reversed(lines)).encode()
