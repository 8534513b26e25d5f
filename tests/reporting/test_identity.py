"""Everything that was expected is accounted for, in every view of it:

expected = passed + failed + not evaluated + errored + excluded + unmatched.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.comparing.difference import ALPHA
from assay.comparing.gate import Asked, decide
from assay.comparing.sides import Side
from assay.comparing.whole import compare
from assay.models.comparison import Comparison
from assay.models.result import ExcludedCase, Result, Tally
from assay.pipeline.scored import write_metrics
from assay.reporting import comparison, gate, html, scoreboard
from assay.reporting.numbers import percent
from assay.reporting.plots import rates_csv, slices_csv
from tests.comparing import making
from tests.reporting import examples as e
from tests.reporting.many import report
from tests.reporting.tables import tables

PARTS = ("passed", "failed", "not_evaluated", "errored", "excluded", "unmatched")
Numbers = tuple[int, ...]
"""Expected, and then `PARTS`."""

WORLDS = st.lists(
    st.one_of(st.text("PFNE", min_size=1, max_size=3), st.sampled_from(["X", "U"])),
    min_size=1,
    max_size=14,
)
"""Cases: the letters of their trials, X for excluded, U for no entry in the run."""


def side(world: list[str], name: str) -> Side:
    named = {f"case-{index:04d}": letters for index, letters in enumerate(world)}
    return making.side(
        {case_id: letters for case_id, letters in named.items() if letters not in "XU"},
        name,
        slices=slices(world),
        excluded=[case_id for case_id, letters in named.items() if letters == "X"],
        unmatched=[case_id for case_id, letters in named.items() if letters == "U"],
        against=making.result(),
    )


def by_hand(world: list[str]) -> Numbers:
    trials = "".join(letters for letters in world if letters not in "XU")
    parts = [trials.count(letter) for letter in "PFNE"] + [world.count("X"), world.count("U")]
    return (sum(parts), *parts)


def numbers(tally: Tally) -> Numbers:
    return (tally.expected, *(getattr(tally, part) for part in PARTS))


def whole(world: list[str], name: str) -> Result:
    one = side(world, name)
    return e.result(
        name,
        "shop",
        one.tally(),
        trials=max(len(letters) for letters in world),
        excluded=[ExcludedCase(case_id=n, codes=("EXP001",), reasons=("Expired.",))
                  for n in one.excluded],
        unmatched=one.unmatched,
    ).model_copy(
        update={"by_slice": {name: one.within((name,), slices(world)).tally() for name in "ab"}}
    )  # fmt: skip


def slices(world: list[str]) -> dict[str, str]:
    return {f"case-{index:04d}": "ab"[index % 2] for index in range(len(world))}


def source(*results: Result) -> html.ReportInput:
    return report(html.SuiteInput(suite="shop", results=results))


# -- views: what each of them says of the runs, in their order ------------------------------------


def of_words(text: str) -> list[Numbers]:
    """Every sentence of the form that terminals and comments print."""
    pattern = (
        r"(\d+) expected = (\d+) passed \+ (\d+) failed \+ (\d+) not evaluated \+ (\d+) errored"
        r" \+ (\d+) excluded \+ (\d+) unmatched"
    )
    return [tuple(map(int, found)) for found in re.findall(pattern, " ".join(text.split()))]


def of_markdown(text: str) -> list[Numbers]:
    rows = [re.findall(r"(?<=\| )\d+(?= \|)", line) for line in text.splitlines()
            if re.match(r"\| [AB]: ", line)]  # fmt: skip
    return [tuple(map(int, row)) for row in rows]


def of_csv(text: str) -> list[Numbers]:
    return [tuple(int(row[part]) for part in ("expected", *PARTS))
            for row in csv.DictReader(io.StringIO(text))]  # fmt: skip


def of_tallies(*values: dict[str, int]) -> list[Numbers]:
    return [tuple(value[part] for part in ("expected", *PARTS)) for value in values]


COMPARED: dict[str, Callable[[Comparison], list[Numbers]]] = {
    "text": lambda made: of_words(comparison.render("text", made)),
    "markdown": lambda made: of_markdown(comparison.render("markdown", made)),
    "json": lambda made: of_tallies(
        *(json.loads(comparison.render("json", made))[letter]["tally"] for letter in "ab")
    ),
}


@pytest.mark.parametrize("view", sorted(COMPARED))
@given(a=WORLDS, b=WORLDS)
@settings(max_examples=60, deadline=None)
def test_comparisons(view: str, a: list[str], b: list[str]) -> None:
    made = compare(side(a, "first"), side(b, "second"))
    assert COMPARED[view](made) == [by_hand(a), by_hand(b)]
    assert all(found[0] == sum(found[1:]) for found in COMPARED[view](made))


@given(a=WORLDS, b=WORLDS)
@settings(max_examples=40, deadline=None)
def test_a_gate(a: list[str], b: list[str]) -> None:
    run, baseline = side(a, "run"), side(b, "base")
    every = frozenset({*run.known, *baseline.known})
    asked = Asked("shop", run, baseline, every, 20, 20, e.TODAY, None, ALPHA)
    value = json.loads(gate.render("json", decide(asked)))
    found = of_tallies(value["run"]["tally"], value["baseline"]["tally"])
    assert found == [by_hand(a), by_hand(b)]


@given(a=WORLDS, b=WORLDS)
@settings(max_examples=60, deadline=None)
def test_boards_for_programs_and_browsers(a: list[str], b: list[str]) -> None:
    results = [whole(a, "alpha"), whole(b, "beta")]
    expected = {"alpha": by_hand(a), "beta": by_hand(b)}
    assert {r.subject.run: numbers(r.overall) for r in results} == expected

    given_csv = of_csv(rates_csv(results))
    assert given_csv == [expected["alpha"], expected["beta"]]

    by_slice = of_csv(slices_csv(results))
    assert all(row[0] == sum(row[1:]) for row in by_slice)
    sums = tuple(sum(column) for column in zip(*by_slice, strict=True))
    assert sums == tuple(x + y for x, y in zip(*expected.values(), strict=True))

    value = json.loads(scoreboard.json_text(scoreboard.board(source(*results).board_input())))
    shown = {row["run"]: row["overall"] for part in value["suites"] for row in part["runs"]}
    assert of_tallies(shown["alpha"], shown["beta"]) == [expected["alpha"], expected["beta"]]

    page = html.render(source(*results))["index.html"]
    rows = {
        row[0]: tuple(int(cell.replace(",", "")) for cell in row[1:])
        for table in tables(page, "identity")
        for row in table[1:]
    }
    assert rows == expected


@given(world=st.lists(st.sampled_from("PFNEXU"), min_size=1, max_size=14))
@settings(max_examples=60, deadline=None)
def test_a_scoreboard_in_a_terminal(world: list[str]) -> None:
    """The board shows the rate, what is outside of it, and what was left out: all adds up."""
    text = scoreboard.text(scoreboard.board(source(whole(world, "alpha")).board_input()))
    row = next(line for line in text.splitlines() if line.startswith("alpha"))
    counts = re.search(r"(\d+)/(\d+)/(\d+)$", row)
    assert counts is not None
    failed, errored, undecided = map(int, counts.groups())
    scorable = re.search(r"shop \((\d+)\)", text)
    assert scorable is not None
    excluded = re.search(r"Not scored: (none|\d+) of", text)
    assert excluded is not None
    left_out = 0 if excluded[1] == "none" else int(excluded[1])
    missing = re.search(r"(\d+) not in the run", " ".join(text.split()))
    unmatched = int(missing[1]) if missing else 0
    passed = int(scorable[1]) - failed - errored - undecided - unmatched
    expected = passed + failed + undecided + errored + left_out + unmatched
    assert (expected, passed, failed, undecided, errored, left_out, unmatched) == by_hand(world)
    rate = percent(float(Fraction(passed, passed + failed))) if passed + failed else "none"
    assert row.split()[1].rstrip("*") == rate


@given(world=WORLDS)
@settings(max_examples=20, deadline=None)
def test_metrics(tmp_path_factory: pytest.TempPathFactory, world: list[str]) -> None:
    folder: Path = tmp_path_factory.mktemp("metrics")
    write_metrics(folder, whole(world, "alpha"))
    value = json.loads((folder / "alpha.json").read_text(encoding="utf-8"))
    assert tuple(value[part] for part in PARTS) == by_hand(world)[1:]
