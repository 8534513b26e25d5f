"""The gate on values: what passes, fails and is refused, and which of them goes first."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.comparing.alike import Unlike
from assay.comparing.gate import Asked, decide
from assay.comparing.sides import Side, SideCase
from assay.models.result import Outcome

NAMES = [f"c{number:03d}" for number in range(40)]
MARKS: dict[str, Outcome] = {"P": "passed", "F": "failed", "N": "not_evaluated", "E": "error"}


def side(name: str, marks: str, slices: Mapping[str, str] | None = None) -> Side:
    """A side whose cases have the verdicts ``P``, ``F``, ``N``, ``E``; ``-`` is no entry."""
    cases = {
        case_id: SideCase(
            case_id, (MARKS[mark],), (slices or {}).get(case_id, "all"), case_id, "0" * 64, 1
        )
        for case_id, mark in zip(NAMES, marks, strict=False)
        if mark != "-"
    }
    missing = tuple(n for n, mark in zip(NAMES, marks, strict=False) if mark == "-")
    return Side(name, name, "run", cases, unmatched=missing)


def asked(run: str, baseline: str, **more: Any) -> Asked:
    slices = more.pop("slices", None)
    values: dict[str, Any] = {
        "suite": "shop",
        "run": side("new", run, slices),
        "baseline": side("old", baseline, slices),
        "gating": frozenset(NAMES[: len(run)]),
        "alive": len(run),
        "all_gating": len(run),
        "today": "2026-11-30",
        "commit_day": "2026-11-30",
        "alpha": Decimal("0.05"),
        **more,
    }
    return Asked(**values)


GOOD = "P" * 20

CASES: list[tuple[str, Asked, int, list[str]]] = [
    ("all well", asked(GOOD, GOOD), 0, []),
    ("a little worse", asked("F" * 5 + "P" * 15, GOOD), 0, []),
    ("clearly worse", asked("F" * 8 + "P" * 12, GOOD), 1, []),
    ("clearly better", asked(GOOD, "F" * 8 + "P" * 12), 0, []),
    ("9 against 3", asked("F" * 9 + "P" * 11, "P" * 9 + "F" * 3 + "P" * 8), 0, []),
    ("a required one", asked("F" + "P" * 19, GOOD, required=frozenset(["c000"])), 1, []),
    ("failed before", asked("F" + "P" * 19, "F" + "P" * 19, required=frozenset(["c000"])), 1, []),
    ("not evaluated", asked("N" + "P" * 19, GOOD), 3, ["no_verdict"]),
    ("error", asked("E" + "P" * 19, GOOD), 3, ["no_verdict"]),
    ("no entry", asked("-" + "P" * 19, GOOD), 3, ["no_entry"]),
    ("baseline not evaluated", asked(GOOD, "NE-" + "P" * 17), 0, []),
    ("floor", asked(GOOD, GOOD, alive=30, floor=Decimal("0.85")), 3, ["coverage"]),
    ("on the floor", asked(GOOD, GOOD, alive=20, floor=Decimal("1")), 0, []),
    ("a week", asked(GOOD, GOOD, commit_day="2026-12-07"), 0, []),
    ("stale", asked(GOOD, GOOD, commit_day="2026-12-08"), 3, ["stale"]),
    ("ahead", asked(GOOD, GOOD, commit_day="2026-01-01"), 0, []),
    ("nothing", asked("", "", gating=frozenset()), 3, ["nothing_selected"]),
    ("nothing, and meant", asked("", "", gating=frozenset(), allow_empty=True), 0, []),
    ("no pairs", asked(GOOD, "-" * 20), 3, ["no_pairs"]),
    (
        "other truth",
        asked(GOOD, GOOD, unlike=(Unlike("truth", "a", "b"),), again="assay gate a --baseline b"),
        3,
        ["other_context"],
    ),
    ("drafts", asked(GOOD, GOOD, unlike=(Unlike("status", "a", "b"),)), 3, ["exploratory"]),
    ("broken and stale", asked("F" * 8 + "P" * 12, GOOD, commit_day="2027-01-01"), 3, ["stale"]),
]


@pytest.mark.parametrize(("name", "ask", "code", "kinds"), CASES, ids=[case[0] for case in CASES])
def test_a_decision(name: str, ask: Asked, code: int, kinds: list[str]) -> None:
    report = decide(ask)
    assert report.exit_code == code
    assert [refusal.kind for refusal in report.refusals] == kinds
    assert report.decision == {0: "passes", 1: "fails", 3: "refuses"}[code]


def test_a_refusal_still_lists_the_failures() -> None:
    report = decide(asked("F" * 8 + "P" * 12, GOOD, commit_day="2027-01-01"))
    assert len(report.failures) == 8
    assert report.worse == ("overall",)


def test_a_slice_that_breaks_alone_is_corrected_for_the_others() -> None:
    slices = dict.fromkeys(NAMES[:8], "a") | dict.fromkeys(NAMES[8:40], "b")
    report = decide(asked("F" * 8 + "P" * 32, "P" * 40, slices=slices))
    assert report.worse == ("overall", "a")
    few = decide(asked("F" * 6 + "P" * 34, "P" * 40, slices=slices))
    assert few.overall.p is not None
    assert few.overall.p < 0.05 <= (few.overall.adjusted or 0), "0.03125 times two tests"
    assert few.exit_code == 0


def test_what_cannot_block_takes_no_part() -> None:
    ask = asked("F" * 20 + GOOD, GOOD + GOOD, gating=frozenset(NAMES[20:]))
    report = decide(ask)
    assert (report.exit_code, report.overall.cases, report.failures) == (0, 20, ())


def test_labels_are_suspected_where_strong_agents_agree_against_them() -> None:
    peers = {"c000": (3, 4), "c001": (2, 4), "c002": (1, 1)}
    report = decide(asked("FFF" + "P" * 17, GOOD, peers=peers, owners={"c000": "ana"}))
    assert [(c.case_id, c.suspected) for c in report.failures] == [
        ("c000", True), ("c001", False), ("c002", False),
    ]  # fmt: skip
    assert report.failures[0].owner == "ana"


@given(st.text("PFNE-", min_size=1, max_size=40), st.text("PFNE-", min_size=40, max_size=40))
def test_counts_add_up_and_refusals_go_first(run: str, baseline: str) -> None:
    report = decide(asked(run, baseline[: len(run)]))
    for tally in (report.run.tally, report.baseline.tally):
        assert tally.expected == (
            tally.passed + tally.failed + tally.not_evaluated + tally.errored
            + tally.excluded + tally.unmatched
        )  # fmt: skip
        assert tally.expected == len(run)
    assert report.overall.cases + len(report.left_out) == len(run)
    assert (report.exit_code == 3) == bool(report.refusals)
    if set(run) & set("NE-"):
        assert report.exit_code == 3
