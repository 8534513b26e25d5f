"""Values that Python printed: ``{'order_id': '0142', 'amount': 40.0}``.

Some frameworks write arguments and results so. Numbers stay exact: the text of a float that Python
prints is the shortest that gives the float again, and is taken as it stands.
"""

from __future__ import annotations

import ast
from decimal import Decimal

from assay.models.base import JsonValue

_LONGEST = 200_000
_DEEPEST = 100


def printed(text: str) -> JsonValue:
    """The dict or list that the text is the print of; the text itself where it is none."""
    bare = text.strip()
    if bare[:1] not in ("{", "[") or bare[-1:] not in ("}", "]") or len(bare) > _LONGEST:
        return text
    if max(bare.count("["), bare.count("{"), bare.count("(")) > _DEEPEST * 100:
        return text
    try:
        return _plain(ast.literal_eval(bare), 0)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return text


def _plain(value: object, depth: int) -> JsonValue:
    if depth > _DEEPEST:
        raise ValueError
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        number = Decimal(repr(value))
        if not number.is_finite():
            raise ValueError
        return number
    if isinstance(value, list | tuple):
        return [_plain(item, depth + 1) for item in value]
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {str(key): _plain(item, depth + 1) for key, item in value.items()}
    raise ValueError
