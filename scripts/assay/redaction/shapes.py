"""Secrets that are known by their own shape, whatever stands around them."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator

from assay.redaction.hit import Hit, Kind

_EDGE = r"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))"
"""Where a token may begin; an escaped line end in JSON inside a text is one as well."""

_TOKENS: dict[str, Kind] = {
    r"sk-[A-Za-z0-9_-]{20,}": "API key",  # OpenAI, Anthropic, OpenRouter and others
    r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,}": "API key",  # Stripe
    r"whsec_[A-Za-z0-9+/=]{20,}": "secret",
    r"A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Za-z0-9])": "API key",  # AWS
    r"gh[pousr]_[A-Za-z0-9]{30,}": "token",  # GitHub
    r"github_pat_[A-Za-z0-9_]{22,}": "token",
    r"glpat-[A-Za-z0-9_-]{20,}": "token",  # GitLab
    r"xox[abeoprs]-[A-Za-z0-9-]{10,}": "token",  # Slack
    r"xapp-[0-9]-[A-Za-z0-9-]{20,}": "token",
    r"AIza[A-Za-z0-9_-]{35}": "API key",  # Google
    r"GOCSPX-[A-Za-z0-9_-]{20,}": "secret",
    r"ya29\.[A-Za-z0-9_-]{20,}": "token",
    r"hf_[A-Za-z]{30,}": "token",  # Hugging Face
    r"npm_[A-Za-z0-9]{36}": "token",
    r"pypi-AgE[A-Za-z0-9_-]{20,}": "token",
    r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}": "API key",  # SendGrid
    r"do[opr]_v1_[a-f0-9]{64}": "token",  # DigitalOcean
    r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}": "token",  # Shopify
    r"lsv2_[a-z]{2}_[a-f0-9]{32}_[a-f0-9]{8,}": "API key",  # LangSmith
    r"gsk_[A-Za-z0-9]{40,}": "API key",  # Groq
    r"xai-[A-Za-z0-9]{40,}": "API key",
    r"pplx-[A-Za-z0-9]{40,}": "API key",
    r"r8_[A-Za-z0-9]{37}": "token",  # Replicate
    r"dapi[a-f0-9]{32}": "token",  # Databricks
    r"lin_api_[A-Za-z0-9]{32,}": "API key",
    r"hvs\.[A-Za-z0-9_-]{24,}": "token",  # Vault
    r"AGE-SECRET-KEY-1[A-Z0-9]{50,}": "private key",
    # JSON web tokens: a header and a payload that begin with {" in base64url, or five parts.
    r"eyJ[A-Za-z0-9_-]{12,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?": "token",
    r"eyJ[A-Za-z0-9_-]{12,}(?:\.[A-Za-z0-9_-]{8,}){4}": "token",
}
"""Shapes that providers give to what they hand out."""

_TOKEN = re.compile(_EDGE + "(?:" + "|".join(f"({shape})" for shape in _TOKENS) + ")")
_KINDS = tuple(_TOKENS.values())
_SK_RUN = re.compile(r"[A-Za-z0-9]{16,}")

SHORTEST = 15
"""Characters of the shortest shape; every one has a run of so many letters, digits, - and _."""

_IN_RUNS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
_MASK = bytes(ord("x") if byte in _IN_RUNS else ord(" ") for byte in range(256))
_RUN = b"x" * SHORTEST
_BEGINS = (
    b"sk-",
    b"sk_",
    b"rk_",
    b"whsec_",
    b"AKIA",
    b"ASIA",
    b"ghp_",
    b"gho_",
    b"ghu_",
    b"ghs_",
    b"ghr_",
    b"github_pat_",
    b"glpat-",
    b"xox",
    b"xapp-",
    b"AIza",
    b"GOCSPX-",
    b"hf_",
    b"npm_",
    b"pypi-",
    b"dop_v1_",
    b"doo_v1_",
    b"dor_v1_",
    b"shp",
    b"lsv2_",
    b"gsk_",
    b"xai-",
    b"pplx-",
    b"r8_",
    b"dapi",
    b"lin_api_",
    b"AGE-SECRET-KEY-1",
    b"eyJ",
)
_BEFORE_RUN = (b"ya29.", b"SG.", b"hvs.")

_PEM = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_PEM_END = re.compile(r"-----END (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_PEM_BODY = re.compile(r"(?:[A-Za-z0-9+/=\s]|\\[nr]){0,20000}")
_LONGEST_PEM = 20_000

_HELD = re.compile(r" {1,4}([A-Za-z0-9._~+/=-]{8,4096})")


def has_marks_in(data: bytes) -> bool:
    """Whether a text in UTF-8 may hold one of the shapes.

    Most texts have no run of letters and digits that is long enough; a mask tells so twenty times
    as fast as a pattern.
    """
    mask = data.translate(_MASK)
    begin = mask.find(_RUN)
    while begin >= 0:
        if data.startswith(_BEGINS, begin) or data.endswith(_BEFORE_RUN, 0, begin):
            return True
        if data[begin - 1 : begin] == b"\\" and data.startswith(_BEGINS, begin + 1):
            return True
        end = mask.find(b" ", begin + SHORTEST)
        begin = mask.find(_RUN, end) if end >= 0 else -1
    return False


def tokens(text: str) -> Iterator[Hit]:
    """Keys and tokens with the shape that their provider gave them."""
    if not has_marks_in(text.encode("utf-8", "surrogatepass")):
        return
    for match in _TOKEN.finditer(text):
        kind = _KINDS[(match.lastindex or 1) - 1]
        if match[0].startswith("sk-") and not _is_random(match[0][3:]):
            continue
        yield Hit(match.start(), match.end(), kind)


def _is_random(tail: str) -> bool:
    """Whether something behind ``sk-`` was drawn: a name such as sk-learn-contrib-tools is not."""
    return any(
        any(char.isdigit() for char in run[0]) and any(char.isalpha() for char in run[0])
        for run in _SK_RUN.finditer(tail)
    )


def private_keys(text: str) -> Iterator[Hit]:
    """Private keys in PEM form, cut ones too."""
    done = 0
    last = (-1, -1)  # Where the next end stands; looked for once, however many begin before it.
    for begin in _PEM.finditer(text):
        if begin.start() < done:
            continue
        if 0 <= last[0] < begin.end() or last == (-1, -1):
            found = _PEM_END.search(text, begin.end())
            last = found.span() if found else (len(text) + _LONGEST_PEM, 0)
        body = _PEM_BODY.match(text, begin.end())
        done = body.end() if body else begin.end()
        if last[0] - begin.end() < _LONGEST_PEM:
            done = last[1]
        yield Hit(begin.start(), done, "private key")


def schemed(text: str) -> Iterator[Hit]:
    """``Bearer …`` and ``Basic …`` anywhere in a text."""
    if len(text) < SHORTEST:
        return
    low = text.lower()
    if len(low) != len(text):  # A letter that is two in lower case: places do not agree.
        low = "".join(char.lower() if char < "\x80" else char for char in text)
    for scheme, good in (("bearer", _is_bearer), ("basic", _is_basic)):
        at = low.find(scheme)
        while at >= 0:
            match = _HELD.match(text, at + len(scheme))
            if match is not None and _is_edge(text, at) and good(match[1]):
                yield Hit(match.start(1), match.end(1), "authorization")
            at = low.find(scheme, at + len(scheme))


def _is_edge(text: str, at: int) -> bool:
    """Whether a word may begin here; behind an escaped line end as well."""
    before = text[max(at - 2, 0) : at]
    return not before[-1:].isalnum() or (len(before) == 2 and before[0] == "\\")


def _is_bearer(held: str) -> bool:
    if len(held) < 16 or "REDACTED-" in held:
        return False
    return any(char.isdigit() for char in held) and any(char.isalpha() for char in held)


def _is_basic(held: str) -> bool:
    """Whether it is a name, a colon and a password in base64."""
    try:
        inside = base64.b64decode(held + "=" * (-len(held) % 4), validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return False
    return ":" in inside and inside.isprintable()
