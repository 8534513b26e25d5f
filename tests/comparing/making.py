"""Small sides to compare: results, lines and tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.comparing.sides import Side
from assay.comparing.tables import VerdictRow
from assay.models.result import CaseResult, Context, ExcludedCase, Outcome, Result, Subject, Tally

HASH = {letter: letter * 64 for letter in "0123456789abcdef"}
WORDS: dict[str, Outcome] = {"P": "passed", "F": "failed", "N": "not_evaluated", "E": "error"}


def context(**fields: Any) -> Context:
    """A context in which everything is at hand."""
    base: dict[str, Any] = {
        "suite": "s",
        "policies": {"refunds": "refunds-v7"},
        "weights": {"outcome": "0.5"},
        **dict.fromkeys(("truth", "cases", "scorer", "split", "verdicts"), HASH["0"]),
        "rename_map": HASH["0"],
    }
    return Context.model_validate({**base, **fields})


def line(case_id: str, outcome: str, trial: int = 0, **fields: Any) -> CaseResult:
    """A line; the outcome by its first letter."""
    base: dict[str, Any] = {
        "run": "r",
        "case_id": case_id,
        "trial": trial,
        "outcome": WORDS[outcome],
        "status": "gold",
        "revision": 1,
        "content_hash": HASH["1"],
        "gates": True,
        "slice": "all",
        "cluster": case_id,
        "observed": HASH["2"],
        "case_digest": HASH["3"],
    }
    return CaseResult.model_validate({**base, **fields})


_TALLY = Tally(
    expected=0, passed=0, failed=0, not_evaluated=0, errored=0, excluded=0, unmatched=0,
    evaluated=0, incomplete=False, pass_rate=None, worst=None, best=None, wilson_low=None,
    wilson_high=None, standard_error=None, cases=0, clusters=0,
)  # fmt: skip


def result(
    excluded: Sequence[str] = (),
    unmatched: Sequence[str] = (),
    exploratory: bool = False,
    **fields: Any,
) -> Result:
    """A result with nothing in it but what is compared."""
    return Result(
        id="0123abcd",
        exploratory=exploratory,
        engine="1",
        today="2026-11-30",
        subject=Subject(run="r", run_digest=HASH["4"], agent="it", trials=1),
        context=context(**fields),
        scored_set=HASH["5"],
        overall=_TALLY,
        by_slice={},
        by_category={},
        by_status={},
        gating=_TALLY,
        components={},
        tags={},
        excluded=tuple(
            ExcludedCase(case_id=name, codes=("EXP001",), reasons=("Expired.",))
            for name in excluded
        ),
        unmatched=tuple(unmatched),
    )


def side(
    verdicts: Mapping[str, str],
    /,
    name: str = "a",
    more: Mapping[str, Mapping[str, Any]] | None = None,
    **fields: Any,
) -> Side:
    """A result: case id to a letter for each trial; `more` holds further fields of its lines."""
    lines = [
        line(case, letter, trial, **(more or {}).get(case, {}))
        for case, letters in verdicts.items()
        for trial, letter in enumerate(letters)
    ]
    return Side.from_result(name, result(**fields), lines)


def table(verdicts: Mapping[str, str], name: str = "a.csv") -> Side:
    """A plain table of the same."""
    passed = {"P": True, "F": False, "N": None}
    return Side.from_rows(
        name,
        [
            VerdictRow(case, passed[letter], trial=trial)
            for case, letters in verdicts.items()
            for trial, letter in enumerate(letters)
        ],
    )


def numbered(letters: str) -> dict[str, str]:
    """One case for each letter, ``c00`` and so on."""
    return {f"c{index:02}": letter for index, letter in enumerate(letters)}
