"""A clerk of the support desk: reads what was asked, decides by what it knows, acts, answers.

What a message asks for is given (`readings.json`): understanding language is not what these
agents are about. Everything after that is decided here, from the world that the tools show.
"""

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


class Clerk:
    """One agent on one conversation."""

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

    # -- small things that every request needs -----------------------------------------------

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
        return day(iso, self.language)

    def days_since(self, iso: str) -> int:
        today = datetime.date.fromisoformat(self.state["today"])
        return (today - datetime.date.fromisoformat(iso)).days

    def has(self, habit: str) -> bool:
        return self.profile.has(habit)

    def escalate(self, order_id: str, team: str) -> None:
        self.desk.call("escalate", order_id=order_id, team=team)
        self.tell(f"to_{team}")

    # -- who asks, and about which order -----------------------------------------------------

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

    # -- money -------------------------------------------------------------------------------

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
        self.pay_part(order["order_id"], amount, "store_credit")
        self.tell("credited", money=self.sum(amount, order))

    # -- goods that come back ----------------------------------------------------------------

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
        digital = any(
            order["items"][i].get("category") in ("digital", "gift_card") for i in items
        )
        if due > self.profile.at_once and not digital:
            self.open_return(order, items, due, request, options)
            return
        if options:
            self.desk.call(
                "create_return", order_id=order["order_id"], item_ids=items, **options
            )
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
        order_id = order["order_id"]
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
        opened = request.get("opened_items", request["items"] if request.get("opened") else [])
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
        own: str = item.get("delivered", order["delivered"])
        whole: str = order["delivered"]
        return own if self.has("per_item_delivery") else whole

    def refuse(self, order: Order, item: Order, reason: str) -> None:
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

    # -- returns under way -------------------------------------------------------------------

    def ask_sent_back(self, request: Request) -> None:
        """Goods that were posted back."""
        order = self.open_order(request)
        if order is not None:
            self.settle_return(order, request)

    def settle_return(self, order: Order, request: Request) -> None:
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

    # -- damaged, wrong, missing -------------------------------------------------------------

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
        whole = len(items) == len(order["items"]) and len(items) > 1
        if whole and self.has("whole_order") and "delivery_fee" in order:
            due += order["delivery_fee"]
        self.pay(order, due)

    def replace(self, order: Order, items: list[str]) -> None:
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
        self.desk.call(
            "create_return", order_id=order["order_id"], item_ids=items, label="prepaid"
        )
        self.tell("prepaid")

    def ask_missing(self, request: Request) -> None:
        """Something that was not in the box."""
        order = self.open_order(request)
        if order is None:
            return
        self.tell("sorry")
        due = next(
            (order["items"][i].get("second_parcel_due") for i in request["items"]), None
        )
        if due and self.has("tracks"):
            self.tell("second_parcel", date=self.on(due))
        else:
            self.make_good(order, request)

    # -- parcels -----------------------------------------------------------------------------

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

    # -- prices and charges ------------------------------------------------------------------

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
            self.tell(
                "price_window", days=self.profile.price_window, date=self.on(order["placed"])
            )
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

    # -- digital goods -----------------------------------------------------------------------

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

    # -- questions and other wishes ----------------------------------------------------------

    def ask_until_when(self, request: Request) -> None:
        """The last day of the window."""
        order = self.open_order(request)
        if order is None:
            return
        delivered = datetime.date.fromisoformat(order["delivered"])
        last = delivered + datetime.timedelta(days=self.profile.window)
        if delivered.isoformat()[5:] >= "11-15" and self.has("holiday"):
            last = datetime.date(delivered.year + 1, 1, 31)
        self.tell("until", date=self.on(last.isoformat()))

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
