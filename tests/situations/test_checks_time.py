"""Labels and time: the worked example, expiry on the day itself, policies that move."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from assay.checks.compiling import compile_truth
from assay.checks.runner import check_world, run_checks, world_of
from assay.ledger.days import add_months
from assay.ledger.repository import Repository
from tests.support import case, finish, make_repository, record

STATE = {"orders": {"0142": {"paid": 40, "status": "delivered"}}}


def codes(root: Path, **options: Any) -> list[str]:
    return [finding.code for finding in run_checks(Repository.load(root), **options).findings]


def test_worked_example_of_the_truth_design(tmp_path: Path) -> None:
    """Gold, under version 7 on 2026-09-18, six months and a cassette: nothing, and then two."""
    value = record(
        "refund-0142",
        expires=add_months("2026-09-18", 6),
        evidence=["cassette refund-0142, recorded 2026-09-18"],
    )
    assert value["expires"] == "2027-03-18"
    root = finish(make_repository(tmp_path, [value]))
    assert codes(root, today="2026-11-30") == []
    assert codes(root, today="2026-11-30", policies=("refunds-v7",)) == []
    found = run_checks(Repository.load(root), today="2027-04-01", policies=("refunds-v8",)).findings
    assert [(f.code, f.severity) for f in found] == [
        ("POL001", "excludes"),
        ("EXP001", "excludes"),
    ]
    assert "refunds-v7" in found[0].message
    assert "refunds-v8" in found[0].message
    assert "2027-03-18" in found[1].message
    assert codes(root, today="2027-04-01") == ["POL001", "EXP001"]


@pytest.mark.parametrize(
    ("today", "expired"), [("2027-03-17", False), ("2027-03-18", True), ("2027-03-19", True)]
)
def test_h19_expired_on_the_day_itself(tmp_path: Path, today: str, expired: bool) -> None:
    root = finish(make_repository(tmp_path, [record("refund-0142")]))
    found = codes(root, today=today, policies=("refunds-v7",), select=["EXP001"])
    assert found == (["EXP001"] if expired else [])


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC"])
def test_h19_the_time_zone_of_the_machine_means_nothing(tmp_path: Path, zone: str) -> None:
    root = finish(make_repository(tmp_path, [record("refund-0142")]))
    script = (
        "import sys\nfrom pathlib import Path\n"
        "from assay.checks.runner import run_checks\n"
        "from assay.ledger.repository import Repository\n"
        "report = run_checks(Repository.load(Path(sys.argv[1])), today='2027-03-17',\n"
        "                    policies=('refunds-v7',))\n"
        "print([finding.code for finding in report.findings])\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", script, str(root)],
        env={**os.environ, "TZ": zone, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout.strip() == "['EXP002']"


@pytest.mark.parametrize(
    "bad",
    ["2027-03-18T00:00:00Z", "2027-02-29", "18/03/2027", "2027-3-8", 20270318, "20270318"],
)
def test_h19_what_is_no_day_is_refused_with_its_line(tmp_path: Path, bad: object) -> None:
    root = make_repository(tmp_path, [record("refund-0142", expires=bad)])
    (finding,) = run_checks(Repository.load(root), select=["FIL*"]).findings
    assert (finding.code, finding.pointer) == ("FIL002", "/expires")
    assert finding.line
    assert finding.line > 1


SHIPPING = """\
  shipping:
    versions:
      - {version: shipping-v3, effective: "2026-01-01"}
"""
VERSION_10 = """\
      - {version: refunds-v9, effective: "2026-10-01"}
      - {version: refunds-v10, effective: "2026-11-01"}
"""


def families(tmp_path: Path, *records: dict[str, Any]) -> Path:
    ids = dict.fromkeys(value["case_id"] for value in records)
    root = make_repository(
        tmp_path, list(records), [case(c, "Please refund order 0142.", STATE) for c in ids]
    )
    path = root / "truth/policies.yaml"
    text = path.read_text(encoding="utf-8")
    cut = text.index("      - version: refunds-v8")
    path.write_text(text[:cut] + VERSION_10 + SHIPPING, encoding="utf-8")
    (root / "truth/policies/refunds-v8.md").unlink()
    return finish(root)


def test_h15_only_what_is_labelled_under_the_version_in_force_is_scored(tmp_path: Path) -> None:
    """Families apart, versions by their day and never by their name, and a misspelt family."""
    clean = {"clauses": None, "expires": "2027-12-31"}
    root = families(
        tmp_path,
        record("p1", **clean),
        record("p2", status="silver", labelers=["ana"], adjudicator=None, **clean),
        record("p3", policy_version="shipping-v3", **clean),
        record("p4", **clean),
        record(
            "p4", 2, policy_version="refunds-v10", facts=[{"id": "b", "any_of": ["b"]}], **clean
        ),
        record("p5", **clean),
        record("p5", 2, status="retired", change="retire", **clean),
        record("p6", status="disputed", change="dispute", **clean),
        record("p7", policy_version="refund-v7", **clean),
        record("p8", policy_version="refunds-v9", **clean),
        record("p9", policy_version=["refunds-v10", "shipping-v3"], **clean),
    )
    world = world_of(Repository.load(root))
    assert dict(world.in_force) == {"refunds": "refunds-v10", "shipping": "shipping-v3"}
    report = check_world(world)
    result = compile_truth(world, report)
    reasons = {e.case_id: [x.code for x in e.exclusions] for e in result.suites["shop"]}
    assert reasons == {
        "p1": ["POL001"],
        "p2": ["POL001"],
        "p3": [],
        "p4": [],
        "p5": ["STA001"],
        "p6": ["STA001"],
        "p7": ["POL002"],
        "p8": ["POL001"],
        "p9": [],
    }
    (unknown,) = [f for f in report.findings if f.code == "POL002"]
    assert unknown.severity == "error"
    assert "no policy family `refund`" in unknown.message
    assert "refunds-v" in unknown.hint
    moved = [f.message for f in report.findings if f.code == "POL001"]
    assert moved == [
        "Labelled under refunds-v7; refunds-v10 is in force.",
        "Labelled under refunds-v7; refunds-v10 is in force.",
        "Labelled under refunds-v9; refunds-v10 is in force.",
    ]


CARD = [{"tool": "send_mail", "args": {"expires": "12/25"}}]


def test_h20_a_literal_that_the_case_contradicts(tmp_path: Path) -> None:
    """The card in the label expires 12/25, the one in the case 11/31."""

    def found(text: str) -> list[str]:
        root = tmp_path / text[-3:].replace("/", "-")
        finish(
            make_repository(
                root,
                [
                    record(
                        "refund-0142", required_tools=CARD, facts=[{"id": "a", "any_of": ["paid"]}]
                    )
                ],
                [case("refund-0142", f"Pay with the card that expires {text}")],
            )
        )
        report = run_checks(Repository.load(root), select=["CAS003"])
        assert all(finding.severity == "warning" for finding in report.findings)
        return [finding.message for finding in report.findings]

    assert found("11/31") == [
        "`12/25` in the label does not occur in the case, which says `11/31`."
    ]
    assert found("12/25") == []
