"""Made-up records, cases and runs in any number; every byte follows from the index."""

from __future__ import annotations

import json
import random
from typing import Any

TOOLS = ("lookup_order", "issue_refund", "send_mail")


def record(index: int) -> dict[str, Any]:
    """A gold record with all common fields."""
    order = f"{index:06d}"
    return {
        "schema_version": 1,
        "case_id": f"case-{order}",
        "revision": 1,
        "status": "gold",
        "change": "new",
        "rationale": [
            f"Order {order} was delivered nine days before the request.",
            "The window is thirty days, and the item is unopened.",
        ],
        "clauses": ["refunds-v7#3.2"],
        "required_tools": [
            {"tool": "lookup_order", "args": {"order_id": order}},
            {"tool": "issue_refund", "args": {"order_id": order, "amount": 40 + index % 50}},
        ],
        "forbidden_tools": ["send_mail"],
        "facts": [{"id": "amount", "any_of": [f"${40 + index % 50}.00"]}],
        "policy_version": "refunds-v7",
        "as_of": "2026-09-18",
        "expires": "2027-03-18",
        "labelers": ["ana", "bo"],
        "adjudicator": "cleo",
    }


def observed(index: int) -> dict[str, Any]:
    """A run that does what the record asks for; every fifth one does not."""
    order, amount = f"{index:06d}", 40 + index % 50 - (index % 5 == 0)
    return {
        "schema_version": 1,
        "run": "bench",
        "case_id": f"case-{order}",
        "turns": [
            {
                "user": f"Please refund order {order}.",
                "answer": f"I have refunded ${amount}.00 for order {order}.",
                "tool_calls": [
                    {"name": "lookup_order", "args": {"order_id": order}, "outcome": "ok"},
                    {
                        "name": "issue_refund",
                        "args": {"order_id": order, "amount": amount, "request_id": "r-1"},
                        "outcome": "ok",
                    },
                ],
            }
        ],
        "final_answer": f"I have refunded ${amount}.00 for order {order}.",
    }


_SENTENCE = (
    "the order was delivered nine days ago and the window is thirty days so the refund is due in"
    " full to the card that was used unless the item was opened or damaged on its way"
)
_WORDS = _SENTENCE.split()


def _text(seed: int, words: int) -> str:
    return " ".join(_WORDS[(seed * 7 + index * 5) % len(_WORDS)] for index in range(words))


def chat(index: int) -> dict[str, Any]:
    """A recorded run as OpenAI chat messages, about 10 kB: five calls with lists as results."""
    order = f"{index:06d}"
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": _text(0, 500)},
        {"role": "user", "content": f"Please refund order {order}. {_text(index, 40)}"},
    ]
    for step in range(5):
        items = [
            {"sku": f"s-{step}{item}", "price": item + 0.99, "title": _text(index + item, 8)}
            for item in range(10)
        ]
        arguments = {"order_id": order, "amount": 40 + step, "note": _text(index + step, 20)}
        function = {"name": TOOLS[step % 3], "arguments": json.dumps(arguments)}
        call = {"id": f"call_{step}", "type": "function", "function": function}
        messages += [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {
                "role": "tool",
                "tool_call_id": f"call_{step}",
                "content": json.dumps({"status": "ok", "total": 12.5 + step, "items": items}),
            },
        ]
    messages.append({"role": "assistant", "content": f"Done. {_text(index, 60)}"})
    usage = {"prompt_tokens": 2000 + index, "completion_tokens": 300}
    return {"case_id": f"case-{order}", "model": "m-1", "messages": messages, "usage": usage}


def line(value: dict[str, Any]) -> bytes:
    """One line of a JSONL file."""
    return json.dumps(value).encode() + b"\n"


def plan(steps: int, seed: int) -> dict[str, Any]:
    """A plan over 20 tools in which every step needs one or two earlier ones."""
    draw = random.Random(seed)
    made: list[dict[str, Any]] = []
    links: list[dict[str, str]] = []
    for at in range(steps):
        sources = sorted({draw.randrange(at) for _ in range(2)}) if at else []
        links += [{"source": f"s{source}", "target": f"s{at}"} for source in sources]
        arguments: dict[str, Any] = {"k": draw.randrange(3)}
        if sources:
            arguments["of"] = f"o{sources[0]}"
        made.append(
            {
                "name": f"s{at}",
                "action": f"tool {draw.randrange(20)}",
                "agent": f"agent {draw.randrange(3)}",
                "arguments": arguments,
                "outputs": [f"o{at}"],
            }
        )
    return {"execution_steps": made, "execution_links": links}
