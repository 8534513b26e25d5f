"""Whether a label proves itself: what passes that must, and what passes that must not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from assay.models.case import EvalCase
from assay.models.compiled import EffectiveTruth
from assay.models.result import CaseResult
from assay.models.run import ObservedRun, ObservedTurn, ToolCall
from assay.models.truth import Component, TruthRecord, Witness
from assay.scoring.case import Scorer
from assay.scoring.components.state import check_state
from assay.scoring.instances import NoOracleError
from assay.scoring.matchers import Sight
from assay.scoring.mutants import mutants
from assay.scoring.oracle import Draft, do_nothing, echo, oracle_draft

_LOOKED_AT = 200_000
"""Expectations and calls that all flawed runs of one label may have together."""

_LEAST_TRIED = 20
"""Flawed runs that are tried however large the label is."""

_NO_HASH = "0" * 64


@dataclass(frozen=True)
class Survivor:
    """A run that passes and must not."""

    pointer: str
    """JSON pointer into the record: the expectation that the run breaks."""
    flaw: str
    """What is wrong with the run, in words."""


@dataclass(frozen=True)
class WitnessResult:
    """What a witness of the record came to."""

    pointer: str
    """JSON pointer to the witness."""
    result: CaseResult
    """Its verdict."""
    as_it_must: bool
    """Whether the verdict is the one that the record says."""


@dataclass(frozen=True)
class Proof:
    """What a label proves about itself. Rubric criteria are left out: no run proves them."""

    not_built: str
    """Why no oracle run could be built; empty when one was."""
    oracle: CaseResult | None
    """Verdict of the oracle run; it must have passed."""
    do_nothing: CaseResult
    """Verdict of the run that does nothing, on the whole basis; it must not have passed."""
    echo: CaseResult
    """Verdict of the run that says the question again; it must not have passed."""
    survivors: tuple[Survivor, ...]
    """Runs with one flaw that pass all the same."""
    mutants: int
    """How many runs with one flaw were tried."""
    in_part: bool
    """Whether more were left out, because the label asks for very many things."""
    holds_at_start: tuple[str, ...]
    """Pointers to state checks that hold before anything was done, and are no invariants."""
    witnesses: tuple[WitnessResult, ...]
    """The record's own witnesses."""
    unproved: tuple[str, ...]
    """Components of the basis that were left out."""

    @property
    def holds(self) -> bool:
        """Whether nothing speaks against the label."""
        return (
            (self.oracle is None or self.oracle.outcome == "passed")
            and self.do_nothing.outcome != "passed"
            and self.echo.outcome != "passed"
            and not self.survivors
            and all(witness.as_it_must for witness in self.witnesses)
        )


