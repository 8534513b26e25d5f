"""A first look at a large text: most hold nothing, and that shows without looking closely."""

from __future__ import annotations

import re
from functools import lru_cache

from assay.redaction.addresses import is_reserved
from assay.redaction.names import LONGEST, kind_of
from assay.redaction.shapes import schemed, tokens
from assay.redaction.texts import NAME_MARKS, in_urls, urls_with_users

_HOST = re.compile(r"(?:@|%40)([\w.-]{1,255})")
_NAMED = tuple(re.compile(rf"{mark}[\w.-]{{0,{LONGEST}}}") for mark in NAME_MARKS)
_BEFORE = re.compile(r"[\w.-]")
_reserved = lru_cache(maxsize=4096)(is_reserved)


def might_hold(text: str) -> bool:
    """Whether it is worth while to look closely at a text, or at the values of a JSON text.

    False is certain; true is a guess.
    """
    if "@" in text or "%40" in text:
        for match in _HOST.finditer(text):
            if not _reserved(match[1].rstrip(".-_")):
                return True
        if any(True for _ in in_urls(urls_with_users(text))):
            return True
    if any(True for _ in tokens(text)) or any(True for _ in schemed(text)):
        return True
    low = text.lower()
    if "private key" in low or "sig=" in low:
        return True
    if len(low) != len(text):  # A letter that is two in lower case: places do not agree.
        return True
    return any(_is_named(text, low, named) for named in _NAMED)


def _is_named(text: str, low: str, named: re.Pattern[str]) -> bool:
    """Whether a name stands there that promises a secret."""
    for match in named.finditer(low):
        begin = match.start()
        while begin > 0 and match.start() - begin < LONGEST and _BEFORE.match(text, begin - 1):
            begin -= 1
        name = text[begin : match.end()]
        if _promises(name) or (name.lower() == "key" and low[max(begin - 4, 0) : begin] == "api "):
            return True
    return False


@lru_cache(maxsize=8192)
def _promises(name: str) -> bool:
    # The first letter may belong to an escaped line end before the name.
    return kind_of(name) is not None or kind_of(name[1:]) is not None
