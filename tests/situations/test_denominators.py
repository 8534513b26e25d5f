"""H23 the same truth on two days, H38 nothing was scored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from assay.errors import RefusedError
from assay.models.result import CaseResult, Result
from assay.scoring.run import score_run
from assay.scoring.selection import Selection
from tests.scoring.suites import against, answered, effective
from tests.situations.given import load

GONE = [("EXP001", "Expired on 2027-03-18.")]


def scored(
    names: Sequence[str], failed: Sequence[str], excluded: Sequence[str]
) -> tuple[list[CaseResult], Result]:
    """A run that fails some cases, on a day on which some are expired."""
    truths = [effective(name, exclusions=GONE if name in excluded else ()) for name in names]
    runs = [answered(name, "no" if name in failed else None) for name in names]
    return score_run("r", runs, against(truths))


def common(one: list[CaseResult], other: list[CaseResult]) -> tuple[int, int, int]:
    """Cases scored in both, and how many of them passed in each."""
    both = {line.case_id for line in one} & {line.case_id for line in other}
    counts = [sum(x.case_id in both and x.outcome == "passed" for x in lines)
              for lines in (one, other)]  # fmt: skip
    return len(both), counts[0], counts[1]


def test_both_denominators_are_there_with_what_left_them() -> None:
    names = [f"k{i}" for i in range(5)]
    before, first = scored(names, ["k3", "k4"], [])
    after, second = scored(names, ["k0"], ["k3", "k4"])
    assert (first.overall.passed, first.overall.evaluated) == (3, 5)
    assert (second.overall.passed, second.overall.evaluated) == (2, 3)
    assert [(case.case_id, case.reasons) for case in second.excluded] == [
        ("k3", ("Expired on 2027-03-18.",)),
        ("k4", ("Expired on 2027-03-18.",)),
    ]
    assert first.overall.expected == second.overall.expected == 5
    assert first.context == second.context
    assert first.scored_set != second.scored_set
    assert common(before, after) == (3, 3, 2)


@pytest.mark.data
def test_given_denominators() -> None:
    expected = load("23", "expected.json")
    found = []
    names = sorted(load("23", "run1.json")["cases"])
    for name in ("run1", "run2"):
        given = load("23", f"{name}.json")
        failed = [case for case, outcome in given["cases"].items() if outcome == "fail"]
        lines, result = scored(names, failed, given["excluded"])
        found.append(lines)
        assert f"{result.overall.passed}/{result.overall.evaluated}" == expected[name]
        assert [case.case_id for case in result.excluded] == given["excluded"]
    count, first, second = common(*found)
    assert (count, f"{first}/{count}", f"{second}/{count}") == (
        expected["common"], expected["run1_on_common"], expected["run2_on_common"]
    )  # fmt: skip


def refusal(truths: Sequence[Any], **selection: Any) -> str:
    """The message of the refusal; with `allow_empty` there is a result without a rate."""
    runs = [answered(truth.case_id) for truth in truths]
    with pytest.raises(RefusedError) as caught:
        score_run("r", runs, against(truths), Selection(**selection))
    assert caught.value.exit_code == 3
    allowed = Selection(**selection, allow_empty=True)
    assert score_run("r", runs, against(truths), allowed)[1].overall.pass_rate is None
    return f"{caught.value.message} {caught.value.hint}"


MUST_NAME = [
    "no cases",
    "no-such-case",
    "a1: expired on 2020-01-01; a2: status DISPUTED",
    "repeat",
]


@pytest.mark.parametrize("given", [False, pytest.param(True, marks=pytest.mark.data)])
def test_an_empty_selection_is_never_a_success(given: bool) -> None:
    expected = (
        load("38", "expected.json")["must_name"]
        if given
        else [
            "no cases",
            "no-such-case",
            "a1: expired on 2020-01-01; a2: status DISPUTED",
            "repeat",
        ]
    )
    gone = [
        effective("a1", exclusions=[("EXP001", "expired on 2020-01-01")]),
        effective("a2", "disputed", exclusions=[("STA001", "status DISPUTED")]),
    ]
    found = [
        refusal([]),
        refusal(gone, only=("no-such-case",)),
        refusal(gone),
        refusal([effective("a1")], repeat=0),
    ]
    for words, message in zip(expected, found, strict=True):
        assert words in message
