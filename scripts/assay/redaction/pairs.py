"""Names with their secrets inside a text: JSON in a string, forms, queries, lines of headers.

``"refresh_token": "…"`` in JSON that stands in a string, however often it was quoted;
``client_secret=…`` in a form or an address; ``Cookie: …`` in a line of headers; ``password: …``
in a log, where what follows looks like one and not like prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.redaction.names import kind_of, looks_random, secret_under
from assay.redaction.placeholders import is_masked
from assay.redaction.shapes import Span

_QUOTED = re.compile(
    r"""(?<!\\)(?P<quote>\\{0,64}["'])(?P<name>[A-Za-z][A-Za-z0-9_. -]{1,60})(?P=quote)"""
    r"""\s{0,20}[:=]\s{0,20}\[?\s{0,20}(?P<open>\\{0,64}["'])"""
)
_FORM = re.compile(
    r"""(?<![A-Za-z0-9_.-])(?P<name>[A-Za-z][A-Za-z0-9_.-]{1,60})="""
    r"""(?P<value>[^\s&"'<>;,#\\)\]}`]{1,8000})"""
)
_LINE = re.compile(
    r"""(?<![A-Za-z0-9_.-])(?P<name>[A-Za-z][A-Za-z0-9_-]{1,60}):[ \t]{0,8}(?=[^\s"'])"""
)
_REST = re.compile(r"[^\r\n\"'<>]{0,8000}")
_HEADERS = frozenset(("authorization", "proxy-authorization", "cookie", "set-cookie"))
_WORD = re.compile(r"""[^\s"'<>,;:`]{1,512}(?::[^\s"'<>,;:`]{1,512})?""")
_HEADER = re.compile(
    r"(?:bearer|basic|digest|negotiate|token|apikey) +(?:[^\s]{24}|[^\s]{0,23}?[0-9!$%*+=^~|/])"
    r"|[^\s=]{1,128}=",
    re.IGNORECASE,
)
"""How a line of a header goes on: a scheme with a credential, or a name with a value; no prose."""
_SPECIAL = re.compile(r"[0-9!$%*+=^~|/]")
_LONGEST = 100_000
"""Characters of a quoted value that are looked at."""


def pairs(text: str) -> Iterator[Span]:
    """Every value in a text that stands behind a name of a secret."""
    yield from _quoted(text)
    if "=" in text:
        for match in _FORM.finditer(text):
            kind = secret_under(match["name"], match["value"])
            if kind is not None:
                yield Span(match.start("value"), match.end("value"), kind)
    if ":" in text:
        yield from _lines(text)


def _quoted(text: str) -> Iterator[Span]:
    if '"' not in text and "'" not in text:
        return
    for match in _QUOTED.finditer(text):
        if kind_of(match["name"])[0] is None:
            continue
        begin = match.end()
        end = _closing(text, begin, match["open"])
        value = text[begin:end]
        kind = secret_under(match["name"], value) if value else None
        if kind is not None:
            yield Span(begin, end, kind)


def _closing(text: str, begin: int, quote: str) -> int:
    """Where a quoted value ends: at its own quote with as many backslashes as it began with."""
    slashes, mark = len(quote) - 1, quote[-1]
    at = begin
    while (at := text.find(mark, at, begin + _LONGEST)) >= 0:
        before = at
        while before > begin and text[before - 1] == "\\":
            before -= 1
        if at - before <= slashes:
            return before
        at += 1
    return min(len(text), begin + _LONGEST)


def _lines(text: str) -> Iterator[Span]:
    at = 0
    while (match := _LINE.search(text, at)) is not None:
        at = match.end()
        name = match["name"]
        kind, certain = kind_of(name)
        if kind is None:
            continue
        if name.lower() in _HEADERS:
            if _HEADER.match(text, at) is not None:
                rest = _REST.match(text, at)
                assert rest is not None
                value = rest.group().rstrip()
                if not is_masked(value):
                    yield Span(at, at + len(value), kind)
                at = rest.end()
            continue
        word = _WORD.match(text, at)
        secret = word.group().rstrip(".)]}\\") if word is not None else ""
        fits = _looks_secret(secret) if certain else looks_random(secret)
        if fits and not is_masked(secret):
            yield Span(at, at + len(secret), kind)


def _looks_secret(word: str) -> bool:
    return len(word) >= 6 and _SPECIAL.search(word) is not None
