from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from assay.models.compiled import Exclusion
from assay.models.run import ObservedRun
from assay.reporting import why as w
from assay.reporting.expectations import expectations
from assay.reporting.history import changed_words, history
from assay.reporting.judging import components, deciding, standings
from assay.reporting.phrases import call_words, clause_words, times_words, wanted_words
from assay.reporting.transcript import transcript
from assay.reporting.words import width_of
from tests.reporting import examples as e

Golden = Callable[[str, str], None]
LINES = [line for line in e.refund_lines() if line.case_id == "refund-0142"]


def hasty(**more: Any) -> w.WhyInput:
    data: dict[str, Any] = {
        "suite": "shop",
        "case_id": "refund-0142",
        "run": "hasty",
        "case": e.CASES[0],
        "revisions": e.RECORDS["refund-0142"],
        "path": "truth/records/shop/refund-0142.r0002.json",
        "result": e.HASTY_0142,
        "observed": e.OBSERVED_HASTY,
        "peers": LINES,
        "clauses": e.CLAUSES,
        "label_suspected": True,
        "result_id": "5be01c77",
        "today": e.TODAY,
    }
    return w.WhyInput(**{**data, **more})


def test_a_failure(golden: Golden) -> None:
    golden("why-failed.txt", w.text(hasty()))


def test_a_failure_as_json(golden: Golden) -> None:
    text = w.json_text(hasty())
    golden("why-failed.json", text)
    document = json.loads(text)
    assert document["outcome"] == "failed"
    assert [item["kind"] for item in document["deciding"]] == ["missing_call", "forbidden_call"]


def test_the_verdict_stands_first_with_what_decided() -> None:
    lines = w.text(hasty()).splitlines()
    assert lines[:2] == ["refund-0142: hasty failed.", "  `find_order` was never called."]
    assert "3 of 5 fail here: label suspected" in w.text(hasty())
    assert "label suspected" not in w.text(hasty(label_suspected=False))


def test_the_deciding_call_is_pointed_at() -> None:
    (line,) = (line for line in w.text(hasty()).splitlines() if line.startswith("▸"))
    assert line == "▸ call 2 blocked  issue_voucher(value=5)"


def test_what_decided_comes_before_the_rest() -> None:
    assert [part.component for part in components(e.HASTY_0142)] == [
        "trajectory",
        "outcome",
        "rubric",
    ]
    assert [item.kind for item in deciding(e.HASTY_0142)] == ["missing_call", "forbidden_call"]
    rubric_decides = e.line(
        "a", "c", "not_evaluated", e.part("state", "passed"), e.part("rubric", "not_evaluated")
    )
    assert components(rubric_decides)[0].component == "rubric"


def test_an_excluded_case() -> None:
    text = w.text(
        w.WhyInput(
            suite="shop",
            case_id="refund-0077",
            run="hasty",
            case=e.CASES[2],
            revisions=e.RECORDS["refund-0077"],
            revision=1,
            exclusions=(Exclusion(code="EXP001", reason="Expired on 2026-11-28."),),
        )
    )
    assert text.startswith("refund-0077 is not scored today.\n  EXP001          Expired on")
    assert "answer is       “Yes, we refund 4.95 EUR”" in text
    assert "or              “4.95, in two days”" in text
    assert "assay truth show refund-0077" in text
    assert "Verdict" not in text


def test_a_case_without_entry_in_the_run() -> None:
    text = w.text(hasty(result=None, observed=None, revision=2, peers=[]))
    assert text.startswith("refund-0142 has no entry in hasty.\n")
    assert "assay score --runs runs/hasty --only refund-0142" in text


def test_a_case_that_nobody_knows() -> None:
    text = w.text(w.WhyInput(suite="shop", case_id="gone", run="hasty"))
    assert "The case is not in the repository." in text
    assert "No revision of a truth record counts." in text
    json.loads(w.json_text(w.WhyInput(suite="shop", case_id="gone", run="hasty")))


def test_the_trial_to_explain_is_the_first_of_the_gravest_verdict() -> None:
    lines = [
        e.simple("hasty", "refund-0142", outcome, trial=number)
        for number, outcome in enumerate(["passed", "not_evaluated", "failed", "failed"])
    ]
    chosen = w.trial_to_explain([*lines[::-1], *LINES[:1]], "hasty")
    assert chosen is not None
    assert chosen.trial == 2
    assert w.trial_to_explain(lines, "nobody") is None


def test_clauses_lose_their_marks() -> None:
    text = "### 3.1 Thirty days\n\nUnused goods\nare refunded.\n\n\nAlways."
    assert clause_words(text) == "3.1 Thirty days\nUnused goods are refunded.\nAlways."
    assert clause_words("") == ""


