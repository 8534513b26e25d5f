"""Patterns of labels, matched in linear time.

RE2 never backtracks: the time grows with the length of the text and of the pattern, whatever
the pattern is, so no label can hang the scorer and no verdict depends on how fast the machine
is. What RE2 cannot do (look-around, back references) is refused when the label is checked.
"""

from __future__ import annotations

import importlib
from functools import lru_cache
from typing import Any, Final

from assay.errors import RefusedError

MAX_PATTERN: Final = 1_000
"""Longest pattern, in characters."""

MAX_TEXT: Final = 1_000_000
"""Longest text that is looked at, in characters; a longer one does not match."""

_MAX_MEMORY: Final = 8 * 1024 * 1024


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> tuple[Any, str]:
    """The compiled pattern and no problem, or None and what is wrong."""
    if len(pattern) > MAX_PATTERN:
        return None, f"is longer than {MAX_PATTERN} characters"
    try:
        re2: Any = importlib.import_module("re2")
    except ImportError:
        raise RefusedError(
            "Labels with a `$pattern` need the package google-re2, which is not installed.",
            hint="pip install google-re2",
        ) from None
    options = re2.Options()
    options.max_mem = _MAX_MEMORY
    options.log_errors = False
    try:
        return re2.compile(pattern, options), ""
    except re2.error as error:
        text = error.args[0] if error.args else "not a pattern"
        return None, text.decode() if isinstance(text, bytes) else str(text)


def pattern_problem(pattern: str) -> str | None:
    """What is wrong with a pattern, in words; none when it can be used."""
    return _compiled(pattern)[1] or None


def matches(pattern: str, text: str) -> bool | None:
    """Whether the whole text matches; None when the pattern cannot be used."""
    compiled, problem = _compiled(pattern)
    if problem:
        return None
    return len(text) <= MAX_TEXT and compiled.fullmatch(text) is not None
