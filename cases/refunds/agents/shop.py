"""A small, deterministic shop: a dictionary for the world, and the tools that read and write it.

Every tool returns its result, or raises `CallFailedError` (the call had no effect, or nobody
knows) or `CallBlockedError` (refused before it ran). Nothing here knows what is right: the shop
pays whatever it is told to pay, within its few hard limits.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

World = dict[str, Any]
AGENT_LIMIT = Decimal(200)
POLICIES = ("refunds-v7.md", "shipping-v3.md")
_CLAUSE = re.compile(r"^### (\d+\.\d+) (.*)$", re.MULTILINE)


class CallFailedError(Exception):
    """The call ended in an error."""


class CallBlockedError(Exception):
    """The call was refused before it ran."""


class Shop:
    """The world of one case, and the tools of `truth/tools.yaml` on it."""

    def __init__(self, state: World, policies: Path) -> None:
        self.state: World = copy.deepcopy(state)
        self.policies = policies

    def call(self, tool: str, args: dict[str, Any]) -> Any:
        """Run one tool.

        Raises:
            CallFailedError: no such tool, or the tool reports an error.
            CallBlockedError: the shop refuses to run the call.
        """
        method: Callable[..., Any] | None = getattr(self, f"tool_{tool}", None)
        if method is None:
            raise CallFailedError(f"no tool {tool}")
        return copy.deepcopy(method(**args))

    # -- orders ------------------------------------------------------------------------------

    def tool_lookup_order(self, order_id: str) -> World:
        """An order, its returns and tickets, and the state of its account."""
        order = self._order(order_id)
        shown = {key: value for key, value in order.items() if key != "parcel"}
        account = self.state["customers"][order["customer_id"]]
        shown["account"] = {key: value for key, value in account.items() if key != "postcode"}
        for kind in ("returns", "tickets"):
            shown[kind] = {
                key: value
                for key, value in self.state[kind].items()
                if value["order_id"] == order_id
            }
        return {"order_id": order_id, **shown}

    def tool_list_orders(self, customer_id: str) -> list[World]:
        """The orders of a customer."""
        return [
            {"order_id": key, "items": [item["name"] for item in order["items"].values()]}
            for key, order in sorted(self.state["orders"].items())
            if order["customer_id"] == customer_id
        ]

    def tool_track_parcel(self, order_id: str) -> World:
        """What the carrier knows."""
        parcel: World | None = self._order(order_id).get("parcel")
        if parcel is None:
            raise CallFailedError("the carrier has no record of this order")
        return parcel

    def tool_cancel_order(self, order_id: str) -> World:
        """Cancel, and pay everything back."""
        order = self._order(order_id)
        if order["status"] != "processing":
            raise CallFailedError("the order was handed to the carrier")
        order["status"] = "cancelled"
        paid = self._settled(order_id)
        self._book(order_id, paid, "original")
        return {"status": "cancelled", "refunded": paid}

    def tool_create_return(
        self,
        order_id: str,
        item_ids: list[str],
        label: str = "own",
        pickup_on: str | None = None,
    ) -> World:
        """Open a return."""
        order = self._order(order_id)
        self._items(order, item_ids)
        name = f"r-{order_id}"
        if name in self.state["returns"]:
            raise CallFailedError(f"return {name} is open")
        self.state["returns"][name] = {
            "order_id": order_id,
            "item_ids": sorted(item_ids),
            "label": label,
            "booked_in": [],
        }
        if pickup_on is not None:
            self.state["returns"][name]["pickup_on"] = pickup_on
        return {"return_id": name}

    def tool_send_replacement(self, order_id: str, item_ids: list[str]) -> World:
        """Send items once more."""
        self._items(self._order(order_id), item_ids)
        sent = {"order_id": order_id, "item_ids": sorted(item_ids)}
        self.state["replacements"].append(sent)
        return sent

    # -- payments ----------------------------------------------------------------------------

    def tool_get_payment(self, order_id: str) -> World:
        """Charges and refunds, without what only the gateway knows."""
        self._order(order_id)
        payment = self.state["payments"][order_id]
        return {key: value for key, value in payment.items() if key != "gateway"}

    def tool_issue_refund(
        self, order_id: str, amount: Decimal, destination: str = "original"
    ) -> World:
        """Pay money back."""
        order = self._order(order_id)
        payment = self.state["payments"][order_id]
        if self.state["customers"][order["customer_id"]].get("review"):
            raise CallBlockedError("the account is under review")
        refunded = sum((entry["amount"] for entry in payment["refunds"]), Decimal(0))
        approved = max(
            (
                ticket["approval"]["amount"]
                for ticket in self.state["tickets"].values()
                if ticket["order_id"] == order_id and "approval" in ticket
            ),
            default=Decimal(0),
        )
        if refunded + amount > max(AGENT_LIMIT, approved):
            raise CallBlockedError("above what an agent may pay for one order")
        if refunded + amount > self._settled(order_id):
            raise CallFailedError("more than what was paid")
        self._book(order_id, amount, destination)
        if "gateway" in payment and not refunded:
            raise CallFailedError("gateway timeout")
        return {"refunded": amount, "destination": destination}

    # -- crm ---------------------------------------------------------------------------------

    def tool_verify_customer(self, order_id: str, postcode: str) -> World:
        """Compare a postcode with that of the order."""
        order = self._order(order_id)
        known = self.state["customers"][order["customer_id"]]["postcode"]
        return {"match": known.replace(" ", "") == postcode.replace(" ", "")}

    def tool_escalate(self, order_id: str, team: str, summary: str = "") -> World:
        """Hand over to a team."""
        self._order(order_id)
        self.state["escalations"].append({"order_id": order_id, "team": team})
        return {"team": team}

    def tool_send_message(self, customer_id: str, text: str) -> World:
        """Send a text to a customer."""
        if customer_id not in self.state["customers"]:
            raise CallFailedError("no such customer")
        self.state["outbox"].append({"customer_id": customer_id, "text": text})
        return {"sent": True}

    def tool_ticket_create(self, order_id: str, subject: str) -> World:
        """Open a ticket."""
        self._order(order_id)
        name = f"t-{9001 + len(self.state['tickets'])}"
        self.state["tickets"][name] = {
            "order_id": order_id,
            "subject": subject,
            "photos": 0,
            "status": "open",
            "notes": [],
        }
        return {"ticket_id": name}

    def tool_ticket_note(self, ticket_id: str, text: str) -> World:
        """Add a note to a ticket."""
        self._ticket(ticket_id)["notes"].append(text)
        return {"ticket_id": ticket_id}

    def tool_ticket_close(self, ticket_id: str) -> World:
        """Close a ticket."""
        self._ticket(ticket_id)["status"] = "closed"
        return {"ticket_id": ticket_id, "status": "closed"}

    # -- help --------------------------------------------------------------------------------

    def tool_policy_search(self, query: str) -> list[str]:
        """The three clauses whose titles share most words with the query."""
        words = {word for word in re.findall(r"\w+", query.lower()) if len(word) > 3}
        found = []
        for name in POLICIES:
            text = (self.policies / name).read_text(encoding="utf-8")
            for number, title in _CLAUSE.findall(text):
                hits = len(words & set(re.findall(r"\w+", title.lower())))
                if hits:
                    found.append((-hits, f"{name.removesuffix('.md')}#{number} {title}"))
        return [clause for _, clause in sorted(found)[:3]]

    # -- within ------------------------------------------------------------------------------

    def _order(self, order_id: str) -> World:
        order: World | None = self.state["orders"].get(order_id)
        if order is None:
            raise CallFailedError(f"no order {order_id}")
        return order

    def _ticket(self, ticket_id: str) -> World:
        ticket: World | None = self.state["tickets"].get(ticket_id)
        if ticket is None:
            raise CallFailedError(f"no ticket {ticket_id}")
        return ticket

    @staticmethod
    def _items(order: World, item_ids: list[str]) -> None:
        for item in item_ids:
            if item not in order["items"]:
                raise CallFailedError(f"no item {item} in the order")

    def _settled(self, order_id: str) -> Decimal:
        charges = self.state["payments"][order_id]["charges"]
        return sum(
            (charge["amount"] for charge in charges if not charge.get("pending")), Decimal(0)
        )

    def _book(self, order_id: str, amount: Decimal, destination: str) -> None:
        self.state["payments"][order_id]["refunds"].append(
            {"amount": amount, "to": destination, "on": self.state["today"]}
        )
