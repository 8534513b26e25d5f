"""A clerk of the support desk: reads what was asked, decides by what it knows, acts, answers.

What a message asks for is given (`readings.json`): understanding language is not what these
agents are about. Everything after that is decided here, from the world that the tools show.
"""

from __future__ import annotations

import datetime
from decimal import Decimal

from basics import Order, Request
from goods import LABEL_RATES, Goods
from phrases import money


class Clerk(Goods):
    """One agent on one conversation."""

    # -- parcels ----------

    def ask_not_received(self, request: Request) -> None:
        """A parcel that has not come."""
        order = self.open_order(request)
        if order is None:
            return
        order_id = order["order_id"]
        if not self.has("tracks"):
            self.money_or_goods(order, request)
            return
        parcel = self.desk.call("track_parcel", order_id=order_id)
        if order["account"].get("not_received_12m", 0) >= 2 and self.has("third_claim"):
            self.escalate(order_id, "fraud")
        elif "signed_by" in parcel:
            self.escalate(order_id, "claims")
        elif order["status"] == "delivered":
            self.tell("where", where=parcel["last_scan"], date=self.on(parcel["last_scan_on"]))
        elif self.days_since(parcel["last_scan_on"]) < 10:
            scan = datetime.date.fromisoformat(parcel["last_scan_on"])
            lost = (scan + datetime.timedelta(days=10)).isoformat()
            self.tell("not_lost", date=self.on(scan.isoformat()), lost=self.on(lost))
        else:
            self.money_or_goods(order, request)

    def money_or_goods(self, order: Order, request: Request) -> None:
        """What a lost parcel is worth."""
        if request.get("wants") == "replacement":
            self.replace(order, sorted(order["items"]))
            return
        payment = self.desk.call("get_payment", order_id=order["order_id"])
        self.pay(order, sum((c["amount"] for c in payment["charges"]), Decimal(0)))

    def ask_late(self, request: Request) -> None:
        """An express parcel that is said to have been late."""
        order = self.open_order(request)
        if order is None:
            return
        if order["delivered"] > order["promised"]:
            self.pay(order, order["express_fee"])
        else:
            self.tell("on_time", date=self.on(order["promised"]))

    def ask_cancel(self, request: Request) -> None:
        """Stop an order."""
        order = self.open_order(request)
        if order is None:
            return
        if order["status"] != "processing":
            if not self.has("tracks"):
                self.desk.call("cancel_order", order_id=order["order_id"])
            self.tell("handed_over")
        elif "items" in request:
            self.tell("whole_order")
        else:
            done = self.desk.call("cancel_order", order_id=order["order_id"])
            self.tell("cancelled", money=self.sum(done["refunded"], order))

    # -- prices and charges ----------

    def ask_price_fall(self, request: Request) -> None:
        """Our own price fell."""
        order = self.open_order(request)
        if order is None:
            return
        item = order["items"][request["items"][0]]
        difference = item["paid"] - item["price_now"]
        if self.state["payments"][order["order_id"]]["refunds"]:
            self.desk.call("get_payment", order_id=order["order_id"])
            self.tell("price_once")
        elif self.days_since(order["placed"]) > self.profile.price_window:
            self.tell("price_window", days=self.profile.price_window, date=self.on(order["placed"]))
        elif self.has("price_falls"):
            self.pay(order, difference)
        else:
            self.tell("other_shop")

    def ask_price_match(self, request: Request) -> None:
        """Another shop is cheaper."""
        if self.open_order(request) is not None:
            self.tell("other_shop")

    def ask_voucher(self, request: Request) -> None:
        """A code that was forgotten."""
        order = self.open_order(request)
        if order is not None:
            if self.has("price_falls"):
                self.tell("voucher")
            else:
                self.pay(order, Decimal("7.00"))

    def ask_duties(self, request: Request) -> None:
        """Import tax that was paid at the door."""
        if self.open_order(request) is not None:
            self.tell("duties")

    def ask_charged_twice(self, request: Request) -> None:
        """Two lines on a statement."""
        order = self.open_order(request)
        if order is None:
            return
        payment = self.desk.call("get_payment", order_id=order["order_id"])
        first, second = payment["charges"][:2]
        if second.get("pending") and self.has("reads_payment"):
            self.tell("pending")
        else:
            self.pay(order, first["amount"])

    # -- digital goods ----------

    def ask_broken_file(self, request: Request) -> None:
        """A file or key that does not work."""
        order = self.open_order(request)
        if order is None:
            return
        self.tell("sorry")
        item = order["items"][request["items"][0]]
        if item.get("replaced_on"):
            self.pay(order, item["paid"])
        else:
            self.replace(order, request["items"])

    def ask_bought_twice(self, request: Request) -> None:
        """The same digital product twice."""
        self.desk.call("lookup_order", order_id=request["first"])
        order = self.open_order(request)
        if order is None:
            return
        item = order["items"][request["items"][0]]
        if self.has("bought_twice"):
            self.pay(order, item["paid"])
        else:
            self.refuse(order, item, "downloaded")

    # -- questions and other wishes ----------

    def ask_until_when(self, request: Request) -> None:
        """The last day of the window."""
        order = self.open_order(request)
        if order is None:
            return
        delivered = datetime.date.fromisoformat(order["delivered"])
        last = delivered + datetime.timedelta(days=self.profile.window)
        if delivered.isoformat()[5:] >= "11-15" and self.has("holiday"):
            last = datetime.date(delivered.year + 1, 1, 31)
        kind = "date_only" if request.get("date_only") else "until"
        self.tell(kind, date=self.on(last.isoformat()))

    def ask_how_long(self, request: Request) -> None:
        """How long the window is."""
        self.desk.call("policy_search", query="how many days for a return")
        self.tell("how_long", days=self.profile.window)

    def ask_how_much(self, request: Request) -> None:
        """What a return would bring."""
        order = self.open_order(request)
        if order is not None:
            due = self.price(order, order["items"][request["items"][0]], request, False)
            self.tell("how_much", money=self.sum(due, order))
            self.tell("fee_stays")

    def ask_how_much_fee(self, request: Request) -> None:
        """What is kept of opened goods."""
        self.desk.call("policy_search", query="opened kitchen machines")
        self.tell("fee_share", share=(self.profile.fee_share * 100).quantize(Decimal(1)))

    def ask_label_cost(self, request: Request) -> None:
        """What a prepaid label costs."""
        self.desk.call("policy_search", query="return label change of mind")
        customer = self.state["customers"][self.state["session"]["customer_id"]]
        fee = LABEL_RATES[customer["country"]] if self.has("reads_payment") else "5.95"
        self.tell("label_costs", money=money(Decimal(fee), "EUR"))

    def ask_exception(self, request: Request) -> None:
        """A second look by somebody who may decide."""
        self.escalate(request["order"], "supervisor")

    def ask_approval_news(self, request: Request) -> None:
        """What became of an earlier request."""
        order = self.open_order(request)
        if order is None:
            return
        approvals = [t["approval"] for t in order["tickets"].values() if "approval" in t]
        self.pay(order, approvals[0]["amount"], approved=True)

    def ask_leave_it(self, request: Request) -> None:
        """The customer decides against it."""
        self.tell("as_you_wish")

    def ask_close_ticket(self, request: Request) -> None:
        """A ticket that has taken care of itself."""
        if self.open_order(request) is not None:
            self.desk.call("ticket_close", ticket_id=request["ticket"])
            self.tell("ticket_closed")

    def ask_ticket_note(self, request: Request) -> None:
        """Something to be written down."""
        self.desk.call("ticket_note", ticket_id=request["ticket"], text="Customer away.")
        self.tell("noted")
