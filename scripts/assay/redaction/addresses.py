"""E-mail addresses, and which of them are nobody's."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.redaction.hit import ADDRESS, Hit

_ADDRESS = re.compile(
    r"(?<![\w.+'-])(?P<local>[\w.+'-]{1,64})(?:@|%40)"
    r"(?P<domain>(?:[\w-]{1,63}\.){1,8}(?P<top>[^\W\d_]{2,24}|xn--[a-z0-9-]{2,59}))(?![^\W_])",
    re.IGNORECASE,
)
_ESCAPE = re.compile(r"[nrtbf]|u[0-9a-f]{4}", re.IGNORECASE)
_PERCENT = re.compile(r"[0-9a-f]{2}", re.IGNORECASE)
_FIRST = re.compile(r"[\w+]")

_RESERVED = frozenset({"example", "invalid", "localhost", "test"})
_EXAMPLES = frozenset({"com", "net", "org", "edu"})
_FILES = frozenset(
    {
        "avif",
        "bmp",
        "css",
        "gif",
        "html",
        "ico",
        "jpeg",
        "jpg",
        "js",
        "json",
        "jsx",
        "md",
        "mjs",
        "mp",
        "png",
        "scss",
        "svg",
        "ts",
        "tsx",
        "txt",
        "webp",
        "xml",
        "yaml",
        "yml",
    }
)
"""Ends of file names: ``logo@2x.png`` is no address."""


def is_reserved(domain: str) -> bool:
    """Whether a domain can belong to nobody: those of RFC 2606 and RFC 6761."""
    labels = domain.lower().rstrip(".").split(".")
    if labels[-1] in _RESERVED:
        return True
    return len(labels) >= 2 and labels[-2] == "example" and labels[-1] in _EXAMPLES


_VERSION = re.compile(r"v?[0-9]+(?:\.[0-9]+)+(?![^\W_])", re.IGNORECASE)
"""How a version begins: the ``1.2.3`` of ``widgets@1.2.3-b.rc``, which is no host."""
_UNFINISHED = frozenset({"alpha", "beta", "canary", "pre", "rc", "snapshot"})
"""Ends of versions; no domain has them."""


def may_be_address(host: str) -> bool:
    """Whether somebody may have an address at what stands behind an @."""
    domain = host.rstrip(".-_")
    top = domain.rpartition(".")[2].lower()
    if (
        "." not in domain
        or top in _FILES
        or top in _UNFINISHED
        or _VERSION.match(domain) is not None
    ):
        return False
    return not is_reserved(domain)


def addresses(text: str) -> Iterator[Hit]:
    """Addresses under domains that somebody can own."""
    if "@" not in text and "%40" not in text:
        return
    for match in _ADDRESS.finditer(text):
        if not may_be_address(match["domain"]):
            continue
        begin = _begin(text, match)
        if begin is None:
            continue
        if text[begin : match.end("local")] == "git" and text[match.end() : match.end() + 1] == ":":
            continue  # git@host:path is a place, and the same for everybody.
        yield Hit(begin, match.end(), ADDRESS)


def _begin(text: str, match: re.Match[str]) -> int | None:
    """Where the local part begins, without what only stands before it."""
    begin, end = match.span("local")
    before = text[begin - 1 : begin] if begin else ""
    escape = {"\\": _ESCAPE, "%": _PERCENT}.get(before)
    escaped = escape.match(text, begin, end) if escape else None
    if escaped is not None:  # The letters belong to an escape: \n, %3D.
        begin = escaped.end()
    while begin < end and not _FIRST.match(text, begin):
        begin += 1
    return begin if begin < end else None


def same_address(text: str) -> str:
    """One spelling of an address."""
    return text.replace("%40", "@").casefold()
