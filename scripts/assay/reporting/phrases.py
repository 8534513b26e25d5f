"""Values, calls and expectations in words that are short and lose nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping

from assay.files.model_text import compact_text
from assay.models.base import JsonValue

VALUE_LIMIT = 2000
"""Characters of one value that a report shows; results of tools can be megabytes."""


def value_words(value: JsonValue) -> str:
    """A value as JSON on one line."""
    return compact_text(value)


def call_words(tool: str, arguments: Mapping[str, JsonValue]) -> str:
    """A call that was made: ``issue_refund(order_id="A-17", amount=41.90)``."""
    return f"{tool}({', '.join(f'{k}={value_words(v)}' for k, v in arguments.items())})"


def wanted_call_words(tool: str, arguments: Mapping[str, JsonValue]) -> str:
    """A call that is asked for; arguments that are not named may be anything."""
    named = [f"{key}={wanted_words(value)}" for key, value in arguments.items()]
    return f"{tool}({', '.join(named)})" if named else tool


def wanted_words(value: JsonValue) -> str:
    """An expectation of a value; the common matchers in words, every other one as JSON."""
    if not isinstance(value, Mapping):
        return value_words(value)
    keys = set(value)
    if keys == {"$any"}:
        return "anything"
    if "$one_of" in keys and len(keys) == 1 and isinstance(value["$one_of"], list | tuple):
        return f"one of {', '.join(map(value_words, value['$one_of']))}"
    if keys == {"$pattern"} and isinstance(value["$pattern"], str):
        return f"text like /{value['$pattern']}/"
    if "$number" in keys and keys <= {"$number", "tolerance", "unit"}:
        words = bare(value["$number"])
        if "unit" in keys:
            words += f" {bare(value['unit'])}"
        if bare(value.get("tolerance", "0")) not in ("0", "0.0"):
            words += f" ± {bare(value['tolerance'])}"
        return words
    return value_words(value)


def bare(value: JsonValue) -> str:
    """A value as JSON, texts without quotes."""
    return value if isinstance(value, str) else value_words(value)


def times_words(least: int, most: int | None) -> str:
    """How often something must happen, in words; empty for once or more."""
    if most is None:
        return {0: "any number of times", 1: ""}.get(least, f"{least} times or more")
    limit = "once" if most == 1 else f"{most} times"
    if least == most:
        return f"exactly {limit}" if most else "never"
    return f"{least} to {limit}" if least else f"at most {limit}"


def clause_words(text: str) -> str:
    """A policy clause as paragraphs: hard line ends and the marks of its heading are dropped."""
    paragraphs = []
    for block in re.split(r"\n\s*\n", text.strip()):
        words = " ".join(block.split())
        paragraphs.append(re.sub(r"^#+\s*", "", words))
    return "\n".join(filter(None, paragraphs))


def turn_words(turn: int | None) -> str:
    """``in turn 2``, counted from one; empty where it is any."""
    return "" if turn is None else f"in turn {turn + 1}"
