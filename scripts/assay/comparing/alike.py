"""Whether two sides were measured against the same: what differs, and what can be done about it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from assay.comparing.sides import Side
from assay.files.canonical import canonical_json
from assay.models.base import JsonValue
from assay.models.result import Context

Part = Literal[
    "status",
    "suite",
    "truth",
    "cases",
    "policies",
    "scorer",
    "weights",
    "split",
    "store",
    "cassettes",
    "verdicts",
    "rename_map",
    "context",
]
"""What must agree. `status`: drafts were scored; `context`: nobody knows one of the two."""

PARTS: tuple[Part, ...] = get_args(Part)

OF_LABELS: frozenset[Part] = frozenset({"truth", "cases", "policies", "split"})
"""Parts whose difference does not reach a case that has the same label in both."""

REACH_REGRADE: frozenset[Part] = frozenset(PARTS) - {"suite", "context"}
"""Parts that scoring both again makes agree."""

WORDS: dict[Part, str] = {
    "status": "statuses that were scored",
    "suite": "suite",
    "truth": "truth",
    "cases": "cases",
    "policies": "policies in force",
    "scorer": "scorer",
    "weights": "weights",
    "split": "split",
    "store": "telemetry store",
    "cassettes": "cassettes",
    "verdicts": "recorded verdicts",
    "rename_map": "rename map",
    "context": "context",
}
"""Part to what a person calls it."""

_DIGEST = 64
_SHOWN = 10


@dataclass(frozen=True)
class Unlike:
    """One part that differs."""

    part: Part
    """Which one."""
    a: str
    """What it is on the first side; digests by their first ten digits."""
    b: str
    """What it is on the second side."""
    detail: str = ""
    """What else there is to say."""


def unlike(
    a: Side, b: Side, *, mapped_otherwise: Sequence[str] | None = None
) -> tuple[Unlike, ...]:
    """The parts that differ, in the order of `PARTS`. Day and exclusions never refuse.

    Args:
        a: the first side.
        b: the second side.
        mapped_otherwise: names in use that the two rename maps map to different tools; none where
            nobody can tell, which counts as a difference. Looked at only where the maps differ.
    """
    drafts = [side for side in (a, b) if side.result is not None and side.result.exploratory]
    if drafts:
        shown = ["with drafts" if side in drafts else "reviewed" for side in (a, b)]
        return (Unlike("status", shown[0], shown[1], "drafts are never compared"),)
    first = a.result.context if a.result else None
    second = b.result.context if b.result else None
    if first is None and second is None and a.kind == b.kind == "table":
        return ()
    if first is None or second is None:
        return (Unlike("context", _known(first), _known(second)),)
    return of_contexts(first, second, mapped_otherwise)


def of_contexts(
    a: Context, b: Context, mapped_otherwise: Sequence[str] | None = None
) -> tuple[Unlike, ...]:
    """The parts in which two contexts differ; see `unlike`."""
    found: list[Unlike] = []
    for part in PARTS:
        if part in ("status", "context"):
            continue
        first, second = getattr(a, part), getattr(b, part)
        if first == second or canonical_json(first) == canonical_json(second):
            continue
        detail = ""
        if part == "rename_map":
            if mapped_otherwise is not None and not mapped_otherwise:
                continue
            detail = (
                f"they map {', '.join(mapped_otherwise)} differently"
                if mapped_otherwise
                else "nobody can tell which names they map differently"
            )
        found.append(Unlike(part, *_values(first, second), detail))
    return tuple(found)


def ways(parts: Collection[str]) -> tuple[str, ...]:
    """Options of ``assay compare`` that such a difference does not keep from comparing."""
    found = []
    if set(parts) <= OF_LABELS:
        found.append("--on unchanged")
    if set(parts) <= REACH_REGRADE:
        found.append("--regrade")
    return tuple(found) if parts else ()


def same_data(a: Context, b: Context) -> bool:
    """Whether everything agrees but the code that scores."""
    return all(item.part == "scorer" for item in of_contexts(a, b))


def _known(context: Context | None) -> str:
    return "unknown" if context is None else f"truth {context.truth[:_SHOWN]}"


def _values(a: JsonValue, b: JsonValue) -> tuple[str, str]:
    """Both values in words: of objects only what differs."""
    if isinstance(a, dict) and isinstance(b, dict):
        keys = sorted(
            key for key in {*a, *b} if canonical_json(a.get(key)) != canonical_json(b.get(key))
        )
        shown = [
            ", ".join(f"{key} {_value(side[key]) if key in side else 'none'}" for key in keys)
            for side in (a, b)
        ]
        return shown[0], shown[1]
    return _value(a), _value(b)


def _value(value: JsonValue) -> str:
    if value is None:
        return "none"
    if isinstance(value, str):
        return value[:_SHOWN] if len(value) == _DIGEST else value
    return canonical_json(value)
