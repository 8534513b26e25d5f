"""Models made by hand for the tests of this room: a shop's refunds and a plant's upkeep.

Everything is plain data; only counts and intervals are computed, so that they agree.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

from assay.files.canonical import digest
from assay.models.case import Content, EvalCase, Invocation, Part, SessionInput
from assay.models.compiled import EffectiveTruth, Exclusion
from assay.models.finding import Finding, FindingReport
from assay.models.plan import ExecutionLink, ExecutionStep, Plan, PlanningStep
from assay.models.result import (
    CaseResult,
    ComponentResult,
    Context,
    Evidence,
    ExcludedCase,
    Outcome,
    Result,
    Subject,
    Tally,
    TrialRate,
)
from assay.models.run import ObservedRun, ObservedTurn, ToolCall
from assay.models.truth import (
    Criterion,
    Fact,
    RequiredTool,
    StateCheck,
    TruthRecord,
)

TODAY = "2026-11-30"
HASH = {letter: letter * 64 for letter in "0123456789abcdef"}
POLICIES = {"refunds": "refunds-v7", "shipping": "shipping-v3"}


# Findings


def findings() -> FindingReport:
    """The two printed examples of the design, equal ones, one without a file, a nasty one."""
    same = {
        "code": "TOL003",
        "severity": "warning",
        "message": "`get_order` is called by its old name.",
    }
    return FindingReport(
        findings=(
            Finding(
                code="FIL000",
                severity="note",
                message="Nothing to see here.",
                case_id="refund-0009",
            ),
            Finding(
                code="HIS004",
                severity="error",
                path="truth/records/shop/refund-0142.r0002.json",
                line=3,
                column=15,
                message="Revision 2 exists on main with other content (li, 2026-11-29).",
                hint="assay renumber refund-0142     yours becomes r0003; you both changed: facts",
                case_id="refund-0142",
                suite="shop",
            ),
            Finding(
                code="EXP001",
                severity="excludes",
                path="truth/records/shop/refund-0077.r0001.json",
                line=41,
                column=14,
                pointer="/expires",
                message="Expired on 2026-11-28, today is 2026-11-30. Gold: the gate loses it.",
                hint="assay renew refund-0077 --until 2027-05-28     must sign: omar",
                case_id="refund-0077",
                suite="shop",
            ),
            *(
                Finding.model_validate(
                    {
                        **same,
                        "path": f"truth/records/shop/refund-{n:04d}.r0001.json",
                        "line": 9,
                        "case_id": f"refund-{n:04d}",
                        "hint": f"assay truth show refund-{n:04d}",
                    }
                )
                for n in range(1, 6)
            ),
            Finding(
                code="REC005",
                severity="error",
                path="truth/records/shop/a, b:c%.json",
                line=1,
                message="Is \x1b[31mred\x1b[0m, rings \x07, turns \u202eback,\n<b>calls</b> @ana.",
                hint="write a title",
            ),
        ),
        checked={"records": 412, "cases": 118},
    )


EXPLANATIONS = {
    "EXP001": (
        "The label has expired.",
        "The label has expired.\n\nWhy it matters.\n\nHow to fix it.",
    ),
    "HIS004": ("A revision collides.", "A revision collides.\n\n``renumber`` puts yours on top."),
    "ZZZ001": ("Nothing of this kind.", "Nothing of this kind."),
}


# Cases


def case(case_id: str, *turns: str, state: Mapping[str, object] | None = None) -> EvalCase:
    return EvalCase(
        eval_id=case_id,
        conversation=tuple(
            Invocation(user_content=Content(role="user", parts=(Part(text=turn),)))
            for turn in turns
        ),
        session_input=SessionInput(state=dict(state)) if state else None,
    )


KETTLE = (
    "The kettle from order A-1017 leaks. I bought it three weeks ago, can I have my money back?"
)

CASES = (
    case(
        "refund-0142",
        KETTLE,
        state={"orders": {"A-1017": {"status": "delivered", "total": Decimal("41.90")}}},
    ),
    case(
        "refund-0031",
        "I never got order B-2203. What happens now?",
        "Then please cancel it and refund me.",
    ),
    case("refund-0077", "Refund the shipping cost of C-3001, it came two days late."),
    case("refund-0088", "My lamp broke after 14 months. Do I get anything back?"),
    case("refund-0101", "How long do I have to return a pair of shoes?"),
    case("refund-0105", "Please delete my account and refund everything I ever bought!"),
)

RECORDS: dict[str, tuple[TruthRecord, ...]] = {
    "refund-0142": (
        TruthRecord(
            case_id="refund-0142",
            revision=1,
            status="silver",
            change="new",
            rationale=("Within thirty days, faulty: a full refund.",),
            required_tools=("issue_refund",),
            policy_version="refunds-v6",
            drafted_by="model-m",
        ),
        TruthRecord(
            case_id="refund-0142",
            revision=2,
            status="gold",
            change="policy",
            rationale=(
                "Version 7 wants the order looked up before money moves.",
                "The amount is that of the order, shipping excluded.",
            ),
            clauses=("refunds-v7#3.2",),
            required_tools=(
                "find_order",
                RequiredTool(
                    tool="issue_refund",
                    args={
                        "order_id": "A-1017",
                        "amount": {"$number": "41.90", "tolerance": "0", "unit": "EUR"},
                    },
                    max=1,
                ),
            ),
            forbidden_tools=("issue_voucher",),
            order="in_order",
            facts=(Fact(id="amount", any_of=("41.90", "41,90 EUR")),),
            must_not_state=(Fact(id="days", any_of=("14 days",)),),
            rubric=(
                Criterion(id="tone", text="Is the answer polite?"),
                Criterion(id="blame", text="Does it blame the customer?", negate=True),
            ),
            state=(StateCheck(path="/orders/A-1017/status", equals="refunded"),),
            policy_version=("refunds-v7", "shipping-v3"),
            as_of="2026-09-18",
            expires="2026-12-18",
            labelers=("ana", "bo"),
            adjudicator="li",
        ),
    ),
    "refund-0031": (
        TruthRecord(
            case_id="refund-0031",
            revision=1,
            status="gold",
            change="new",
            rationale=("A lost parcel is cancelled, then refunded.",),
            required_tools=(
                RequiredTool(tool="cancel_order", args={"order_id": "B-2203"}, turn=1),
            ),
            max_calls={"issue_refund": 1},
            policy_version="refunds-v7",
            expires="2027-06-01",
            labelers=("ana", "cy"),
            adjudicator="li",
        ),
    ),
    "refund-0077": (
        TruthRecord(
            case_id="refund-0077",
            revision=1,
            status="gold",
            change="new",
            rationale=("Late delivery: shipping is refunded.",),
            acceptable_answers=("Yes, we refund 4.95 EUR", "4.95, in two days"),
            policy_version="refunds-v7",
            as_of="2026-05-28",
            expires="2026-11-28",
            labelers=("ana", "bo"),
            adjudicator="omar",
        ),
    ),
    "refund-0088": (
        TruthRecord(
            case_id="refund-0088",
            revision=1,
            status="disputed",
            change="dispute",
            rationale=("The warranty clause can be read in two ways.",),
            policy_version="refunds-v7",
        ),
    ),
    "refund-0101": (
        TruthRecord(
            case_id="refund-0101",
            revision=1,
            status="silver",
            change="new",
            rationale=("Thirty days, by clause 1.1.",),
            facts=(Fact(id="days", any_of=("30 days", "thirty days")),),
            policy_version="refunds-v7",
        ),
    ),
}

CLAUSES = {"refunds-v7#3.2": "A faulty item is refunded in full within thirty days of delivery."}


def plan_record() -> TruthRecord:
    return TruthRecord(
        case_id="upkeep-07",
        revision=1,
        status="gold",
        change="new",
        rationale=("Both readings are needed before the order is written.",),
        plan=Plan(
            planning_steps=(
                PlanningStep(agent="history", instruction="Find the last two failures of pump 4."),
            ),
            execution_steps=(
                ExecutionStep(
                    name="failures",
                    action="list_failures",
                    agent="history",
                    arguments={"asset": "P-4"},
                    outputs=("rows",),
                ),
                ExecutionStep(
                    name="order", action="write_order", agent="orders", arguments={"rows": "rows"}
                ),
            ),
            execution_links=(ExecutionLink(source="failures", target="order"),),
            characteristic_form="Names the seal.",
        ),
        order="plan",
        final_out={"part": "seal", "hours": Decimal("3.50")},
        max_calls={"write_order": 1},
        policy_version="facility-v2",
    )


# Verdicts


def line(
    run: str,
    case_id: str,
    outcome: Outcome,
    *components: ComponentResult,
    trial: int = 0,
    tags: Sequence[str] = (),
    notes: Sequence[str] = (),
    gates: bool = True,
    slice: str = "faulty item",
    revision: int = 1,
    status: str = "gold",
) -> CaseResult:
    return CaseResult.model_validate(
        {
            "run": run,
            "case_id": case_id,
            "trial": trial,
            "outcome": outcome,
            "components": components,
            "notes": notes,
            "tags": tags,
            "status": status,
            "revision": revision,
            "content_hash": HASH["c"],
            "gates": gates,
            "slice": slice,
            "cluster": case_id,
            "observed": HASH["d"],
        }
    )


def part(
    component: str, outcome: Outcome, *evidence: Evidence, decides: bool = True
) -> ComponentResult:
    return ComponentResult.model_validate(
        {"component": component, "outcome": outcome, "in_basis": decides, "evidence": evidence}
    )


HASTY_0142 = line(
    "hasty",
    "refund-0142",
    "failed",
    part(
        "trajectory",
        "failed",
        Evidence(
            kind="call_made",
            outcome="passed",
            pointer="/required_tools/1",
            call=0,
            message="`issue_refund` was called with the right arguments.",
        ),
        Evidence(
            kind="missing_call",
            outcome="failed",
            pointer="/required_tools/0",
            expected="find_order, once or more",
            observed="no call",
            message="`find_order` was never called.",
        ),
        Evidence(
            kind="forbidden_call",
            outcome="failed",
            pointer="/forbidden_tools/0",
            call=1,
            observed='issue_voucher {"value": 5}',
            message="`issue_voucher` is forbidden: attempted, blocked.",
        ),
    ),
    part(
        "outcome",
        "passed",
        Evidence(
            kind="fact_stated",
            outcome="passed",
            pointer="/facts/0",
            turn=0,
            expected="41.90",
            observed="refunded 41.90 EUR",
            message="The answer states the amount.",
        ),
    ),
    part(
        "rubric",
        "not_evaluated",
        Evidence(
            kind="verdict_missing",
            outcome="not_evaluated",
            pointer="/rubric/0",
            message="Nobody has judged `tone` on this run.",
        ),
        decides=False,
    ),
    tags=("missing_step", "forbidden_call"),
    notes=("One call more than needed.",),
    revision=2,
)

RUNS = ("oracle", "careful", "hasty", "rule-breaker", "do-nothing")


def simple(run: str, case_id: str, outcome: Outcome, **more: object) -> CaseResult:
    words = {
        "passed": "Everything that was asked for was seen.",
        "failed": "`cancel_order` was never called.",
        "not_evaluated": "No verdict is recorded for `tone`.",
        "error": "The tool server did not answer.",
    }
    evidence = Evidence(
        kind="seen", outcome=outcome, pointer="/required_tools/0", message=words[outcome]
    )
    return line(run, case_id, outcome, part("trajectory", outcome, evidence), **more)  # type: ignore[arg-type]


def refund_lines() -> list[CaseResult]:
    verdicts: dict[str, dict[str, Outcome]] = {
        "oracle": {"refund-0142": "passed", "refund-0031": "passed", "refund-0101": "passed"},
        "careful": {
            "refund-0142": "passed",
            "refund-0031": "not_evaluated",
            "refund-0101": "passed",
        },
        "hasty": {"refund-0142": "failed", "refund-0031": "failed", "refund-0101": "passed"},
        "rule-breaker": {"refund-0142": "failed", "refund-0031": "error"},
        "do-nothing": {"refund-0142": "failed", "refund-0031": "failed", "refund-0101": "failed"},
    }
    lines = []
    for run, cases in verdicts.items():
        for case_id, outcome in cases.items():
            if (run, case_id) == ("hasty", "refund-0142"):
                lines.append(HASTY_0142)
                continue
            asks = "question" if case_id == "refund-0101" else "faulty item"
            lines.append(
                simple(
                    run,
                    case_id,
                    outcome,
                    slice=asks,
                    gates=case_id != "refund-0101",
                    status="silver" if case_id == "refund-0101" else "gold",
                    revision=2 if case_id == "refund-0142" else 1,
                    tags=("missing_step",) if outcome == "failed" else (),
                )
            )
    return lines


EXCLUDED = (
    ExcludedCase(
        case_id="refund-0077",
        codes=("EXP001",),
        reasons=("Expired on 2026-11-28, today is 2026-11-30.",),
        status="gold",
    ),
    ExcludedCase(
        case_id="refund-0088",
        codes=("STA001",),
        reasons=("The record is disputed.",),
        status="disputed",
    ),
    ExcludedCase(case_id="refund-0105", codes=("STA002",), reasons=("No truth record.",)),
)


# Results


def wilson(passed: float, total: int) -> tuple[float | None, float | None]:
    if not total:
        return None, None
    z, p = 1.959963984540054, passed / total
    centre = (p + z * z / (2 * total)) / (1 + z * z / total)
    half = z * math.sqrt(p * (1 - p) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return max(0.0, centre - half), min(1.0, centre + half)


def tally(
    passed: int = 0,
    failed: int = 0,
    not_evaluated: int = 0,
    errored: int = 0,
    excluded: int = 0,
    unmatched: int = 0,
    cases: int | None = None,
) -> Tally:
    evaluated = passed + failed
    open_ = not_evaluated + errored + unmatched
    number = evaluated if cases is None else cases
    rate = passed / evaluated if evaluated else None
    low, high = wilson((rate or 0) * number, number)
    whole = evaluated + open_
    return Tally(
        expected=whole + excluded,
        passed=passed,
        failed=failed,
        not_evaluated=not_evaluated,
        errored=errored,
        excluded=excluded,
        unmatched=unmatched,
        evaluated=evaluated,
        incomplete=bool(open_),
        pass_rate=rate,
        worst=passed / whole if whole else None,
        best=(passed + open_) / whole if whole else None,
        wilson_low=low,
        wilson_high=high,
        standard_error=None,
        cases=number,
        clusters=number,
    )


def tally_of(lines: Iterable[CaseResult], excluded: int = 0, unmatched: int = 0) -> Tally:
    kept = list(lines)
    counts = {
        o: sum(x.outcome == o for x in kept) for o in ("passed", "failed", "not_evaluated", "error")
    }
    return tally(
        counts["passed"],
        counts["failed"],
        counts["not_evaluated"],
        counts["error"],
        excluded,
        unmatched,
    )


def context(suite: str, truth: str = HASH["8"], **more: object) -> Context:
    policies = POLICIES if suite in ("shop", "refunds") else {"facility": "facility-v2"}
    data = {
        "suite": suite,
        "truth": truth,
        "cases": HASH["1"],
        "policies": policies,
        "scorer": HASH["2"],
        "weights": {"outcome": Decimal("0.5")},
        "split": HASH["3"],
        "verdicts": HASH["4"],
        "rename_map": HASH["5"],
    }
    return Context.model_validate({**data, **more})


def result(
    run: str,
    suite: str,
    overall: Tally,
    *,
    lines: Sequence[CaseResult] = (),
    excluded: Sequence[ExcludedCase] = (),
    unmatched: Sequence[str] = (),
    exploratory: bool = False,
    trials: int = 1,
    rates: Sequence[TrialRate] = (),
    today: str = TODAY,
    about: Context | None = None,
    unknown: Mapping[str, Sequence[str]] | None = None,
) -> Result:
    about = about or context(suite)
    slices = sorted({x.slice for x in lines})
    tags = sorted(tag for x in lines for tag in x.tags)
    components: dict[str, dict[str, int]] = {}
    for x in lines:
        for item in x.components:
            counts = components.setdefault(item.component, {})
            counts[item.outcome] = counts.get(item.outcome, 0) + 1
    key = [run, suite, exploratory, about.model_dump(mode="python")]
    return Result(
        id=digest(key)[:8],  # type: ignore[arg-type]
        exploratory=exploratory,
        engine="0.3.1",
        today=today,
        subject=Subject(
            run=run, run_digest=HASH["7"], agent=f"{run}-agent", model="model-m", trials=trials
        ),
        context=about,
        scored_set=HASH["6"],
        overall=overall,
        by_slice={name: tally_of(x for x in lines if x.slice == name) for name in slices},
        by_category={},
        by_status={},
        gating=tally_of(x for x in lines if x.gates),
        trials=tuple(rates),
        components=components,
        tags={tag: tags.count(tag) for tag in tags},
        excluded=tuple(excluded),
        unmatched=tuple(unmatched),
        unknown_cases={key: tuple(value) for key, value in (unknown or {}).items()},
    )


def refund_results() -> list[Result]:
    lines = refund_lines()
    made = []
    for run in RUNS:
        own = [x for x in lines if x.run == run]
        missing = ["refund-0101"] if run == "rule-breaker" else []
        made.append(
            result(
                run,
                "shop",
                tally_of(own, excluded=len(EXCLUDED), unmatched=len(missing)),
                lines=own,
                excluded=EXCLUDED,
                unmatched=missing,
            )
        )
    return made


def printed_results() -> list[Result]:
    """The numbers of the example that the design prints."""
    shown = {
        "refunds": (118, 14, {"oracle": 118, "hasty": 62, "do-nothing": 0}),
        "facility": (40, 6, {"oracle": 40, "hasty": 21, "do-nothing": 0}),
        "telemetry": (360, 0, {"oracle": 360, "hasty": 158, "do-nothing": 0}),
    }
    kinds = {
        "refunds": [
            ("EXP001", "gold", 6),
            ("STA001", "disputed", 4),
            ("STA002", "draft", 3),
            ("CAS001", "gold", 1),
        ],
        "facility": [("EXP001", "gold", 2), ("STA001", "disputed", 1), ("STA002", "draft", 3)],
        "telemetry": [],
    }
    made = []
    for suite, (cases, excluded, passed) in shown.items():
        left_out = []
        for code, status, number in kinds[suite]:
            for _ in range(number):
                left_out.append(
                    ExcludedCase.model_validate(
                        {
                            "case_id": f"{suite[:-1]}-{len(left_out):04d}",
                            "codes": (code,),
                            "reasons": ("…",),
                            "status": status,
                        }
                    )
                )
        assert len(left_out) == excluded
        for run, good in passed.items():
            overall = tally(good, cases - good, excluded=excluded)
            made.append(result(run, suite, overall, excluded=left_out))
    return made


# Truth


def refund_truth() -> list[EffectiveTruth]:
    made = []
    for item in CASES:
        revisions = RECORDS.get(item.eval_id, ())
        record = revisions[-1] if revisions else None
        left_out = next((x for x in EXCLUDED if x.case_id == item.eval_id), None)
        gates = record is not None and record.status == "gold" and left_out is None
        made.append(
            EffectiveTruth(
                suite="shop",
                case_id=item.eval_id,
                record=record,
                content_hash=HASH["c"] if record else None,
                exclusions=tuple(
                    Exclusion(code=code, reason=reason)
                    for code, reason in zip(left_out.codes, left_out.reasons, strict=True)
                )
                if left_out
                else (),
                gates=gates,
                not_gating=() if gates or left_out else ("silver",),
            )
        )
    return made


def gated(suite: str, gating: int, cases: int, reason: str = "silver") -> list[EffectiveTruth]:
    """A suite with so many cases, of which some gate."""
    record = RECORDS["refund-0101"][0]
    return [
        EffectiveTruth(
            suite=suite,
            case_id=f"{suite}-{number}",
            record=record,
            content_hash=HASH["c"],
            gates=number < gating,
            not_gating=() if number < gating else (reason,),
        )
        for number in range(cases)
    ]


# Runs


OBSERVED_HASTY = ObservedRun(
    run="hasty",
    case_id="refund-0142",
    agent="hasty-agent",
    model="model-m",
    turns=(
        ObservedTurn(
            user=KETTLE,
            tool_calls=(
                ToolCall(
                    name="issue_refund",
                    server="shop",
                    args={"order_id": "A-1017", "amount": Decimal("41.90")},
                    outcome="ok",
                    result={"id": "R-1", "state": "done"},
                ),
                ToolCall(
                    name="issue_voucher",
                    args={"value": 5},
                    outcome="blocked",
                    error="not allowed for this agent",
                ),
            ),
            answer="I have refunded 41.90 EUR.\n\nIs there anything else?",
        ),
    ),
    final_answer="I have refunded 41.90 EUR.\n\nIs there anything else?",
    final_state={"orders": {"A-1017": {"status": "refunded"}}},
    unknown=("cost", "tokens"),
)

OBSERVED_NOTHING = ObservedRun(
    run="do-nothing",
    case_id="refund-0142",
    turns=(ObservedTurn(user="The kettle from order A-1017 leaks."),),
)
