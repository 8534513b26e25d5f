"""Failures of an answer against what the run itself had seen."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from assay.models.base import JsonValue
from assay.models.levels import StepFault
from assay.models.result import ComponentResult, Evidence
from assay.scoring.canonical_text import canonical_text
from assay.scoring.compiled import CompiledRecord
from assay.scoring.numbers_in_text import Key
from assay.scoring.observed import SeenRun
from assay.scoring.text import Prose, states

_MOST: Final = 50_000
"""Characters of one result that are searched."""


def answer_faults(
    truth: CompiledRecord, components: Sequence[ComponentResult], seen: SeenRun
) -> list[StepFault]:
    """What a failed answer shows.

    *Contradicts evidence*: a fact that it does not state stands in a result of the run, and the
    answer gives another number instead. *Hallucinated value*: it states a number that no question,
    argument or result of the run holds, and that counts nothing in them.
    """
    failed = [
        piece
        for part in components
        if part.component == "outcome"
        for piece in part.evidence
        if piece.outcome == "failed"
    ]
    if not failed or seen.final is None or {"tool_calls", "call_results"} & seen.unknown:
        return []
    results = [Prose(_prose(call.structured), seen.language) for call in seen.calls]
    found: list[StepFault] = []
    invented = _invented(seen, results)
    for piece in failed:
        wordings = _wordings(truth, piece)
        if not wordings or states(seen.final, wordings).span is not None:
            continue
        holder = next(
            (i for i, text in enumerate(results) if states(text, wordings).span is not None), None
        )
        if holder is not None and seen.final.quantities:
            found.append(
                StepFault(
                    tag="contradicts_evidence",
                    pointer=piece.pointer,
                    call=holder,
                    message=f"The result of {seen.calls[holder].label} says "
                    f"{piece.expected or 'otherwise'}; the answer does not.",
                )
            )
    if invented:
        listed = ", ".join(invented[:5])
        found.append(
            StepFault(
                tag="hallucinated_value",
                pointer=failed[0].pointer,
                message=f"The answer states {listed}, which no question, call or result holds.",
            )
        )
    return found


def _wordings(truth: CompiledRecord, piece: Evidence) -> tuple[Prose, ...]:
    """What was expected where a piece of evidence failed: wordings with a number in them."""
    wordings: tuple[Prose, ...] = ()
    if piece.pointer.startswith("/facts/"):
        wordings = truth.facts[int(piece.pointer.split("/")[2])].wordings
    elif piece.pointer.startswith("/acceptable_answers"):
        wordings = truth.answers
    return tuple(wording for wording in wordings if wording.quantities)


def _invented(seen: SeenRun, results: Sequence[Prose]) -> list[str]:
    """Numbers of the answer that stand nowhere before it, as they are written."""
    assert seen.final is not None
    known: set[Key] = {q.key for text in results for q in text.quantities}
    for turn in seen.run.turns:
        known |= {q.key for q in Prose(turn.user or "", seen.language).quantities}
    for call in seen.calls:
        known |= {q.key for q in Prose(_prose(call.args), seen.language).quantities}
        known |= {("number", Decimal(size)) for size in _sizes(call.structured)}
    known.add(("number", Decimal(len(seen.calls))))
    found: list[str] = []
    for quantity in seen.final.quantities:
        words = seen.final.cased[quantity.start : quantity.end].strip()
        digits = sum(c.isdigit() for c in words)
        if digits > 1 and quantity.key not in known and words not in found:
            found.append(words)
    return found


def _prose(value: JsonValue) -> str:
    """A result as a text in which values stand apart, so that numbers are read as numbers."""
    pieces: list[str] = []
    queue: list[JsonValue] = [value]
    size = 0
    while queue and size < _MOST:
        here = queue.pop()
        if isinstance(here, dict):
            queue.extend(item for pair in reversed(here.items()) for item in reversed(pair))
        elif isinstance(here, list | tuple):
            queue.extend(reversed(here))
        elif here is not None:
            pieces.append(here if isinstance(here, str) else canonical_text(here))
            size += len(pieces[-1])
    return " ; ".join(pieces)[:_MOST]


def _sizes(value: JsonValue) -> set[int]:
    """How many elements the lists and objects of a value have."""
    found: set[int] = set()
    queue: list[JsonValue] = [value]
    while queue:
        here = queue.pop()
        if isinstance(here, dict):
            found.add(len(here))
            queue.extend(here.values())
        elif isinstance(here, list | tuple):
            found.add(len(here))
            queue.extend(here)
    return found
