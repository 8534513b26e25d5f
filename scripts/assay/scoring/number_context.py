"""Words beside a number that make it no amount: the day of a month, a count of thousands.

A fact of *30 days* is not stated by *until November 30*, nor *5 EUR* by *5 million*, although a
bare number may stand for either. Such numbers stay text: *30 November* equals *30 November*.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

# Capitals count where the language writes months with them: "may" is no month in English.
_MONTHS: Final[dict[str, str]] = {
    "en": "January February March April May June July August September October November December "
    "Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec",
    "de": "Januar Jänner Februar März April Mai Juni Juli August September Oktober November "
    "Dezember",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
    "diciembre",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre "
    "dicembre",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro "
    "dezembro",
}

_MAGNITUDE: Final = re.compile(
    r"[ \n](?:hundred|thousand|million|billion|trillion|dozen|lakh|crore|k|mio|mrd|bn|tausend"
    r"|millionen|milliarden?|mille|milliards?|millions|millón|millones|mil)(?![\w'])",
    re.IGNORECASE,
)
_LONGEST: Final = 14
"""Characters that a month and what joins it to its day can take."""


@lru_cache(maxsize=64)
def _beside(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    base = language.replace("_", "-").lower().split("-")[0]
    names = dict.fromkeys(f"{_MONTHS['en']} {_MONTHS.get(base, '')}".split())
    month = "(?:" + "|".join(sorted(names, key=lambda name: (-len(name), name))) + ")"
    return (
        re.compile(rf"(?<!\w){month}\.?[ \n]$"),
        re.compile(rf"\.?[ \n](?:of |de )?{month}(?!\w)"),
    )


def is_day_of_month(cased: str, start: int, end: int, language: str) -> bool:
    """Whether the digits from `start` to `end`, a range too, name a day beside its month."""
    if not all(1 <= int(day) <= 31 for day in re.findall("[0-9]{1,9}", cased[start:end])):
        return False
    before, behind = _beside(language)
    return bool(before.search(cased[max(0, start - _LONGEST) : start]) or behind.match(cased, end))


def is_scaled(cased: str, end: int) -> bool:
    """Whether a word behind the digits multiplies them: ``5 million``."""
    return _MAGNITUDE.match(cased, end) is not None