def test_several_trials() -> None:
    trials = [
        e.simple("hasty", "refund-0142", o, trial=n) for n, o in enumerate(["passed", "failed"])
    ]
    text = w.text(hasty(result=trials[1], peers=[*trials, *LINES[:2]]))
    assert text.startswith("refund-0142: hasty failed in trial 2.\n")
    assert "hasty           1 of 2 passed" in text
    assert [(s.run, s.passed, s.kind) for s in standings(trials)] == [("hasty", 1, "mixed")]


@pytest.mark.parametrize("width", [60, 80, 120])
def test_widths(width: int) -> None:
    for line in w.text(hasty(), width=width).splitlines():
        assert width_of(line) <= width or "assay " in line or line.startswith("Expected"), line


def test_hostile_text_stays_text() -> None:
    nasty = "\x1b[2J\x07\u202e"
    case = e.case("refund-0142", f"Hello{nasty}\nworld")
    run = e.OBSERVED_HASTY.model_copy(update={"final_answer": nasty, "agent": nasty})
    text = w.text(hasty(case=case, observed=run, run=nasty))
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "\u202e" not in text
    assert "\x1b[1m" in w.text(hasty(), color=True)


# What it is made of


def test_expectations_of_a_plan() -> None:
    items = [(x.pointer, x.label, x.text) for x in expectations(e.plan_record())]
    assert items == [
        ("/order", "order", "every step comes after the steps that it depends on"),
        ("/max_calls/write_order", "at most", "write_order, at most once"),
        ("/plan/planning_steps/0", "plan", "history: Find the last two failures of pump 4."),
        (
            "/plan/execution_steps/0",
            "step",
            'failures: list_failures(asset="P-4") by history, gives rows',
        ),
        (
            "/plan/execution_steps/1",
            "step",
            'order: write_order(rows="rows") by orders, after failures',
        ),
        ("/plan/characteristic_form", "result reads", "Names the seal."),
        ("/final_out", "result is", '{"part": "seal", "hours": 3.50}'),
    ]


def test_every_expectation_points_into_the_record() -> None:
    for revisions in e.RECORDS.values():
        for record in revisions:
            data = record.model_dump(mode="python")
            for item in expectations(record):
                value: Any = data
                for step in item.pointer.split("/")[1:]:
                    value = value[int(step)] if isinstance(value, tuple) else value[step]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"$number": "41.90", "tolerance": "0", "unit": "EUR"}, "41.90 EUR"),
        ({"$number": Decimal("7"), "tolerance": "0.5"}, "7 ± 0.5"),
        ({"$one_of": ["a", 2]}, 'one of "a", 2'),
        ({"$any": True}, "anything"),
        ({"$pattern": "A-[0-9]+"}, "text like /A-[0-9]+/"),
        ({"$date": "2026-01-01", "zone": "UTC"}, '{"$date": "2026-01-01", "zone": "UTC"}'),
        ({"$number": 1, "odd": 2}, '{"$number": 1, "odd": 2}'),
        ({"a": 1}, '{"a": 1}'),
        (None, "null"),
    ],
)
def test_matchers_in_words(value: Any, text: str) -> None:
    assert wanted_words(value) == text


def test_calls_and_times_in_words() -> None:
    assert call_words("find", {}) == "find()"
    assert [
        times_words(*x) for x in ((1, None), (0, None), (2, None), (1, 1), (2, 2), (1, 3), (0, 2))
    ] == [
        "",
        "any number of times",
        "2 times or more",
        "exactly once",
        "exactly 2 times",
        "1 to 3 times",
        "at most 2 times",
    ]


def test_history_tells_what_changed() -> None:
    latest, first = history(e.RECORDS["refund-0142"], 2)
    assert (latest.counts, first.counts) == (True, False)
    assert first.changed == ()
    assert "required_tools" in latest.changed
    assert "rationale" not in latest.changed
    assert changed_words(latest, most=2) == "status, clauses and 13 more fields"
    assert latest.people == "labelled by ana and bo, adjudicated by li"


def test_transcripts(golden: Golden) -> None:
    golden("transcript.txt", transcript(e.OBSERVED_HASTY, marked={1}))
    assert transcript(e.OBSERVED_NOTHING) == (
        "  user            The kettle from order A-1017 leaks.\n  agent           no answer\n"
    )
    assert transcript(ObservedRun(run="a", case_id="c", unknown=("final_answer",))) == (
        "  not recorded    final answer\n"
    )


def test_long_results_are_cut_with_their_length() -> None:
    call = e.ToolCall(name="dump", outcome="ok", result="x" * 5000)
    run = ObservedRun(run="a", case_id="c", turns=(e.ObservedTurn(tool_calls=(call,)),))
    assert "more characters)" in transcript(run)
    assert len(transcript(run, reply_width=20)) < 200
