"""E-mail addresses in text, in time that grows with the text alone.

What begins at ``@`` is looked at, a bounded number of characters to each side: a pattern for the
whole would try every start of a long word anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.redaction.placeholders import MADE

_LOCAL = re.compile(r"[\w.!#$%&'*+=?^`{|}~-]{1,64}\Z")
_DOMAIN = re.compile(r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,8}(?:[^\W\d_]{2,24}|xn--[\w-]{2,50})")
_VERSION = re.compile(r"\d+\.\d")

_FILES = frozenset(
    ("png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "ico", "js", "ts", "css", "json", "tgz")
)
"""What ends the name of a file, as in ``logo@2x.png``."""

_RESERVED = frozenset(("test", "example", "invalid", "localhost", "local", "internal"))
_EXAMPLE = re.compile(r"(?:.*\.)?example\.(?:com|org|net|edu)")
_SERVICES = frozenset(("git", "hg", "svn"))


def is_reserved(domain: str) -> bool:
    """Whether nobody can have an address there (RFC 2606, 6761, 6762, 8375)."""
    name = domain.lower()
    return name.rpartition(".")[2] in _RESERVED or _EXAMPLE.fullmatch(name) is not None


def addresses(text: str) -> Iterator[tuple[int, int]]:
    """Begin and end of every address of a person in a text, in order; reserved ones are none."""
    at = text.find("@")
    done = 0
    while at >= 0:
        domain = _DOMAIN.match(text, at + 1, at + 260)
        if domain is not None:
            begin = max(done, at - 64)
            local = _LOCAL.search(text[begin:at])
            name = local.group().lstrip(".'`{|=?&*#") if local is not None else ""
            if name and _is_address(name, domain.group()):
                yield at - len(name), domain.end()
                done = domain.end()
        at = text.find("@", at + 1)


def _is_address(name: str, domain: str) -> bool:
    if is_reserved(domain) or _VERSION.match(domain) is not None or MADE.search(name) is not None:
        return False
    return domain.rpartition(".")[2].lower() not in _FILES and name.lower() not in _SERVICES
