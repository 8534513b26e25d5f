"""The parts of the report on comparing: run against run, what may be compared, truth health."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from decimal import Decimal

import pytest

from assay.models.result import Result
from assay.reporting import html
from assay.reporting.html.pairs_view import MOST_COMPARED, pairwise
from assay.reporting.scoreboard import board
from tests.architecture.source import ROOT
from tests.reporting import examples as e
from tests.reporting.many import many, report
from tests.reporting.pages import Page
from tests.reporting.tables import sections, tables

Golden = Callable[[str, str], None]


def index(source: html.ReportInput) -> str:
    return html.render(source)["index.html"]


def agents(**verdicts: str) -> html.SuiteInput:
    """A suite of as many cases as there are letters; P passes, F fails, N has no verdict."""
    words = {"P": "passed", "F": "failed", "N": "not_evaluated"}
    lines = [
        e.simple(run, f"case-{number:04d}", words[letter])  # type: ignore[arg-type]
        for run, letters in verdicts.items()
        for number, letter in enumerate(letters)
    ]
    lines = [line.model_copy(update={"cluster": line.case_id}) for line in lines]
    results = [
        e.result(
            run,
            "shop",
            e.tally_of(line for line in lines if line.run == run),
            lines=[line for line in lines if line.run == run],
        )
        for run in verdicts
    ]
    return html.SuiteInput(suite="shop", results=results, case_results=lines)


def test_every_table_is_accessible() -> None:
    whole = report(many(64, trials=2, title="A shop"))
    for path, text in html.render(whole).items():
        for table in re.findall(r"<table.*?</table>", text, re.DOTALL):
            assert table.count("<caption") == 1, (path, table[:120])
            for head in re.findall(r"<th\b[^>]*>", table):
                assert 'scope="' in head, (path, head)


def test_run_against_run(golden: Golden) -> None:
    suite = agents(
        best="P" * 40, good="P" * 30 + "F" * 10, same="F" + "P" * 29 + "F" * 9 + "P", bad="F" * 40
    )
    found = sections(index(report(suite)))
    suite_part = found["suite-1"].partition("\nCases\n")[0]
    golden("report-comparing.txt", f"{suite_part}\n\n{found['comparing']}")


def test_the_matrix_mirrors_itself_and_corrects_for_all_pairs() -> None:
    suite = agents(best="P" * 20, less="P" * 14 + "F" * 6, none="F" * 20)
    made = pairwise(board(report(suite).board_input()), suite, Decimal("0.05"))
    assert made is not None
    assert made["names"] == ["best", "less", "none"]
    assert made["tested"] == 3
    cells = [row["cells"] for row in made["rows"]]
    assert [cells[0][1].points, cells[1][0].points] == ["+30.0", "-30.0"]
    # By hand: 6 to 0 is 2 / 2^6 = 0.03125, the largest of three, and so stays what it is; 14 to 0
    # is 2 / 2^14, and twice that after Holm.
    assert cells[0][1].p == "p = 0.0312"
    assert cells[1][2].p == "p = 0.0002"
    assert [cells[0][1].kind, cells[1][0].kind, cells[0][0].kind] == ["better", "worse", "self"]
    assert made["pairs"][0].command == "assay compare best less --suite shop"
    low, high = cells[0][1].interval.split(" to ")
    assert cells[1][0].interval == f"-{high[1:]} to -{low[1:]}"


def test_an_effect_that_only_one_test_shows_is_none_among_many() -> None:
    suite = agents(a="P" * 26, b="P" * 20 + "F" * 6, c="P" * 20 + "F" * 5 + "P", d="P" * 25 + "F")
    made = pairwise(board(report(suite).board_input()), suite, Decimal("0.05"))
    assert made is not None
    (cell,) = [row.cell for row in made["pairs"] if {row.a, row.b} == {"a", "b"}]
    assert (cell.points, cell.p) == ("-23.1", "p = 0.1875")
    assert cell.kind not in ("better", "worse")


def test_the_level_is_that_of_the_gate() -> None:
    suite = agents(a="P" * 20, b="P" * 14 + "F" * 6)
    source = dataclasses.replace(report(suite), alpha=Decimal("0.01"))
    text = sections(index(source))["suite-1"]
    assert "is below 0.01" in text
    assert "better" not in text.split("All pairs")[0].split("Run against run")[1]


def test_what_was_not_measured_alike_is_not_compared() -> None:
    suite = agents(a="P" * 8, b="F" * 8, c="F" * 8)
    other = e.context("shop", policies={"refunds": "refunds-v8", "shipping": "shipping-v3"})
    results = [
        suite.results[0],
        suite.results[1].model_copy(update={"context": other}),
        suite.results[2].model_copy(update={"exploratory": True}),
    ]
    found = sections(index(report(dataclasses.replace(suite, results=results))))
    pairs = found["suite-1"]
    assert "not comparable: policies in force differ" in pairs
    assert "not comparable: drafts were scored" in pairs
    first, second = results[0].id, results[1].id
    assert re.search(rf"assay compare ({first} {second}|{second} {first}) --regrade", pairs)
    assert "3 runs under 2 contexts, compare within one" in found["comparing"]
    assert "shop a and shop b: policies in force differ" in found["comparing"]


def test_two_results_of_one_run_are_not_compared_by_its_lines() -> None:
    suite = agents(a="P" * 8, b="F" * 8)
    twin = suite.results[0].model_copy(update={"id": "12345678"})
    text = index(report(dataclasses.replace(suite, results=[*suite.results, twin])))
    assert "not comparable: two results of one run" in sections(text)["suite-1"]


def test_more_runs_than_can_be_compared_are_counted() -> None:
    names = {f"run-{number:02d}": "P" * number + "F" * (20 - number) for number in range(15)}
    suite = agents(**names)
    made = pairwise(board(report(suite).board_input()), suite, Decimal("0.05"))
    assert made is not None
    assert (len(made["names"]), made["left_out"]) == (MOST_COMPARED, 3)
    assert (
        "the best 12 runs, 3 more with assay compare A B"
        in sections(index(report(suite)))["suite-1"]
    )


@pytest.mark.parametrize(
    ("changes", "says", "ends"),
    [
        ({}, "yes", ""),
        ({"truth": e.HASH["9"]}, "no: truth differs", " --regrade"),
        (
            {"scorer": e.HASH["9"], "cases": e.HASH["9"]},
            "no: cases and scorer differ",
            " --regrade",
        ),
        ({"rename_map": e.HASH["9"]}, "where no name that was called maps differently", ""),
    ],
)
def test_published_results(changes: dict[str, str], says: str, ends: str) -> None:
    suite = agents(a="P" * 8, b="F" * 8)
    old: Result = suite.results[0].model_copy(
        update={"id": "0ldre5u1", "context": e.context("shop", **changes)}
    )
    source = dataclasses.replace(report(suite), published=[old])
    text = sections(index(source))["comparing"]
    assert f"0ldre5u1 | a | shop | {e.TODAY} | {says} | " in text
    assert f"assay compare 0ldre5u1 {suite.results[0].id}{ends}\n" in text + "\n"


def test_an_agent_that_was_given_another_policy_is_named() -> None:
    suite = agents(a="P" * 8, b="F" * 8)
    seen = e.OBSERVED_HASTY.model_copy(update={"run": "a", "policy": "refunds-v6"})
    text = index(report(dataclasses.replace(suite, observed=[seen])))
    assert "a was given refunds-v6 and is judged by refunds-v7 and shipping-v3." in text


def test_truth_health(golden: Golden) -> None:
    whole = report(many(64, title="A shop"))
    text = sections(index(whole))["truth"]
    golden("report-truth.txt", text)
    assert "Not measured: there are no sealed double labels." in text
    told = dataclasses.replace(
        whole.suites[0], agreement="Kappa 0.81 (0.70–0.92).", audit="8 of 120 were overturned."
    )
    text = sections(index(dataclasses.replace(whole, suites=[told])))["truth"]
    assert "Kappa 0.81" in text
    assert "8 of 120 were overturned." in text
    assert "Not measured" not in text


def test_labels_that_expire_are_counted_at_both_horizons() -> None:
    whole = report(many(64))
    truths = [
        truth.model_copy(
            update={"record": truth.record.model_copy(update={"expires": day, "status": "gold"})}
        )
        for truth, day in zip(
            whole.suites[0].truths,
            ["2026-11-30", "2026-12-01", "2026-12-30", "2026-12-31", "2027-02-28", "2027-03-01"],
            strict=False,
        )
        if truth.record is not None
    ]
    suite = dataclasses.replace(whole.suites[0], truths=truths)
    text = sections(index(dataclasses.replace(whole, suites=[suite])))["truth"]
    assert "Expire within 30 days 2" in text
    assert "Expire within 90 days 4" in text


def test_commands_of_the_report_exist() -> None:
    """What the report prints to type is a command with such flags."""
    text = (ROOT / "scripts/assay/cli/compare.py").read_text(encoding="utf-8")
    for flag in ("--suite", "--regrade", "--on"):
        assert f'"{flag}"' in text


def test_slices_say_how_many_verdicts_they_rest_on() -> None:
    page = index(report(many(64)))
    (slices,) = tables(page, "slices")
    assert slices[0][0] == "Slice"
    assert all(re.search(r"n \d+", cell) for row in slices[1:] for cell in row[1:])
    assert Page(page).tags
