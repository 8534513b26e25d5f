"""Runs against a suite: selection, denominators, what is listed, what is refused."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError, RefusedError
from assay.models.result import Result
from assay.scoring.run import score_run
from assay.scoring.selection import Selection
from tests.scoring.suites import against, answered, context, effective

EXPIRED = [("EXP001", "Expired on 2026-11-01.")]
DRAFT = [("STA001", "A draft.")]

TRUTHS = [
    effective("a-1"),
    effective("a-2"),
    effective("b-1", "silver"),
    effective("b-2", "gold", EXPIRED),
    effective("b-3", "draft", DRAFT),
    effective("c-1", None, [("STA002", "The case has no record.")]),
]


def result(observed: list[Any], selection: Selection | None = None, **fields: Any) -> Result:
    suite = against(TRUTHS, **fields)
    return score_run("r", observed, suite, selection or Selection())[1]


def test_everything_expected_is_counted() -> None:
    found = result([answered("a-1"), answered("a-2", "no"), answered("zz-1")])
    whole = found.overall
    assert (whole.expected, whole.passed, whole.failed) == (6, 1, 1)
    assert (whole.excluded, whole.unmatched, whole.evaluated) == (3, 1, 2)
    assert whole.pass_rate == 0.5
    assert whole.incomplete
    assert found.unmatched == ("b-1",)
    assert [(e.case_id, e.codes, e.status) for e in found.excluded] == [
        ("b-2", ("EXP001",), "gold"),
        ("b-3", ("STA001",), "draft"),
        ("c-1", ("STA002",), None),
    ]
    assert found.excluded[0].reasons == ("Expired on 2026-11-01.",)
    assert set(found.unknown_cases) == {"zz-1"}
    assert found.components == {"outcome": {"failed": 1, "passed": 1}}
    assert found.gating.expected == 2
    assert Result.model_validate(found.model_dump()) == found


def test_groups_add_up_to_the_whole() -> None:
    attributes = {"a-1": {"slice": "x", "category": "k"}, "b-2": {"slice": "x", "template": "t"}}
    found = result([answered("a-1")], attributes=attributes)
    for groups in (found.by_slice, found.by_category, found.by_status):
        assert sum(t.expected for t in groups.values()) == found.overall.expected
        assert list(groups) == sorted(groups)
    assert found.by_slice["x"].expected == 2
    assert found.by_category["(none)"].expected == 5
    assert found.by_status["(none)"].excluded == 1


def test_unknown_cases_come_with_the_nearest_known_ones() -> None:
    found = result([answered("a-1"), answered("a-11"), answered("other-suite")],
                   elsewhere=frozenset({"other-suite"}))  # fmt: skip
    assert found.unknown_cases["a-11"][0] == "a-1"
    assert "other-suite" not in found.unknown_cases


def test_statuses() -> None:
    runs = [answered(t.case_id) for t in TRUTHS]
    everything = result(runs, Selection(statuses=("gold", "silver", "draft")))
    assert everything.exploratory
    assert everything.overall.passed == 4
    assert [e.case_id for e in everything.excluded] == ["b-2", "c-1"]
    only_gold = result(runs, Selection(statuses=("gold",)))
    assert not only_gold.exploratory
    assert ("b-1", ("not_selected",)) in [(e.case_id, e.codes) for e in only_gold.excluded]
    assert only_gold.overall.expected == everything.overall.expected


def test_only() -> None:
    runs = [answered(t.case_id) for t in TRUTHS]
    found = result(runs, Selection(only=("a-*", "b-2")))
    assert (found.overall.expected, found.overall.passed) == (3, 2)
    assert found.unknown_cases == {}
    one = result(runs, Selection(only=("a-1",)))
    assert one.overall.expected == 1


def test_trials() -> None:
    runs = [answered("a-1", trial=t) for t in range(3)]
    runs += [answered("a-2", "no", trial=0), answered("a-2", trial=1)]
    found = result(runs)
    assert (found.subject.trials, found.overall.unmatched) == (3, 1)
    assert found.overall.pass_rate == 0.75
    assert [(rate.k, rate.pass_hat_k, rate.pass_at_k, rate.cases) for rate in found.trials] == [
        (1, 0.75, 0.75, 2),
        (2, 0.5, 1.0, 2),
        (3, 1.0, 1.0, 1),
    ]
    first = result(runs, Selection(repeat=1))
    assert (first.subject.trials, first.overall.passed, first.overall.failed) == (1, 1, 1)
    assert first.trials == ()


def test_a_case_without_an_entry_counts_once_however_many_trials_others_have() -> None:
    runs = [answered("a-1", "no" if t == 2 else None, trial=t) for t in range(4)]
    whole = result(runs).overall
    assert (whole.passed, whole.failed, whole.excluded, whole.unmatched) == (3, 1, 3, 2)
    assert whole.expected == 3 + 1 + 3 + 2
    assert (whole.worst, whole.best) == (0.75 / 3, (0.75 + 2) / 3)
    found = result([*runs, answered("a-2"), answered("b-1")])
    assert found.unmatched == ()
    assert (found.overall.unmatched, found.overall.incomplete) == (0, False)
    assert (found.overall.worst, found.overall.best) == (2.75 / 3, 2.75 / 3)


def test_two_entries_for_one_trial_are_an_error() -> None:
    with pytest.raises(InputError, match=r"two entries for case a-1, trial 0"):
        result([answered("a-1"), answered("a-1", "no")])


@pytest.mark.parametrize(
    ("selection", "words"),
    [
        (Selection(only=("zz*",)), "--only zz*"),
        (Selection(repeat=0), "--repeat 0"),
        (Selection(only=("b-2", "b-3")), "b-2: Expired on 2026-11-01; b-3: A draft"),
        (Selection(statuses=()), "Status gold was not asked for"),
    ],
)
def test_an_empty_selection_is_refused(selection: Selection, words: str) -> None:
    with pytest.raises(RefusedError) as caught:
        result([answered("a-1")], selection)
    assert words in caught.value.message
    assert caught.value.hint
    assert caught.value.exit_code == 3
    allowed = Selection(selection.statuses, selection.only, selection.repeat, allow_empty=True)
    found = result([answered("a-1")], allowed)
    assert found.overall.pass_rate is None
    assert found.overall.evaluated == 0


def test_a_suite_without_cases_and_a_run_without_entries_are_refused() -> None:
    with pytest.raises(RefusedError, match="no cases"):
        score_run("r", [], against([]))
    with pytest.raises(RefusedError, match="no entry for any of 3 scorable cases") as caught:
        result([answered("a-9")])
    assert "a-9 (near: " in caught.value.message
    found = result([], Selection(allow_empty=True))
    assert (found.overall.unmatched, found.overall.pass_rate) == (3, None)


def test_a_misspelt_filter_is_met_with_the_right_name() -> None:
    with pytest.raises(RefusedError) as caught:
        result([answered("a-1")], Selection(only=("a-11",)))
    assert "did you mean a-1" in caught.value.hint


def test_the_id_names_subject_context_and_set() -> None:
    runs = [answered("a-1"), answered("a-2")]
    one = result(runs)
    assert len(one.id) == 8
    assert result(list(reversed(runs))).id == one.id
    assert result([answered("a-1"), answered("a-2", "no")]).id != one.id
    assert result(runs, Selection(only=("a-*",))).id != one.id
    changed = score_run("r", runs, against(TRUTHS, context=context(truth="1" * 64)))[1]
    assert changed.id != one.id
    assert changed.context != one.context
    assert changed.subject == one.subject


def test_agent_and_model_are_named_when_there_is_one() -> None:
    both = [answered("a-1", agent="x", model="m"), answered("a-2", agent="x", model="n")]
    subject = result(both).subject
    assert (subject.agent, subject.model) == ("x", None)


@given(st.integers(0, 10_000))
def test_the_order_of_entries_and_truths_means_nothing(seed: int) -> None:
    runs = [answered(t.case_id, trial=n) for t in TRUTHS for n in (0, 1)]
    expected = score_run("r", runs, against(TRUTHS))
    chance = random.Random(seed)
    chance.shuffle(runs)
    truths = chance.sample(TRUTHS, len(TRUTHS))
    assert score_run("r", runs, against(truths)) == expected


def test_an_added_entry_changes_no_other_case() -> None:
    lines, _ = score_run("r", [answered("a-1")], against(TRUTHS))
    more, _ = score_run("r", [answered("a-1"), answered("a-2"), answered("zz")], against(TRUTHS))
    assert lines[0] == more[0]
