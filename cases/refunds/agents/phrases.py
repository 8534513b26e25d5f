"""What the clerks say. One template a kind of outcome; four languages where customers need them."""

from __future__ import annotations

import datetime
from decimal import Decimal

SIGNS = {"USD": "$", "GBP": "£", "EUR": "€", "CAD": "CA$"}
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]

ENGLISH = {
    "refunded": "I have refunded {money} to the card that paid.",
    "credited": "I have put {money} into your account as store credit.",
    "arrives": "It arrives within {days} business days.",
    "from_then": "From then on it takes {days} business days at most.",
    "pick_up": "We pick it up, for which {money} is taken off.",
    "return_opened": "I have opened return {name} for you. Please post the goods; {money} is paid"
    " once the warehouse has booked them in.",
    "return_pending": "Your return {name} is open. The money follows once the warehouse has"
    " booked it in.",
    "sorry": "I am sorry about that.",
    "replacement": "A replacement is on its way, free of charge: {what}.",
    "new_file": "I have put a fresh copy into your account.",
    "prepaid": "For the wrong goods you have a prepaid label.",
    "keep_it": "Please keep the other one.",
    "ask_photo": "Please send us a photo, and we go on from there.",
    "ask_choice": "Would you like a refund or a replacement, a new one?",
    "ask_order": "Which of your orders do you mean: {orders}?",
    "ask_number": "Please check the order number once more.",
    "to_supervisor": "I have handed this over to my supervisor, who will write to you.",
    "to_warranty": "Our warranty team looks at this; I have handed it over.",
    "to_claims": "Our claims team takes this up with the carrier; I have handed it over.",
    "to_fraud": "Your request is being looked at by a colleague; you will hear from us.",
    "to_safety": "Please stop using it and unplug it. Our safety"
    " team has your report and will ring you.",
    "window": "It was delivered on {date}, and goods can be returned within {days} days."
    " That time is over, so I have to decline.",
    "card_window": "Gift cards can be refunded within {days} days of purchase."
    " That time is over, so I have to decline.",
    "digital_window": "Digital goods can be refunded within {days} days of purchase."
    " That time is over, so I have to decline.",
    "final_sale": "This was marked as final sale, so I have to decline: {what}.",
    "personalised": "This is personalised, so I have to decline: {what}.",
    "hygiene": "The hygiene seal is off, so I have to decline: {what}.",
    "downloaded": "This was downloaded on {date}, so I have to decline: {what}.",
    "activated": "This was activated on {date}, so I have to decline: {what}.",
    "spent": "The gift card was spent in part, so I have to decline.",
    "offer_used_up": "What you keep counts at its list price of {money} each, which uses up what"
    " you paid, so the refund comes to zero.",
    "price_window": "A difference is paid when our price falls within {days} days after the"
    " purchase. Yours was on {date}, so I have to decline.",
    "price_once": "A difference is paid once for a purchase, and that has happened.",
    "other_shop": "A difference is paid when our own price falls. What another shop asks is"
    " outside of that.",
    "voucher": "A code works at checkout. Afterwards it is too late for it.",
    "duties": "This is an import tax of your country, which is outside what the shop refunds.",
    "on_time": "It was promised for {date} and came on that day, so the fee stays paid.",
    "fee_stays": "The delivery fee stays paid.",
    "owner": "An order is changed only for the person who placed the order, so please ask them to"
    " write to us.",
    "check_failed": "These details do not fit the order. Please check the postcode or sign in.",
    "refunded_already": "{money} was refunded on {date}.",
    "done_already": "It is done: {money} was refunded a moment ago.",
    "pending": "The second line is a pending authorisation, which falls away within 7 days.",
    "where": "The carrier says: {where}, on {date}.",
    "not_lost": "The last scan was on {date}. The parcel counts as lost from {lost}.",
    "second_parcel": "It is in a second parcel, which is due on {date}.",
    "cancelled": "The order is cancelled, and {money} goes back to you.",
    "handed_over": "The parcel has left. You can refuse it at the door or send it back.",
    "whole_order": "I can cancel the order as a whole. Is that what you want?",
    "date_only": "{date}",
    "until": "You may ask for a return until {date}.",
    "how_long": "Unused goods come back within {days} days of delivery.",
    "how_much": "You would get {money} back.",
    "fee_share": "We keep {share} % of the price paid for it.",
    "label_costs": "The label costs {money}.",
    "as_you_wish": "Then everything stays as it is.",
    "ticket_closed": "Your ticket is closed.",
    "noted": "I have noted it in your ticket.",
    "sorry_loss": "I am very sorry for your loss.",
    "stock_phrase": "We apologise for the inconvenience.",
    "our_mistake": "That was our mistake, and I am sorry.",
    "unanswered": "You should have heard from us after your first message.",
    "where_marked": "It stood in your order confirmation.",
    "by_post": "First, put it back in its box. Second, bring it to any post office and give them"
    " that number.",
    "portal": "You find the label in the return portal.",
    "flagged": "Your account is flagged for fraud.",
}

GERMAN = {
    "refunded": "Ich habe Ihnen {money} erstattet.",
    "arrives": "Das Geld kommt innerhalb von {days} Werktagen an.",
    "to_supervisor": "Ich habe Ihren Fall an meine Teamleitung weitergegeben; Sie hören von uns.",
}
SPANISH = {
    "refunded": "Le he reembolsado {money}.",
    "arrives": "Llega en {days} días laborables.",
    "window": "Se entregó el {date}, y el plazo de devolución es de {days} días."
    " Ese plazo ha terminado, y lo siento.",
}
FRENCH = {
    "refunded": "Je vous ai remboursé {money}.",
    "arrives": "Le remboursement arrive sous {days} jours ouvrés.",
}
LANGUAGES = {"en": ENGLISH, "de": GERMAN, "es": SPANISH, "fr": FRENCH}
MONTHS_ES = [
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
]


def money(amount: Decimal, currency: str, language: str = "en") -> str:
    """The amount as a person writes it in a language."""
    if language == "en":
        sign = "-" if amount < 0 else ""
        return f"{sign}{SIGNS[currency]}{abs(amount):,.2f}"
    point, group = (",", ".") if language != "fr" else (",", "\u00a0")
    digits = f"{amount:,.2f}".replace(",", "_").replace(".", point).replace("_", group)
    return f"{digits} {SIGNS[currency]}"


def day(iso: str, language: str = "en") -> str:
    """The day as a person writes it in a language."""
    date = datetime.date.fromisoformat(iso)
    if language == "es":
        return f"{date.day} de {MONTHS_ES[date.month - 1]}"
    return f"{date.day} {MONTHS[date.month - 1]} {date.year}"


def sentence(kind: str, language: str, **values: object) -> str:
    """One sentence; in English where the language has none of that kind."""
    template = LANGUAGES[language].get(kind) or ENGLISH[kind]
    return template.format(**values)
