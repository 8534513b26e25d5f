"""What a revision rests on and does: the case, its clauses, the stored runs, who must sign.

Only this case is checked and scored, so that it costs little in a repository of any size.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from assay.checks.compiling import compile_truth, stops
from assay.checks.runner import run_checks, world_of
from assay.errors import AssayError, RefusedError
from assay.ledger.editing import Draft
from assay.ledger.layout import RUNS
from assay.ledger.lifecycle import SIGNERS, row_for
from assay.ledger.policies import applies_from
from assay.ledger.policy_texts import cited_clauses
from assay.ledger.repository import Repository
from assay.models.case import EvalCase
from assay.models.finding import Finding
from assay.models.result import CaseResult
from assay.pipeline.direct import Judged, score_files
from assay.reporting.amendment import Amendment, CaseLook, RunStanding
from assay.reporting.judging import deciding
from assay.scoring.selection import Selection

MOST_BYTES = 64_000_000
"""Stored runs of a suite that together are larger are not scored before a revision is written."""

NOT_SCORED = "not scored"
_GRAVITY = ("failed", "error", "not_evaluated", "passed")
_SEVERITIES = ("error", "warning")


def with_drafts(repository: Repository, drafts: Iterable[Draft]) -> Repository:
    """The repository as it will be."""
    records = (*repository.records, *(draft.stored for draft in drafts))
    ordered = sorted(records, key=lambda stored: (stored.suite, stored.case_id, stored.revision))
    return replace(repository, records=tuple(ordered))


def preview(
    repository: Repository,
    draft: Draft,
    *,
    case: EvalCase | None = None,
    after: Repository | None = None,
    notes: Sequence[str] = (),
) -> Amendment:
    """Everything that is shown before a revision is written.

    Args:
        repository: as it is.
        draft: the revision.
        case: the case, where it is written together with the revision.
        after: the repository with the revision; made here where absent.
        notes: what else should be known, in sentences.
    """
    case_id, record = draft.record.case_id, draft.record
    today = repository.params.model.today
    first = applies_from(repository.policies.model, record)
    day = max(today, first or today)
    then = judged_case(after or with_drafts(repository, [draft]), case_id, day)
    now = judged_case(repository, case_id, today) if draft.previous is not None else None
    stored = repository.cases.get(case_id)
    asked = case or (stored.case if stored else None)
    words = cited_clauses(repository.root, repository.policies.model, record.clauses)
    runs, unscored = _runs(repository.root, draft.suite, case_id, now, then)
    signs, signers, missing = must_sign(repository, draft)
    return Amendment(
        draft=draft,
        question=asked.user_text if asked else "",
        clauses={clause: words.get(clause, "") for clause in record.clauses},
        day=day,
        today=today,
        before=_standing(now, case_id) if now else "",
        after=_standing(then, case_id),
        signs=signs,
        signers=signers,
        missing=missing,
        findings=_findings(then, draft),
        runs=runs,
        unscored=unscored,
        notes=tuple(notes),
    )


def look(repository: Repository, case_id: str) -> CaseLook:
    """A case as it stands: what is shown before a question about it is asked."""
    today = repository.params.model.today
    revisions = repository.revisions.get(case_id, ())
    record = revisions[-1].record if revisions else None
    stored = repository.cases.get(case_id)
    suite = revisions[-1].suite if revisions else stored.suite if stored else ""
    clauses = record.clauses if record else ()
    words = cited_clauses(repository.root, repository.policies.model, clauses)
    now = judged_case(repository, case_id, today)
    runs, unscored = _runs(repository.root, suite, case_id, now, now) if record else ((), "")
    said = f"revision {record.revision}, {record.status}" if record else "no record"
    return CaseLook(
        head=f"{case_id}  ({suite})  {said}",
        question=stored.case.user_text if stored else "",
        clauses={clause: words.get(clause, "") for clause in clauses},
        rationale=tuple(record.rationale) if record else (),
        standing=_standing(now, case_id) if record else "",
        runs=runs,
        unscored=unscored,
    )


def judged_case(repository: Repository, case_id: str, day: str) -> Judged:
    """One case on a day, checked and compiled."""
    report = run_checks(repository, today=day, only=[case_id])
    world = world_of(repository, today=day, only=[case_id])
    return Judged(world, report, compile_truth(world, report))


def _standing(judged: Judged, case_id: str) -> str:
    entry = judged.compiled.entry(case_id)
    if entry is None:
        return "in no suite"
    if entry.exclusions:
        reasons = dict.fromkeys(item.reason.rstrip(".") for item in entry.exclusions)
        return f"not scored ({'; '.join(reasons)})"
    if entry.gates:
        return "scored, and gates"
    return f"scored, and does not gate ({'; '.join(entry.not_gating)})"


def _findings(judged: Judged, draft: Draft) -> tuple[Finding, ...]:
    return tuple(
        finding
        for finding in judged.report.findings
        if finding.severity in _SEVERITIES and finding.path == draft.path
    )


def must_sign(repository: Repository, draft: Draft) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Who must sign for a revision, in words; whose names it carries for that; who is missing."""
    row = row_for(draft.previous, draft.record, repository.names)
    if row is None:
        return "", (), ()
    record = draft.record
    needed = {"two_and_adjudicator": 2, "labeler_and_adjudicator": 1, "adjudicator": 0}
    if row.signs not in needed:
        return SIGNERS[row.signs], (), ()
    labelers = record.labelers if needed[row.signs] else ()
    named = [*labelers, *([record.adjudicator] if record.adjudicator else [])]
    missing = []
    short = needed[row.signs] - len(set(labelers))
    if short > 0:
        missing.append("a labeler" if short == 1 else "two labelers")
    if record.adjudicator is None:
        missing.append("an adjudicator")
    return SIGNERS[row.signs], tuple(dict.fromkeys(named)), tuple(missing)


