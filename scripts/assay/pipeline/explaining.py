"""What ``assay why`` shows, gathered from the repository and its runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from assay.errors import RefusedError
from assay.ledger.policy_texts import cited_clauses
from assay.ledger.repository import Repository
from assay.models.result import CaseResult
from assay.models.run import ObservedRun
from assay.models.truth import TruthRecord
from assay.pipeline.direct import Judged, Scored, judge, score_files
from assay.pipeline.embedding import nearness
from assay.pipeline.naming import run_files
from assay.reporting.why import WhyInput, trial_to_explain
from assay.scoring.selection import Selection

_EVERY_STATUS = Selection(allow_empty=True)


def explain(
    repository: Repository,
    case_id: str,
    run: str,
    trial: int | None,
    *,
    today: str | None = None,
    policies: Sequence[str] = (),
) -> WhyInput:
    """Everything about one case and one run.

    Args:
        repository: where both lie.
        case_id: a known case.
        run: a run's name, the id of a result, or a file of runs.
        trial: zero-based; where absent, the first of the gravest verdict.
        today: the day; that of ``params.yaml`` where absent.
        policies: versions that stand in for those in force.

    Raises:
        RefusedError: the run has no such trial of the case.
        UsageError: no such run.
        InputError: a file cannot be read.
    """
    judged = judge(repository, today=today, policies=policies)
    revisions = repository.revisions.get(case_id, ())
    case = repository.cases.get(case_id)
    files = run_files(repository.root, [run])
    suite = case.suite if case else (revisions[0].suite if revisions else "")
    scored = _score_case(judged, files, case_id, suite)
    mine = [line for item in scored for line in item.lines if line.case_id == case_id]
    name = scored[0].result.subject.run if scored else Path(run).stem
    chosen = trial_to_explain(mine, name) if trial is None else _trial(mine, case_id, run, trial)
    observed = next(
        (
            entry_
            for item in scored
            for entry_ in item.observed
            if entry_.case_id == case_id and (chosen is None or entry_.trial == chosen.trial)
        ),
        None,
    )
    return why_input(
        judged,
        case_id,
        name,
        chosen,
        observed,
        peers=_peers(judged, case_id, suite),
        result_id=scored[0].result.id if scored else "",
    )


def _nearness(record: TruthRecord | None, observed: ObservedRun | None) -> str:
    """How near the two plans in words are; empty without plans or without the extra."""
    planned = record.plan.planning_steps if record is not None and record.plan is not None else ()
    if not planned or observed is None or not observed.planning_steps:
        return ""
    found = nearness(
        "\n".join(step.instruction for step in planned),
        "\n".join(step.instruction for step in observed.planning_steps),
    )
    return f"near in meaning {found.value} ({found.model})" if found else ""


def why_input(
    judged: Judged,
    case_id: str,
    run: str,
    result: CaseResult | None,
    observed: ObservedRun | None,
    *,
    peers: Sequence[CaseResult] = (),
    result_id: str = "",
    benchmark: str = "",
) -> WhyInput:
    """What an explanation needs from the repository, beside a verdict that is at hand.

    Args:
        judged: the repository on its day.
        case_id: the case.
        run: name of the run.
        result: the verdict.
        observed: what the run did.
        peers: verdicts of all runs on the case.
        result_id: the result that the verdict is part of.
        benchmark: the repository's folder, where commands are typed somewhere else.
    """
    repository = judged.world.repository
    revisions = repository.revisions.get(case_id, ())
    counting = judged.world.counting.get(case_id)
    case = repository.cases.get(case_id)
    entry = judged.compiled.entry(case_id)
    return WhyInput(
        suite=case.suite if case else (revisions[0].suite if revisions else ""),
        case_id=case_id,
        run=run,
        case=case.case if case else None,
        revisions=[stored.record for stored in revisions],
        revision=counting.revision if counting else None,
        path=counting.path if counting else "",
        result=result,
        observed=observed,
        exclusions=entry.exclusions if entry else (),
        peers=peers,
        clauses=cited_clauses(
            repository.root,
            repository.policies.model,
            counting.record.clauses if counting else (),
        ),
        nearness=_nearness(counting.record if counting else None, observed),
        result_id=result_id,
        today=judged.world.today,
        benchmark=benchmark,
    )


def _score_case(judged: Judged, files: Sequence[Path], case_id: str, suite: str) -> list[Scored]:
    only = replace(_EVERY_STATUS, only=(case_id,))
    return score_files(judged, files, only, suite=suite or None)


def _trial(lines: Sequence[CaseResult], case_id: str, run: str, trial: int) -> CaseResult:
    for line in lines:
        if line.trial == trial:
            return line
    known = ", ".join(str(line.trial + 1) for line in lines) or "none"
    raise RefusedError(f"`{run}` has no trial {trial + 1} of {case_id}.", hint=f"trials: {known}")


def _peers(judged: Judged, case_id: str, suite: str) -> list[CaseResult]:
    """All stored runs on the case."""
    root = judged.world.repository.root
    files = sorted((root / "runs" / suite).glob("*.jsonl"))
    if not files:
        return []
    scored = _score_case(judged, files, case_id, suite)
    return [line for item in scored for line in item.lines if line.case_id == case_id]
