"""The digest of what an agent did, fast enough to be taken of every run that is scored."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from decimal import Decimal

from assay.files.canonical import canonical_json, exact_number
from assay.models.base import JsonValue
from assay.models.run import ObservedRun

_MARK = "\0"
_MARKED = re.compile(r'"\\u0000([^"]*)"')


def observed_digest(run: ObservedRun) -> str:
    """SHA-256 of what the agent did on a case: recorded verdicts refer to it.

    Inside: what was said in each turn, the calls with arguments, outcome and result, the final
    answer, the final state, the plan in words. Outside: ids, times, tokens, cost, and what names
    the run; two trials that did the same have the same digest.
    """
    text = fast_canonical_json(
        {
            "turns": [
                [
                    turn.user,
                    turn.answer,
                    [
                        [c.name, c.server, c.args, c.outcome, c.result, c.error]
                        for c in turn.tool_calls
                    ],
                ]
                for turn in run.turns
            ],
            "final_answer": run.final_answer,
            "final_state": run.final_state,
            "plan": [[step.agent, step.instruction] for step in run.planning_steps],
        }
    )
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def fast_canonical_json(value: JsonValue) -> str:
    """`files.canonical.canonical_json` for values without float, several times as fast.

    The standard library's encoder does the work. Decimals pass through it as texts with a NUL in
    front, which is taken away again. Values that hold a NUL of their own, and text that is not
    in NFC, take the slow way.
    """
    marked = 0

    def mark(number: object) -> str:
        nonlocal marked
        if not isinstance(number, Decimal):
            raise TypeError(f"{type(number).__name__} is not a JSON value")
        marked += 1
        return _MARK + _plain(number)

    text = json.JSONEncoder(
        ensure_ascii=False,
        sort_keys=True,
        separators=(",", ":"),
        check_circular=False,
        default=mark,
    ).encode(value)
    if not text.isascii() and not unicodedata.is_normalized("NFC", text):
        return canonical_json(value)
    if marked:
        if text.count("\\u0000") != marked:
            return canonical_json(value)
        text = _MARKED.sub(r"\1", text)
    return text


def _plain(number: Decimal) -> str:
    """`exact_number`, the short way for what has no exponent."""
    text = str(number)
    if "E" in text or "N" in text or "n" in text:
        return exact_number(number)
    if "." in text:
        text = text.rstrip("0").removesuffix(".")
    return "0" if text in ("-0", "") else text
