"""Which names of fields, headers and parameters promise a secret."""

from __future__ import annotations

import re
from functools import lru_cache

from assay.redaction.hit import Kind

LONGEST = 64
"""Characters of a name; a longer one names nothing."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")

_ENDINGS: dict[tuple[str, ...], Kind] = {
    ("password",): "password",
    ("passwd",): "password",
    ("pwd",): "password",
    ("passphrase",): "password",
    ("passcode",): "password",
    ("secret",): "secret",
    ("credential",): "secret",
    ("credentials",): "secret",
    ("secret", "key"): "secret",
    ("secret", "access", "key"): "secret",
    ("api", "key"): "API key",
    ("apikey",): "API key",
    ("access", "key"): "API key",
    ("account", "key"): "API key",
    ("auth", "key"): "API key",
    ("encryption", "key"): "API key",
    ("functions", "key"): "API key",
    ("master", "key"): "API key",
    ("service", "key"): "API key",
    ("signing", "key"): "API key",
    ("subscription", "key"): "API key",
    ("private", "key"): "private key",
    ("token",): "token",
    ("jwt",): "token",
    ("amz", "signature"): "token",
    ("goog", "signature"): "token",
}
"""Last words of a name to what it promises."""

_WHOLE: dict[tuple[str, ...], Kind] = {
    ("authorization",): "authorization",
    ("proxy", "authorization"): "authorization",
    ("http", "authorization"): "authorization",
    ("x", "authorization"): "authorization",
    ("x", "forwarded", "authorization"): "authorization",
    ("x", "auth"): "authorization",
    ("cookie",): "cookie",
    ("cookies",): "cookie",
    ("http", "cookie"): "cookie",
    ("session", "cookie"): "cookie",
    ("set", "cookie"): "cookie",
}
"""Names that promise something only as a whole: a prior authorization is a matter of insurance."""

_NO_SECRET_TOKEN = frozenset(
    {
        "bos",
        "cls",
        "continuation",
        "cursor",
        "end",
        "eos",
        "first",
        "input",
        "last",
        "mask",
        "max",
        "min",
        "next",
        "output",
        "pad",
        "page",
        "pagination",
        "per",
        "prev",
        "previous",
        "progress",
        "resume",
        "sep",
        "special",
        "start",
        "stop",
        "sync",
        "unk",
        "watermark",
    }
)
"""What stands before *token* where it is a place in a list, or a piece of text."""


@lru_cache(maxsize=8192)
def kind_of(name: str) -> Kind | None:
    """What a name promises: ``X-Api-Key``, ``openaiApiKey``, ``DB_PASSWORD``; None for most.

    Case, hyphens, underscores and capitals inside do not matter; the last words decide, so that
    ``token_count``, ``password_policy`` and ``max_tokens`` promise nothing.
    """
    if len(name) > LONGEST:
        return None
    words = tuple(word.lower() for word in _WORD.findall(name))
    while words and words[-1].isdigit():
        words = words[:-1]
    if words[:1] == ("redacted",):
        return None  # A placeholder that stands where a name could.
    if words in _WHOLE:
        return _WHOLE[words]
    for length in (3, 2, 1):
        kind = _ENDINGS.get(words[-length:]) if len(words) >= length else None
        if kind is None:
            continue
        if words[-1] == "token" and len(words) > 1 and words[-2] in _NO_SECRET_TOKEN:
            return None
        return kind
    return None


def is_headers(name: str) -> bool:
    """Whether a field of this name holds headers of HTTP."""
    return name.lower().replace("_", "").replace("-", "") in _HEADERS


def is_cookies(name: str) -> bool:
    """Whether a field of this name holds cookies one by one."""
    return name.lower() in ("cookie", "cookies")


_HEADERS = frozenset({"headers", "requestheaders", "responseheaders", "httpheaders"})
