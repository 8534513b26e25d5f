"""The sentences of a decision, the same in every format."""

from __future__ import annotations

from assay.models.comparison import Measure
from assay.models.gate import GateCase, GateReport
from assay.reporting.comparison.phrases import points, probability, visible
from assay.reporting.words import count

HEADS = {
    "passes": "passes",
    "fails": "fails, the agent became worse",
    "refuses": "no judgement, the benchmark has to change and not the agent",
}

_INCOMPLETE = ("no_entry", "no_verdict")
_UNFAIR = ("other_context", "no_pairs", "nothing_selected", "exploratory")


def headline(report: GateReport) -> str:
    """The decision in one line."""
    head = HEADS[report.decision]
    if report.decision == "fails" and not report.worse:
        head = "fails, a case that must pass does not"
    if report.refusals and report.refusals[0].kind in _INCOMPLETE:
        head = "no judgement, the run is incomplete"
    if report.refusals and report.refusals[0].kind in _UNFAIR:
        head = "no judgement, this is no fair comparison"
    return f"{report.run.name} against {report.baseline.name} on {report.suite}: {head}"


def acting(report: GateReport) -> str:
    """Who has to act."""
    if report.refusals:
        return report.refusals[0].who
    if report.decision == "fails":
        suspected = [case for case in report.failures if case.suspected]
        if suspected and len(suspected) == len(report.failures):
            return "the owners of the labels: other agents fail the same cases"
        return "whoever changed the agent"
    return "nobody"


def measured(measure: Measure) -> str:
    """Rates, difference, split and p-value."""
    if measure.a is None or measure.b is None:
        return "no case has a verdict on both sides"
    p = probability(measure.adjusted)
    return (
        f"{measure.a * 100:.1f} → {measure.b * 100:.1f}, {points(measure.difference)} points on"
        f" {count(measure.cases, 'case')}; {measure.lower} worse, {measure.higher} better; {p}"
        " after Holm"
    )


def shows(report: GateReport) -> str:
    """The smallest gap that the set can show."""
    return visible(report.overall.gap) if report.overall.gap is not None else ""


def coverage(report: GateReport) -> str:
    """How much of the suite may block."""
    if report.coverage is None:
        return "no cases"
    floor = f", floor {report.floor * 100:g} %" if report.floor is not None else ""
    share = f"{report.coverage * 100:.1f} %{floor}"
    return f"{report.gating} gating cases of {report.alive} ({share})"


def counted(report: GateReport) -> str:
    """What left the test, by standing; empty where nothing did."""
    if not report.left_out:
        return ""
    kinds: dict[str, int] = {}
    for item in report.left_out:
        for side, standing in (("run", item.b), ("baseline", item.a)):
            if standing != "evaluated":
                key = f"{standing.replace('_', ' ')} in the {side}"
                kinds[key] = kinds.get(key, 0) + 1
    told = ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items()))
    return f"{count(len(report.left_out), 'case')} left the test: {told}"


def failed(case: GateCase) -> str:
    """What became of one case."""
    before = "no verdict" if case.before is None else _share(case.before)
    words = f"{before} → {_share(case.after)}"
    if case.required:
        words += ", must pass"
    if case.suspected:
        words += f"; {case.agree} of {case.others} other runs fail it: label suspected"
    return words


def _share(value: float) -> str:
    return {1.0: "passed", 0.0: "failed"}.get(value, f"{value * 100:.0f} % of trials")
