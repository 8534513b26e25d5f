"""Goods that come back, and goods that were damaged, wrong or missing."""

from __future__ import annotations

import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from basics import CENT, Basics, Order, Request
from phrases import money

LABEL_RATES = {
    "US": "6.95",
    "CA": "8.40",
    "GB": "3.95",
    "DE": "4.50",
    "AT": "4.90",
    "ES": "5.20",
    "FR": "5.40",
}
OLD_LABEL_RATE = Decimal("5.95")
BULKY_FEE = Decimal(25)


class Goods(Basics):
    """A clerk who knows about goods."""

    # -- goods that come back ----------

    def ask_return(self, request: Request) -> None:
        """A change of mind about goods, files or gift cards."""
        done = self.desk.refunded_so_far()
        if done and self.has("remembers"):
            order = self.desk.call("lookup_order", order_id=request["order"])
            self.tell("done_already", money=self.sum(done, order))
            return
        order = self.open_order(request)
        if order is None or self.serious(request):
            return
        if request.get("grief"):
            self.tell("sorry_loss" if self.has("own_words") else "stock_phrase")
        if order["returns"]:
            self.settle_return(order, request)
            return
        if request.get("disputes_delivery") and self.has("tracks"):
            self.desk.call("track_parcel", order_id=order["order_id"])
        due = self.due_for(order, request)
        if due is None:
            return
        options: dict[str, Any] = {}
        if request.get("label"):
            options["label"] = "prepaid"
            country = order["account"]["country"]
            known = self.has("label_rates")
            due -= Decimal(LABEL_RATES[country]) if known else OLD_LABEL_RATE
        if request.get("bulky") and self.has("bulky"):
            due -= BULKY_FEE
        items = request["items"]
        digital = any(order["items"][i].get("category") in ("digital", "gift_card") for i in items)
        if due > self.profile.at_once and not digital:
            self.open_return(order, items, due, request, options)
            return
        if options:
            self.desk.call("create_return", order_id=order["order_id"], item_ids=items, **options)
        if request.get("label") and self.has("label_rates"):
            fee = Decimal(LABEL_RATES[order["account"]["country"]])
            self.tell("label_costs", money=money(fee, order["currency"]))
        self.pay(order, due)

    def open_return(
        self,
        order: Order,
        items: list[str],
        due: Decimal,
        request: Request,
        options: dict[str, Any],
    ) -> None:
        """Ask for the goods first."""
        order_id = order["order_id"]
        if request.get("pickup") == "next monday" and self.has("bulky"):
            today = datetime.date.fromisoformat(self.state["today"])
            ahead = datetime.timedelta(days=7 - today.weekday())
            options["pickup_on"] = (today + ahead).isoformat()
        self.desk.call("create_return", order_id=order_id, item_ids=items, **options)
        if request.get("bulky") and self.has("bulky"):
            self.tell("how_much", money=money(due, order["currency"]))
            self.tell("pick_up", money=money(BULKY_FEE, order["currency"]))
        self.tell("return_opened", name=f"r-{order_id}", money=self.sum(due, order))
        if request.get("slowly"):
            self.tell("by_post" if self.has("own_words") else "portal")
        else:
            self.tell("from_then", days=self.profile.business_days)

    def due_for(self, order: Order, request: Request) -> Decimal | None:
        """What goes back for the items; None where everything was refused."""
        claim = request.get("claim")
        if claim and not self.has("paid_price"):
            return Decimal(claim)
        opened: list[str] = request.get("opened_items") or []
        if request.get("opened"):
            opened = request["items"]
        due = Decimal(0)
        refused = 0
        for item_id in request["items"]:
            item = order["items"][item_id]
            reason = self.refusal(order, item, item_id in opened)
            price = self.price(order, item, request, item_id in opened)
            if reason is None and not price:
                reason = "offer"
            if reason is None:
                due += price
            else:
                refused += 1
                self.refuse(order, item, reason)
        if refused == len(request["items"]):
            return None
        if due and self.has("reads_payment"):
            due -= self.refunded_items(order, request)
        return due

    def refunded_items(self, order: Order, request: Request) -> Decimal:
        """What earlier refunds have paid for the very items that are asked about."""
        refunds = self.state["payments"][order["order_id"]]["refunds"]
        prices = [order["items"][i]["paid"] for i in request["items"]]
        return sum((r["amount"] for r in refunds if r["amount"] in prices), Decimal(0))

    def price(self, order: Order, item: Order, request: Request, opened: bool) -> Decimal:
        """What goes back for one item, before anything is taken off."""
        quantity = int(item.get("qty", 1))
        back = int(request.get("quantity", quantity))
        if "offer" in order and self.has("broken_offers"):
            kept = (quantity - back) * item["list_price"]
            return max(Decimal(0), Decimal(order["offer"]["paid"] - kept))
        full: Decimal = item["paid"] * back
        if opened and item.get("category") in self.profile.fee_on:
            if self.has("rounds_fee"):
                return full - (full * self.profile.fee_share).quantize(CENT, ROUND_HALF_UP)
            return (full * (1 - self.profile.fee_share)).quantize(CENT, ROUND_HALF_UP)
        return full

    def refusal(self, order: Order, item: Order, opened: bool) -> str | None:
        """Why an item is not taken back, or None."""
        category = item.get("category")
        if category == "gift_card":
            if item["balance"] != item["paid"] and self.has("gift_card_whole"):
                return "spent"
            late = self.days_since(order["placed"]) > self.profile.window
            return "card_window" if late else None
        if category == "digital":
            for used in ("downloaded", "activated"):
                if used in item:
                    return used
            late = self.days_since(order["placed"]) > self.profile.digital_window
            return "digital_window" if late else None
        if item.get("personalised"):
            return "personalised"
        if item.get("final_sale"):
            return "final_sale"
        if category == "hygiene" and opened:
            return "hygiene"
        if self.days_since(self.delivered(order, item)) > self.profile.window:
            return "window"
        return None

    def delivered(self, order: Order, item: Order) -> str:
        """The day from which an item counts."""
        own = item.get("delivered") if self.has("per_item_delivery") else None
        return str(own or order["delivered"])

    def refuse(self, order: Order, item: Order, reason: str) -> None:
        """Say why an item is not taken back, or give what an older policy gives."""
        name = item["name"]
        if reason == "window":
            delivered = self.delivered(order, item)
            if self.days_since(delivered) <= self.profile.credit_until:
                self.credit(order, item["paid"])
                return
            self.tell("window", date=self.on(delivered), days=self.profile.window)
        elif reason in ("card_window", "digital_window"):
            days = self.profile.window if reason == "card_window" else None
            self.tell(reason, days=days or self.profile.digital_window)
        elif reason in ("downloaded", "activated"):
            self.tell(reason, what=name, date=self.on(item[reason]))
        elif reason == "offer":
            self.tell("offer_used_up", money=money(item["list_price"], order["currency"]))
        elif reason == "spent":
            self.tell(reason)
        else:
            self.tell(reason, what=name)
            if reason == "final_sale" and order.get("confirmations"):
                self.tell("where_marked" if self.has("own_words") else "stock_phrase")

    # -- returns under way ----------

    def ask_sent_back(self, request: Request) -> None:
        """Goods that were posted back."""
        order = self.open_order(request)
        if order is not None:
            self.settle_return(order, request)

    def settle_return(self, order: Order, request: Request) -> None:
        """Answer for a return that is under way."""
        order_id = order["order_id"]
        payment = self.desk.call("get_payment", order_id=order_id)
        if payment["refunds"]:
            last = payment["refunds"][-1]
            self.tell(
                "refunded_already",
                money=self.sum(last["amount"], order),
                date=self.on(last["on"]),
            )
            return
        name, parcel = next(iter(order["returns"].items()))
        if "found" in parcel:
            self.escalate(order_id, "fraud")
            return
        items = parcel["booked_in"] if self.has("waits_for_all") else parcel["item_ids"]
        due = sum((order["items"][i]["paid"] for i in items), Decimal(0))
        if not items:
            self.tell("return_pending", name=name)
            return
        self.pay(order, due)
        if len(items) < len(parcel["item_ids"]):
            self.tell("return_pending", name=name)

    def ask_undeliverable(self, request: Request) -> None:
        """A parcel that came back to the warehouse."""
        order = self.open_order(request)
        if order is None:
            return
        due = sum((item["paid"] for item in order["items"].values()), Decimal(0))
        if not self.has("paid_price"):
            due = Decimal(request["claim"])
        self.pay(order, due)
        self.tell("fee_stays")

    # -- damaged, wrong, missing ----------

    def ask_damaged(self, request: Request) -> None:
        """Damage or a fault."""
        order = self.open_order(request)
        if order is None:
            return
        if request.get("anger"):
            self.tell("unanswered" if self.has("own_words") else "stock_phrase")
        elif self.language == "en":
            self.tell("sorry")
        if self.serious(request):
            return
        if self.days_since(order["delivered"]) > self.profile.damage_window:
            self.escalate(order["order_id"], "warranty")
            return
        photos = sum(ticket["photos"] for ticket in order["tickets"].values())
        if not photos and self.has("asks_photo"):
            self.tell("ask_photo")
            return
        self.make_good(order, request)

    def make_good(self, order: Order, request: Request) -> None:
        """A replacement, money, or a discount."""
        wants = request.get("wants")
        if wants in (None, "both"):
            if self.has("asks_choice"):
                self.tell("ask_choice")
                return
            wants = "refund"
        items = request["items"]
        if wants == "replacement":
            self.replace(order, items)
            return
        due = Decimal(0)
        for item_id in items:
            item = order["items"][item_id]
            due += item["paid"] * int(request.get("quantity", item.get("qty", 1)))
        if wants == "discount":
            due = (due * self.profile.keep_share).quantize(CENT, ROUND_HALF_UP)
        if request.get("fee") and len(items) == len(order["items"]):
            due += order["delivery_fee"]
        self.pay(order, due)

    def replace(self, order: Order, items: list[str]) -> None:
        """Send items once more."""
        self.desk.call("send_replacement", order_id=order["order_id"], item_ids=items)
        names = ", ".join(order["items"][i]["name"] for i in items)
        digital = any(order["items"][i].get("category") == "digital" for i in items)
        self.tell("new_file" if digital else "replacement", what=names)

    def ask_wrong(self, request: Request) -> None:
        """Something else than was ordered."""
        order = self.open_order(request)
        if order is None:
            return
        self.tell("our_mistake")
        items = request["items"]
        self.make_good(order, request)
        if all(order["items"][i].get("personalised") for i in items):
            self.tell("keep_it")
            return
        self.desk.call("create_return", order_id=order["order_id"], item_ids=items, label="prepaid")
        self.tell("prepaid")

    def ask_missing(self, request: Request) -> None:
        """Something that was not in the box."""
        order = self.open_order(request)
        if order is None:
            return
        self.tell("sorry")
        due = next((order["items"][i].get("second_parcel_due") for i in request["items"]), None)
        if due and self.has("tracks"):
            self.tell("second_parcel", date=self.on(due))
        else:
            self.make_good(order, request)
