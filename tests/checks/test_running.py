"""The runner: order, selection, crashes, follow-up findings, waivers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assay.checks.rule import REGISTRY, Found, Rule
from assay.checks.runner import check_world, ordered, rules, run_checks, world_of
from assay.checks.world import World
from assay.errors import UsageError
from assay.ledger.repository import Repository
from assay.models.finding import Finding
from tests.support import case, finish, make_repository, record


def codes(root: Path, **options: Any) -> list[str]:
    return [finding.code for finding in run_checks(Repository.load(root), **options).findings]


def test_clean(tmp_path: Path) -> None:
    root = finish(make_repository(tmp_path))
    report = run_checks(Repository.load(root))
    assert report.findings == ()
    assert report.checked == {
        "records": 1,
        "cases": 1,
        "suites": 1,
        "tools": 4,
        "policies": 2,
        "people": 3,
        "judged": 1,
    }


def test_selection(tmp_path: Path) -> None:
    root = finish(make_repository(tmp_path, [record("refund-0142", expires="2026-11-30")]))
    assert codes(root, select=["EXP*"]) == ["EXP001"]
    assert codes(root, select=["exp001", "POL*"]) == ["EXP001"]
    assert codes(root, select=["POL*"]) == []
    with pytest.raises(UsageError, match="XYZ"):
        codes(root, select=["XYZ*"])


def test_only_these_cases(tmp_path: Path) -> None:
    cases = [case("a", "Refund 0142?", {"x": 1}), case("b", "Refund 0142?", {"x": 1})]
    root = finish(make_repository(tmp_path, [record("a", labelers=["ana"])], cases))
    assert codes(root) == ["STA002", "REC004"]
    assert codes(root, only=["a"]) == ["REC004"]
    assert codes(root, only=["b"]) == ["STA002"]
    assert codes(root, only=[]) == []


def test_unknown_policy(tmp_path: Path) -> None:
    root = make_repository(tmp_path)
    with pytest.raises(UsageError, match="refunds-v9"):
        codes(root, policies=["refunds-v9"])


def test_a_crash_keeps_what_was_found_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: Rule, world: World) -> Any:
        yield Found("first", path="a")
        raise ValueError("two\nlines")

    monkeypatch.setattr(rules()["REC004"], "find", broken)
    root = finish(make_repository(tmp_path))
    found = run_checks(Repository.load(root)).findings
    assert [(f.code, f.message) for f in found] == [
        ("FIL000", "REC004 crashed: ValueError: two lines (broken)."),
        ("REC004", "first"),
    ]


def test_follow_up_findings_are_left_out(tmp_path: Path) -> None:
    """A tool that is required and forbidden cannot be proved; one finding says so."""
    broken = record("refund-0142", forbidden_tools=["issue_refund"])
    root = finish(make_repository(tmp_path, [broken]))
    assert codes(root) == ["TOL004"]
    assert codes(root, select=["PRF*"]) == ["PRF001"]


def test_a_broken_catalogue_is_reported_alone(tmp_path: Path) -> None:
    root = finish(make_repository(tmp_path))
    (root / "truth/tools.yaml").write_text("tools: [", encoding="utf-8")
    assert codes(root) == ["FIL001"]


def test_what_a_revision_to_come_says_is_judged_too(tmp_path: Path) -> None:
    later = record(
        "refund-0142",
        2,
        policy_version="refunds-v8",
        clauses=["refunds-v8#3.2"],
        labelers=["ana"],
    )
    root = finish(make_repository(tmp_path, [record("refund-0142"), later]))
    found = run_checks(Repository.load(root)).findings
    assert [(f.code, f.path[-10:]) for f in found] == [("REC004", "r0002.json")]


def test_an_older_revision_only_has_to_parse(tmp_path: Path) -> None:
    first = record("refund-0142", labelers=["nobody"], expires="2020-01-01")
    root = finish(make_repository(tmp_path, [first, record("refund-0142", 2)]))
    assert codes(root) == []


def test_findings_are_in_order_and_unique() -> None:
    one = Finding(code="REC001", severity="error", path="b", line=2, message="m")
    other = one.model_copy(update={"path": "a"})
    third = one.model_copy(update={"line": 10})
    assert ordered([third, one, other, one]) == (other, one, third)


def test_a_waived_finding_is_counted(tmp_path: Path) -> None:
    root = finish(make_repository(tmp_path, [record("refund-0142", rationale=["Right."])]))
    (root / "truth/waivers.yaml").write_text(
        'waivers: [{case: refund-0142, code: REC011, reason: r, until: "2027-01-01"}]\n',
        encoding="utf-8",
    )
    report = run_checks(Repository.load(root))
    assert report.findings == ()
    assert report.checked["waived"] == 1
    # With a selection nobody can tell that a waiver is not needed.
    assert codes(root, select=["EXP001"]) == []


def test_one_world_serves_check_and_compilation(tmp_path: Path) -> None:
    world = world_of(Repository.load(finish(make_repository(tmp_path))))
    assert check_world(world) == run_checks(world.repository)


def test_two_rules_of_one_name_are_refused() -> None:
    before = dict(REGISTRY)
    try:
        type("ZZZ001", (Rule,), {})
        with pytest.raises(TypeError, match="ZZZ001"):
            type("ZZZ001", (Rule,), {})
    finally:
        REGISTRY.clear()
        REGISTRY.update(before)
