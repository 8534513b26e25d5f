"""Small records, runs and verdicts for the tests of scoring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.ledger.toolnames import ToolNames
from assay.models.case import CaseAttributes, EvalCase
from assay.models.catalog import ToolCatalog
from assay.models.compiled import EffectiveTruth
from assay.models.result import CaseResult, Evidence
from assay.models.run import ObservedRun
from assay.models.truth import TruthRecord
from assay.models.verdict import Verdict
from assay.scoring.case import score_case
from assay.scoring.verdicts import VerdictIndex

NO_HASH = "0" * 64

CATALOG: dict[str, Any] = {
    "tools": [
        {"name": "find_order", "server": "orders"},
        {"name": "list_orders", "server": "orders"},
        {
            "name": "charge",
            "server": "payments",
            "effect": "writes",
            "parameters": {
                "type": "object",
                "properties": {
                    "amount": {"type": "number"},
                    "currency": {"type": "string", "default": "EUR"},
                    "memo": {"type": "string", "default": "none"},
                },
                "required": ["amount", "memo"],
            },
        },
        {"name": "bill", "alias_of": "charge"},
        {"name": "send_mail", "server": "crm", "effect": "writes"},
        {"name": "lookup", "server": "orders"},
        {"name": "lookup", "server": "crm"},
        {
            "name": "ticket",
            "split_into": [
                {"tool": "open_ticket", "when": {"do": "open"}},
                {"tool": "close_ticket", "when": {"do": "close"}},
            ],
        },
        {"name": "open_ticket", "effect": "writes"},
        {"name": "close_ticket", "effect": "writes"},
    ]
}

NAMES = ToolNames.from_catalog(ToolCatalog.model_validate(CATALOG))


def record(**fields: Any) -> TruthRecord:
    """A gold record."""
    base = {"case_id": "c-1", "revision": 1, "status": "gold", "change": "new", "rationale": ["r"]}
    return TruthRecord.model_validate({**base, **fields})


def truth(of: TruthRecord, **fields: Any) -> EffectiveTruth:
    """The record as the one that counts."""
    base = {"suite": "s", "case_id": of.case_id, "record": of, "content_hash": NO_HASH}
    return EffectiveTruth.model_validate({**base, "gates": True, **fields})


def call(name: str, /, *, error: str | None = None, **fields: Any) -> dict[str, Any]:
    """An observed call; keyword arguments that are no fields of a call are its arguments."""
    known = {k: fields.pop(k) for k in ("outcome", "result", "server", "id") if k in fields}
    known.setdefault("outcome", "ok" if error is None else "error")
    return {"name": name, "args": fields, "error": error, **known}


def run(
    calls: Sequence[Mapping[str, Any]] = (), answer: str | None = None, **fields: Any
) -> ObservedRun:
    """A run of one turn."""
    base: dict[str, Any] = {
        "run": "r",
        "case_id": "c-1",
        "model": "cand-1",
        "turns": [{"user": "please", "answer": answer, "tool_calls": list(calls)}],
        "final_answer": answer,
    }
    return ObservedRun.model_validate({**base, **fields})


def case(text: str = "please", state: Mapping[str, Any] | None = None) -> EvalCase:
    """A case of one turn."""
    value: dict[str, Any] = {
        "eval_id": "c-1",
        "conversation": [{"user_content": {"role": "user", "parts": [{"text": text}]}}],
    }
    if state is not None:
        value["session_input"] = {"state": dict(state)}
    return EvalCase.model_validate(value)


def verdict(criterion: str, said: str | None, **fields: Any) -> Verdict:
    """A verdict of a judge model on the run `r`."""
    base = {"case_id": "c-1", "criterion": criterion, "run": "r", "verdict": said}
    return Verdict.model_validate({**base, "judge": "judge-1", "judge_kind": "model", **fields})


def score(
    of: TruthRecord | Mapping[str, Any],
    observed: ObservedRun,
    *,
    state: Mapping[str, Any] | None = None,
    verdicts: Sequence[Verdict] = (),
    names: ToolNames = NAMES,
    attributes: CaseAttributes | None = None,
    **options: Any,
) -> CaseResult:
    """Score one run; checks on the way that the result is a valid model."""
    the_record = of if isinstance(of, TruthRecord) else record(**of)
    result = score_case(
        truth(the_record),
        case(state=state),
        attributes,
        observed,
        names,
        verdicts=VerdictIndex.of(verdicts),
        **options,
    )
    assert CaseResult.model_validate(result.model_dump()) == result
    return result


def pieces(result: CaseResult) -> list[Evidence]:
    """All evidence of a result, in order."""
    return [piece for part in result.components for piece in part.evidence]


def kinds(result: CaseResult, *, good: bool = False) -> list[str]:
    """Kinds of the evidence that is not passed; of all evidence with `good`."""
    return [piece.kind for piece in pieces(result) if good or piece.outcome != "passed"]
