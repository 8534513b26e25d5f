"""The levels over many case results: means by what the cases and their failures share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from assay.models.case import CaseAttributes
from assay.models.levels import LEVELS, Levels, PlanGroup, PlanScores
from assay.models.result import CaseResult

NONE = "(none)"
"""Stands for a type, category, group or paradigm that a case does not have."""


def plan_scores(
    results: Sequence[CaseResult], attributes: Callable[[str], CaseAttributes | None]
) -> PlanScores | None:
    """Overall and by group; None where no result has levels."""
    planned = [result for result in results if result.levels is not None]
    if not planned:
        return None

    def by(name: str) -> dict[str, PlanGroup]:
        return _grouped(
            (getattr(attributes(result.case_id), name, None) or NONE, result) for result in planned
        )

    return PlanScores(
        overall=plan_group(planned),
        by_type=by("type"),
        by_category=by("category"),
        by_group=by("group"),
        by_paradigm=by("paradigm"),
        by_tag=_grouped((tag, result) for result in planned for tag in result.tags),
    )


def _grouped(pairs: Iterable[tuple[str, CaseResult]]) -> dict[str, PlanGroup]:
    groups: dict[str, list[CaseResult]] = {}
    for name, result in pairs:
        groups.setdefault(name, []).append(result)
    return {name: plan_group(groups[name]) for name in sorted(groups)}


def plan_group(results: Sequence[CaseResult]) -> PlanGroup:
    """Counts and means over case results; their order does not matter."""
    passed = sum(result.outcome == "passed" for result in results)
    failed = sum(result.outcome == "failed" for result in results)
    values: dict[str, list[float]] = {name: [] for name in ("score", *LEVELS, "step_ratio")}
    for result in results:
        if result.levels is not None:
            for name, value in _values(result.levels).items():
                if value is not None:
                    values[name].append(value)
    means = {name: _mean(found) for name, found in values.items()}
    return PlanGroup(
        results=len(results),
        passed=passed,
        failed=failed,
        pass_rate=passed / (passed + failed) if passed + failed else None,
        score=means["score"],
        outcome=means["outcome"],
        process=means["process"],
        planning=means["planning"],
        step_ratio=means["step_ratio"],
        evaluated={name: len(found) for name, found in values.items()},
    )


def _values(levels: Levels) -> dict[str, float | None]:
    found: dict[str, float | None] = {"score": levels.score}
    found.update({part.level: part.value for part in levels.levels})
    found["step_ratio"] = levels.efficiency.step_ratio if levels.efficiency else None
    return found


def _mean(values: Sequence[float]) -> float | None:
    """Exact in between, so that no order changes the last digit."""
    if not values:
        return None
    return float(sum(map(Fraction, values), Fraction()) / len(values))
