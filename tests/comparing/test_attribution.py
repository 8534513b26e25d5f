"""The parts of a difference: by hand, and exact for any verdicts."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import example, given
from hypothesis import strategies as st

from assay.comparing.attribution import States, attribute, common_cases, split
from assay.comparing.compare import compare
from assay.comparing.sides import Side
from assay.models.comparison import Attribution
from assay.statistics.trials import Share, mean
from tests.comparing.making import numbered, side, table

SHARES = st.integers(1, 4).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
VERDICTS = st.dictionaries(st.sampled_from("abcdefgh"), SHARES)
SOME = st.dictionaries(st.sampled_from("abcdefgh"), SHARES, min_size=1)
STATES = st.builds(States, SOME, st.none() | VERDICTS, st.none() | VERDICTS, SOME)


def exact(found: Attribution) -> dict[str, Fraction]:
    """Every part under the names of what it is due to."""
    return {"+".join(part.changes): Fraction(part.exact) for part in found.parts}


def rate(verdicts: dict[str, Share]) -> Fraction:
    found = mean(list(verdicts.values()))
    assert found is not None
    return found


@given(STATES)
@example(States({"a": (1, 1)}, {}, {}, {"b": (0, 1)}))
@example(States({"a": (1, 1)}, None, {"b": (1, 2)}, {"b": (0, 1)}))
def test_the_parts_sum_exactly(states: States) -> None:
    parts, left, joined = split(states)
    whole = rate(dict(states.b)) - rate(dict(states.a))
    assert sum(parts.values(), Fraction(0)) == whole
    assert parts[("coverage",)] == left + joined
    named = [change for changes in parts for change in changes]
    assert named in (["coverage"], ["coverage", "scorer", "truth", "agent"])
    assert all(-1 <= part <= 1 for key, part in parts.items() if key != ("coverage",))


@given(STATES)
def test_the_agent_is_compared_on_what_both_were_judged_on(states: States) -> None:
    parts, _, _ = split(states)
    if states.a_new_truth is None or ("agent",) not in parts:
        return
    common = common_cases(states)
    mine = rate({name: states.a_new_truth[name] for name in common})
    assert parts[("agent",)] == rate({name: states.b[name] for name in common}) - mine


@given(SOME, SOME)
def test_one_context_moves_neither_scorer_nor_truth(
    a: dict[str, Share], b: dict[str, Share]
) -> None:
    parts, _, _ = split(States(a, a, a, b))
    assert parts.get(("scorer",), 0) == parts.get(("truth",), 0) == 0


@given(SOME)
def test_the_same_result_has_no_parts(verdicts: dict[str, Share]) -> None:
    parts, left, joined = split(States(verdicts, verdicts, verdicts, verdicts))
    assert set(parts.values()) == {Fraction(0)}
    assert left == joined == 0


HISTORY = {
    # c17, c18 and c19 expire before B is scored.
    "a": "PPPPPPPPPP FFFFFFF PPF",
    # The scorer no longer fails c10.
    "a_new_scorer": "PPPPPPPPPP PFFFFFF",
    # The records of c11 and c12 are corrected.
    "a_new_truth": "PPPPPPPPPP PPPFFFF",
    # The agent loses c00, and gains c13, c14 and c15.
    "b": "FPPPPPPPPP PPPPPPF",
}


def history(name: str, *excluded: str) -> Side:
    verdicts = numbered(HISTORY[name].replace(" ", ""))
    return side(verdicts, name=name, excluded=excluded)


def test_a_history_in_four_parts() -> None:
    """12 of 20 becomes 15 of 17: 3/5 and 15/17.

    Coverage: A has 10 of the 17 that stay, 10/17 - 12/20 = -1/85. Then one case each seventeenth:
    the scorer adds one, the truth two, the agent loses one and gains three.
    """
    a, b = history("a"), history("b", "c17", "c18", "c19")
    states = States.of(a, b, new_scorer=history("a_new_scorer"), new_truth=history("a_new_truth"))
    found = compare(a, b, states=states).attribution
    assert found is not None
    assert exact(found) == {
        "coverage": Fraction(-1, 85),
        "scorer": Fraction(1, 17),
        "truth": Fraction(2, 17),
        "agent": Fraction(2, 17),
    }
    assert (found.a, found.b, found.exact) == (0.6, 15 / 17, "24/85")
    assert sum(exact(found).values()) == Fraction(24, 85)
    assert (found.left, found.joined, found.common) == ("-1/85", "0", 17)
    assert [(moved.case_id, moved.why) for moved in found.only_a] == [
        ("c17", "excluded"), ("c18", "excluded"), ("c19", "excluded")
    ]  # fmt: skip


def test_without_the_middle_state_scorer_and_truth_are_one_part() -> None:
    a, b = history("a"), history("b", "c17", "c18", "c19")
    found = attribute(a, b, States.of(a, b, new_truth=history("a_new_truth")))
    assert found is not None
    assert list(exact(found)) == ["coverage", "scorer+truth", "agent"]
    assert exact(found)["scorer+truth"] == Fraction(3, 17)


def test_what_is_the_same_need_not_be_scored_again() -> None:
    a, b = history("a"), history("b")
    again = history("a_new_truth")
    by_truth = attribute(a, b, States.of(a, b, new_truth=again, same_scorer=True))
    by_scorer = attribute(a, b, States.of(a, b, new_scorer=again, same_truth=True))
    other_way = attribute(a, b, States.of(a, b, new_truth=again, same_truth=True))
    both = attribute(a, b, States.of(a, b, same_scorer=True, same_truth=True))
    assert by_truth is not None
    assert by_scorer is not None
    assert both is not None
    assert exact(by_truth) == {"coverage": Fraction(-1, 85), "scorer": Fraction(0),
                               "truth": Fraction(3, 17), "agent": Fraction(2, 17)}  # fmt: skip
    assert other_way == by_scorer
    assert exact(by_scorer)["scorer"] == Fraction(3, 17)
    assert exact(both)["agent"] == Fraction(5, 17)


def test_with_nothing_scored_again_all_is_one_part_but_coverage() -> None:
    a, b = history("a"), history("b")
    found = attribute(a, b, States.of(a, b))
    assert found is not None
    assert exact(found) == {
        "coverage": Fraction(-1, 85), "scorer+truth+agent": Fraction(5, 17)
    }  # fmt: skip


def test_added_cases_that_a_never_saw_are_coverage_and_not_the_agent() -> None:
    """A fair comparison on c00 and c01; three hard new cases pull B's rate down."""
    a = side({"c00": "P", "c01": "F"})
    b = side({"c00": "P", "c01": "P", "n1": "F", "n2": "F", "n3": "F"})
    found = attribute(a, b, States.of(a, b, same_scorer=True, same_truth=True))
    assert found is not None
    assert exact(found)["agent"] == Fraction(1, 2)
    assert exact(found)["coverage"] == Fraction(2, 5) - 1
    assert (found.left, found.joined) == ("0", "-3/5")
    assert [(m.case_id, m.why) for m in found.only_b] == [
        ("n1", "absent"), ("n2", "absent"), ("n3", "absent")
    ]  # fmt: skip


