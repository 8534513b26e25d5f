"""Spellings of units. Which unit a text states, never how to convert one into another.

A spelling may stand for several units (``$`` for any dollar, ``mw`` for MW or mW); two stated
units agree when they can mean the same. Capitals count where the spelling has them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

Units = frozenset[str]
"""What a spelling can mean; empty where no unit is stated."""

NONE: Final[Units] = frozenset()

_PREFIXES: Final = {
    "p": "pico",
    "n": "nano",
    "µ": "micro",
    "m": "milli",
    "c": "centi",
    "d": "deci",
    "h": "hecto",
    "k": "kilo",
    "M": "mega",
    "G": "giga",
    "T": "tera",
    "P": "peta",
}

# symbol: permitted prefixes ("" is the bare unit); names that take the long prefix
_PREFIXED: Final = (
    ("m", " p n µ m c d k", "metre metres meter meters"),
    ("g", " n µ m k", "gram grams gramme grammes"),
    ("s", " p n µ m", "second seconds sec secs"),
    ("A", " p n µ m k", "ampere amperes amp amps"),
    ("V", " n µ m k M", "volt volts"),
    ("W", " n µ m k M G T", "watt watts"),
    ("Wh", " m k M G T", "watthour watthours watt-hour watt-hours"),
    ("VA", " k M G", ""),
    ("var", " k M", ""),
    ("J", " m k M G T", "joule joules"),
    ("N", " m k M", "newton newtons"),
    ("Pa", " m h k M G", "pascal pascals"),
    ("bar", " m", "bars"),
    ("Hz", " m k M G T", "hertz"),
    ("Ω", " m k M G", "ohm ohms"),
    ("F", " p n µ", ""),
    ("eV", " m k M G T", ""),
    ("mol", " n µ m k", "mole moles"),
    ("cal", " k", "calorie calories"),
    ("B", " k M G T P", "byte bytes"),
    ("bit", " k M G T", "bits"),
    ("l", " n µ m c d h", "litre litres liter liters"),
    ("t", " k M", "tonne tonnes"),
    ("lm", " k", "lumen lumens"),
    ("lx", " k", "lux"),
    ("K", " m", "kelvin kelvins"),
)

# canonical: spellings whose capitals count
_EXACT: Final = """
K: K
A: A
V: V
W: W
N: N
J: J
B: B
l: L
h: h
day: d
°C: C
°F: F
mg: mg
"""

# canonical: spellings in any capitals
_FOLDED: Final = """
%: % percent pct per\u00a0cent prozent pourcent
‰: ‰ permille
ppm: ppm
ppb: ppb
°C: °c ℃ degc deg\u00a0c celsius degree\u00a0celsius degrees\u00a0celsius
°F: °f ℉ degf deg\u00a0f fahrenheit degree\u00a0fahrenheit degrees\u00a0fahrenheit
°: ° degree degrees deg
min: min mins minute minutes
h: hr hrs hour hours
day: day days
week: wk wks week weeks
month: month months
year: yr yrs year years
in: inch inches
ft: ft foot feet
yd: yd yard yards
mi: mile miles
mph: mph miles\u00a0per\u00a0hour
km/h: kph kmh kilometres\u00a0per\u00a0hour kilometers\u00a0per\u00a0hour
m/s: mps metres\u00a0per\u00a0second meters\u00a0per\u00a0second
rpm: rpm
oz: oz ounce ounces
lb: lb lbs
st: stone
gal: gal gallon gallons
ha: ha hectare hectares
acre: acre acres
m²: sqm sq\u00a0m square\u00a0metre square\u00a0metres square\u00a0meter square\u00a0meters
m³: cbm cubic\u00a0metre cubic\u00a0metres cubic\u00a0meter cubic\u00a0meters
ft²: sqft sq\u00a0ft square\u00a0foot square\u00a0feet
ft³: cuft cu\u00a0ft cubic\u00a0foot cubic\u00a0feet
psi: psi
hp: hp horsepower
Btu: btu btus
dB: db decibel decibels
KiB: kib
MiB: mib
GiB: gib
TiB: tib
EUR: € euro euros
GBP: £ quid
JPY: ¥ yen 円
CNY: ¥ yuan rmb renminbi 元
INR: ₹ rupee rupees
RUB: ₽ rouble roubles ruble rubles
KRW: ₩ won
TRY: ₺ lira
UAH: ₴ hryvnia
VND: ₫ dong
ILS: ₪ shekel shekels
THB: ฿ baht
NGN: ₦ naira
PHP: ₱
PLN: zł złoty zloty
CZK: kč koruna
CHF: chf sfr franc francs
SEK: kr krona kronor
NOK: kr krone kroner
DKK: kr krone kroner
ISK: kr
GBP: pound pounds
lb: pound pounds
cent: ¢ cent cents
"""

_CURRENCY_CODES: Final = (
    "AED ARS AUD BDT BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP GEL GHS HKD HUF IDR ILS INR "
    "ISK JPY KES KRW KZT LKR MAD MXN MYR NGN NOK NZD PEN PHP PKR PLN QAR RON RSD RUB SAR SEK SGD "
    "THB TND TRY TWD TZS UAH UGX USD UYU VND XAF XOF ZAR"
)
_WORDS_TOO: Final = frozenset({"MAD", "PEN", "TRY", "COP", "GEL", "RON", "SAR"})
_DOLLARS: Final = frozenset({"USD", "CAD", "AUD", "NZD", "SGD", "HKD", "TWD", "MXN", "ARS", "CLP"})

_DOLLAR_SIGNS: Final = """
USD: US$
AUD: A$
CAD: C$
HKD: HK$
NZD: NZ$
SGD: S$
"""

CURRENCY_SIGNS: Final = "$€£¥₹₽₩₺₴₫₪฿₦₱¢"
"""Signs that may stand before a number."""


_Table = defaultdict[str, set[str]]


def _tables() -> tuple[dict[str, Units], dict[str, Units]]:
    """Spellings whose capitals count, and spellings in any capitals."""
    exact: _Table = defaultdict(set)
    folded: _Table = defaultdict(set)
    _add_prefixed(exact, folded)
    for spelling, unit in _rows(_EXACT):
        exact[spelling].add(unit)
    for spelling, unit in _rows(_FOLDED):
        folded[spelling].add(unit)
    for code in _CURRENCY_CODES.split():
        exact[code].add(code)
        if code not in _WORDS_TOO:
            folded[code.casefold()].add(code)
    for sign in ("$", "dollar", "dollars"):
        folded[sign] |= _DOLLARS
    for spelling, unit in _rows(_DOLLAR_SIGNS):
        exact[spelling].add(unit)
    return (
        {key: frozenset(value) for key, value in exact.items()},
        {key: frozenset(value) for key, value in folded.items()},
    )


def _rows(table: str) -> Iterator[tuple[str, str]]:
    for line in table.strip().splitlines():
        unit, spellings = line.split(": ")
        for spelling in spellings.split(" "):
            yield spelling.replace("\u00a0", " "), unit


def _add_prefixed(exact: _Table, folded: _Table) -> None:
    for symbol, prefixes, names in _PREFIXED:
        for prefix in prefixes.split(" "):
            unit = prefix + symbol
            for spelling in {unit, unit.replace("µ", "u"), unit.replace("Ω", "ohm")}:
                exact[spelling].add(unit)
                if len(spelling) > 1:
                    folded[spelling.casefold()].add(unit)
            for name in names.split():
                folded[_PREFIXES.get(prefix, "") + name].add(unit)


_EXACT_UNITS, _FOLDED_UNITS = _tables()

CURRENCIES: Final = frozenset(_CURRENCY_CODES.split())
"""Codes that may stand before a number."""


_POWER = re.compile(r"(.+?)(?:\^?([23])|([²³]))$")
_SUPERSCRIPT = {"2": "²", "3": "³"}


@lru_cache(maxsize=4096)
def units_of(spelling: str) -> Units:
    """What a spelling can mean: `km/h`, `EUR`, `degrees Celsius`, `m²`; empty when unknown."""
    known = _simple(spelling)
    if known or "/" not in spelling:
        return known
    above, _, below = spelling.partition("/")
    return frozenset(f"{a}/{b}" for a in _simple(above) for b in _simple(below))


def _simple(spelling: str) -> Units:
    known = _EXACT_UNITS.get(spelling) or _FOLDED_UNITS.get(spelling.casefold())
    if known:
        return known
    power = _POWER.match(spelling)
    if power is None:
        return NONE
    sign = power[3] or _SUPERSCRIPT[power[2]]
    return frozenset(f"{unit}{sign}" for unit in _simple(power[1]))


def agree(one: Units, other: Units) -> bool:
    """Whether two stated units can be the same; a number without one may stand for any."""
    return not one or not other or not one.isdisjoint(other)
