"""A suite of many cases and five runs, made by arithmetic: for sizes, and to look at."""

from __future__ import annotations

from decimal import Decimal

from assay.models.case import EvalCase
from assay.models.compiled import EffectiveTruth, Exclusion
from assay.models.result import CaseResult, ExcludedCase, Outcome, Result, TrialRate
from assay.models.run import ObservedRun, ObservedTurn, ToolCall
from assay.models.truth import Fact, RequiredTool, StateCheck, TruthRecord
from assay.reporting.html import ReportInput, SuiteInput
from tests.reporting import examples as e

THINGS = (
    "kettle",
    "lamp",
    "pair of shoes",
    "rain jacket",
    "desk chair",
    "headset",
    "blender",
    "rug",
)
TROUBLES = (
    ("faulty item", "My {} from order {} broke after {} days. Can I have my money back?"),
    ("late delivery", "The {} of order {} came {} days late. Will you refund the shipping?"),
    ("change of mind", "I do not like the {} from order {}; it has been {} days. May I return it?"),
    ("lost parcel", "Where is my {}? Order {} was sent {} days ago, and nothing has come."),
)
STATUSES = ("gold", "gold", "gold", "silver")
GOOD = {"oracle": 100, "careful": 83, "hasty": 52, "rule-breaker": 34, "do-nothing": 0}


def _question(number: int) -> tuple[str, str, str]:
    kind, words = TROUBLES[number % 4]
    order = f"{'ABCD'[number % 4]}-{1000 + 37 * number % 9000}"
    return kind, words.format(THINGS[number * 5 % 8], order, 2 + number * 7 % 39), order


def _record(number: int, case_id: str, order: str) -> TruthRecord:
    status = STATUSES[number * 3 % 4]
    if number % 16 == 5:
        status = "disputed"
    if number % 16 == 9:
        status = "draft"
    return TruthRecord.model_validate(
        {
            "case_id": case_id,
            "revision": 2 if number % 5 == 0 else 1,
            "status": status,
            "change": "policy" if number % 5 == 0 else "new",
            "rationale": (
                "The clause gives a full refund while the item is inside its thirty days.",
                "The order is looked up first, so that the amount is that of the order.",
            ),
            "clauses": ("refunds-v7#3.2",),
            "required_tools": (
                "find_order",
                RequiredTool(
                    tool="issue_refund",
                    args={"order_id": order, "amount": {"$number": "41.90", "unit": "EUR"}},
                    max=1,
                ),
            ),
            "forbidden_tools": ("issue_voucher",),
            "facts": (Fact(id="amount", any_of=("41.90", "41,90 EUR")),),
            "state": (StateCheck(path=f"/orders/{order}/status", equals="refunded"),),
            "policy_version": "refunds-v7",
            "as_of": "2026-09-18",
            "expires": f"2027-0{1 + number % 6}-1{number % 9}",
            "labelers": ("ana", "bo") if number % 3 else ("cy", "bo"),
            "adjudicator": "li",
        }
    )


def _outcome(run: str, number: int, trial: int) -> Outcome:
    score = (number * 61 + trial * 29 + len(run) * 17) % 100
    if run == "rule-breaker" and number % 23 == 7:
        return "error"
    if run == "careful" and number % 19 == 4:
        return "not_evaluated"
    return "passed" if score < GOOD[run] else "failed"


def _line(
    run: str, number: int, trial: int, case_id: str, kind: str, truth: TruthRecord
) -> CaseResult:
    outcome = _outcome(run, number, trial)
    first = {
        "passed": ("call_made", "`find_order` was called before money moved."),
        "failed": ("missing_call", "`find_order` was never called."),
        "not_evaluated": ("negation", "“not refunded” stands near the amount: not evaluated."),
        "error": ("infrastructure", "The tool server did not answer."),
    }[outcome]
    stated: Outcome = "passed" if outcome == "passed" else outcome
    return e.line(
        run,
        case_id,
        outcome,
        e.part(
            "trajectory",
            outcome,
            e.Evidence(
                kind=first[0],
                outcome=outcome,
                pointer="/required_tools/0",
                call=0 if outcome == "passed" else None,
                expected="find_order, once or more",
                observed="no call" if outcome == "failed" else None,
                message=first[1],
            ),
            e.Evidence(
                kind="call_made",
                outcome="passed",
                pointer="/required_tools/1",
                call=1,
                message="`issue_refund` was called with the right arguments.",
            ),
        ),
        e.part(
            "outcome",
            "passed" if outcome != "not_evaluated" else stated,
            e.Evidence(
                kind="fact_stated",
                outcome="passed",
                pointer="/facts/0",
                turn=0,
                observed="refunded 41.90 EUR",
                message="The answer states the amount.",
            ),
        ),
        trial=trial,
        tags=("missing_step", "wrong_order")[: 1 + number % 2] if outcome == "failed" else (),
        gates=truth.status == "gold",
        slice=kind,
        revision=truth.revision,
        status=truth.status,
    )


