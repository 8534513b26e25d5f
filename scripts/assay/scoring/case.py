"""One record against one observed run: the verdict of a case, with all its reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from assay.ledger.toolnames import ToolNames
from assay.models.case import CaseAttributes, EvalCase
from assay.models.compiled import EffectiveTruth
from assay.models.levels import Levels
from assay.models.params import Weights
from assay.models.result import CaseResult, ComponentResult, Evidence, Outcome
from assay.models.run import ObservedRun
from assay.models.truth import Component, TruthRecord
from assay.models.verdict import Verdict
from assay.scoring.build import build, component, evidence, verdict_of
from assay.scoring.compiled import CompiledRecord
from assay.scoring.components import outcome, rubric, state, trajectory
from assay.scoring.components.rubric import SameModel
from assay.scoring.levels.judge import LevelJudge
from assay.scoring.matchers import Sight
from assay.scoring.observed import SeenRun
from assay.scoring.tags import tags_of
from assay.scoring.verdicts import VerdictIndex

CERTAIN: Final = frozenset(
    {"forbidden_call", "max_calls_exceeded", "too_many_calls", "must_not_state"}
)
"""Failures by something that was done; a broken harness does not excuse them."""


KEPT: Final = 20_000
"""Compiled records that a scorer keeps, of about 10 kB each; then it begins anew."""


@dataclass(frozen=True)
class Scorer:
    """Everything but truth and run that a verdict depends on. Keeps compiled records."""

    names: ToolNames
    """The rename map."""
    language: str = "en"
    """The suite's language."""
    same_model: SameModel = lambda a, b: a.strip().casefold() == b.strip().casefold()
    """Whether two names mean one model."""
    weights: Weights | None = None
    """Weights of the three levels; they are left out where there are none."""
    _compiled: dict[int, CompiledRecord] = field(default_factory=dict, compare=False, repr=False)
    _judges: dict[int, LevelJudge] = field(default_factory=dict, compare=False, repr=False)

    def compiled(self, record: TruthRecord) -> CompiledRecord:
        """The record made ready, once for each record object."""
        found = self._compiled.get(id(record))
        if found is None or found.record is not record:
            found = CompiledRecord(record, self.names, self.language)
            if len(self._compiled) >= KEPT:
                self._compiled.clear()
                self._judges.clear()
            self._compiled[id(record)] = found
        return found

    def score(
        self,
        truth: EffectiveTruth,
        case: EvalCase | None,
        attributes: CaseAttributes | None,
        reference_date: str | None,
        run: ObservedRun,
        verdicts: Mapping[str, Sequence[Verdict]],
    ) -> CaseResult:
        """The verdict of a case; see `score_case`."""
        record = truth.record
        assert record is not None
        assert truth.content_hash is not None
        seen = SeenRun(run, self.names, self.language)
        components, notes = self._components(record, case, reference_date, seen, verdicts)
        if run.policy and record.policies and run.policy not in record.policies:
            notes.append(
                f"The agent was given {run.policy}; it is judged by {', '.join(record.policies)}."
            )
        outcome_name = case_outcome(components)
        levels = self._levels(record, components, seen, reference_date)
        tags = tags_of(components, notes, levels if outcome_name != "passed" else None)
        given = attributes or _NO_ATTRIBUTES
        return build(
            CaseResult,
            {
                "schema_version": 1,
                "run": run.run,
                "case_id": truth.case_id,
                "trial": run.trial,
                "outcome": outcome_name,
                "components": components,
                "notes": tuple(notes),
                "tags": tags,
                "status": record.status,
                "revision": record.revision,
                "content_hash": truth.content_hash,
                "gates": truth.gates,
                "slice": given.slice,
                "cluster": given.template or truth.case_id,
                "category": given.category,
                "observed": seen.digest,
                "levels": levels,
            },
        )

    def _levels(
        self,
        record: TruthRecord,
        components: Sequence[ComponentResult],
        seen: SeenRun,
        reference_date: str | None,
    ) -> Levels | None:
        if record.plan is None or self.weights is None:
            return None
        truth = self.compiled(record)
        judge = self._judges.get(id(truth))
        if judge is None or judge.truth is not truth:
            judge = self._judges[id(truth)] = LevelJudge(truth, self.weights)
        as_text = seen.run.arguments_as_text
        return judge.judge(components, seen, Sight(reference_date, as_text, earlier=seen.earlier))

    def _components(
        self,
        record: TruthRecord,
        case: EvalCase | None,
        reference_date: str | None,
        seen: SeenRun,
        verdicts: Mapping[str, Sequence[Verdict]],
    ) -> tuple[tuple[ComponentResult, ...], list[str]]:
        truth = self.compiled(record)
        notes: list[str] = []
        sight = Sight(reference_date, as_text=seen.run.arguments_as_text, earlier=seen.earlier)
        broken = seen.run.infrastructure_errors
        found: list[ComponentResult] = []
        for name in truth.judged:
            reasons: list[Evidence]
            if name not in truth.has_criteria:
                reasons = [
                    evidence(
                        "no_criteria",
                        "not_evaluated",
                        "/score_basis",
                        f"`{name}` is to decide, and the record has no criteria for it.",
                    )
                ]
            elif name == "trajectory":
                reasons, notes = trajectory.judge(truth, seen, sight)
            elif name == "outcome":
                # Only arguments can be texts for want of anything better, never an answer.
                sight.as_text = False
                reasons = outcome.judge(truth, seen, sight)
            elif name == "rubric":
                reasons = rubric.judge(truth, seen, verdicts, self.same_model)
            else:
                sight.as_text = False
                reasons = state.judge(truth, case, seen, sight)
            if broken:
                reasons = _excused(reasons, broken)
            found.append(component(name, verdict_of(reasons), name in truth.basis, tuple(reasons)))
        if not any(part.in_basis for part in found):
            notes.append("The record has no criteria that decide.")
        return tuple(found), notes

    def surely_fails(
        self,
        name: Component,
        record: TruthRecord,
        case: EvalCase | None,
        reference_date: str | None,
        run: ObservedRun,
    ) -> bool:
        """Whether one component of the basis fails a run, and the case with it.

        A short cut for runs that are made to break one expectation: the other components need
        not be looked at. False says nothing. The rubric is never looked at.
        """
        truth = self.compiled(record)
        if name not in truth.basis or name not in truth.has_criteria or name == "rubric":
            return False
        seen = SeenRun(run, self.names, self.language)
        sight = Sight(reference_date, earlier=seen.earlier)
        if name == "trajectory":
            reasons, _ = trajectory.judge(truth, seen, sight)
        elif name == "outcome":
            reasons = outcome.judge(truth, seen, sight)
        else:
            reasons = state.judge(truth, case, seen, sight)
        return verdict_of(reasons) == "failed"


