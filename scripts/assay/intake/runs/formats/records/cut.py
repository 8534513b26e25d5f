"""Texts that whoever recorded or passed on a run has cut, and said so.

The sign is a remark in brackets at the very end of a text: one that begins with *cut:* or the like
(``(cut: it repeats itself)``), or one that begins or ends with such a word and stands after dots
or is the whole text (``...[truncated 75 chars]``, ``… (the rest was cut)``, ``(not read)``). Dots
alone are none: agents and tools write them too.
"""

from __future__ import annotations

import re

from assay.intake.node import Node
from assay.intake.runs.imported import RawRun

_LONGEST = 600
"""Characters of a remark; a longer one is a text in brackets."""

_OPENING = {")": "(", "]": "["}
_WORDS = r"(?:cut|truncated|trimmed|shortened|omitted|left out|not read)"
_SURE = re.compile(rf"{_WORDS}:", re.IGNORECASE)
_LIKELY = re.compile(rf"{_WORDS}\b(?!\s+(?:by|down|in|off|to)\b)|.*\b{_WORDS}\Z", re.I | re.S)


def kept(text: str) -> str | None:
    """What is left of a text without the remark that it was cut; None where it has none."""
    end = text.rstrip()
    opening = _OPENING.get(end[-1:])
    if opening is None:
        return None
    start = _start(end, opening)
    if start is None:
        return None
    inside, before = end[start + 1 : -1].strip(), end[:start].rstrip()
    alone = not before or before.endswith(("...", "…"))
    if not (_SURE.match(inside) or (alone and _LIKELY.match(inside))):
        return None
    return before.removesuffix("...").removesuffix("…").rstrip()


def _start(end: str, opening: str) -> int | None:
    """Where the bracket opens that closes at the end."""
    depth = 0
    for index in range(len(end) - 1, max(len(end) - _LONGEST, 0) - 1, -1):
        if end[index] == end[-1]:
            depth += 1
        elif end[index] == opening:
            depth -= 1
            if not depth:
                return index
    return None


def name_cut(node: Node, raw: RawRun, what: str = "") -> None:
    """Say that a text was cut, and where."""
    node.source.note(
        "IRU025",
        f"{what or node.name} was cut by whoever recorded it or passed it on; what is missing"
        " counts as unknown.",
        node=node,
        case_id=raw.case_id,
    )


def hold_to_count(count: Node | None, raw: RawRun) -> None:
    """Where a record counts its calls, it must hold as many; else what was called is unknown."""
    held = sum(len(turn.calls) for turn in raw.turns)
    if count is None or count.whole() <= held:
        return
    raw.unknown |= {"tool_calls", "call_arguments", "call_results", "call_outcomes"}
    count.source.note(
        "IRU025",
        f"The record counts {count.whole()} calls and holds {held}; what is missing counts as"
        " unknown.",
        node=count,
        case_id=raw.case_id,
    )
