"""What the page of one case shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.models.case import EvalCase
from assay.models.compiled import EffectiveTruth
from assay.models.result import CaseResult
from assay.models.run import ObservedRun
from assay.models.truth import TruthRecord
from assay.reporting import levels
from assay.reporting.expectations import Expectation, expectations
from assay.reporting.history import changed_words, history
from assay.reporting.html.index_view import anchor
from assay.reporting.html.inputs import ReportInput, SuiteInput
from assay.reporting.judging import (
    SIGNS,
    WORDS,
    Standing,
    components,
    deciding,
    evidence,
    failing_in_words,
    standings,
)
from assay.reporting.phrases import VALUE_LIMIT, clause_words
from assay.reporting.reasons import BY_CODE
from assay.reporting.transcript import entries
from assay.reporting.words import clipped

Observed = dict[tuple[str, int], ObservedRun]


def case_view(
    report: ReportInput,
    suite: SuiteInput,
    case: EvalCase,
    truth: EffectiveTruth | None,
    lines: Sequence[CaseResult],
    observed: Observed,
    runs: Sequence[str],
) -> dict[str, Any]:
    """Everything on the page of one case.

    Args:
        report: for clauses and the day.
        suite: the case's suite.
        case: what is asked.
        truth: the record that counts.
        lines: results of all runs on this case.
        observed: (run, trial) to what the run did on this case.
        runs: all runs of the suite, in the order that their anchors are numbered in.
    """
    record = truth.record if truth else None
    all_runs = sorted(standings(lines), key=lambda standing: runs.index(standing.run))
    revisions = suite.revisions.get(case.eval_id) or ([record] if record else [])
    return {
        "case_id": case.eval_id,
        "suite": suite.suite,
        "slice": lines[0].slice if lines else "",
        "gates": bool(truth and truth.gates),
        "not_gating": list(truth.not_gating) if truth else [],
        "turns": [turn.user_content.text for turn in case.conversation or ()],
        "scripted": case.conversation_scenario is not None,
        "record": record,
        "policies": list(record.policies) if record else [],
        "groups": _grouped(expectations(record)) if record else [],
        "clauses": [(c, clause_words(report.clauses.get(c, ""))) for c in record.clauses]
        if record
        else [],
        "exclusions": [_exclusion(e.code, e.reason, case.eval_id) for e in truth.exclusions]
        if truth
        else [],
        "runs": [_run(standing, anchor(runs, standing.run), observed) for standing in all_runs],
        "tally": failing_in_words(all_runs) if len(all_runs) > 1 else "",
        "history": [
            {"step": step, "changed": changed_words(step) if step.changed else ""}
            for step in history(revisions, record.revision if record else None)
        ],
        "commands": _commands(case.eval_id, all_runs, record),
    }


def _grouped(items: Sequence[Expectation]) -> list[dict[str, Any]]:
    groups: dict[str, list[Expectation]] = {}
    for item in items:
        groups.setdefault(item.component, []).append(item)
    return [{"name": name, "items": members} for name, members in groups.items()]


def _exclusion(code: str, reason: str, case_id: str) -> dict[str, str]:
    command = BY_CODE[code].command if code in BY_CODE else f"assay truth show {case_id}"
    return {"code": code, "reason": reason, "command": command.replace("{case}", case_id)}


def _run(standing: Standing, place: str, observed: Observed) -> dict[str, Any]:
    return {
        "name": standing.run,
        "anchor": place,
        "outcome": standing.outcome,
        "sign": SIGNS[standing.outcome],
        "words": standing.words,
        "trials": [_trial(line, observed.get((line.run, line.trial))) for line in standing.trials],
    }


def _trial(line: CaseResult, run: ObservedRun | None) -> dict[str, Any]:
    decided = deciding(line)
    marked = {item.call for item in decided if item.call is not None}
    return {
        "number": line.trial + 1,
        "outcome": line.outcome,
        "sign": SIGNS[line.outcome],
        "words": WORDS[line.outcome],
        "headline": decided[0].message if decided and line.outcome != "passed" else "",
        "components": [
            {
                "name": part.component,
                "outcome": part.outcome,
                "sign": SIGNS[part.outcome],
                "words": WORDS[part.outcome],
                "decides": part.in_basis,
                "evidence": [
                    {
                        "item": item,
                        "sign": SIGNS[item.outcome],
                        "words": WORDS[item.outcome],
                        "expected": _cut(item.expected),
                        "observed": _cut(item.observed),
                    }
                    for item in evidence(part)
                ],
            }
            for part in components(line)
        ],
        "notes": list(line.notes),
        "tags": [tag.replace("_", " ") for tag in line.tags],
        "levels": levels.rows(line.levels) if line.levels else [],
        "levels_head": levels.score_words(line.levels) if line.levels else "",
        "who": " · ".join(filter(None, (run.agent, run.model))) if run else "",
        "entries": [
            {"entry": entry, "marked": entry.call is not None and entry.call in marked}
            for entry in entries(run)
        ]
        if run
        else [],
        "calls": len(run.tool_calls) if run else 0,
    }


def _cut(text: str | None) -> str | None:
    return None if text is None else clipped(text, VALUE_LIMIT)


def _commands(
    case_id: str, all_runs: Sequence[Standing], record: TruthRecord | None
) -> list[tuple[str, str]]:
    commands = []
    failing = [standing.run for standing in all_runs if standing.outcome == "failed"]
    if failing:
        commands.append((f"assay why {case_id} --run {failing[0]}", "the same in a terminal"))
    if record is not None:
        commands.append((f"assay truth show {case_id}", "the record with all revisions"))
        dispute = f'assay dispute {case_id} --why "…"'
        commands.append((dispute, "if the label is wrong"))
    else:
        commands.append((f"assay new {case_id}", "write its first record"))
    return commands
