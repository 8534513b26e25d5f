"""JSON for programs: exact numbers, one order, every character printable everywhere."""

from __future__ import annotations

import re
from typing import Any

from pydantic import BaseModel

from assay.files.model_text import value_text

_SURROGATE = re.compile(r"[\ud800-\udfff]")


def json_document(value: Any) -> str:
    """A JSON document with two-space indent and one final line feed.

    A lone half of a surrogate pair is written as its escape, so that any stream can carry it.
    """
    text = _SURROGATE.sub(lambda match: f"\\u{ord(match.group()):04x}", value_text(value))
    return text + "\n"


def all_fields(model: BaseModel) -> dict[str, Any]:
    """Every field of a model, those at their default included: readers need no defaults."""
    return model.model_dump(mode="python", by_alias=True)
