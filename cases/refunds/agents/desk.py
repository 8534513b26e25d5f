"""What stands between an agent and the shop: it runs the calls and writes down what happened."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from shop import CallBlockedError, CallFailedError, Shop

UNKNOWN = ["cost", "parallel_groups", "planning_steps", "started_at", "tokens"]


class Desk:
    """One conversation: its turns, its calls, and the shop behind them."""

    def __init__(self, shop: Shop, spellings: Mapping[str, str]) -> None:
        self.shop = shop
        self.spellings = spellings
        """Tool name to the name under which this agent's framework reports it."""
        self.turns: list[dict[str, Any]] = []

    def hear(self, text: str) -> None:
        """Begin a turn with what the user says."""
        self.turns.append({"user": text, "tool_calls": []})

    def say(self, text: str) -> None:
        """End the turn with an answer."""
        if text:
            self.turns[-1]["answer"] = text

    def call(self, tool: str, **args: Any) -> Any:
        """Run a tool and record the call.

        Returns:
            The result; None where the call failed or was blocked.
        """
        entry: dict[str, Any] = {"name": self.spellings.get(tool, tool), "args": args}
        result = None
        try:
            result = self.shop.call(tool, args)
            entry |= {"outcome": "ok", "result": result}
        except CallFailedError as error:
            entry |= {"outcome": "error", "error": str(error)}
        except CallBlockedError as error:
            entry |= {"outcome": "blocked", "error": str(error)}
        self.turns[-1]["tool_calls"].append(entry)
        return result

    @property
    def last_outcome(self) -> str:
        """How the last call of this turn ended."""
        outcome: str = self.turns[-1]["tool_calls"][-1]["outcome"]
        return outcome

    def refunded_so_far(self) -> Decimal:
        """What this conversation's own successful calls have paid."""
        return sum(
            (
                call["args"]["amount"]
                for turn in self.turns
                for call in turn["tool_calls"]
                if call["name"].endswith("issue_refund") and call["outcome"] == "ok"
            ),
            Decimal(0),
        )

    def observed(self, head: dict[str, Any]) -> dict[str, Any]:
        """The observed run, as one line of ``runs/refunds/<agent>.jsonl`` holds it."""
        run = {"schema_version": 1, **head, "turns": self.turns}
        answer = self.turns[-1].get("answer") if self.turns else None
        if answer is not None:
            run["final_answer"] = answer
        return run | {"final_state": self.shop.state, "unknown": UNKNOWN}
