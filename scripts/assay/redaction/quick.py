"""A first look at a large text: most hold nothing, and that shows without looking closely."""

from __future__ import annotations

import re
from functools import lru_cache

from assay.redaction.addresses import may_be_address
from assay.redaction.names import LONGEST, kind_of
from assay.redaction.shapes import has_marks_in, schemed, tokens
from assay.redaction.texts import NAME_MARKS, in_urls, urls_with_users

_HOST = re.compile(r"(?:@|%40)([\w.-]{1,255})")
_EQUALS = "sig="
_MARKS = sorted({mark[:4] if mark.startswith("pass") else mark for mark in NAME_MARKS} - {_EQUALS})
"""What stands in every name that promises a secret; the fewer, the faster."""
_SCHEMES = ("bearer", "basic")
_NAME_AROUND = {mark: re.compile(rf"{mark}[\w.-]{{0,{LONGEST}}}") for mark in _MARKS}
_BEFORE = re.compile(r"[\w.-]")
_may_be_address = lru_cache(maxsize=4096)(may_be_address)

_LOWER = bytes(range(256)).lower()
_NO_LETTERS = bytes(byte for byte in range(128) if not chr(byte).isalpha())
_WORDS = tuple((word.encode(), word) for word in (*_MARKS, *_SCHEMES))


def might_hold(text: str) -> bool:
    """Whether it is worth while to look closely at a text, or at the values of a JSON text.

    False is certain; true is a guess.
    """
    if "@" in text or ("%" in text and "%40" in text):
        for match in _HOST.finditer(text):
            if _may_be_address(match[1]):
                return True
        if any(True for _ in in_urls(urls_with_users(text))):
            return True
    data = text.encode("utf-8", "surrogatepass")
    if has_marks_in(data) and any(True for _ in tokens(text)):
        return True
    # Words that stand in the letters alone, which are half of the text, may stand in the text.
    letters = data.translate(_LOWER, _NO_LETTERS)
    words = [word for mark, word in _WORDS if mark in letters]
    equals = "=" in text
    if not words and not equals:
        return False
    low = text.lower()
    if len(low) != len(text):  # A letter that is two in lower case: places do not agree.
        return True
    if equals and _EQUALS in low:
        return True
    for word in words:
        if word in _SCHEMES:
            if any(True for _ in schemed(text)):
                return True
        elif word in low and _is_named(text, low, word):
            return True
    return False


def _is_named(text: str, low: str, mark: str) -> bool:
    """Whether a name stands there that promises a secret."""
    if mark == "key" and "private key" in low:
        return True
    for match in _NAME_AROUND[mark].finditer(low):
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
