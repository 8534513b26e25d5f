"""Secrets that are known by their own shape, wherever they stand in a text.

Keys of providers, JSON web tokens, private keys, ``Bearer`` and ``Basic`` credentials, a login
in the address of a page or data base. Each pattern begins with fixed characters where no word is
under way, so that time grows with the text alone. Order ids,
digests, UUIDs and trace ids have no such beginning.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass

from assay.redaction.placeholders import Kind, is_masked


@dataclass(frozen=True, order=True)
class Span:
    """A piece of text that is a secret."""

    begin: int
    """Index of its first character."""
    end: int
    """Index behind its last one."""
    kind: Kind
    """What it is."""


_KEYS = re.compile(
    r"""(?<![A-Za-z0-9_-])(?:
        (?P<sk>sk-[A-Za-z0-9_-]{20,})        # OpenAI, Anthropic and alike
      | (?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}                  # Stripe
      | (?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])                   # AWS
      | gh[pousr]_[A-Za-z0-9]{30,} | github_pat_[A-Za-z0-9_]{30,}
      | glpat-[A-Za-z0-9_-]{20,}                                  # GitLab
      | xox[abeoprs]-[A-Za-z0-9-]{10,} | xapp-[A-Za-z0-9-]{20,}  # Slack
      | AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])                     # Google
      | ya29\.[A-Za-z0-9_-]{20,}
      | hf_[A-Za-z0-9]{30,} | gsk_[A-Za-z0-9]{40,}
      | npm_[A-Za-z0-9]{36}(?![A-Za-z0-9]) | pypi-[A-Za-z0-9_-]{50,}
      | SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}             # SendGrid
      | dop_v1_[0-9a-f]{64} | whsec_[A-Za-z0-9+/=]{24,} | shpat_[0-9a-f]{32}
    )""",
    re.VERBOSE,
)
_JWT = re.compile(r"(?<![A-Za-z0-9_.-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*")
_SCHEME = re.compile(r"(?<![A-Za-z0-9_])(bearer|basic)[ \t]+([A-Za-z0-9._~+/=-]{8,})", re.I)
_LOGIN = re.compile(r"""(?<=://)[^\s/?#@:"'<>\\]{0,128}:[^\s/?#@"'<>\\]{1,256}(?=@)""")
_BEGIN = re.compile(r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_END = re.compile(r"-----END [A-Z0-9 ]{0,40}-----")
_PEM_BODY = re.compile(r"(?:[A-Za-z0-9+/=:,\s-]|\\[nr])*")


def shapes(text: str) -> Iterator[Span]:
    """Every secret with a shape of its own, rule by rule; they may overlap."""
    if "PRIVATE KEY" in text:
        yield from _private_keys(text)
    if "://" in text and "@" in text:
        for match in _LOGIN.finditer(text):
            login = match.group()
            if not is_masked(login) and not is_masked(login.rpartition(":")[2]):
                yield Span(match.start(), match.end(), "login")
    for match in _KEYS.finditer(text):
        if match.lastgroup != "sk" or _is_key(match.group()):
            yield Span(match.start(), match.end(), "api-key")
    if "eyJ" in text:
        for match in _JWT.finditer(text):
            yield Span(match.start(), match.end(), "token")
    for match in _SCHEME.finditer(text):
        secret = match[2]
        fits = _is_basic(secret) if match[1].lower() == "basic" else _is_bearer(secret)
        if fits and not is_masked(secret):
            yield Span(match.start(2), match.end(2), "authorization")


def _private_keys(text: str) -> Iterator[Span]:
    at = 0
    while (begin := _BEGIN.search(text, at)) is not None:
        body = _PEM_BODY.match(text, begin.end())
        assert body is not None
        # The body takes the dashes of the last line too, and stops at its first letter or blank.
        end = _END.match(text, text.find("-----END", begin.end(), body.end() + 8))
        at = end.end() if end is not None else body.end()
        yield Span(begin.start(), at, "private-key")


def _is_key(text: str) -> bool:
    """Whether what begins with ``sk-`` is a key: words with dashes have no digits and capitals."""
    body = text[3:]
    longest = max(map(len, re.split(r"[-_]", body)))
    return longest >= 16 and any(map(str.isdigit, body)) and any(map(str.isalpha, body))


def _is_bearer(text: str) -> bool:
    return len(text) >= 16 and any(map(str.isdigit, text)) and any(map(str.isalpha, text))


def _is_basic(text: str) -> bool:
    """Whether a text is ``user:password`` in base 64."""
    try:
        plain = base64.b64decode(text + "=" * (-len(text) % 4), validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return False
    return ":" in plain and plain.isprintable()
