"""Whether a value that a name promises to be secret looks like one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.redaction.hit import Kind, placeholders_in

SHORTEST_COOKIE = 6

_STAND_IN = re.compile(
    r"REDACTED(?:-.*)?"
    r"|\W*(?:redacted|removed|hidden|masked|filtered|scrubbed|omitted|sanitized|elided)\W*"
    r"|(?:changed|correct|disabled|empty|enabled|expired|false|false|incorrect|invalid|missing|no"
    r"|none|null|n/?a|ok|optional|required|reset|set|str|string|text|true|undefined|unchanged"
    r"|unknown|unset|updated|valid|weak|wrong|yes)"
    r"|[^\w\s]+|[xX]{3,}"
    r"|\$\{?[A-Za-z_][\w.]*\}?|%\w+%"
    r"|\{\{?[^{}]*\}\}?|<[^<>]*>|\[[^\[\]]*\]"
    r"|(?:your|insert|enter)[-_ ].*",
    re.IGNORECASE | re.DOTALL,
)
_MASKED = re.compile(r"\*{3}|\.{3}|…|•{3}")
_CODE = re.compile(r"[A-Za-z_][A-Za-z_0-9]*(?:\.[A-Za-z_]+)+")
_BLANK = re.compile(r"\s")
_WORDY = re.compile(r"[^\W\d_]+(?:[-_. ][^\W\d_]+)*")
_SCHEME = re.compile(r"(?:Basic|Bearer|Token|ApiKey|Api-Key|Negotiate|NTLM|JWT|Key)\s+", re.I)
_LONG_SCHEME = re.compile(r"(?:Digest|AWS4-HMAC-SHA256|Hawk|OAuth|Signature)\s+\S", re.I)
_PAIR = re.compile(r"(?<![^;,\s])([^=;,\s]{1,128})=(\"?)([^;,\s\"]{1,8192})")
_ATTRIBUTES = frozenset(
    {"domain", "expires", "max-age", "path", "priority", "samesite", "version", "comment"}
)

Span = tuple[int, int]


def is_stand_in(value: str) -> bool:
    """Whether a value only holds the place of a secret, or says something about it."""
    if placeholders_in(value):
        return True
    if len(value) > 256:
        return False
    return bool(_STAND_IN.fullmatch(value.strip()) or _MASKED.search(value))


def looks_issued(value: str) -> bool:
    """Whether a text looks like something that a program gave out, and not like words."""
    if len(value) < 8 or _BLANK.search(value) or is_stand_in(value):
        return False
    letters = any(char.isalpha() for char in value)
    if letters and any(char.isdigit() for char in value):
        return not _CODE.fullmatch(value)
    if not letters or (_WORDY.fullmatch(value) and len(value) < 32):
        mixed = len(value) >= 16 and value.isalpha() and not value.istitle()
        return mixed and not value.islower() and not value.isupper()
    return len(value) >= 16


def secret_spans(
    kind: Kind, value: str, *, sure: bool, header: bool = False, whole: bool = False
) -> Iterator[Span]:
    """The parts of a value that are secret, where a name promises `kind`.

    Args:
        kind: what the name promises.
        value: what stands there.
        sure: whether it stands there as a value (a field, a quoted text, a form), and not only
            behind a colon in prose.
        header: whether it is a header of HTTP: then everything is secret but stand-ins.
        whole: whether it is the value of one cookie.
    """
    if whole:
        if len(value) >= SHORTEST_COOKIE and not is_stand_in(value):
            yield 0, len(value)
    elif kind == "cookie":
        yield from _cookies(value)
    elif kind == "authorization":
        yield from _authorization(value, header)
    elif _is_secret(kind, value, sure, header):
        yield 0, len(value)


def _is_secret(kind: Kind, value: str, sure: bool, header: bool) -> bool:
    if is_stand_in(value):
        return False
    if kind == "private key" and value.lstrip().startswith("-----BEGIN"):
        return False  # Its own shape finds it, without what stands around it.
    if _BLANK.search(value) or _CODE.fullmatch(value):
        return False
    if header:
        return True
    if not sure or kind == "token":
        strong = kind == "password" and len(value) >= 6 and not _WORDY.fullmatch(value)
        return looks_issued(value) or strong
    if kind == "password":
        return len(value) >= 3
    return len(value) >= 6 and not (_WORDY.fullmatch(value) and value.islower())


def _authorization(value: str, header: bool) -> Iterator[Span]:
    scheme = _SCHEME.match(value)
    begin = scheme.end() if scheme else 0
    rest = value[begin:]
    if is_stand_in(rest):
        return
    if scheme:
        if (header or len(rest) >= 8) and rest and not _BLANK.search(rest):
            if header or not (_WORDY.fullmatch(rest) and rest.islower()):
                yield begin, len(value)
        elif header and rest:
            yield begin, len(value)
    elif _LONG_SCHEME.match(value):
        if "REDACTED-" not in value:
            yield value.index(" ") + 1, len(value)
    elif header or looks_issued(value):
        yield 0, len(value)


def _cookies(value: str) -> Iterator[Span]:
    for match in _PAIR.finditer(value):
        held = match[3]
        if match[1].lower() in _ATTRIBUTES or len(held) < SHORTEST_COOKIE or is_stand_in(held):
            continue
        yield match.span(3)
