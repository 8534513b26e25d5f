"""Whether an agent became worse: the gate, over values that are at hand.

Only cases that gate take part. The test is the exact one of `difference`, two-sided, corrected by
Holm over the suite and its slices together. What cannot be judged is refused, and a refusal goes
before a failure: "you broke it" and "the benchmark shrank" are never the same answer.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction

from assay.comparing.alike import WORDS, Unlike
from assay.comparing.difference import measure_passed, measure_slices
from assay.comparing.pairs import Pairing, pair
from assay.comparing.sides import Side
from assay.comparing.whole import compared_side
from assay.ledger.days import days_between
from assay.models.comparison import Measure, SliceMeasure
from assay.models.gate import Decision, GateCase, GateReport, Refusal
from assay.statistics.multiple import holm

STALE_AFTER = 7
"""Days that `today` may lag behind the last commit."""

AGREE = 2
"""Other runs that must fail a case alike before its label is suspected."""


@dataclass(frozen=True)
class Asked:
    """What is judged, and by which rules."""

    suite: str
    """The suite."""
    run: Side
    """The run, over all cases."""
    baseline: Side
    """The baseline."""
    gating: frozenset[str]
    """Cases that may block, of those that were selected."""
    alive: int
    """Cases of the suite that are not retired."""
    all_gating: int
    """Cases of the suite that may block, selected or not: for coverage."""
    today: str
    """The day."""
    commit_day: str | None
    """Day of the last commit of the benchmark; none without git."""
    alpha: Decimal
    """Level of the test."""
    floor: Decimal | None = None
    """Coverage under which it refuses."""
    required: frozenset[str] = frozenset()
    """Cases that must pass on their own."""
    owners: Mapping[str, str] = field(default_factory=dict)
    """Case to its owner."""
    evidence: Mapping[str, str] = field(default_factory=dict)
    """Case to the deciding evidence of the run's verdict."""
    peers: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Case to the other stored runs that fail it, and those with a verdict on it."""
    quarantined: tuple[str, ...] = ()
    """Cases that do not gate for a time."""
    unmeasured: bool = False
    """Whether slices gate although agreement was not measured."""
    allow_empty: bool = False
    """Whether nothing to judge is fine."""
    unlike: Sequence[Unlike] = ()
    """What differs in what the two were measured against."""
    again: str = "assay gate"
    """The command as it was typed, without ``--regrade`` and ``--allow-empty``."""
    prefix: str = "assay"
    """How any command on this benchmark begins."""
    other_baseline: str = ""
    """Another baseline of the suite, to be typed; empty where there is none."""


def decide(asked: Asked) -> GateReport:
    """Judge a run against a baseline."""
    run, baseline = (_only(side, asked.gating) for side in (asked.run, asked.baseline))
    pairing = pair(baseline, run)
    overall, slices = _tested(pairing, asked.alpha)
    refusals = _refusals(asked, run, pairing)
    worse = [*(["overall"] if overall.conclusion == "worse" else [])]
    worse += [item.slice for item in slices if item.measure.conclusion == "worse"]
    failures = _failures(asked, run, baseline)
    failed = bool(worse) or any(case.required for case in failures)
    decision: Decision = "refuses" if refusals else "fails" if failed else "passes"
    return GateReport(
        decision=decision,
        exit_code=3 if refusals else 1 if failed else 0,
        suite=asked.suite,
        today=asked.today,
        alpha=float(asked.alpha),
        run=compared_side(run),
        baseline=compared_side(baseline),
        gating=len(asked.gating),
        alive=asked.alive,
        coverage=asked.all_gating / asked.alive if asked.alive else None,
        floor=float(asked.floor) if asked.floor is not None else None,
        overall=overall,
        slices=tuple(slices),
        refusals=tuple(refusals),
        worse=tuple(worse),
        failures=tuple(failures),
        improved=tuple(sorted(_moved(run, baseline, better=True))),
        left_out=pairing.left_out,
        quarantined=tuple(sorted(asked.quarantined)),
        unmeasured=asked.unmeasured,
        remarks=tuple(_remarks(asked)),
    )


def _only(side: Side, cases: Collection[str]) -> Side:
    return replace(
        side,
        cases={name: case for name, case in side.cases.items() if name in cases},
        excluded={name: why for name, why in side.excluded.items() if name in cases},
        unmatched=tuple(name for name in side.unmatched if name in cases),
    )


def _tested(pairing: Pairing, alpha: Decimal) -> tuple[Measure, list[SliceMeasure]]:
    """The measures, with p-values that Holm corrects over the suite and its slices together."""
    overall = measure_passed(pairing, alpha=alpha)
    slices = measure_slices(pairing.pairs, alpha=alpha)
    raw = [overall.p, *(item.measure.p for item in slices)]
    adjusted = holm([1.0 if p is None else p for p in raw])
    return (
        _corrected(overall, adjusted[0], alpha),
        [
            SliceMeasure(slice=item.slice, measure=_corrected(item.measure, p, alpha))
            for item, p in zip(slices, adjusted[1:], strict=True)
        ],
    )


def _corrected(measure: Measure, p: float, alpha: Decimal) -> Measure:
    """The measure with its corrected p-value; what was significant only without it is not."""
    update: dict[str, object] = {"adjusted": p}
    if measure.conclusion in ("better", "worse") and p >= alpha:
        update["conclusion"] = "no_difference_shown"
        update["why"] = f"After Holm a split like this comes by chance at the level of {alpha}."
    return measure.model_copy(update=update)


def _refusals(asked: Asked, run: Side, pairing: Pairing) -> list[Refusal]:
    found: list[Refusal] = []
    differs = {item.part: item for item in asked.unlike}
    if "status" in differs:
        found.append(
            Refusal(
                kind="exploratory",
                message="Drafts were scored; such a result never gates.",
                who="whoever made the result",
                hint=f"{asked.again} --regrade",
            )
        )
    elif differs:
        told = "; ".join(f"{WORDS[item.part]} {item.a} and {item.b}" for item in asked.unlike)
        found.append(
            Refusal(
                kind="other_context",
                message=f"Run and baseline were not measured alike: {told}.",
                who="whoever chose the baseline",
                hint=_alike(asked, differs.keys()),
            )
        )
    if asked.commit_day is not None:
        behind = days_between(asked.today, asked.commit_day)
        if behind > STALE_AFTER:
            found.append(
                Refusal(
                    kind="stale",
                    message=f"`today` is {asked.today}, {behind} days before the last commit"
                    f" ({asked.commit_day}): what has expired since would still count.",
                    who="a maintainer of the benchmark",
                    hint=f"{asked.prefix} fmt today --to {asked.commit_day}",
                )
            )
    found += _shrunk(asked)
    if not asked.gating:
        if not asked.allow_empty:
            found.append(
                Refusal(
                    kind="nothing_selected",
                    message="No case that gates was selected.",
                    who="whoever set up the gate",
                    hint=f"{asked.again} --allow-empty  (where that is meant)",
                )
            )
        return found
    found += _silent(asked, run)
    if not pairing.pairs and not found:
        found.append(
            Refusal(
                kind="no_pairs",
                message="No gating case has a verdict on both sides.",
                who="whoever chose the baseline",
                hint=_alone(asked),
            )
        )
    return found


def _alike(asked: Asked, parts: Collection[str]) -> str:
    """The command that makes two sides alike; another suite stays another one."""
    if not {"suite", "context"} & set(parts):
        return f"{asked.again} --regrade"
    return asked.other_baseline or _alone(asked)


def _alone(asked: Asked) -> str:
    name = shlex.quote(asked.run.name)
    return f"{asked.prefix} score --runs {name}  (shows what is excluded, and why)"


def _beside(asked: Asked) -> str:
    names = " ".join(shlex.quote(side.name) for side in (asked.baseline, asked.run))
    return f"{asked.prefix} compare {names} --suite {asked.suite}"


def _why(asked: Asked, case_id: str) -> str:
    return f"{asked.prefix} why {case_id} --run {shlex.quote(asked.run.name)}"


def _shrunk(asked: Asked) -> list[Refusal]:
    if asked.floor is None or not asked.alive:
        return []
    if Fraction(asked.all_gating, asked.alive) >= Fraction(asked.floor):
        return []
    share, floor = (
        f"{float(value * 100):.1f}" for value in (
            Fraction(asked.all_gating, asked.alive), Fraction(asked.floor)
        )
    )  # fmt: skip
    return [
        Refusal(
            kind="coverage",
            message=f"The benchmark shrank: {asked.all_gating} of {asked.alive} cases gate"
            f" ({share} %), and the floor is {floor} %.",
            who="the owners of what is excluded",
            hint=f"{asked.prefix} check",
        )
    ]


def _silent(asked: Asked, run: Side) -> list[Refusal]:
    """Gating cases on which the run says nothing: it must not pass for lack of an answer."""
    found: list[Refusal] = []
    absent = sorted(name for name in asked.gating if name not in run.cases)
    if absent:
        found.append(
            Refusal(
                kind="no_entry",
                message=f"The run has no entry for {len(absent)} gating"
                f" case{'' if len(absent) == 1 else 's'}.",
                who="whoever ran the agent",
                hint=f"{_beside(asked)}  (judges what both have, and lists the rest)",
                cases=tuple(absent),
            )
        )
    mute = sorted(
        name
        for name, case in run.cases.items()
        if "error" in case.outcomes or "not_evaluated" in case.outcomes
    )
    if mute:
        errors = sum("error" in run.cases[name].outcomes for name in mute)
        found.append(
            Refusal(
                kind="no_verdict",
                message=f"{len(mute)} gating case{'' if len(mute) == 1 else 's'} without a verdict:"
                f" {errors} errored, {len(mute) - errors} not evaluated.",
                who="whoever ran the agent, or recorded the verdicts",
                hint=_why(asked, mute[0]),
                cases=tuple(mute),
            )
        )
    return found


def _moved(run: Side, baseline: Side, *, better: bool) -> list[str]:
    found = []
    for name, case in run.cases.items():
        before = baseline.cases[name].share if name in baseline.cases else None
        if before is None or case.share is None or before == case.share:
            continue
        if (case.share > before) == better:
            found.append(name)
    return found


def _failures(asked: Asked, run: Side, baseline: Side) -> list[GateCase]:
    names = set(_moved(run, baseline, better=False))
    for name in asked.required:
        case = run.cases.get(name)
        if case is not None and case.share is not None and case.share < 1:
            names.add(name)
    found = []
    for name in sorted(names):
        case = run.cases[name]
        assert case.share is not None
        before = baseline.cases[name].share if name in baseline.cases else None
        agree, others = asked.peers.get(name, (0, 0))
        found.append(
            GateCase(
                case_id=name,
                slice=case.slice,
                owner=asked.owners.get(name),
                required=name in asked.required and case.share < 1,
                before=None if before is None else float(before),
                after=float(case.share),
                why=asked.evidence.get(name, ""),
                hint=_why(asked, name),
                agree=agree,
                others=others,
                suspected=agree >= AGREE and 2 * agree > others,
            )
        )
    return found


def _remarks(asked: Asked) -> list[str]:
    found = []
    if asked.commit_day is None:
        found.append("There is no git history here: whether `today` is stale cannot be told.")
    if asked.unmeasured:
        found.append("Agreement between labelers was not measured; slices gate all the same.")
    return found