def prove(
    record: TruthRecord,
    case: EvalCase | None,
    scorer: Scorer,
    *,
    suite: str = "suite",
    reference_date: str | None = None,
) -> Proof:
    """Prove a label.

    Args:
        record: the record, after the rename map.
        case: the case, for its question and its initial state.
        scorer: rename map and language.
        suite: name of the suite.
        reference_date: the day that relative dates refer to.
    """

    def verdict(of: TruthRecord, run: ObservedRun) -> CaseResult:
        truth = EffectiveTruth(suite=suite, case_id=of.case_id, record=of, content_hash=_NO_HASH)
        return scorer.score(truth, case, None, reference_date, run, {})

    bare, unproved = _without_rubric(record, scorer)
    oracle: CaseResult | None = None
    draft: Draft | None = None
    survivors: list[Survivor] = []
    tried, in_part = 0, False
    try:
        if bare is None:
            raise NoOracleError("only recorded verdicts decide")
        draft = oracle_draft(bare, case, scorer, reference_date)
        oracle = verdict(bare, draft.run(bare.case_id, "oracle"))
        reason = ""
    except NoOracleError as error:
        reason = str(error)
    if bare is not None and draft is not None and oracle and oracle.outcome == "passed":
        compiled = scorer.compiled(bare)
        size = len(compiled.required) + len(compiled.steps) + len(draft.calls)
        most = max(_LEAST_TRIED, _LOOKED_AT // (1 + size))
        for mutant in mutants(compiled, draft, case, reference_date):
            if tried == most:
                in_part = True
                break
            tried += 1
            run = mutant.draft.run(bare.case_id, "mutant")
            part = _component_of(mutant.pointer)
            if scorer.surely_fails(part, bare, case, reference_date, run):
                continue
            if verdict(bare, run).outcome == "passed":
                survivors.append(Survivor(mutant.pointer, mutant.flaw))
    return Proof(
        not_built=reason,
        oracle=oracle,
        do_nothing=verdict(record, do_nothing(record.case_id, case)),
        echo=verdict(record, echo(record.case_id, case)),
        survivors=tuple(survivors),
        mutants=tried,
        in_part=in_part,
        holds_at_start=holds_at_start(record, case, scorer),
        witnesses=_witnesses(record, bare, draft, verdict),
        unproved=unproved,
    )


def _component_of(pointer: str) -> Component:
    """The component that an expectation belongs to."""
    field = pointer.split("/")[1]
    if field in ("required_tools", "forbidden_tools", "max_calls", "order", "plan"):
        return "trajectory"
    return "state" if field == "state" else "outcome"


def _without_rubric(
    record: TruthRecord, scorer: Scorer
) -> tuple[TruthRecord | None, tuple[str, ...]]:
    """The record with the components that a run can prove; none where only a rubric decides."""
    basis = scorer.compiled(record).basis
    if "rubric" not in basis:
        return record, ()
    kept = tuple(name for name in ("trajectory", "outcome", "state") if name in basis)
    if not kept:
        return None, ("rubric",)
    return record.model_copy(update={"score_basis": kept, "rubric": ()}), ("rubric",)


def holds_at_start(record: TruthRecord, case: EvalCase | None, scorer: Scorer) -> tuple[str, ...]:
    """Pointers to state checks that hold in the initial state and are not marked `unchanged`."""
    initial = case.initial_state if case is not None else None
    if initial is None:
        return ()
    return tuple(
        rule.pointer
        for rule in scorer.compiled(record).state
        if "unchanged" not in rule.check.model_fields_set
        and check_state(rule, initial, initial, Sight()).outcome == "passed"
    )


def _witnesses(
    record: TruthRecord,
    bare: TruthRecord | None,
    draft: Draft | None,
    verdict: Callable[[TruthRecord, ObservedRun], CaseResult],
) -> tuple[WitnessResult, ...]:
    if record.witnesses is None or bare is None:
        return ()
    found: list[WitnessResult] = []
    for kind, wanted in (("accept", True), ("reject", False)):
        for i, witness in enumerate(getattr(record.witnesses, kind)):
            result = verdict(bare, _witness_run(witness, record.case_id, draft))
            as_it_must = result.outcome == ("passed" if wanted else "failed")
            found.append(WitnessResult(f"/witnesses/{kind}/{i}", result, as_it_must))
    return tuple(found)


def _witness_run(witness: Witness, case_id: str, oracle: Draft | None) -> ObservedRun:
    """The run of a witness; what it leaves out is taken from the oracle run."""
    if witness.tool_calls is None:
        calls = oracle.calls if oracle else ()
    else:
        calls = tuple(
            ToolCall(
                name=call.tool,
                args=call.args,
                outcome="ok" if call.error is None else "error",
                error=call.error,
            )
            for call in witness.tool_calls
        )
    state = witness.final_state
    if state is None and oracle is not None:
        state = oracle.final_state
    return ObservedRun(
        run="witness",
        case_id=case_id,
        turns=(ObservedTurn(answer=witness.answer, tool_calls=calls),),
        final_answer=witness.answer,
        final_state=state,
        format="built",
    )
