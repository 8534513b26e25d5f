"""Canonical JSON: one text for one value, so that digests mean something.

Keys sorted by code point, text in NFC, no blanks, numbers as exact normalised decimals
(``25``, ``25.0`` and ``2.5e1`` are ``25``; 9007199254740993 stays itself). No float ever takes
part: the reader gives ``int`` and ``Decimal``. A float that a caller brings is taken for the
decimal that Python prints for it.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Mapping, Sequence
from decimal import Decimal

from assay.models.base import JsonValue

_quote = json.encoder.encode_basestring


def exact_number(value: int | Decimal | float) -> str:
    """The one text of a finite number: no exponent, no needless zero, no sign on zero.

    Raises:
        ValueError: for infinity and NaN, which JSON does not have.
    """
    if isinstance(value, int):
        return str(int(value))
    number = value if isinstance(value, Decimal) else Decimal(repr(value))
    if not number.is_finite():
        raise ValueError(f"{value} is not a JSON number")
    if not number:
        return "0"
    sign, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int)
    text = "".join(map(str, digits)).lstrip("0")
    stripped = text.rstrip("0")
    exponent += len(text) - len(stripped)
    if abs(exponent) > 400:
        # Written out, 1e999999 would be a megabyte of zeros; keep a normalised exponent.
        body = f"{stripped}e{exponent}"
    elif exponent >= 0:
        body = stripped + "0" * exponent
    elif len(stripped) > -exponent:
        body = f"{stripped[:exponent]}.{stripped[exponent:]}"
    else:
        body = "0." + "0" * (-exponent - len(stripped)) + stripped
    return f"-{body}" if sign else body


def canonical_json(value: JsonValue) -> str:
    """Canonical text of a JSON value.

    Raises:
        TypeError: for anything that JSON does not have.
    """
    if isinstance(value, str):
        return _quote(value if value.isascii() else unicodedata.normalize("NFC", value))
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, int | Decimal | float):
        return exact_number(value)
    if isinstance(value, dict | Mapping):
        entries = {unicodedata.normalize("NFC", str(key)): item for key, item in value.items()}
        if len(entries) < len(value):
            raise ValueError("a key stands twice, in two forms of the same text")
        return (
            "{"
            + ",".join(f"{_quote(key)}:{canonical_json(entries[key])}" for key in sorted(entries))
            + "}"
        )
    if isinstance(value, Sequence):
        return "[" + ",".join(map(canonical_json, value)) + "]"
    raise TypeError(f"{type(value).__name__} is not a JSON value")


def digest(value: JsonValue) -> str:
    """SHA-256 over the canonical text, in UTF-8, as 64 hexadecimal digits."""
    return digest_text(canonical_json(value))


def digest_text(text: str) -> str:
    """SHA-256 over the text, in UTF-8, as 64 hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
