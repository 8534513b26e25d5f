"""What must hold for every label and every run."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any
from unittest import mock

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from assay.models.run import ObservedRun
from assay.scoring import matching
from assay.scoring.case import Scorer
from assay.scoring.mutants import mutants
from assay.scoring.oracle import do_nothing, echo, oracle_draft
from tests.scoring.labels import ENTRIES, LABELS, runs
from tests.scoring.making import NAMES, call, case, record, run, score

START = {"status": "a", "rows": [0], "kept": 1}


def turned(value: Any) -> Any:
    """The same value with the keys of every object in another order."""
    if isinstance(value, Mapping):
        return {key: turned(value[key]) for key in reversed(list(value))}
    if isinstance(value, list | tuple):
        return [turned(item) for item in value]
    return value


@given(LABELS, runs())
def test_order_of_keys_and_ids_of_calls_mean_nothing(
    label: dict[str, Any], observed: ObservedRun
) -> None:
    dumped = turned(observed.model_dump(exclude_none=True))
    for number, turn in enumerate(dumped["turns"]):
        for place, one in enumerate(turn["tool_calls"]):
            one["id"] = f"other-{number}-{place}"
            one["duration_ms"] = place
    again = ObservedRun.model_validate(dumped)
    assert score(label, observed, state=START) == score(turned_label(label), again, state=START)


SCALARS = st.sampled_from(
    [1, Decimal("1.0"), True, "1", "é", "e\u0301", None, [1], 2, "a", False, 0]
)


@given(
    st.lists(st.dictionaries(st.sampled_from("xy"), SCALARS, max_size=2), max_size=5),
    st.lists(st.dictionaries(st.sampled_from("xy"), SCALARS, max_size=2), max_size=5),
    st.booleans(),
    st.lists(st.sampled_from(["call_arguments"]), max_size=1),
)
def test_looking_calls_up_by_an_argument_changes_no_verdict(
    entries: list[dict[str, Any]],
    calls: list[dict[str, Any]],
    as_text: bool,
    unknown: list[str],
) -> None:
    label = {"required_tools": [{"tool": "charge", "args": args} for args in entries] + ["charge"]}
    observed = run(
        [call("charge", **args) for args in calls], arguments_as_text=as_text, unknown=unknown
    )
    plain = score(label, observed)
    with mock.patch.object(matching, "_MANY", 0):
        assert score(label, observed) == plain


def turned_label(label: dict[str, Any]) -> dict[str, Any]:
    """The label with all keys turned but those whose order is shown (named arguments)."""
    return {key: label[key] for key in reversed(list(label))}


@given(LABELS, runs())
def test_order_of_named_arguments_decides_nothing(
    label: dict[str, Any], observed: ObservedRun
) -> None:
    one, other = (score(of, observed, state=START) for of in (label, turned(label)))
    assert one.outcome == other.outcome
    assert [part.outcome for part in one.components] == [p.outcome for p in other.components]


@given(LABELS, runs(), ENTRIES, st.integers(0, 3))
@settings(max_examples=300)
def test_a_required_entry_more_never_makes_a_failing_run_pass(
    label: dict[str, Any], observed: ObservedRun, entry: Any, place: int
) -> None:
    before = score(label, observed, state=START)
    entries = list(label["required_tools"])
    entries.insert(place, entry)
    after = score({**label, "required_tools": entries}, observed, state=START)
    if before.outcome == "failed":
        assert after.outcome == "failed"


@given(LABELS, runs())
def test_evidence_explains_the_outcome(label: dict[str, Any], observed: ObservedRun) -> None:
    result = score(label, observed, state=START)
    for part in result.components:
        outcomes = {piece.outcome for piece in part.evidence}
        assert part.outcome in outcomes
        if part.outcome == "passed":
            assert outcomes == {"passed"}
        for piece in part.evidence:
            assert piece.message[0].isupper() or piece.message[0] == "`"
            assert piece.message.endswith(".")
    if result.outcome == "passed":
        assert all(part.outcome == "passed" for part in result.components if part.in_basis)


def asks_for_something(label: dict[str, Any]) -> bool:
    """Whether a label demands a call, an answer, or a state that is not the first one."""
    demanded = any(
        isinstance(entry, str) or entry.get("min", 1) > 0 for entry in label["required_tools"]
    )
    answers = label.get("acceptable_answers") or label.get("facts") or label.get("final_out")
    return demanded or bool(answers)


@given(LABELS)
def test_doing_nothing_and_echoing_never_pass(label: dict[str, Any]) -> None:
    assume(asks_for_something(label))
    asked = case("Please settle order 0012 in full", START)
    for observed in (do_nothing("c-1", asked), echo("c-1", asked)):
        stated = observed.final_answer is not None and any(
            "order 0012" in fact["any_of"] for fact in label.get("facts", ())
        )
        if not stated:
            assert score(label, observed, state=START).outcome != "passed"


@given(LABELS)
@settings(max_examples=200)
def test_an_oracle_that_passes_fails_with_any_flaw(label: dict[str, Any]) -> None:
    of, the_case, scorer = record(**label), case(state=START), Scorer(NAMES)
    draft = oracle_draft(of, the_case, scorer, None)
    assume(score(of, draft.run("c-1", "r"), state=START).outcome == "passed")
    for mutant in mutants(scorer.compiled(of), draft, the_case, None):
        result = score(of, mutant.draft.run("c-1", "r"), state=START)
        assert result.outcome == "failed", mutant


@given(LABELS, runs(), runs())
def test_scoring_keeps_nothing_from_another_run(
    label: dict[str, Any], one: ObservedRun, other: ObservedRun
) -> None:
    alone = score(label, one, state=START)
    score(label, other, state=START)
    assert score(label, one, state=START) == alone


def test_a_run_that_the_format_cannot_carry_at_all_is_never_judged() -> None:
    blind = run(turns=[], final_answer=None, unknown=["tool_calls", "final_answer", "final_state"])
    label = {
        "required_tools": ["charge"],
        "forbidden_tools": ["send_mail"],
        "facts": [{"id": "f", "any_of": ["x"]}],
        "state": [{"path": "/a", "equals": 1}],
    }
    result = score(label, blind)
    assert {part.outcome for part in result.components} == {"not_evaluated"}
