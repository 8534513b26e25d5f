"""Rubric: recorded verdicts of persons and judge models, replayed.

A missing, unreadable or failed verdict is *not evaluated*; it is never turned into its opposite
for a negative criterion, and never left out of a majority.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from assay.models.result import Evidence
from assay.models.truth import Criterion
from assay.models.verdict import Verdict
from assay.scoring.build import evidence
from assay.scoring.compiled import CompiledRecord
from assay.scoring.observed import SeenRun

SameModel = Callable[[str, str], bool]
"""Whether two names mean one model."""


def judge(
    truth: CompiledRecord,
    seen: SeenRun,
    verdicts: Mapping[str, Sequence[Verdict]],
    same_model: SameModel,
) -> list[Evidence]:
    """Reasons in the order of the record's criteria.

    Args:
        truth: the record.
        seen: the run.
        verdicts: criterion to everything that was recorded for this case, run and trial.
        same_model: judges that are the candidate or drafted the label are refused.
    """
    return [
        _criterion(
            f"/rubric/{i}", criterion, verdicts.get(criterion.id, ()), truth, seen, same_model
        )
        for i, criterion in enumerate(truth.record.rubric)
    ]


def _criterion(
    pointer: str,
    criterion: Criterion,
    recorded: Sequence[Verdict],
    truth: CompiledRecord,
    seen: SeenRun,
    same_model: SameModel,
) -> Evidence:
    def piece(kind: str, outcome: str, message: str, observed: str | None = None) -> Evidence:
        wanted = f"not {criterion.labels[0]}" if criterion.negate else criterion.labels[0]
        return evidence(
            kind,
            outcome,  # type: ignore[arg-type]
            pointer,
            message,
            expected=f"{criterion.text} {wanted}",
            observed=observed,
        )

    if not recorded:
        return piece(
            "verdict_missing",
            "not_evaluated",
            f"No verdict on `{criterion.id}` is recorded for this run.",
        )
    current = [v for v in recorded if v.observed is None or v.observed == seen.digest]
    if not current:
        return piece(
            "verdict_of_another_answer",
            "not_evaluated",
            f"The verdict on `{criterion.id}` was recorded for another answer.",
        )
    persons = [v for v in current if v.judge_kind == "person"]
    trusted = persons or [v for v in current if not _circular(v, truth, seen, same_model)]
    if not trusted:
        return piece("judge_refused", "not_evaluated", _refusal(current[0], truth, seen, criterion))
    label, told = _decided(trusted, criterion)
    if label is None:
        return piece(
            "verdict_unusable", "not_evaluated", f"`{criterion.id}` is undecided: {told}.", told
        )
    met = label == criterion.labels[0]
    good = met is not criterion.negate
    reason = next((v.reason for v in trusted if v.reason and _read(v, criterion) == label), None)
    return piece(
        "criterion_met" if good else "criterion_not_met",
        "passed" if good else "failed",
        f"`{criterion.id}` is {'' if good else 'not '}satisfied: {told}.",
        f"{label}: {reason}" if reason else label,
    )


def _circular(
    verdict: Verdict, truth: CompiledRecord, seen: SeenRun, same_model: SameModel
) -> bool:
    """Whether the judge is the candidate or drafted the label, or either is not named."""
    candidate, drafter = seen.run.model, truth.record.drafted_by
    if not candidate or not candidate.strip() or not verdict.judge.strip():
        return True
    return same_model(verdict.judge, candidate) or (
        drafter is not None and same_model(verdict.judge, drafter)
    )


def _refusal(verdict: Verdict, truth: CompiledRecord, seen: SeenRun, criterion: Criterion) -> str:
    candidate = seen.run.model
    if not candidate or not candidate.strip():
        return (
            f"The verdict of {verdict.judge} on `{criterion.id}` is refused: the run does not "
            "name its model, so the judge may be the candidate."
        )
    return (
        f"The verdict of {verdict.judge} on `{criterion.id}` is refused: the judge is the "
        f"candidate ({candidate}) or drafted the label ({truth.record.drafted_by or 'nobody'})."
    )


def _read(verdict: Verdict, criterion: Criterion) -> str | None:
    """The criterion's label that a verdict is; none when it is missing or unreadable."""
    if verdict.error is not None or verdict.verdict is None:
        return None
    return verdict.verdict if verdict.verdict in criterion.labels else None


def _decided(verdicts: Sequence[Verdict], criterion: Criterion) -> tuple[str | None, str]:
    """The label that most judges gave, each by most of its repeats, and how it came about."""
    by_judge: dict[str, dict[int, set[str | None]]] = {}
    for verdict in verdicts:
        repeats = by_judge.setdefault(verdict.judge, {})
        repeats.setdefault(verdict.repeat, set()).add(_read(verdict, criterion))
    votes: dict[str, str | None] = {}
    told: list[str] = []
    for judge_name in sorted(by_judge):
        repeats = by_judge[judge_name]
        # A repeat that was recorded with two different verdicts says nothing.
        said = [labels.pop() if len(labels) == 1 else None for labels in repeats.values()]
        votes[judge_name] = _majority(said)
        told.append(f"{judge_name} {_tally(said)}")
    return _majority(list(votes.values())), ", ".join(told)


def _majority(labels: Sequence[str | None]) -> str | None:
    """The label of more than half of all; a missing one counts in the half, never for a label."""
    label, count = Counter(labels).most_common(1)[0]
    return label if label is not None and 2 * count > len(labels) else None


def _tally(labels: Sequence[str | None]) -> str:
    counts = Counter("no verdict" if label is None else label for label in labels)
    if len(labels) == 1:
        return f"said {next(iter(counts))}" if labels[0] is not None else "gave no verdict"
    return "said " + ", ".join(f"{label} ×{n}" for label, n in sorted(counts.items()))
