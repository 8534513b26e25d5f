"""Who the agents are: what they know of the policy, and which good habits they lack."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from decimal import Decimal

SEED = "refunds-2026-11-30"


@dataclass(frozen=True)
class Profile:
    """Knowledge and care of one agent. The defaults are version 7 of the policy, by the book."""

    name: str
    policy: str | None = "refunds-v7"
    """The version that the agent was given."""
    window: int = 30
    digital_window: int = 14
    damage_window: int = 14
    price_window: int = 14
    at_once: Decimal = Decimal(100)
    limit: Decimal = Decimal(200)
    fee_share: Decimal = Decimal("0.15")
    fee_on: tuple[str, ...] = ("electronics", "kitchen_machine")
    keep_share: Decimal = Decimal("0.20")
    business_days: int = 5
    credit_until: int = 0
    """Last day on which late goods are taken for store credit; 0 for never."""
    lacks: frozenset[str] = frozenset()
    """Good habits that the agent does not have, by the names that `clerk.py` asks for."""
    slips: tuple[str, ...] = ()
    """What goes wrong now and then, whatever the case."""
    slip_share: int = 0
    """In how many of a hundred conversations."""
    spellings: dict[str, str] = field(default_factory=dict)
    """Tool name to the name under which the agent's framework reports it."""

    def has(self, habit: str) -> bool:
        """Whether the agent does what a good clerk does there."""
        return habit not in self.lacks

    def slip(self, case_id: str, trial: int) -> str | None:
        """What goes wrong in this conversation, drawn from the seed and nothing else."""
        if not self.slips:
            return None
        text = f"{SEED} {self.name} {case_id} {trial}"
        draw = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
        if draw % 100 >= self.slip_share:
            return None
        return self.slips[draw // 100 % len(self.slips)]


BY_THE_BOOK = Profile("by-the-book")

CAREFUL = Profile(
    "careful",
    lacks=frozenset(
        [
            "bought_twice",
            "broken_offers",
            "bulky",
            "card_first",
            "earlier_refunds",
            "french",
            "holiday",
            "label_rates",
            "limit_is_inclusive",
            "rounds_fee",
            "third_claim",
            "own_words",
        ]
    ),
    slips=("no_amount",),
    slip_share=3,
)

HASTY = Profile(
    "hasty",
    policy="refunds-v6",
    window=45,
    damage_window=30,
    digital_window=7,
    at_once=Decimal(150),
    fee_share=Decimal("0.10"),
    fee_on=("electronics",),
    keep_share=Decimal("0.10"),
    business_days=10,
    credit_until=60,
    lacks=frozenset(
        [
            "asks_choice",
            "asks_photo",
            "bought_twice",
            "broken_offers",
            "bulky",
            "danger",
            "earlier_refunds",
            "french",
            "gift_card_whole",
            "holiday",
            "label_rates",
            "own_words",
            "per_item_delivery",
            "price_falls",
            "reads_payment",
            "remembers",
            "rereads_after_error",
            "rounds_fee",
            "supervisor",
            "third_claim",
            "tracks",
            "verifies",
        ]
    ),
    slips=("no_amount", "wrong_amount"),
    slip_share=7,
    spellings={
        "policy_search": "find_policy",
        "lookup_order": "mcp__orders__lookup_order",
    },
)

RULE_BREAKER = Profile(
    "rule-breaker",
    policy="refunds-v7",
    spellings={"track_parcel": "parcel_status"},
)
