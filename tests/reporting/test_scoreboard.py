from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.models.compiled import EffectiveTruth
from assay.models.result import ExcludedCase, Result, TrialRate
from assay.reporting import scoreboard as s
from assay.reporting.reasons import reason_for
from assay.reporting.scoreboard.readiness import readiness
from assay.reporting.words import width_of
from tests.reporting import examples as e

Golden = Callable[[str, str], None]
SUITES = ("refunds", "facility", "telemetry")


def board(results: Sequence[Result], **more: Any) -> s.Board:
    return s.board(s.BoardInput(today=e.TODAY, engine="0.3.1", results=results, **more))


def printed(**more: Any) -> s.Board:
    """The example of the design."""
    return board(
        e.printed_results(),
        suites=SUITES,
        policies={"a": "refunds-v7", "b": "shipping-v3", "c": "facility-v2"},
        truths=[
            *e.gated("refunds", 76, 85),
            *e.gated("facility", 4, 4),
            *e.gated("telemetry", 9, 9),
        ],
        floors={"refunds": Decimal("0.85")},
        published=e.printed_results(),
        report="report/index.html",
        **more,
    )


def real(**more: Any) -> s.Board:
    return board(
        e.refund_results(),
        case_results={"shop": e.refund_lines()},
        truths=e.refund_truth(),
        floors={"shop": Decimal("0.5")},
        **more,
    )


@pytest.mark.parametrize("width", [100, 80, 40])
def test_the_printed_example(width: int, golden: Golden) -> None:
    golden(f"scoreboard-{width}.txt", s.text(printed(), width=width))


def test_the_lines_of_the_design() -> None:
    lines = s.text(printed(), width=110).splitlines()
    truth = printed().truth_short
    assert lines[0] == (
        "Scoreboard · today 2026-11-30 · refunds-v7, shipping-v3, facility-v2"
        f" · truth {truth} · engine 0.3.1"
    )
    assert lines[1:6] == [
        "              refunds (118)            facility (40)            telemetry (360)",
        "run           pass   95 %      F/E/N   pass   95 %      F/E/N   pass   95 %      F/E/N",
        "oracle        100.0  97–100    0/0/0   100.0  91–100    0/0/0   100.0  99–100    0/0/0",
        "hasty          52.5  44–61    56/0/0    52.5  37–67    19/0/0    43.9  39–49   202/0/0",
        "do-nothing      0.0   0–3    118/0/0     0.0   0–9     40/0/0     0.0   0–1    360/0/0",
    ]
    assert lines[6].startswith("F failed; E error and N not evaluated")
    assert lines[7].startswith(
        "Smallest gap these sets can show: refunds 8.1 points, facility none"
    )
    assert lines[10].startswith("Not scored: 20 of 538 cases ")
    assert lines[10].endswith("next command")
    assert (
        "Ready for the gate: refunds yes (89.4 %, floor 85) · facility yes (100.0 %)" in lines[15]
    )
    assert lines[-2].endswith("= the published one: you have reproduced it")
    assert lines[-1] == "Report    report/index.html"


@pytest.mark.parametrize("width", [60, 72, 80, 100, 132])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    for shown in (printed(), real()):
        for line in s.text(shown, width=width).splitlines():
            assert width_of(line) <= width or "next" in line, line


def test_incomplete_rates_are_marked_with_their_bounds(golden: Golden) -> None:
    text = s.text(real())
    golden("scoreboard-incomplete.txt", text)
    assert "careful         100.0*" in text
    assert "careful on shop is incomplete, between 66.7 and 100.0: 1 not evaluated." in text
    assert "rule-breaker on shop is incomplete, between 0.0 and 66.7: 1 error and 1" in text


def test_a_case_worth_looking_at() -> None:
    assert real().look_at == ("refund-0031", "hasty")
    assert "Try next  ./assay why refund-0031 --run hasty\n" in s.text(real())
    assert board(e.refund_results()).look_at is None


def test_a_run_from_a_file_is_named_by_its_file() -> None:
    shown = replace(real().source, sources={"hasty": "my runs/hasty.jsonl"})
    assert "Try next  ./assay why refund-0031 --run 'my runs/hasty.jsonl'\n" in s.text(
        s.board(shown), width=120
    )
    nameless = s.board(replace(shown, sources={"hasty": ""})).look_at
    assert nameless is not None
    assert nameless[1] != "hasty"


def test_without_a_failure_a_case_without_a_verdict_is_worth_looking_at() -> None:
    source = real().source
    lines = {
        suite: [line for line in lines if line.outcome != "failed"]
        for suite, lines in source.case_results.items()
    }
    shown = s.board(replace(source, case_results=lines)).look_at
    assert shown is not None
    (outcome,) = {
        line.outcome for name in lines for line in lines[name] if (line.case_id, line.run) == shown
    }
    assert outcome in ("not_evaluated", "error")


