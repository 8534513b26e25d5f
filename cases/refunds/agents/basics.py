"""What every clerk does with every request: who asks, which order, how money is paid and told."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from desk import Desk
from phrases import day, money, sentence
from profiles import Profile

Request = dict[str, Any]
Order = dict[str, Any]
CENT = Decimal("0.01")


class Basics:
    """One agent on one conversation; what it can be asked stands in the subclasses."""

    def __init__(self, profile: Profile, desk: Desk, case_id: str, trial: int) -> None:
        self.profile = profile
        self.desk = desk
        self.slip = profile.slip(case_id, trial)
        self.state = desk.shop.state
        self.said: list[str] = []
        self.language = "en"

    def handle(self, request: Request) -> str:
        """Act on one request and give the answer."""
        self.said = []
        self.language = request.get("language", "en")
        if self.language == "fr" and not self.profile.has("french"):
            self.language = "en"
        method: Callable[[Request], None] = getattr(self, f"ask_{request['ask']}")
        method(request)
        return " ".join(self.said)

    # -- small things ----------

    def tell(self, kind: str, **values: object) -> None:
        """Add a sentence to the answer."""
        self.said.append(sentence(kind, self.language, **values))

    def sum(self, amount: Decimal, order: Order) -> str:
        """An amount in words, or what a slip makes of it."""
        if self.slip == "no_amount":
            return "your money"
        if self.slip == "wrong_amount":
            amount += order.get("delivery_fee") or Decimal(1)
        return money(amount, order["currency"], self.language)

    def on(self, iso: str) -> str:
        """A day in words."""
        return day(iso, self.language)

    def days_since(self, iso: str) -> int:
        """Days from a day to the day of the case."""
        today = datetime.date.fromisoformat(self.state["today"])
        return (today - datetime.date.fromisoformat(iso)).days

    def has(self, habit: str) -> bool:
        """Whether the agent has a good habit."""
        return self.profile.has(habit)

    def escalate(self, order_id: str, team: str) -> None:
        """Hand over to a team and say so."""
        self.desk.call("escalate", order_id=order_id, team=team)
        self.tell(f"to_{team}")

    # -- who asks, and about which order ----------

    def open_order(self, request: Request) -> Order | None:
        """The order, when the customer may hear about it; else the answer has been given."""
        session = self.state["session"]
        order_id = request.get("order") or self.find_order(request)
        if order_id is None:
            return None
        if not session["signed_in"] and self.has("verifies"):
            checked = self.desk.call(
                "verify_customer", order_id=order_id, postcode=request["postcode"]
            )
            if not checked["match"]:
                self.tell("check_failed")
                return None
            if request.get("third_party"):
                self.tell("owner")
                return None
        order: Order | None = self.desk.call("lookup_order", order_id=order_id)
        if order is None:
            self.tell("ask_number")
            return None
        if session["signed_in"] and order["customer_id"] != session["customer_id"]:
            self.not_yours(request)
            return None
        if order["account"].get("review"):
            self.escalate(order_id, "fraud")
            return None
        return order

    def find_order(self, request: Request) -> str | None:
        """The order that fits what the customer calls it."""
        customer = self.state["session"]["customer_id"]
        orders = self.desk.call("list_orders", customer_id=customer)
        thing = request["thing"].lower()
        fitting = [o["order_id"] for o in orders if any(thing in n.lower() for n in o["items"])]
        if len(fitting) == 1 or (fitting and not self.has("asks_which")):
            found: str = fitting[0]
            request["items"] = ["a"]
            return found
        self.tell("ask_order", orders=" or ".join(fitting))
        return None

    def not_yours(self, request: Request) -> None:
        """Answer somebody who named an order that is not theirs."""
        if request.get("ask_again"):
            self.tell("ask_number")
        elif "thing" in request:
            customer = self.state["session"]["customer_id"]
            orders = self.desk.call("list_orders", customer_id=customer)
            self.tell("ask_order", orders=" or ".join(o["order_id"] for o in orders))
        else:
            self.tell("owner")

    def serious(self, request: Request) -> bool:
        """Danger and lawyers go before everything else."""
        if request.get("danger") and self.has("danger"):
            self.escalate(request["order"], "safety")
            return True
        if request.get("legal"):
            self.escalate(request["order"], "supervisor")
            return True
        return False

    # -- money ----------

    def pay(self, order: Order, amount: Decimal, *, approved: bool = False) -> None:
        """Pay an amount for an order, the way it came, within what an agent may pay."""
        order_id = order["order_id"]
        if amount <= 0:
            return
        earlier: list[dict[str, Any]] = []
        payment = None
        if self.has("reads_payment"):
            payment = self.desk.call("get_payment", order_id=order_id)
            earlier = payment["refunds"]
        total = amount
        if self.has("earlier_refunds"):
            total += sum((entry["amount"] for entry in earlier), Decimal(0))
        over = total > self.profile.limit or (
            total == self.profile.limit and not self.has("limit_is_inclusive")
        )
        if over and not approved and self.has("supervisor"):
            self.escalate(order_id, "supervisor")
            return
        parts = self.ways_back(payment, amount)
        for part, destination in parts:
            self.pay_part(order_id, part, destination)
        if self.desk.last_outcome == "blocked":
            self.escalate(order_id, "supervisor")
            return
        for part, destination in parts:
            kind = "credited" if destination == "store_credit" else "refunded"
            self.tell(kind, money=self.sum(part, order))
        self.tell("arrives", days=self.profile.business_days)

    def pay_part(self, order_id: str, amount: Decimal, destination: str) -> None:
        """One payment, with what the agent does after an error."""
        args: dict[str, Any] = {"order_id": order_id, "amount": amount}
        if destination != "original":
            args["destination"] = destination
        self.desk.call("issue_refund", **args)
        if self.desk.last_outcome != "error":
            return
        if self.has("rereads_after_error"):
            payment = self.desk.call("get_payment", order_id=order_id)
            if any(entry["amount"] == amount for entry in payment["refunds"]):
                return
        self.desk.call("issue_refund", **args)

    def ways_back(
        self, payment: dict[str, Any] | None, amount: Decimal
    ) -> list[tuple[Decimal, str]]:
        """How an amount is divided between the card and store credit."""
        charges = payment["charges"] if payment else []
        cards = sum((c["amount"] for c in charges if c["by"] == "card"), Decimal(0))
        gifts = sum((c["amount"] for c in charges if c["by"] == "gift_card"), Decimal(0))
        if not gifts:
            return [(amount, "original")]
        if self.has("card_first"):
            to_card = min(amount, cards)
        else:
            to_card = (amount * cards / (cards + gifts)).quantize(CENT, ROUND_HALF_UP)
        both = [(to_card, "original"), (amount - to_card, "store_credit")]
        return [(part, destination) for part, destination in both if part]

    def credit(self, order: Order, amount: Decimal) -> None:
        """Give store credit."""
        self.pay_part(order["order_id"], amount, "store_credit")
        self.tell("credited", money=self.sum(amount, order))
