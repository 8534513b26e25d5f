"""Names whose values are secret: fields, headers, cookies, parameters of forms and addresses.

A name is read without case, ``-``, ``_`` and blanks, so that ``X-Api-Key``, ``x_api_key`` and
``xApiKey`` are one. Some names say it for certain, whatever stands there; others (`weak`) only
where the value looks like a credential too.
"""

from __future__ import annotations

import re
from functools import lru_cache

from assay.redaction.placeholders import Kind, is_masked

_WHOLE: dict[str, Kind] = {
    "authorization": "authorization",
    "proxyauthorization": "authorization",
    "xauthorization": "authorization",
    "cookie": "cookie",
    "cookies": "cookie",
    "setcookie": "cookie",
    "cookiejar": "cookie",
    "xapikey": "api-key",
    "apikey": "api-key",
    "xgoogapikey": "api-key",
    "ocpapimsubscriptionkey": "api-key",
    "subscriptionkey": "api-key",
    "xauthtoken": "token",
    "xamzsecuritytoken": "token",
    "xcsrftoken": "token",
    "xxsrftoken": "token",
    "idtoken": "token",
    "jwt": "token",
    "pwd": "password",
    "passwd": "password",
    "password": "password",
    "passphrase": "password",
    "passcode": "password",
}

_ENDINGS: tuple[tuple[str, Kind], ...] = (
    ("apikey", "api-key"),
    ("accesskey", "api-key"),
    ("secretkey", "api-key"),
    ("accesstoken", "token"),
    ("refreshtoken", "token"),
    ("authtoken", "token"),
    ("bearertoken", "token"),
    ("sessiontoken", "token"),
    ("securitytoken", "token"),
    ("apitoken", "token"),
    ("clientsecret", "secret"),
    ("appsecret", "secret"),
    ("sharedsecret", "secret"),
    ("signingsecret", "secret"),
    ("webhooksecret", "secret"),
    ("privatekey", "private-key"),
    ("password", "password"),
    ("passwd", "password"),
    ("passphrase", "password"),
    ("accesskeyid", "api-key"),
)
"""What a name ends with: ``openai_api_key``, ``db_password``."""

_WEAK: dict[str, Kind] = {
    "token": "token",
    "secret": "secret",
    "credential": "secret",
    "credentials": "secret",
    "signature": "secret",
    "sessionid": "cookie",
    "phpsessid": "cookie",
    "jsessionid": "cookie",
}

_PAGING = ("pagetoken", "nexttoken", "continuationtoken", "cursortoken", "synctoken")

_JOINTS = re.compile(r"[-_ .]")
_CREDENTIAL = re.compile(r"(?=[^\d]*\d)(?=[^A-Za-z]*[A-Za-z])[A-Za-z0-9._~+/=:|-]{16,4000}")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


@lru_cache(maxsize=4096)
def kind_of(name: str) -> tuple[Kind | None, bool]:
    """What stands under a name: the kind of secret, or nothing; and whether it is certain."""
    if len(name) > 80:
        return None, False
    plain = _JOINTS.sub("", name).lower()
    if plain in _WHOLE:
        return _WHOLE[plain], True
    for ending, kind in _ENDINGS:
        if plain.endswith(ending):
            return kind, True
    if plain in _WEAK:
        return _WEAK[plain], False
    if plain.endswith("token") and not plain.endswith(_PAGING):
        return "token", False
    if plain.endswith("secret"):
        return "secret", False
    return None, False


def secret_under(name: str, text: str) -> Kind | None:
    """The kind of secret that a text is because of the name that it stands under, or none."""
    kind, certain = kind_of(name)
    if kind is None or is_masked(text):
        return None
    if looks_random(text):
        return kind
    if kind == "cookie":
        # Shops sell cookies too.
        return kind if certain and "=" in text else None
    if kind == "authorization" and text.isalpha() and len(text) < 16:
        # A payment's authorization may be "approved".
        return None
    return kind if certain else None


def looks_random(text: str) -> bool:
    """Whether a text looks like a credential: long, without blanks, letters and digits mixed."""
    return _CREDENTIAL.fullmatch(text) is not None and _UUID.fullmatch(text) is None