def test_everything_adds_up() -> None:
    for result in [*e.refund_results(), *e.printed_results()]:
        t = result.overall
        parts = t.passed + t.failed + t.not_evaluated + t.errored + t.excluded + t.unmatched
        assert t.expected == parts
    shown = printed()
    assert sum(row.number for row in shown.excluded) == 20
    assert sum(column.cases for column in shown.columns) + 20 == shown.cases == 538


@given(st.permutations(e.refund_results()))
def test_the_order_of_results_does_not_matter(results: list[Result]) -> None:
    assert s.text(board(results)) == s.text(board(e.refund_results()))


def test_other_contexts_never_share_a_column() -> None:
    other = e.context("refunds", truth=e.HASH["9"])
    results = [
        e.result("a", "refunds", e.tally(60, 10)),
        e.result("b", "refunds", e.tally(50, 20), about=other),
    ]
    shown = board(results)
    assert [column.label for column in shown.columns] == ["refunds a", "refunds b"]
    assert [len(column.results) for column in shown.columns] == [1, 1]
    text = s.text(shown)
    assert "refunds a and b differ in truth: do not compare their numbers." in text
    assert "–" in text


def test_a_differing_rename_map_does_not_part_results() -> None:
    other = e.context("refunds", rename_map=e.HASH["a"])
    results = [
        e.result("a", "refunds", e.tally(6, 1)),
        e.result("b", "refunds", e.tally(5, 2), about=other),
    ]
    assert len(board(results).columns) == 1


def test_drafts_are_marked_exploratory_and_come_last() -> None:
    results = [
        e.result("a", "refunds", e.tally(60, 10)),
        e.result("a", "refunds", e.tally(90, 0), exploratory=True),
    ]
    text = s.text(board(results))
    rows = [line.split()[0] for line in text.splitlines() if line.startswith("a")]
    assert rows == ["a", "a°"]
    assert "° exploratory: drafts were scored; never compared, never gates." in text
    assert "refunds (70)" in text


def test_trials() -> None:
    rates = [
        TrialRate(k=1, pass_hat_k=0.525, pass_at_k=0.525, cases=60),
        TrialRate(k=5, pass_hat_k=0.312, pass_at_k=0.71, cases=60),
    ]
    tally = e.tally(160, 140, excluded=4, cases=60)
    shown = board([e.result("a", "refunds", tally, trials=5, rates=rates)])
    text = s.text(shown)
    assert "refunds (60)" in text
    assert (
        "a on refunds ran 5 trials, and F/E/N count trials: all pass 31.2, at least one 71.0"
        " (60 cases)." in " ".join(text.split())
    )


def test_other_days_and_unknown_cases_are_said() -> None:
    results = [
        e.result(
            "a",
            "refunds",
            e.tally(6, 1),
            today="2026-10-01",
            unknown={"refnd-1": ["refund-0001"], "zzz": []},
        )
    ]
    text = " ".join(s.text(board(results, notes=["agreement not measured"])).split())
    assert "a on refunds was judged on 2026-10-01, not 2026-11-30." in text
    assert "names 2 cases that nobody knows: refnd-1 (nearest: refund-0001) and 1 more." in text
    assert "agreement not measured" in text


def test_nothing_evaluated_is_none_and_not_zero() -> None:
    text = s.text(board([e.result("a", "refunds", e.tally(excluded=3), excluded=e.EXCLUDED)]))
    (row,) = (line for line in text.splitlines() if line.startswith("a "))
    assert row.split() == ["a", "none", "0/0/0"]
    assert "Not scored: 3 of 3 cases" in text


def test_no_results_at_all() -> None:
    text = s.text(board([]))
    assert text == (
        "Scoreboard · today 2026-11-30 · engine 0.3.1\n"
        "No run was scored.  next  assay score --runs runs --out scores\n"
    )
    json.loads(s.json_text(board([])))


def test_nothing_excluded_is_said() -> None:
    text = s.text(board([e.result("a", "refunds", e.tally(1, 1))]))
    assert "Not scored: none of 2 cases" in text


def test_published_results() -> None:
    result = e.result("a", "refunds", e.tally(1, 1))
    text = s.text(board([result], published=[result]))
    assert f"Result    {result.id} = the published one: you have reproduced it\n" in text
    assert "publish" not in s.text(board([result]))
    other = result.model_copy(update={"overall": e.tally(2, 0)})
    text = " ".join(s.text(board([result], published=[other])).split())
    assert (
        f"a on refunds ({result.id}) is published with other numbers: assay trace {result.id}"
    ) in text
    assert "reproduced" not in text


