"""Everything that must not be stored in one text: shapes, names with values, URLs, addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.redaction.addresses import addresses
from assay.redaction.hit import Hit, Kind
from assay.redaction.looks import is_stand_in, looks_issued, secret_spans
from assay.redaction.names import LONGEST, kind_of
from assay.redaction.shapes import SHORTEST, private_keys, schemed, tokens

_LONGEST_VALUE = 8192

NAME_MARKS = (
    "token",
    "secret",
    "passw",
    "passphrase",
    "passcode",
    "pwd",
    "key",
    "auth",
    "cookie",
    "credential",
    "jwt",
    "signature",
    "sig=",
)
"""Every name that promises a secret holds one of these, in lower case."""

_NAME = re.compile(
    rf"(?<![\w.-])([\w.-]{{1,{LONGEST}}})(?P<before>\\{{0,7}}[\"'])?\s{{0,4}}(?P<sign>[:=])"
    r"(?!//)\s{0,4}(?:\[\s{0,4})?(?P<quote>\\{0,7}[\"'])?"
)
_BARE = re.compile(r"[^\s&;,\"'<>(){}\[\]\\|]{1,8192}")
_COOKIES = re.compile(r"[^\r\n\"'\\<>]{1,8192}")
_AUTHORIZATION = re.compile(
    r"(?:Digest|AWS4-HMAC-SHA256|Hawk|OAuth|Signature)\s[^\r\n'\\<>]{1,1024}"
    r"|(?:[A-Za-z-]{2,12}\s{1,4})?[^\s,;\"'\\<>]{1,4096}"
)
_QUOTED = {
    '"': re.compile(r'(?:[^"\\]|\\.){0,8192}', re.DOTALL),
    "'": re.compile(r"(?:[^'\\]|\\.){0,8192}", re.DOTALL),
}
_CODE_AFTER = frozenset("([{<")
_ESCAPED_NAME = re.compile(r"[nrt](?=[A-Za-z])")
_URL = re.compile(r"://([^\s/?#\"'<>\\]{1,1024})@(?!redacted\.invalid)")


def hits_in(text: str) -> list[Hit]:
    """What must not be stored in a text, by place, without overlaps."""
    found: list[Hit] = []
    if len(text) >= SHORTEST:
        found += tokens(text)
    if ":" in text or "=" in text or "BEGIN" in text:
        low = text.lower()
        if any(mark in low for mark in NAME_MARKS):
            found += _named(text)
            found += private_keys(text)
    found += schemed(text)
    urls = urls_with_users(text)
    found += in_urls(urls)
    hosts = {match.end() - 1 for match in urls}
    for hit in addresses(text):
        # The @ before the host of a URL is none of an address.
        if not hosts or hosts.isdisjoint(range(hit.start, hit.end)):
            found.append(hit)
    return united(found)


def united(hits: list[Hit]) -> list[Hit]:
    """Hits by place; those that overlap become one, of the kind of the first."""
    result: list[Hit] = []
    for hit in sorted(hits, key=lambda hit: (hit.start, -hit.end)):
        if result and hit.start < result[-1].end:
            result[-1] = result[-1]._replace(end=max(hit.end, result[-1].end))
        else:
            result.append(hit)
    return result


def named_hits(
    kind: Kind, name: str, value: str, *, header: bool = False, whole: bool = False
) -> list[Hit]:
    """What must not be stored in the value of a field whose name promises `kind`.

    `header` and `whole` as `secret_spans` takes them.
    """
    spans = list(secret_spans(kind, value, sure=True, header=header, whole=whole))
    found = [Hit(begin, end, kind, name) for begin, end in spans]
    return found if spans == [(0, len(value))] else united([*found, *hits_in(value)])


def _named(text: str) -> Iterator[Hit]:
    """Values behind a name: JSON, forms, queries, headers, assignments, in any depth of quoting."""
    done = 0
    for match in _NAME.finditer(text):
        if match.start() < done:
            continue
        name = match[1]
        kind = _kind(text, match, name)
        if kind is None:
            continue
        begin, end, sure = _value(text, match, kind)
        value = text[begin:end]
        if not value or value == name:
            continue
        for first, last in secret_spans(kind, value, sure=sure):
            yield Hit(begin + first, begin + last, kind, name)
            done = begin + last
        if kind == "cookie":
            done = end


def _kind(text: str, match: re.Match[str], name: str) -> Kind | None:
    kind = kind_of(name)
    if kind is not None:
        return kind
    low = name.lower()
    if low == "key" and text[max(match.start() - 4, 0) : match.start()].lower() == "api ":
        return "API key"
    if low == "sig" and match["sign"] == "=" and text[match.start() - 1 : match.start()] in "?&;":
        return "token"
    if match.start() and text[match.start() - 1] == "\\":
        escape = _ESCAPED_NAME.match(name)  # A line end in JSON inside a text, then the name.
        return kind_of(name[1:]) if escape else None
    return None


def _value(text: str, match: re.Match[str], kind: Kind) -> tuple[int, int, bool]:
    """Where the value behind a name begins and ends, and whether it surely is one."""
    at = match.end()
    quote = match["quote"]
    if quote is not None:
        return at, _closing(text, at, quote), True
    header = match["sign"] == ":"
    if header and kind == "cookie":
        found = _COOKIES.match(text, at)
    elif header and kind == "authorization":
        found = _AUTHORIZATION.match(text, at)
    else:
        found = _BARE.match(text, at)
        if found is not None and text[found.end() : found.end() + 1] in _CODE_AFTER:
            return at, at, False  # password=get_password(), token=tokens[0]
    if found is None:
        return at, at, False
    end = found.end()
    tight = match["sign"] == "=" and match.end() == match.end("sign")
    return at, end, tight and match["before"] is None


def _closing(text: str, at: int, quote: str) -> int:
    """Where a quoted value ends; at its begin where nothing closes it."""
    if len(quote) == 1:
        found = _QUOTED[quote].match(text, at)
        end = found.end() if found else at
        closed = text[end : end + 1] == quote
        # A text that was cut: what is left of the value is one all the same.
        return end if closed or end == len(text) else at
    end = text.find(quote, at, at + _LONGEST_VALUE)
    return end if end >= 0 else at


def urls_with_users(text: str) -> list[re.Match[str]]:
    """URLs that name a user before the host: from ``://`` to ``@``."""
    return list(_URL.finditer(text)) if "://" in text and "@" in text else []


def in_urls(urls: list[re.Match[str]]) -> Iterator[Hit]:
    """Passwords, and names that are tokens, before the host of a URL."""
    for match in urls:
        user, colon, password = match[1].partition(":")
        if colon and password and not is_stand_in(password):
            yield Hit(match.end(1) - len(password), match.end(1), "password", "URL")
        if len(user) >= 16 and looks_issued(user) and "@" not in user and "%40" not in user:
            yield Hit(match.start(1), match.start(1) + len(user), "token", "URL")
