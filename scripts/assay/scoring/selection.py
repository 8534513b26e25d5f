"""Which cases and trials are scored, and why the others are not."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

from assay.errors import InputError, RefusedError
from assay.models.compiled import EffectiveTruth, Exclusion
from assay.models.result import ExcludedCase
from assay.models.run import ObservedRun
from assay.models.truth import SCORABLE, Status

NOT_SELECTED: Final = "not_selected"
"""Stands in place of a finding's code where the command did not ask for the case's status."""

_SHOWN = 10


def is_about_status(exclusion: Exclusion) -> bool:
    """Whether a case is excluded for nothing but the status of its record."""
    return exclusion.code == "STA001"


@dataclass(frozen=True)
class Selection:
    """What a command asks for."""

    statuses: tuple[Status, ...] = SCORABLE
    """Statuses of records that are scored."""
    only: tuple[str, ...] = ()
    """Case ids or patterns with ``*`` and ``?``; all cases when empty."""
    repeat: int | None = None
    """How many trials are taken, the first ones; all when None."""
    allow_empty: bool = False
    """Whether a selection without anything to score is a result and not a refusal."""
    about_status: Callable[[Exclusion], bool] = is_about_status
    """Tells the exclusions that asking for a status lifts."""

    @property
    def exploratory(self) -> bool:
        """Whether records are scored that nobody has reviewed."""
        return any(status not in SCORABLE for status in self.statuses)


REVIEWED: Final = Selection()
"""Every case with a reviewed record, in all trials."""


@dataclass(frozen=True)
class Chosen:
    """The cases of a suite, told apart."""

    scorable: tuple[EffectiveTruth, ...]
    """Cases with valid truth, by id."""
    excluded: tuple[ExcludedCase, ...]
    """Cases without, by id."""


def choose(truths: Iterable[EffectiveTruth], selection: Selection) -> Chosen:
    """Tell scorable cases from excluded ones.

    Raises:
        RefusedError: the suite has no cases, the filter fits none, or none is scorable; unless
            an empty selection is allowed.
    """
    every = sorted(truths, key=lambda truth: truth.case_id)
    if not every:
        _refuse(selection, "The suite has no cases.", "assay new CASE")
    if selection.repeat is not None and selection.repeat < 1:
        _refuse(
            selection,
            f"`--repeat {selection.repeat}` selects nothing.",
            "write --repeat 1 or more, or leave it out",
        )
    asked = [truth for truth in every if _fits(truth.case_id, selection.only)]
    if every and not asked:
        _refuse(
            selection,
            f"No case fits --only {' '.join(selection.only)}.",
            _nearest(selection.only, [truth.case_id for truth in every]),
        )
    scorable: list[EffectiveTruth] = []
    excluded: list[ExcludedCase] = []
    for truth in asked:
        reasons = _reasons(truth, selection)
        if reasons:
            excluded.append(
                ExcludedCase(
                    case_id=truth.case_id,
                    codes=tuple(code for code, _ in reasons),
                    reasons=tuple(reason for _, reason in reasons),
                    status=truth.record.status if truth.record else None,
                )
            )
        else:
            scorable.append(truth)
    if asked and not scorable:
        _refuse(
            selection,
            f"None of {len(asked)} cases can be scored: {_told(excluded)}.",
            "--allow-empty takes it as it is; assay check says more",
        )
    return Chosen(tuple(scorable), tuple(excluded))


def _fits(case_id: str, patterns: Sequence[str]) -> bool:
    return not patterns or any(
        case_id == pattern or fnmatchcase(case_id, pattern) for pattern in patterns
    )


def _reasons(truth: EffectiveTruth, selection: Selection) -> list[tuple[str, str]]:
    record = truth.record
    asked_for = record is not None and record.status in selection.statuses
    reasons = [
        (exclusion.code, exclusion.reason)
        for exclusion in truth.exclusions
        if not (asked_for and selection.about_status(exclusion))
    ]
    if reasons:
        return reasons
    if record is None:
        return [(NOT_SELECTED, "The case has no truth record.")]
    if not asked_for:
        return [(NOT_SELECTED, f"Status {record.status} was not asked for.")]
    return []


def _told(excluded: Sequence[ExcludedCase]) -> str:
    parts = [f"{case.case_id}: {' '.join(case.reasons).rstrip('.')}" for case in excluded[:_SHOWN]]
    if len(excluded) > _SHOWN:
        parts.append(f"and {len(excluded) - _SHOWN} more")
    return "; ".join(parts)


def _nearest(patterns: Sequence[str], known: Sequence[str]) -> str:
    near = [name for pattern in patterns for name in nearest(pattern, known)]
    if near:
        return f"did you mean {', '.join(dict.fromkeys(near))}?"
    return f"cases are called {', '.join(known[:3])}{' …' if len(known) > 3 else ''}"


def nearest(name: str, known: Sequence[str], count: int = 3) -> tuple[str, ...]:
    """The known names that are most like one that is not known, best first."""
    return tuple(difflib.get_close_matches(name, known, count, cutoff=0.5))


def _refuse(selection: Selection, message: str, hint: str) -> None:
    if not selection.allow_empty:
        raise RefusedError(message, hint=hint)


# -- trials -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Trials:
    """The entries of a run that are scored."""

    numbers: tuple[int, ...]
    """Numbers of the trials that are taken."""
    by_case: Mapping[str, Mapping[int, ObservedRun]]
    """Case id to trial to what was observed, for known cases only."""
    unknown: Mapping[str, tuple[str, ...]]
    """Case ids that nobody knows, with the nearest known ones."""


def trials_of(
    observed: Iterable[ObservedRun],
    known: Sequence[str],
    elsewhere: frozenset[str],
    repeat: int | None,
) -> Trials:
    """The entries of a run by case and trial.

    Args:
        observed: all entries of the run, in any order.
        known: case ids of the suite.
        elsewhere: case ids of other suites, which are passed over in silence.
        repeat: how many trials are taken, the first ones; all when None.

    Raises:
        InputError: two entries for one trial of one case.
    """
    by_case: dict[str, dict[int, ObservedRun]] = {}
    strange: set[str] = set()
    ids = frozenset(known)
    for entry in observed:
        if entry.case_id not in ids:
            if entry.case_id not in elsewhere:
                strange.add(entry.case_id)
            continue
        entries = by_case.setdefault(entry.case_id, {})
        if entry.trial in entries:
            raise InputError(
                f"The run `{entry.run}` has two entries for case {entry.case_id}, trial "
                f"{entry.trial}.",
                hint="give each repetition its own trial number, or drop one",
            )
        entries[entry.trial] = entry
    numbers = sorted({trial for entries in by_case.values() for trial in entries})
    return Trials(
        tuple(numbers if repeat is None else numbers[: max(repeat, 0)]),
        by_case,
        {name: nearest(name, known) for name in sorted(strange)},
    )