def test_some_are_published() -> None:
    mine = [e.result(name, "refunds", e.tally(6, 1)) for name in "abcd"]
    older = mine[2].model_copy(update={"id": "00000000", "today": "2026-10-01"})
    newer = mine[2].model_copy(update={"id": "11111111", "today": "2026-11-01"})
    shown = board(mine, published=[newer, older, mine[0], mine[1]])
    text = " ".join(s.text(shown).split())
    names = [f"{r.subject.run} on refunds ({r.id})" for r in mine]
    assert f"= the published ones, reproduced: {names[0]}, {names[1]}" in text
    assert (
        f"{names[2]} is not the published one, 11111111 of 2026-11-01: assay trace 11111111"
    ) in text
    assert f"never published: {names[3]}" in text
    document = json.loads(s.json_text(shown))
    assert document["published"] is False
    states = {run["run"]: run["published"]["state"] for run in document["suites"][0]["runs"]}
    assert states == {
        "a": "reproduced", "b": "reproduced", "c": "other_result", "d": "unpublished",
    }  # fmt: skip


def test_names_that_are_long_wide_or_nasty() -> None:
    names = ["x" * 60, "猫" * 5, "a\x1b[31m\nb"]
    results = [e.result(name, "refunds", e.tally(6, 1)) for name in names]
    text = s.text(board(results))
    assert "\x1b" not in text
    assert "a\\e[31m\\nb" in text
    assert "x" * 60 + "\n" in text
    ends = {width_of(line) for line in text.splitlines() if line.endswith("1/0/0")}
    assert len(ends) == 1


def test_colour_only_when_asked() -> None:
    assert "\x1b" not in s.text(printed())
    assert "\x1b[1mScoreboard" in s.text(printed(), color=True)


def test_json(golden: Golden) -> None:
    text = s.json_text(real(published=e.refund_results()))
    golden("scoreboard.json", text)
    document = json.loads(text)
    assert document["schema_version"] == 1
    (suite,) = document["suites"]
    assert suite["smallest_gap"] is None
    assert [run["run"] for run in suite["runs"]] == [
        "oracle",
        "careful",
        "hasty",
        "do-nothing",
        "rule-breaker",
    ]
    assert json.loads(s.json_text(printed()))["suites"][0]["smallest_gap"] == "8.1"


# Reasons and readiness


@pytest.mark.parametrize(
    ("codes", "status", "label", "command"),
    [
        (("EXP001",), "gold", "expired", "assay truth expiry"),
        (("STA001",), "draft", "draft only", "assay truth show --status draft"),
        (("STA001",), "disputed", "disputed", "assay truth show {case}"),
        (("STA002",), None, "no record", "assay new {case}"),
        (("QQQ001",), "gold", "short title", "assay check --select {code}"),
        (("QQQ002",), "gold", "faulty, QQQ002", "assay check --select {code}"),
        ((), None, "no reason given", "assay check"),
    ],
)
def test_reasons(codes: tuple[str, ...], status: Any, label: str, command: str) -> None:
    case = ExcludedCase(case_id="c", codes=codes, reasons=("…",) * len(codes), status=status)
    titles = {"QQQ001": "Short `title`.", "QQQ002": "A title that is far too long for a table."}
    _, reason = reason_for(case, titles)
    assert (reason.label, reason.command) == (label, command)


def words(truths: Sequence[EffectiveTruth], floor: str | None) -> str:
    floors = {} if floor is None else {"refunds": Decimal(floor)}
    (item,) = readiness(truths, floors)
    return item.words


def test_readiness_in_words() -> None:
    assert words(e.gated("refunds", 76, 85), "0.85") == "yes (89.4 %, floor 85)"
    assert words(e.gated("refunds", 85, 100), "0.85") == "yes (85.0 %, floor 85)"
    assert words(e.gated("refunds", 849, 1000), "0.85") == "no (84.9 %, floor 85; silver: 151)"
    assert words(e.gated("refunds", 1, 3), None) == "yes (33.3 %)"
    nobody = e.gated("refunds", 0, 3, "agreement not measured")
    assert words(nobody, None) == "no (0.0 %; agreement not measured: 3)"


def test_retired_cases_are_outside_coverage() -> None:
    record = e.RECORDS["refund-0101"][0].model_copy(update={"status": "retired"})
    retired = EffectiveTruth(suite="refunds", case_id="x", record=record, content_hash=None)
    assert words([*e.gated("refunds", 1, 2), retired], None) == "yes (50.0 %)"
    assert words([retired], None) == "no (no cases)"