def _runs(
    root: Path, suite: str, case_id: str, now: Judged | None, then: Judged
) -> tuple[tuple[RunStanding, ...], str]:
    """Every stored run of the suite on the case, now and then; or why they are not scored."""
    files = sorted((root / RUNS / suite).glob("*.jsonl"))
    if not files:
        return (), ""
    size = sum(file.stat().st_size for file in files)
    if size > MOST_BYTES:
        return (), f"{size // 1_000_000:,} MB: not scored here; assay diff shows what moves"
    try:
        before = _lines(now, files, case_id, suite) if now is not None else {}
        after = _lines(then, files, case_id, suite)
    except AssayError as error:
        return (), f"cannot be scored: {error.message}"
    return tuple(
        _standing_of(run, before.get(run, []), after.get(run, []))
        for run in sorted({*before, *after})
    ), ""


def _lines(
    judged: Judged, files: Sequence[Path], case_id: str, suite: str
) -> dict[str, list[CaseResult]]:
    blocking = stops(judged.report)
    if blocking:
        raise RefusedError(f"{blocking[0].code} {blocking[0].message}")
    # A draft is scored as well: who writes one wants to know what it makes of the runs.
    selection = Selection(("draft", "silver", "gold"), only=(case_id,), allow_empty=True)
    found: dict[str, list[CaseResult]] = {}
    for scored in score_files(judged, files, selection, suite=suite):
        mine = [line for line in scored.lines if line.case_id == case_id]
        if mine or any(entry.case_id == case_id for entry in scored.observed):
            found[scored.result.subject.run] = mine
    return found


def _standing_of(
    run: str, before: Sequence[CaseResult], after: Sequence[CaseResult]
) -> RunStanding:
    was, now = _gravest(before), _gravest(after)
    reason = reason_of(now) if now is not None else reason_of(was) if was is not None else ""
    return RunStanding(
        run=run,
        before=was.outcome if was else NOT_SCORED,
        after=now.outcome if now else NOT_SCORED,
        reason=reason,
        passed_before=sum(line.outcome == "passed" for line in before),
        trials=max(len(before), 1),
    )


def _gravest(lines: Sequence[CaseResult]) -> CaseResult | None:
    return min(lines, key=lambda line: _GRAVITY.index(line.outcome), default=None)


def reason_of(line: CaseResult) -> str:
    """The evidence that decided against a run, with what was wanted and seen; empty for a pass."""
    decided = deciding(line)
    if not decided or line.outcome == "passed":
        return ""
    item = decided[0]
    words = item.message
    for name, value in (("wanted", item.expected), ("seen", item.observed)):
        if value and value not in words:
            words += f" {name.capitalize()}: {value[:160]}"
    return words
