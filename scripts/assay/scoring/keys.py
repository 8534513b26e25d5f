"""What a result is a result of: subject, context, and the id that names it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from assay.files.canonical import digest
from assay.files.model_text import plain
from assay.ledger.hashes import case_digest
from assay.models.base import JsonValue
from assay.models.case import EvalCase
from assay.models.result import CaseResult, Context, Subject
from assay.models.run import ObservedRun

ID_LENGTH = 8


def subject_of(
    run: str, results: Sequence[CaseResult], entries: Sequence[ObservedRun], trials: int
) -> Subject:
    """What was measured.

    Args:
        run: name of the run.
        results: verdicts of the entries that were scored, in any order.
        entries: these entries, in any order.
        trials: number of trials.
    """
    rows: list[JsonValue] = [
        [result.case_id, result.trial, result.observed]
        for result in sorted(results, key=lambda result: (result.case_id, result.trial))
    ]
    agents = {entry.agent for entry in entries}
    models = {entry.model for entry in entries}
    return Subject(
        run=run,
        run_digest=digest(rows),
        agent=agents.pop() if len(agents) == 1 else None,
        model=models.pop() if len(models) == 1 else None,
        trials=trials,
    )


def cases_digest(cases: Mapping[str, EvalCase]) -> str:
    """SHA-256 over the sorted digests of a suite's cases."""
    return digest([[name, case_digest(cases[name])] for name in sorted(cases)])


def set_digest(case_ids: Iterable[str]) -> str:
    """SHA-256 of a set of case ids."""
    return digest(sorted(set(case_ids)))


def result_id(subject: Subject, context: Context, scored_set: str, exploratory: bool) -> str:
    """Eight characters that name a result; another subject, context or set has another name."""
    return digest([plain(subject), plain(context), scored_set, exploratory])[:ID_LENGTH]
