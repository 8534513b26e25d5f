"""The planning level: the plan in words against what the run says that it planned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from assay.models.plan import PlanningStep
from assay.models.run import ObservedPlanStep
from assay.scoring.levels.agents import short
from assay.scoring.levels.assignment import heaviest
from assay.scoring.levels.rouge import Scores, rouge, rouge_l
from assay.scoring.levels.words import words

COVERED: Final = Fraction(1, 2)
"""ROUGE-L recall from which on a planning step counts as covered."""
_MOST_PAIRS: Final = 40_000
"""Pairs of planning steps that are compared; beyond, steps are paired by their place."""


@dataclass(frozen=True)
class Planning:
    """How near the two plans are."""

    scores: Scores
    """ROUGE over the whole texts; ROUGE-L is the level."""
    agents: Fraction | None
    """Steps given to the right agent ÷ steps; none where the run names no agent."""
    coverage: Fraction
    """Steps that the run's plan covers ÷ steps."""
    empty: str
    """Which of the plans has no words, so that there is nothing to compare; empty where neither."""


def planning(expected: Sequence[PlanningStep], observed: Sequence[ObservedPlanStep]) -> Planning:
    """Compare plans in words.

    The text of a plan is its instructions, one after the other. Steps are paired one to one by
    the largest total ROUGE-L F1, of equal ones by the same agent.
    """
    scores = rouge(
        "\n".join(step.instruction for step in expected),
        "\n".join(step.instruction for step in observed),
    )
    ours = [words(step.instruction) for step in expected]
    theirs = [words(step.instruction) for step in observed]
    pairs = _pairs(expected, observed, ours, theirs)
    named = any(step.agent for step in observed)
    right = sum(_same(expected[i].agent, observed[j].agent) for i, j in pairs.items())
    covered = sum(rouge_l(ours[i], theirs[j]).recall >= COVERED for i, j in pairs.items())
    return Planning(
        scores,
        Fraction(right, len(expected)) if named else None,
        Fraction(covered, len(expected)),
        "" if any(ours) and any(theirs) else "the run's plan" if any(ours) else "the plan",
    )


def _same(agent: str, other: str | None) -> bool:
    return other is not None and short(agent) == short(other)


def _pairs(
    expected: Sequence[PlanningStep],
    observed: Sequence[ObservedPlanStep],
    ours: Sequence[Sequence[str]],
    theirs: Sequence[Sequence[str]],
) -> dict[int, int]:
    if len(ours) * len(theirs) > _MOST_PAIRS:
        return {i: i for i in range(min(len(ours), len(theirs)))}
    scale = 1_000_000
    table: list[dict[int, int]] = []
    for i, mine in enumerate(ours):
        row: dict[int, int] = {}
        for j, other in enumerate(theirs):
            # To a millionth, so that weights stay small; it only says which step is which.
            near = int(rouge_l(mine, other).f1 * scale)
            same = _same(expected[i].agent, observed[j].agent)
            # Of equal ones those that keep the order: squares are smallest without crossing.
            size = (len(ours) + len(theirs)) ** 2 + 1
            row[j] = (2 * near + same) * size * (len(ours) + 1) + size - (i - j) ** 2
        table.append(row)
    return heaviest(table)