_NO_ATTRIBUTES = CaseAttributes(slice="(none)")


def _excused(reasons: list[Evidence], errors: Sequence[str]) -> list[Evidence]:
    """Reasons under a broken harness: what is missing is an error, what was done stays done."""
    return [
        *(
            evidence(
                "infrastructure",
                "error",
                "",
                "The harness failed, so what is missing is not the agent's fault.",
                observed=error,
            )
            for error in errors
        ),
        *(
            piece.model_copy(update={"outcome": "error"})
            if piece.outcome == "failed" and piece.kind not in CERTAIN
            else piece
            for piece in reasons
        ),
    ]


def case_outcome(components: Sequence[ComponentResult]) -> Outcome:
    """Failed if any component of the basis failed, else error, else not evaluated, else passed."""
    outcomes = {part.outcome for part in components if part.in_basis}
    for outcome_name in ("failed", "error", "not_evaluated", "passed"):
        if outcome_name in outcomes:
            return outcome_name
    return "not_evaluated"


def score_case(
    truth: EffectiveTruth,
    case: EvalCase | None,
    attributes: CaseAttributes | None,
    run: ObservedRun,
    names: ToolNames,
    *,
    reference_date: str | None = None,
    language: str = "en",
    verdicts: VerdictIndex | None = None,
    same_model: SameModel | None = None,
    weights: Weights | None = None,
) -> CaseResult:
    """Score one observed run of one case.

    Args:
        truth: the record that counts, after the rename map; it must have a record.
        case: the case, for its initial state.
        attributes: slice, template and category.
        run: what the agent did.
        names: the rename map, for the tools that were called.
        reference_date: the day that relative dates refer to.
        language: language of the suite, for negation words and number formats.
        verdicts: recorded verdicts.
        same_model: whether two names mean one model.
        weights: weights of the three levels; they are left out where there are none.

    Returns:
        The verdict with evidence; the truth's exclusions are not looked at.
    """
    scorer = Scorer(names, language, weights=weights)
    if same_model is not None:
        scorer = replace(scorer, same_model=same_model)
    recorded = (verdicts or VerdictIndex()).of_run(truth.case_id, run.run, run.trial)
    return scorer.score(truth, case, attributes, reference_date, run, recorded)
