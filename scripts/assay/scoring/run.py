"""All entries of a run against the truth of a suite: case results and what they come to."""

from __future__ import annotations

import contextlib
import gc
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from assay import __version__
from assay.errors import RefusedError
from assay.models.case import CaseAttributes, EvalCase, Suite
from assay.models.compiled import EffectiveTruth
from assay.models.result import CaseResult, Context, Result, Tally
from assay.models.run import ObservedRun
from assay.scoring.case import Scorer
from assay.scoring.keys import result_id, set_digest, subject_of
from assay.scoring.levels.aggregates import plan_scores
from assay.scoring.selection import REVIEWED, Chosen, Selection, Trials, choose, trials_of
from assay.scoring.tally import CaseTrials, tally, trial_rates
from assay.scoring.verdicts import VerdictIndex

NONE = "(none)"
"""Stands for a slice, category or status that a case does not have."""


@dataclass(frozen=True)
class SuiteTruth:
    """Everything that the runs of a suite are scored against."""

    suite: Suite
    """Attributes, reference date and language."""
    truths: Sequence[EffectiveTruth]
    """The record that counts for every case, or why there is none."""
    cases: Mapping[str, EvalCase]
    """Case id to case."""
    scorer: Scorer
    """Rename map, language and the identity of models."""
    context: Context
    """What the results are made under."""
    today: str
    """The day that the truth was resolved for."""
    verdicts: VerdictIndex = field(default_factory=VerdictIndex)
    """Recorded verdicts."""
    elsewhere: frozenset[str] = frozenset()
    """Case ids of other suites; a run may hold entries for them."""

    def attributes(self, case_id: str) -> CaseAttributes | None:
        """Attributes of a case."""
        return self.suite.cases.get(case_id)

    def reference_date(self, case_id: str) -> str | None:
        """The day that relative dates of a case refer to."""
        own = self.suite.cases.get(case_id)
        return (own.reference_date if own else None) or self.suite.reference_date


@contextlib.contextmanager
def _collector_paused() -> Iterator[None]:
    """Results are many small objects without cycles; to look at them again costs a third more."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@_collector_paused()
def score_run(
    run: str,
    observed: Iterable[ObservedRun],
    against: SuiteTruth,
    selection: Selection = REVIEWED,
) -> tuple[list[CaseResult], Result]:
    """Score a run.

    Args:
        run: name of the run.
        observed: its entries, in any order: one for each case and trial.
        against: the suite's truth.
        selection: which statuses, cases and trials are asked for.

    Returns:
        Case results by case id and trial, and the result.

    Raises:
        RefusedError: nothing was selected, or the run has no entry for any scorable case.
        InputError: two entries for one trial of one case.
    """
    chosen = choose(against.truths, selection)
    known = [truth.case_id for truth in against.truths]
    trials = trials_of(observed, known, against.elsewhere, selection.repeat)
    results = [
        _score(truth, trials.by_case[truth.case_id][number], against)
        for truth in chosen.scorable
        for number in trials.numbers
        if number in trials.by_case.get(truth.case_id, {})
    ]
    if chosen.scorable and not results and not selection.allow_empty:
        strange = "; ".join(
            f"{name} (near: {', '.join(near)})" if near else name
            for name, near in list(trials.unknown.items())[:5]
        )
        raise RefusedError(
            f"The run `{run}` has no entry for any of {len(chosen.scorable)} scorable cases"
            + (
                f"; it names {len(trials.unknown)} that the suite does not have: {strange}."
                if strange
                else "."
            ),
            hint="--allow-empty takes it as it is; `assay truth show` lists the cases; "
            "`assay runs import FILE --case-id-from MAP.csv` renames those of a file",
        )
    return results, _result(run, results, chosen, trials, against, selection)


def _score(truth: EffectiveTruth, entry: ObservedRun, against: SuiteTruth) -> CaseResult:
    name = truth.case_id
    return against.scorer.score(
        truth,
        against.cases.get(name),
        against.attributes(name),
        against.reference_date(name),
        entry,
        against.verdicts.of_run(name, entry.run, entry.trial),
    )


@dataclass(frozen=True)
class _Row:
    """A case with what it is grouped by."""

    trials: CaseTrials
    slice: str
    category: str
    status: str
    gates: bool


def _result(
    run: str,
    results: Sequence[CaseResult],
    chosen: Chosen,
    trials: Trials,
    against: SuiteTruth,
    selection: Selection,
) -> Result:
    rows = _rows(results, chosen, against)
    entries = [trials.by_case[result.case_id][result.trial] for result in results]
    subject = subject_of(run, results, entries, len(trials.numbers))
    scored_set = set_digest(truth.case_id for truth in chosen.scorable)
    return Result(
        id=result_id(subject, against.context, scored_set, selection.exploratory),
        exploratory=selection.exploratory,
        engine=__version__,
        today=against.today,
        subject=subject,
        context=against.context,
        scored_set=scored_set,
        overall=tally(row.trials for row in rows),
        by_slice=_grouped(rows, lambda row: row.slice),
        by_category=_grouped(rows, lambda row: row.category),
        by_status=_grouped(rows, lambda row: row.status),
        gating=tally(row.trials for row in rows if row.gates),
        trials=trial_rates(row.trials for row in rows),
        components=_components(results),
        tags=dict(sorted(Counter(tag for result in results for tag in result.tags).items())),
        excluded=chosen.excluded,
        unmatched=tuple(row.trials.case_id for row in rows if row.trials.unmatched),
        unknown_cases=dict(trials.unknown),
        plans=plan_scores(results, against.attributes),
    )


def _rows(results: Sequence[CaseResult], chosen: Chosen, against: SuiteTruth) -> list[_Row]:
    outcomes: dict[str, list[CaseResult]] = {}
    for result in results:
        outcomes.setdefault(result.case_id, []).append(result)
    rows: list[_Row] = []
    for truth in chosen.scorable:
        assert truth.record is not None
        mine = outcomes.get(truth.case_id, [])
        rows.append(
            _row(
                against.attributes(truth.case_id),
                truth.case_id,
                truth.record.status,
                truth.gates,
                tuple(result.outcome for result in mine),
                0 if mine else 1,
                False,
            )
        )
    rows += [
        _row(
            against.attributes(case.case_id), case.case_id, case.status or NONE, False, (), 0, True
        )
        for case in chosen.excluded
    ]
    return sorted(rows, key=lambda row: row.trials.case_id)


def _row(
    attributes: CaseAttributes | None,
    case_id: str,
    status: str,
    gates: bool,
    outcomes: tuple[str, ...],
    unmatched: int,
    excluded: bool,
) -> _Row:
    return _Row(
        CaseTrials(
            case_id,
            (attributes.template if attributes else None) or case_id,
            outcomes,  # type: ignore[arg-type]
            unmatched,
            excluded,
        ),
        attributes.slice if attributes else NONE,
        (attributes.category if attributes else None) or NONE,
        status,
        gates,
    )


def _grouped(rows: Sequence[_Row], key: Callable[[_Row], str]) -> dict[str, Tally]:
    groups: dict[str, list[CaseTrials]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row.trials)
    return {name: tally(groups[name]) for name in sorted(groups)}


def _components(results: Iterable[CaseResult]) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = {}
    for result in results:
        for part in result.components:
            counts.setdefault(part.component, Counter())[part.outcome] += 1
    return {name: dict(sorted(counts[name].items())) for name in sorted(counts)}