def test_added_cases_that_a_can_be_scored_on_again_are_compared() -> None:
    a = side({"c00": "P"}, excluded=["n1"])
    b = side({"c00": "P", "n1": "P"})
    again = side({"c00": "P", "n1": "F"})
    found = attribute(a, b, States.of(a, b, new_scorer=side({"c00": "P"}), new_truth=again))
    assert found is not None
    assert exact(found) == {"coverage": Fraction(-1, 2), "scorer": Fraction(0),
                            "truth": Fraction(0), "agent": Fraction(1, 2)}  # fmt: skip
    assert (found.common, found.regraded) == (2, ("n1",))


def test_a_case_that_loses_its_verdict_is_coverage() -> None:
    """c01 cannot be judged under B's truth; c02 erred in B's run."""
    a = side({"c00": "P", "c01": "P", "c02": "F"})
    b = side({"c00": "P", "c01": "P", "c02": "E"})
    again = side({"c00": "P", "c01": "N", "c02": "F"})
    found = attribute(a, b, States.of(a, b, new_truth=again))
    assert found is not None
    assert exact(found) == {
        "coverage": Fraction(1, 3), "scorer+truth": Fraction(0), "agent": Fraction(0)
    }  # fmt: skip
    assert [(m.case_id, m.why) for m in found.only_a] == [("c01", "not_regraded"),
                                                         ("c02", "error")]  # fmt: skip
    assert [(m.case_id, m.why) for m in found.only_b] == [("c01", "not_regraded")]


def test_no_rate_no_parts() -> None:
    nothing, some = table({"a": "N"}), table({"a": "P"})
    assert attribute(nothing, some, States.of(nothing, some)) is None
    apart = attribute(some, table({"b": "F"}), States.of(some, table({"b": "F"})))
    assert apart is not None
    assert exact(apart) == {"coverage": Fraction(-1)}
