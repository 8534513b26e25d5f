"""The example expectations of a case file as a run, to be held against the record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from assay.checks.world import Judged
from assay.models.base import JsonValue
from assay.models.case import EvalCase, IntermediateData
from assay.models.compiled import EffectiveTruth
from assay.models.result import Evidence
from assay.models.run import ObservedRun, ObservedTurn, RunField, ToolCall
from assay.scoring.case import Scorer

_NO_HASH = "0" * 64


def example_run(case: EvalCase) -> ObservedRun | None:
    """What the case file shows as an example; None where it shows nothing.

    What is absent is unknown and says nothing; what is empty says that nothing is expected.
    """
    turns: list[ObservedTurn] = []
    calls_known = False
    final: str | None = None
    for invocation in case.conversation or ():
        calls = list(_calls(invocation.intermediate_data))
        data = invocation.intermediate_data
        if data is not None and (data.tool_uses is not None or data.invocation_events is not None):
            calls_known = True
        answer = invocation.final_response.text if invocation.final_response else None
        final = answer or None
        turns.append(
            ObservedTurn(
                user=invocation.user_content.text, answer=answer or None, tool_calls=tuple(calls)
            )
        )
    unknown: list[RunField] = ["call_outcomes", "call_results"]
    if not calls_known:
        unknown.append("tool_calls")
    if final is None:
        unknown += ["answer", "final_answer"]
    if case.final_session_state is None:
        unknown.append("final_state")
    if not calls_known and final is None and case.final_session_state is None:
        return None
    return ObservedRun(
        run="example",
        case_id=case.eval_id,
        turns=tuple(turns),
        final_answer=final,
        final_state=case.final_session_state,
        unknown=tuple(unknown),
    )


def _calls(data: IntermediateData | None) -> Iterator[ToolCall]:
    if data is None:
        return
    for use in data.tool_uses or ():
        yield ToolCall(name=use.name, args=use.args or {})
    for event in data.invocation_events or ():
        for call in _function_calls(event):
            name, args = call.get("name"), call.get("args")
            if isinstance(name, str) and name:
                yield ToolCall(name=name, args=dict(args) if isinstance(args, Mapping) else {})


def _function_calls(event: JsonValue) -> Iterator[Mapping[str, JsonValue]]:
    content = event.get("content") if isinstance(event, Mapping) else None
    parts = content.get("parts") if isinstance(content, Mapping) else None
    for part in parts if isinstance(parts, Sequence) and not isinstance(parts, str) else ():
        call = part.get("function_call") if isinstance(part, Mapping) else None
        if isinstance(call, Mapping):
            yield call


def differences(judged: Judged, scorer: Scorer) -> tuple[Evidence, ...]:
    """What in the example of a case the record calls wrong, in the order of its fields."""
    if judged.case is None:
        return ()
    run = example_run(judged.case.case)
    if run is None:
        return ()
    record = judged.mapped.record
    truth = EffectiveTruth(
        suite=judged.suite_name or "suite",
        case_id=judged.case_id,
        record=record,
        content_hash=_NO_HASH,
    )
    day = judged.suite.reference_date(judged.case_id) if judged.suite else None
    result = scorer.score(truth, judged.case.case, judged.attributes, day, run, {})
    return tuple(
        piece
        for component in result.components
        for piece in component.evidence
        if piece.outcome == "failed"
    )
