"""H13 one model under two names, H14 a judge without a verdict."""

from __future__ import annotations

from typing import Any

import pytest

from assay.files.yamls import read_yaml
from assay.ledger.people import PeopleIndex
from assay.models.catalog import People
from assay.models.verdict import Verdict
from assay.scoring.tally import CaseTrials, tally
from tests.scoring.making import kinds, run, score, verdict
from tests.situations.given import folder, load

# -- H13 ------------------------------------------------------------------------------------------

WHO = PeopleIndex(
    People.model_validate(
        {
            "route_prefixes": ["proxy/", "eu/"],
            "models": [{"name": "maker-a-7", "spellings": ["maker-a-7-newest"], "may": ["judge"]}],
        }
    )
)
LABEL: dict[str, Any] = {
    "rubric": [{"id": "tone", "text": "Is it polite?"}],
    "facts": [{"id": "f", "any_of": ["morning"]}],
}


def refused(candidate: str, judge: str, who: PeopleIndex) -> bool:
    """Whether the judge's verdict is refused; what needs no judge is scored in any event."""
    recorded = verdict("tone", "yes", judge=judge or " ")
    result = score(
        LABEL,
        run([], "Good morning", model=candidate),
        verdicts=[recorded],
        same_model=who.same_model,
    )
    facts, rubric = result.components
    assert facts.outcome == "passed"
    assert (rubric.outcome == "not_evaluated") is ("judge_refused" in kinds(result))
    return rubric.outcome == "not_evaluated"


@pytest.mark.parametrize(
    ("candidate", "judge", "expected"),
    [
        ("proxy/eu/maker-a-7", "eu/maker-a-7", True),
        ("maker-a-7", "Maker-A-7", True),
        ("maker-a-7-newest", "eu/maker-a-7", True),
        ("maker-a-7", "maker-a-7-small", False),
        ("maker-b-1", "maker-a-7", False),
        ("", "maker-a-7", True),
    ],
)
def test_no_model_judges_itself(candidate: str, judge: str, expected: bool) -> None:
    assert refused(candidate, judge, WHO) is expected


@pytest.mark.data
def test_given_names_of_models() -> None:
    given = read_yaml(folder("13") / "models.yaml", name="models.yaml").value
    assert isinstance(given, dict)
    who = PeopleIndex(
        People.model_validate(
            {
                "route_prefixes": given["route_prefixes"],
                "models": [
                    {"name": name, "spellings": [other], "may": []}
                    for other, name in given["same_as"].items()
                ],
            }
        )
    )
    pairs, expected = load("13", "pairs.json"), load("13", "expected.json")
    for (candidate, judge), what in zip(pairs, expected, strict=True):
        assert refused(candidate, judge, who) is (what != "allow")


# -- H14 ------------------------------------------------------------------------------------------


def judged(negate: bool, *verdicts: Verdict) -> str:
    label = {"rubric": [{"id": "tone", "text": "Is it so?", "negate": negate}]}
    return score(label, run([], "x"), verdicts=verdicts).outcome


@pytest.mark.parametrize(
    ("negate", "verdicts", "expected"),
    [
        (False, [verdict("tone", "yes")], "passed"),
        (True, [verdict("tone", None, error="timed out")], "not_evaluated"),
        (True, [verdict("tone", "no")], "passed"),
        (False, [verdict("tone", "rather yes")], "not_evaluated"),
        (False, [verdict("tone", "no")], "failed"),
        (True, [verdict("tone", None)], "not_evaluated"),
        (True, [], "not_evaluated"),
    ],
)
def test_no_verdict_is_none_and_never_its_opposite(
    negate: bool, verdicts: list[Verdict], expected: str
) -> None:
    assert judged(negate, *verdicts) == expected


@pytest.mark.data
def test_given_verdicts() -> None:
    expected = load("14", "expected.json")
    outcomes: dict[str, Any] = {}
    for line in load("14", "verdicts.jsonl"):
        recorded = verdict("tone", line.get("verdict"), error=line.get("error"))
        outcomes[line["case_id"]] = judged(line.get("negate", False), recorded)
    words = {"passed": "pass", "failed": "fail", "not_evaluated": "not_evaluated"}
    for name, outcome in outcomes.items():
        assert words[outcome] == expected[name]
    found = tally(CaseTrials(name, name, (outcome,)) for name, outcome in outcomes.items())
    assert (found.expected, found.evaluated, found.not_evaluated) == (
        expected["total"], expected["evaluated"], expected["not_evaluated"]
    )  # fmt: skip
    assert found.pass_rate == 2 / 3
    assert found.incomplete
