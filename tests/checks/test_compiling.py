"""Effective truth: what is excluded, what gates, what stops, what the hash covers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assay.checks.compiling import CompiledRepository, compile_truth, stops
from assay.checks.runner import check_world, world_of
from assay.ledger.hashes import content_hash, truth_hash
from assay.ledger.repository import Repository
from tests.support import case, finish, make_repository, record

STATE = {"orders": {"0142": {"paid": 40, "status": "delivered"}}}


def compiled(root: Path, truth: tuple[Path, ...] = (), **options: Any) -> CompiledRepository:
    world = world_of(Repository.load(root, truth=truth), **options)
    return compile_truth(world, check_world(world))


def build(root: Path, *records: dict[str, Any], cases: tuple[str, ...] = ()) -> Path:
    ids = cases or tuple(dict.fromkeys(value["case_id"] for value in records))
    shown = [case(case_id, "Please refund order 0142.", STATE) for case_id in ids]
    return finish(make_repository(root, list(records), shown))


def codes(result: CompiledRepository, case_id: str) -> list[str]:
    entry = result.entry(case_id)
    assert entry is not None
    return [exclusion.code for exclusion in entry.exclusions]


def test_one_entry_a_case_sorted(tmp_path: Path) -> None:
    root = build(
        tmp_path,
        record("b"),
        record("a", required_tools=[{"tool": "refund_order", "args": {"order_id": "0142"}}]),
        cases=("c", "b", "a"),
    )
    result = compiled(root)
    assert [entry.case_id for entry in result.suites["shop"]] == ["a", "b", "c"]
    a, b, c = result.suites["shop"]
    assert a.record is not None
    assert a.record.required[0].tool == "issue_refund"  # after the rename map
    assert a.content_hash == content_hash(a.record)
    assert b.gates
    assert b.not_gating == ()
    assert (c.record, c.content_hash, c.gates) == (None, None, False)
    assert codes(result, "c") == ["STA002"]
    assert result.entry("nobody") is None


def test_context(tmp_path: Path) -> None:
    root = build(tmp_path, record("a"), record("b", status="draft"), record("c", expires=None))
    context = compiled(root).context
    assert context.today == "2026-11-30"
    assert context.policies == {"refunds": "refunds-v7"}
    assert context.renames == {"refund_order": "issue_refund"}
    entries = compiled(root).suites["shop"]
    expected = [
        (entry.case_id, entry.content_hash or "", "gold")
        for entry in entries
        if entry.case_id != "b"
    ]
    assert context.truth == {"shop": truth_hash(expected)}


def test_truth_hash_does_not_know_the_day(tmp_path: Path) -> None:
    root = build(tmp_path, record("a"), record("b", status="disputed", change="dispute"))
    early = compiled(root)
    late = compiled(root, today="2027-06-01")
    assert early.context.truth == late.context.truth
    assert codes(early, "a") == []
    assert codes(late, "a") == ["EXP001", "POL001"]
    assert codes(late, "b") == ["STA001"]


def test_an_error_excludes_its_case_alone(tmp_path: Path) -> None:
    root = build(tmp_path, record("a", labelers=["ana"]), record("b"))
    result = compiled(root)
    assert codes(result, "a") == ["REC004"]
    assert codes(result, "b") == []


def test_a_warning_excludes_nothing(tmp_path: Path) -> None:
    root = build(tmp_path, record("a", rationale=["Right."]))
    assert codes(compiled(root), "a") == []


def test_an_error_in_a_revision_that_does_not_count_excludes_nothing(tmp_path: Path) -> None:
    later = record("a", 2, applies_from="2027-01-01", labelers=["ana"])
    root = build(tmp_path, record("a"), later)
    assert codes(compiled(root), "a") == []
    assert codes(compiled(root, today="2027-01-01"), "a") == ["REC004"]


@pytest.mark.parametrize(("number", "excluded"), [(1, False), (2, True), (3, True)])
def test_a_revision_that_cannot_be_read(tmp_path: Path, number: int, excluded: bool) -> None:
    """An older one only had to parse; a later one may be the one that counts."""
    root = build(tmp_path, record("a"), record("a", 2), record("a", 3, applies_from="2027-01-01"))
    (root / f"truth/records/shop/a.r{number:04d}.json").write_text("{", encoding="utf-8")
    result = compiled(root)
    assert ("FIL001" in codes(result, "a")) is excluded


def test_a_waived_error_excludes_nothing_and_an_exclusion_is_never_waived(tmp_path: Path) -> None:
    root = build(tmp_path, record("a", labelers=["ana"]), record("b", expires="2026-11-30"))
    (root / "truth/waivers.yaml").write_text(
        "waivers:\n"
        '  - {case: a, code: REC004, reason: r, until: "2027-01-01"}\n'
        '  - {case: b, code: EXP001, reason: r, until: "2027-01-01"}\n',
        encoding="utf-8",
    )
    result = compiled(root)
    assert codes(result, "a") == []
    assert codes(result, "b") == ["EXP001"]


def test_what_is_wrong_with_a_file_beside_the_record_excludes_nothing(tmp_path: Path) -> None:
    root = build(tmp_path, record("a"))
    (root / "truth/quarantine.yaml").write_text(
        'quarantine: [{case: a, reason: r, until: "2026-11-30"}]\n', encoding="utf-8"
    )
    result = compiled(root)
    assert codes(result, "a") == []
    assert result.suites["shop"][0].gates


@pytest.mark.parametrize(
    ("fields", "files", "reason"),
    [
        ({"status": "silver"}, {}, "silver, not gold"),
        ({}, {"params.yaml": ("unmeasured: allow", "unmeasured: refuse")}, "not measured"),
        (
            {},
            {"truth/quarantine.yaml": 'quarantine: [{case: a, reason: r, until: "2027-01-01"}]'},
            "in quarantine until 2027-01-01: r",
        ),
        (
            {"labelers": ["ana", "bo"], "adjudicator": "dan"},
            {
                "truth/people.yaml": (
                    'cleo:\n    roles: [{role: adjudicator, from: "2026-01-01"}, '
                    '{role: owner, from: "2026-01-01"}]',
                    'cleo:\n    roles: [{role: owner, from: "2026-01-01", until: "2026-10-01"}]\n'
                    '  dan:\n    roles: [{role: adjudicator, from: "2026-01-01", '
                    'until: "2026-10-01"}]',
                )
            },
            "unowned",
        ),
    ],
)
def test_scored_and_does_not_gate(
    tmp_path: Path, fields: dict[str, Any], files: dict[str, Any], reason: str
) -> None:
    root = build(tmp_path, record("a", **fields))
    for path, change in files.items():
        if isinstance(change, tuple):
            text = (root / path).read_text(encoding="utf-8")
            assert change[0] in text
            text = text.replace(*change)
            if "dan:" in text:
                text = text.replace(
                    '{role: labeler, from: "2026-01-01"}',
                    '{role: labeler, from: "2026-01-01", until: "2026-10-01"}',
                )
            (root / path).write_text(text, encoding="utf-8")
        else:
            (root / path).write_text(change + "\n", encoding="utf-8")
    (entry,) = compiled(root).suites["shop"]
    assert entry.exclusions == ()
    assert not entry.gates
    assert any(reason in why for why in entry.not_gating), entry.not_gating


def test_records_without_a_case(tmp_path: Path) -> None:
    root = build(tmp_path, record("a"), record("ghost"), cases=("a",))
    result = compiled(root)
    assert [entry.case_id for entry in result.suites["shop"]] == ["a", "ghost"]
    assert codes(result, "ghost") == ["STA003"]


def test_interchange_records(tmp_path: Path) -> None:
    root = build(tmp_path, record("a"), cases=("a", "b"))
    path = tmp_path / "t.jsonl"
    lines = [
        record("a"),
        record("a", 2, labelers=["ana"], applies_from="2027-01-01"),
        record("b", labelers=["ana"]),
        record("nowhere"),
    ]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    result = compiled(root, (path,))
    assert codes(result, "a") == []
    assert codes(result, "b") == ["REC004"]
    assert result.unplaced == ("nowhere",)


def test_only(tmp_path: Path) -> None:
    root = build(tmp_path, record("a"), record("b"))
    result = compiled(root, only=["b"])
    assert [entry.case_id for entry in result.suites["shop"]] == ["b"]


@pytest.mark.parametrize(
    ("path", "old", "new", "stopping"),
    [
        ("truth/tools.yaml", "tools:", "tools: [", ["FIL001"]),
        ("truth/tools.yaml", "renamed_to: issue_refund", "renamed_to: gone", ["TOL001"]),
        ("truth/people.yaml", 'from: "2026-01-01"', "from: yesterday", ["FIL002"]),
        ("truth/policies/refunds-v7.md", "Thirty", "Forty", ["POL006"]),
        ("params.yaml", "suites", "suits", ["FIL002"]),
        ("cases/shop/suite.yaml", "licence:", "license:", ["FIL002"]),
        ("cases/shop/shop.evalset.json", '"eval_cases"', '"cases"', ["FIL002"]),
        ("truth/records/shop/a.r0001.json", '"gold"', '"golden"', []),
        ("truth/records/shop/a.r0001.json", '["ana", "bo"]', '["ana"]', []),
        ("cases/shop/suite.yaml", "owner: cleo", "owner: clio", []),
        ("params.yaml", "allow", "allow\n  require: {cases: [b]}", ["GAT001"]),
    ],
)
def test_what_stops(tmp_path: Path, path: str, old: str, new: str, stopping: list[str]) -> None:
    root = build(tmp_path, record("a"), record("b", status="draft"))
    text = (root / path).read_text(encoding="utf-8")
    assert old in text
    (root / path).write_text(text.replace(old, new), encoding="utf-8")
    report = check_world(world_of(Repository.load(root)))
    assert sorted({finding.code for finding in stops(report)}) == stopping
    assert any(finding.severity == "error" for finding in report.findings)


def test_a_stray_file_stops(tmp_path: Path) -> None:
    root = build(tmp_path, record("a"))
    (root / "truth/records/shop/a.r002.json").write_text("{}", encoding="utf-8")
    report = check_world(world_of(Repository.load(root)))
    assert [finding.code for finding in stops(report)] == ["FIL004"]
