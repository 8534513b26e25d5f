"""The shipped runs: made by the shipped program, and what they are said to be."""

from __future__ import annotations

import re

import pytest

from assay.models.compiled import EffectiveTruth
from assay.models.run import ObservedRun
from assay.scoring.case import score_case
from assay.scoring.observed import observed_digest
from tests.domain.shipped import RUNS, SUITE, counting, program, repository, runs, verdicts

pytestmark = pytest.mark.domain

AGENTS = ("oracle", "careful", "hasty", "rule-breaker", "do-nothing")
DISAGREES = {"refund-0031", "refund-0063"}
"""Labelled for an order with another price, and under version 6."""


def outcome(case_id: str, run: ObservedRun, *, rubric: bool = True) -> str:
    """The verdict on a run, with or without its rubric."""
    record = counting()[case_id]
    if not rubric:
        record = record.model_copy(update={"rubric": ()})
    truth = EffectiveTruth(suite="refunds", case_id=case_id, record=record, content_hash="0" * 64)
    loaded = repository()
    suite = loaded.suites["refunds"].suite
    entry = suite.cases[case_id]
    return score_case(
        truth,
        loaded.cases[case_id].case,
        entry,
        run,
        loaded.names,
        reference_date=entry.reference_date or suite.reference_date,
    ).outcome


@pytest.mark.parametrize("agent", AGENTS)
def test_runs_are_fresh(agent: str) -> None:
    made = program("make_runs").text_of(agent)
    committed = (RUNS / f"{agent}.jsonl").read_text(encoding="utf-8")
    assert made == committed, "python cases/refunds/agents/make_runs.py"


def test_by_the_book_agrees_with_the_labels() -> None:
    """The policy as a program and the labels as people wrote them come to the same."""
    maker = program("make_runs")
    readings = maker.load(SUITE / "agents" / "readings.json")
    wrong = []
    for case_id, case in maker.cases().items():
        if counting()[case_id].status == "disputed":
            continue
        desk = maker.converse(case, maker.BY_THE_BOOK, readings[case_id], 0)
        head = {"run": "by-the-book", "case_id": case_id, "model": "scripted/by-the-book"}
        run = ObservedRun.model_validate(desk.observed(head))
        if outcome(case_id, run, rubric=False) != "passed":
            wrong.append(case_id)
    assert set(wrong) == DISAGREES


def test_agents_are_what_the_page_says() -> None:
    known = counting().keys()
    seen = {agent: list(runs(agent)) for agent in AGENTS}
    for agent, entries in seen.items():
        assert all(entry.agent == agent and entry.run == agent for entry in entries)
    assert {e.case_id for e in seen["hasty"]} - known == {"refund-0143"}
    assert known - {e.case_id for e in seen["rule-breaker"]} == {"refund-1218"}
    assert {e.trial for e in seen["careful"]} == {0, 1, 2}
    failed = [e.case_id for e in seen["hasty"] if e.infrastructure_errors]
    assert failed == ["refund-0429"]
    assert not any(e.tool_calls or e.final_answer for e in seen["do-nothing"])
    names = {call.name for e in seen["hasty"] for _, call in e.tool_calls}
    assert {"mcp__orders__lookup_order", "find_policy"} <= names
    blocked = [c for e in seen["rule-breaker"] for _, c in e.tool_calls if c.outcome == "blocked"]
    assert blocked


def test_habits_are_asked_for_somewhere() -> None:
    text = "".join(p.read_text(encoding="utf-8") for p in (SUITE / "agents").glob("*.py"))
    asked = set(re.findall(r'has\("(\w+)"\)', text))
    profiles = program("profiles")
    for profile in (profiles.CAREFUL, profiles.HASTY):
        assert profile.lacks <= asked, profile.name


def test_verdicts_belong_to_what_was_judged() -> None:
    digests = {
        (agent, entry.case_id, entry.trial): observed_digest(entry)
        for agent in AGENTS
        for entry in runs(agent)
    }
    criteria = {
        (case_id, criterion.id)
        for case_id, record in counting().items()
        for criterion in record.rubric
    }
    for verdict in verdicts():
        assert (verdict.case_id, verdict.criterion) in criteria
        assert verdict.observed == digests[verdict.run, verdict.case_id, verdict.trial]
