"""The three levels of one run on one case: paths compared, the best one taken, levels weighed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction

from assay.models.levels import Level, Levels, LevelScore, Measure
from assay.models.params import Weights
from assay.models.plan import PlanningStep
from assay.models.result import ComponentResult
from assay.scoring.compiled import CompiledRecord
from assay.scoring.levels import outcome
from assay.scoring.levels.agents import Agents
from assay.scoring.levels.efficiency import efficiency
from assay.scoring.levels.faults import faults_of
from assay.scoring.levels.flow import Flow
from assay.scoring.levels.paths import paths_of
from assay.scoring.levels.planning import planning
from assay.scoring.levels.process import Process, process
from assay.scoring.levels.steps import PathSteps
from assay.scoring.matchers import Sight
from assay.scoring.observed import SeenRun

_BROKEN = "the harness failed"


def weighed(
    values: Mapping[Level, Fraction | None], weights: Mapping[Level, Fraction]
) -> tuple[Fraction | None, dict[Level, Fraction]]:
    """The weighted mean over the levels that have a value, and the weights that were in force.

    Weights of levels without a value are spread over the others in proportion; where those weigh
    nothing, there is no mean.
    """
    total = sum(
        (weights[level] for level, value in values.items() if value is not None), Fraction()
    )
    if not total:
        return None, {}
    force = {level: weights[level] / total for level, value in values.items() if value is not None}
    return sum((force[level] * (values[level] or 0) for level in force), Fraction()), force


class LevelJudge:
    """A record with a plan, made ready to be compared with runs."""

    def __init__(self, truth: CompiledRecord, weights: Weights) -> None:
        """Read all paths of the plan."""
        self.truth = truth
        self.weights: dict[Level, Fraction] = {
            "outcome": Fraction(Decimal(weights.outcome)),
            "process": Fraction(Decimal(weights.process)),
            "planning": Fraction(Decimal(weights.planning)),
        }
        plan = truth.record.plan
        assert plan is not None
        paths, self.notes = paths_of(plan)
        self.paths = tuple(PathSteps(path, truth) for path in paths)
        self.planning: tuple[PlanningStep, ...] = plan.planning_steps

    def judge(self, components: Sequence[ComponentResult], seen: SeenRun, sight: Sight) -> Levels:
        """The levels of one run; nothing is evaluated where the harness failed."""
        agents, flow = Agents(seen), Flow(seen)
        blind = "tool_calls" in seen.unknown
        broken = bool(seen.run.infrastructure_errors)
        best: Process | None = None
        if not (blind or broken):
            for steps in self.paths:
                made = process(steps, seen, sight, agents, flow)
                if best is None or made.value > best.value:
                    best = made
        path = best.steps if best else (self.paths[0] if self.paths else None)
        scores = {
            "outcome": self._outcome(components, path, seen, sight, broken),
            "process": self._process(best, broken),
            "planning": self._planning(path, seen, broken),
        }
        values: dict[Level, Fraction | None] = {name: part[0] for name, part in scores.items()}  # type: ignore[misc]
        score, force = weighed(values, self.weights)
        return Levels(
            score=None if score is None else float(score),
            path=path.path.name if path else "plan",
            levels=tuple(
                LevelScore(
                    level=level,
                    value=None if (value := values[level]) is None else float(value),
                    weight=float(force[level]) if level in force else None,
                    message=scores[level][1],
                    measures=scores[level][2],
                )
                for level in values
            ),
            efficiency=efficiency(best, seen) if best else None,
            faults=tuple(
                faults_of(self.truth, best, components, seen, agents, flow) if best else ()
            ),
            notes=tuple(self.notes),
        )

    def _outcome(
        self,
        components: Sequence[ComponentResult],
        path: PathSteps | None,
        seen: SeenRun,
        sight: Sight,
        broken: bool,
    ) -> tuple[Fraction | None, str, tuple[Measure, ...]]:
        if broken:
            return None, _message(_BROKEN), ()
        parts = {
            "y1": outcome.completeness(self.truth, components),
            "y2": outcome.retrieval(self.truth, path, seen, sight),
            "y3": outcome.verification(self.truth, components, seen, sight),
        }
        known = {name: part.value for name, part in parts.items() if part.value is not None}
        measures = tuple(_measure(name, part.value, part.message) for name, part in parts.items())
        if not known:
            return None, "None of y1, y2 and y3 could be evaluated.", measures
        mean = sum(known.values(), Fraction()) / len(known)
        return mean, f"The mean of {_listed(list(known))}.", measures

    def _process(
        self, best: Process | None, broken: bool
    ) -> tuple[Fraction | None, str, tuple[Measure, ...]]:
        if broken:
            return None, _message(_BROKEN), ()
        if not self.paths:
            return None, "The plan has no execution steps.", ()
        if best is None:
            return None, "The run's format does not carry tool calls.", ()
        done, total = len(best.present), len(best.expected)
        measures = (
            _measure("sequence", best.sequence, "1 − edit distance of the actions / the longer"),
            _measure("node_f1", best.node_f1, f"{done} of {total} steps, {len(best.extra)} more"),
            _measure(
                "edge_f1",
                best.edge_f1,
                f"{len(best.links) - self._lost(best)} of {len(best.links)} links",
            ),
            _measure(
                "completeness", best.completeness, f"{done} of {total} steps were carried out"
            ),
            _measure(
                "step_graph",
                (best.node_f1 + best.edge_f1) / 2,
                "the mean of node_f1 and edge_f1",
                counts=False,
            ),
        )
        return best.value, "The mean of sequence, node_f1, edge_f1 and completeness.", measures

    def _lost(self, best: Process) -> int:
        there = set(best.present)
        absent = sum(a not in there or b not in there for a, b in best.links)
        return absent + len(best.broken)

    def _planning(
        self, path: PathSteps | None, seen: SeenRun, broken: bool
    ) -> tuple[Fraction | None, str, tuple[Measure, ...]]:
        expected = (path.path.plan.planning_steps if path else ()) or self.planning
        if broken:
            return None, _message(_BROKEN), ()
        if not expected:
            return None, "The plan has no planning steps.", ()
        if "planning_steps" in seen.unknown:
            return None, "The run's format does not carry planning steps.", ()
        if not seen.run.planning_steps:
            return Fraction(0), "There is nothing to compare: the run has no planning steps.", ()
        found = planning(expected, seen.run.planning_steps)
        if found.empty:
            return Fraction(0), f"There is nothing to compare: {found.empty} has no words.", ()
        scores = found.scores
        measures = (
            _measure("rouge_l", scores.rouge_l.f1, "F1 of the longest common subsequence"),
            _measure("rouge_1", scores.rouge1.f1, "F1 of single words", counts=False),
            _measure("rouge_2", scores.rouge2.f1, "F1 of pairs of words", counts=False),
            _measure(
                "agent_selection",
                found.agents,
                "the run's plan names no agents"
                if found.agents is None
                else f"steps of {len(expected)} that the right agent was given",
                counts=False,
            ),
            _measure(
                "step_coverage",
                found.coverage,
                f"steps of {len(expected)} of which the run's plan has half the words",
                counts=False,
            ),
        )
        return scores.rouge_l.f1, "ROUGE-L between the plans in words.", measures


def _measure(name: str, value: Fraction | None, message: str, *, counts: bool = True) -> Measure:
    return Measure(
        name=name,
        value=None if value is None else float(value),
        counts=counts,
        message=_message(message),
    )


def _message(words: str) -> str:
    return words[0].upper() + words[1:] + ("" if words.endswith(".") else ".")


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
