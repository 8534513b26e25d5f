"""JSON for programs: exact numbers, one order, every character printable everywhere."""

from __future__ import annotations

import re
from typing import Any

from pydantic import BaseModel

from assay.files.model_text import value_text

_ESCAPED = re.compile(
    r"[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


def json_document(value: Any) -> str:
    """A JSON document with two-space indent and one final line feed.

    Controls, direction overrides and lone halves of surrogate pairs are written as their
    escapes, so that any stream can carry the text and no terminal acts on it.
    """
    text = _ESCAPED.sub(lambda match: f"\\u{ord(match.group()):04x}", value_text(value))
    return text + "\n"


def all_fields(model: BaseModel) -> dict[str, Any]:
    """Every field of a model, those at their default included: readers need no defaults."""
    return model.model_dump(mode="python", by_alias=True)
