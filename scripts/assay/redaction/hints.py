"""Whether a text can hold a secret at all: a quick look before it is walked.

Looking for some forty short texts one after the other is ten times as fast as one pattern of all
of them. Everything that the other modules find holds one of these texts; a test holds that.
"""

from __future__ import annotations

_LOWER = bytes(range(256)).lower()
_JOINTS = b"-_ ."

_NAMES = (
    b"authorization",
    b"cookie",
    b"apikey",
    b"subscriptionkey",
    b"accesskey",
    b"passw",
    b"passphrase",
    b"passcode",
    b"pwd",
    b"secret",
    b"credential",
    b"privatekey",
    b"bearer",
    b"basic",
    b"jwt",
    b"sessid",
    b"sessionid",
    b"signature",
    b"token=",
    b'token"',
    b"token\\",
    b"token'",
    b"token:",
)
"""Texts in small letters, without the characters that join words."""

_BEGINNINGS = (
    "@",
    "sk-",
    "k_live_",
    "k_test_",
    "AKIA",
    "ASIA",
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "xox",
    "xapp-",
    "AIza",
    "ya29.",
    "hf_",
    "npm_",
    "pypi-",
    "SG.",
    "dop_v1_",
    "whsec_",
    "shpat_",
    "gsk_",
    "eyJ",
)
"""Texts as they stand."""


def may_hold_secrets(text: str) -> bool:
    """Whether a text, or the JSON of a value, can hold anything that would be replaced."""
    for part in _BEGINNINGS:
        if part in text:
            return True
    plain = text.encode("utf-8", "surrogatepass").translate(_LOWER, _JOINTS)
    return any(part in plain for part in _NAMES)
