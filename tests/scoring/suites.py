"""A small suite to score runs against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.models.case import EvalCase, Suite
from assay.models.compiled import EffectiveTruth
from assay.models.result import Context
from assay.models.run import ObservedRun
from assay.scoring.case import Scorer
from assay.scoring.run import SuiteTruth
from assay.scoring.verdicts import VerdictIndex
from tests.scoring.making import NAMES, NO_HASH, record

TODAY = "2026-11-30"


def context(**fields: Any) -> Context:
    base: dict[str, Any] = {
        "suite": "s",
        "truth": NO_HASH,
        "cases": NO_HASH,
        "policies": {},
        "scorer": NO_HASH,
        "weights": {},
        "split": NO_HASH,
        "verdicts": NO_HASH,
        "rename_map": NO_HASH,
    }
    return Context.model_validate({**base, **fields})


def effective(
    case_id: str,
    status: str | None = "gold",
    exclusions: Sequence[tuple[str, str]] = (),
    **fields: Any,
) -> EffectiveTruth:
    """The truth of a case whose answer must be its id; without status, it has no record."""
    the_record = None
    if status is not None:
        label = {"acceptable_answers": [case_id], **fields}
        the_record = record(case_id=case_id, status=status, **label)
    return EffectiveTruth.model_validate(
        {
            "suite": "s",
            "case_id": case_id,
            "record": the_record,
            "content_hash": NO_HASH if the_record else None,
            "exclusions": [{"code": code, "reason": reason} for code, reason in exclusions],
            "gates": status == "gold" and not exclusions,
        }
    )


def against(
    truths: Sequence[EffectiveTruth], attributes: Mapping[str, Any] | None = None, **fields: Any
) -> SuiteTruth:
    """A suite with a case for each truth."""
    given = attributes or {}
    suite = Suite.model_validate(
        {
            "suite": "s",
            "owner": "ana",
            "canary": "x",
            "licence": "CC0-1.0",
            "cases": {t.case_id: {"slice": "all", **given.get(t.case_id, {})} for t in truths},
        }
    )
    cases = {t.case_id: EvalCase(eval_id=t.case_id) for t in truths}
    values: dict[str, Any] = {"context": context(), "verdicts": VerdictIndex(), **fields}
    return SuiteTruth(suite, truths, cases, Scorer(NAMES), today=TODAY, **values)


def answered(case_id: str, answer: str | None = None, trial: int = 0, **fields: Any) -> ObservedRun:
    """An entry of the run `r` that answers with the case's id."""
    said = case_id if answer is None else answer
    base: dict[str, Any] = {
        "run": "r",
        "case_id": case_id,
        "trial": trial,
        "turns": [{"answer": said}],
        "final_answer": said,
    }
    return ObservedRun.model_validate({**base, **fields})
