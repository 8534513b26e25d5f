"""The shipped labels: clean, current, complete, and what the documentation says of them."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from assay.checks.compiling import compile_truth
from assay.checks.runner import world_of
from tests.domain.shipped import ROOT, TODAY, counting, findings, repository

pytestmark = pytest.mark.domain

EXAMPLE = "refund-0142"


def test_nothing_is_wrong() -> None:
    assert [f for f in findings().findings if f.severity == "error"] == []


def test_the_only_warning_is_the_case_without_an_owner() -> None:
    warned = [(f.code, f.case_id) for f in findings().findings if f.severity == "warning"]
    assert warned == [("PEO003", "refund-0044")]


def test_worked_example_is_clean_today() -> None:
    assert [f for f in findings().findings if f.case_id == EXAMPLE] == []
    record = counting()[EXAMPLE]
    assert (record.status, record.revision) == ("gold", 1)
    assert (record.as_of, record.expires) == ("2026-09-18", "2027-03-18")


def test_worked_example_has_two_findings_under_the_next_version() -> None:
    found = [f for f in findings("2027-04-01", "refunds-v8").findings if f.case_id == EXAMPLE]
    assert sorted((f.code, f.severity) for f in found) == [
        ("EXP001", "excludes"),
        ("POL001", "excludes"),
    ]


def test_every_status_is_there() -> None:
    statuses = Counter(record.status for record in counting().values())
    assert statuses["gold"] >= 100
    assert all(statuses[name] for name in ("silver", "draft", "disputed", "retired"))
    excluding = Counter(f.code for f in findings().findings if f.severity == "excludes")
    assert excluding["EXP001"] == 4
    assert excluding["CAS001"] == 1


def test_all_four_kinds_of_truth_are_there() -> None:
    records = counting().values()
    for field in ("required_tools", "facts", "acceptable_answers", "rubric", "state"):
        assert any(getattr(record, field) for record in records), field


def test_disputed_records_hide_gold() -> None:
    for case_id, record in counting().items():
        if record.status == "disputed":
            before = repository().revisions[case_id][-2].record
            assert before.status == "gold", case_id


def test_a_revision_waits_for_its_policy() -> None:
    last = repository().revisions["refund-0174"][-1].record
    assert last.policies == ("refunds-v8",)
    assert counting()["refund-0174"].revision == last.revision - 1


def test_enough_cases_can_gate() -> None:
    compiled = compile_truth(world_of(repository(), today=TODAY), findings())
    truths = compiled.suites["refunds"]
    live = [truth for truth in truths if truth.record and truth.record.status != "retired"]
    floor = repository().params.model.gate.floors["refunds"]
    assert sum(truth.gates for truth in live) >= floor * len(live)


def test_the_page_on_truth_names_cases_that_are_there() -> None:
    page = (ROOT / "truth" / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"refund-[0-9]{4}", page)) <= counting().keys()


def test_labels_rest_on_more_than_the_verdict() -> None:
    for stored in repository().records:
        assert len(" ".join(stored.record.rationale)) >= 20, stored.path