def _observed(
    run: str, number: int, trial: int, case_id: str, question: str, order: str
) -> ObservedRun:
    refund = ToolCall(
        name="issue_refund",
        server="shop",
        args={"order_id": order, "amount": Decimal("41.90")},
        outcome="ok",
        result={"id": f"R-{number}", "state": "done"},
    )
    look = ToolCall(
        name="find_order",
        args={"order_id": order},
        outcome="ok",
        result={"order_id": order, "total": Decimal("41.90"), "status": "delivered"},
    )
    calls = (look, refund) if _outcome(run, number, trial) == "passed" else (refund,)
    answer = "I have refunded 41.90 EUR. It is on your account within five days."
    return ObservedRun(
        run=run,
        case_id=case_id,
        trial=trial,
        agent=f"{run}-agent",
        model="model-m",
        turns=(ObservedTurn(user=question, tool_calls=calls, answer=answer),),
        final_answer=answer,
    )


def many(cases: int = 64, *, trials: int = 1, suite: str = "shop", title: str = "") -> SuiteInput:
    """A whole suite."""
    asked: list[EvalCase] = []
    truths: list[EffectiveTruth] = []
    revisions: dict[str, tuple[TruthRecord, ...]] = {}
    lines: list[CaseResult] = []
    observed: list[ObservedRun] = []
    excluded: list[ExcludedCase] = []
    for number in range(cases):
        case_id = f"{suite}-{101 + number:04d}"
        kind, question, order = _question(number)
        record = _record(number, case_id, order)
        asked.append(e.case(case_id, question))
        revisions[case_id] = (record,)
        if record.revision == 2:
            old = record.model_copy(
                update={"revision": 1, "change": "new", "policy_version": "refunds-v6", "facts": ()}
            )
            revisions[case_id] = (old, record)
        out: tuple[Exclusion, ...] = ()
        if record.status in ("disputed", "draft"):
            words = {
                "disputed": "Disputed: the label is in doubt.",
                "draft": "Draft: nobody has labelled it.",
            }
            out = (Exclusion(code="STA001", reason=words[record.status]),)
        elif number % 21 == 12:
            out = (Exclusion(code="EXP001", reason="Expired on 2026-11-28, today is 2026-11-30."),)
        gates = record.status == "gold" and not out
        truths.append(
            EffectiveTruth(
                suite=suite,
                case_id=case_id,
                record=record,
                content_hash=e.HASH["c"],
                exclusions=out,
                gates=gates,
                not_gating=() if gates or out else ("silver",),
            )
        )
        if out:
            excluded.append(
                ExcludedCase(
                    case_id=case_id,
                    codes=(out[0].code,),
                    reasons=(out[0].reason,),
                    status=record.status,
                )
            )
            continue
        for run in GOOD:
            for trial in range(trials):
                lines.append(_line(run, number, trial, case_id, kind, record))
                observed.append(_observed(run, number, trial, case_id, question, order))
    results: list[Result] = []
    for run in GOOD:
        own = [line for line in lines if line.run == run]
        results.append(
            e.result(
                run,
                suite,
                e.tally_of(own, excluded=len(excluded)),
                lines=own,
                excluded=excluded,
                trials=trials,
                rates=[
                    TrialRate(k=trials, pass_hat_k=0.312, pass_at_k=0.871, cases=len(own) // trials)
                ]
                if trials > 1
                else (),
            )
        )
    return SuiteInput(
        suite=suite,
        title=title,
        cases=asked,
        truths=truths,
        revisions=revisions,
        results=results,
        case_results=lines,
        observed=observed,
        floor=Decimal("0.6"),
    )


def report(*suites: SuiteInput) -> ReportInput:
    """A report on some suites."""
    return ReportInput(
        today=e.TODAY,
        engine="0.3.1",
        suites=suites,
        policies=e.POLICIES,
        clauses=e.CLAUSES,
        published=[result for suite in suites for result in suite.results],
    )
