"""What moved a number: parts that sum exactly, each on cases that nothing else moved."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from assay.comparing.attribution import attribute
from assay.models.comparison import Attribution

F, P = Fraction(0), Fraction(1)
SHARES = st.dictionaries(
    st.sampled_from("abcdefgh"), st.fractions(0, 1, max_denominator=4), min_size=1
)
MAYBE = st.none() | SHARES


def shares(**cases: int) -> dict[str, Fraction]:
    return {name: Fraction(value) for name, value in cases.items()}


def parts(found: Attribution | None) -> dict[tuple[str, ...], Fraction]:
    assert found is not None
    return {step.parts: Fraction(step.exact) for step in found.parts}


HISTORY = (
    # Ten cases; h, i and j expire; the scorer wrongly fails f; labels of d and e are corrected;
    # the agent learns g. Nobody ever passes c.
    shares(a=1, b=1, c=0, d=0, e=0, f=0, g=0, h=1, i=1, j=0),
    shares(a=1, b=1, c=0, d=0, e=0, f=1, g=0, h=1, i=1, j=0),
    shares(a=1, b=1, c=0, d=1, e=1, f=1, g=0),
    shares(a=1, b=1, c=0, d=1, e=1, f=1, g=1),
)


def test_the_made_up_history_by_hand() -> None:
    found = attribute(*HISTORY)
    assert parts(found) == {
        ("coverage",): Fraction(2, 7) - Fraction(4, 10),
        ("scorer",): Fraction(1, 7),
        ("truth",): Fraction(2, 7),
        ("agent",): Fraction(1, 7),
    }
    assert found is not None
    assert (found.exact_a, found.exact_b) == ("2/5", "6/7")
    assert (found.cases, found.left, found.came) == (7, ("h", "i", "j"), ())
    assert [[m.case_id for m in step.moved] for step in found.parts] == [
        [], ["f"], ["d", "e"], ["g"],
    ]  # fmt: skip


def test_a_missing_state_joins_two_parts_and_says_so() -> None:
    first, scorer, truth, second = HISTORY
    assert list(parts(attribute(first, None, truth, second, ["old"]))) == [
        ("coverage",), ("scorer", "truth"), ("agent",),
    ]  # fmt: skip
    joined = attribute(first, scorer, None, second, ["gone"])
    assert list(parts(joined)) == [("coverage",), ("scorer",), ("truth", "agent")]
    assert joined is not None
    assert joined.unknown == ("gone",)
    every = parts(attribute(first, None, None, second))
    assert every == {
        ("coverage",): Fraction(-4, 35),
        ("scorer", "truth", "agent"): Fraction(4, 7),
    }


def test_a_case_without_a_verdict_in_between_is_coverage_and_nothing_else() -> None:
    before, after = shares(a=1, b=0, x=1), shares(a=1, b=1, x=0)
    found = parts(attribute(before, before, shares(a=1, b=0), after))
    assert found["agent",] == Fraction(1, 2)
    assert found["truth",] == 0
    assert sum(found.values()) == 0


def test_new_cases_are_coverage() -> None:
    before, after = shares(a=1, b=0), shares(a=1, b=0, n=1, m=1)
    found = attribute(before, before, before, after)
    assert parts(found) == {
        ("coverage",): Fraction(1, 4),
        ("scorer",): 0,
        ("truth",): 0,
        ("agent",): 0,
    }
    assert found is not None
    assert (found.left, found.came) == ((), ("m", "n"))


def test_nothing_in_common_says_nothing_of_the_agent() -> None:
    found = parts(attribute(shares(a=1), None, None, shares(b=0)))
    assert found == {("coverage", "scorer", "truth", "agent"): Fraction(-1)}
    assert attribute({}, None, None, shares(b=0)) is None


@given(SHARES, MAYBE, MAYBE, SHARES)
def test_parts_sum_exactly(
    first: dict[str, Fraction],
    scorer: dict[str, Fraction] | None,
    truth: dict[str, Fraction] | None,
    second: dict[str, Fraction],
) -> None:
    found = attribute(first, scorer, truth, second)
    assert found is not None
    total = Fraction(found.exact_b) - Fraction(found.exact_a)
    assert sum(parts(found).values()) == total
    assert [name for step in found.parts for name in step.parts] == [
        "coverage", "scorer", "truth", "agent",
    ]  # fmt: skip
    assert found.cases + len(found.left) == len(first)
    assert found.cases + len(found.came) == len(second)


@given(SHARES, st.fractions(0, 1, max_denominator=4), st.sampled_from("abcdefgh"))
def test_what_is_not_replaced_moves_nothing(
    first: dict[str, Fraction], share: Fraction, name: str
) -> None:
    second = {**first, name: share}
    found = parts(attribute(first, first, first, second))
    assert found["scorer",] == found["truth",] == 0
    if name in first:
        assert found["coverage",] == 0
