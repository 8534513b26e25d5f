"""Sides for tests: made from short words, without files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from assay.comparing.sides import Side, SideCase
from assay.models.result import Context, Outcome, Result, Subject
from assay.scoring.tally import tally

ZERO = "0" * 64
WORDS: dict[str, Outcome] = {
    "P": "passed",
    "F": "failed",
    "N": "not_evaluated",
    "E": "error",
}


def sha(letter: str) -> str:
    """A digest that can be told from another."""
    return letter * 64


def context(**fields: Any) -> Context:
    """What a side was scored against."""
    value: dict[str, Any] = {
        "suite": "shop",
        "truth": sha("a"),
        "cases": sha("c"),
        "policies": {"refunds": "refunds-v7"},
        "scorer": sha("d"),
        "weights": {},
        "split": ZERO,
        "verdicts": ZERO,
        "rename_map": ZERO,
    }
    return Context(**{**value, **fields})


def result(against: Context | None = None, **fields: Any) -> Result:
    """A result; its own counts are not looked at by a comparison."""
    empty = tally([])
    value: dict[str, Any] = {
        "id": "12345678",
        "exploratory": False,
        "engine": "0",
        "today": "2026-11-30",
        "subject": Subject(run="r", run_digest=ZERO, trials=1),
        "context": against or context(),
        "scored_set": ZERO,
        "overall": empty,
        "by_slice": {},
        "by_category": {},
        "by_status": {},
        "gating": empty,
        "components": {},
        "tags": {},
        "excluded": (),
        "unmatched": (),
    }
    return Result(**{**value, **fields})


def side(
    verdicts: str | Mapping[str, str],
    name: str = "r",
    *,
    slices: Mapping[str, str] | None = None,
    clusters: Mapping[str, str] | None = None,
    hashes: Mapping[str, str] | None = None,
    scores: Mapping[str, Sequence[str]] | None = None,
    excluded: Sequence[str] = (),
    unmatched: Sequence[str] = (),
    against: Result | None = None,
) -> Side:
    """A side: ``"PPFN"`` is four cases with one trial each, a mapping gives trials to cases."""
    given = verdicts if isinstance(verdicts, Mapping) else _named(verdicts)
    cases = {
        case_id: SideCase(
            case_id=case_id,
            outcomes=tuple(WORDS[letter] for letter in trials),
            slice=(slices or {}).get(case_id, "all"),
            cluster=(clusters or {}).get(case_id, case_id),
            content_hash=(hashes or {}).get(case_id, ZERO if against else None),
            revision=1,
            scores=tuple(map(Fraction, (scores or {}).get(case_id, ()))),
        )
        for case_id, trials in given.items()
    }
    return Side(
        name=name,
        run=name,
        kind="result" if against else "table",
        cases=cases,
        excluded=dict.fromkeys(excluded, ("Expired on 2027-03-18.",)),
        unmatched=tuple(unmatched),
        result=against,
    )


def _named(letters: str) -> dict[str, str]:
    return {f"c{index:03d}": letter for index, letter in enumerate(letters)}
