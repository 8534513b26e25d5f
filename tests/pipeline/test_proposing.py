"""Forms become files of a pull request; their text stands in a record and nowhere else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assay.checks.runner import run_checks
from assay.ledger.repository import Repository
from assay.pipeline.proposing import main
from tests.forge.test_forms import HOSTILE, Kind, body
from tests.support import finish, make_repository, record


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = finish(make_repository(tmp_path / "bench"))
    monkeypatch.chdir(made)
    return made


def run(root: Path, text: Any, number: Any = 12) -> tuple[int, dict[str, str]]:
    event = root.parent / "event.json"
    event.write_text(json.dumps({"issue": {"number": number, "body": text}}))
    out = root.parent / "out"
    code = main([str(event), str(out)])
    return code, {path.name: path.read_text() for path in sorted(out.iterdir())}


def latest(root: Path, case: str) -> Any:
    return Repository.load(root).revisions[case][-1].record


def errors(root: Path) -> list[str]:
    report = run_checks(Repository.load(root))
    return [f"{f.code} {f.message}" for f in report.findings if f.severity == "error"]


def test_a_dispute(root: Path) -> None:
    code, said = run(root, body("dispute"))
    assert code == 0
    assert said["branch"] == "assay/issue-12\n"[:-1]
    assert said["title"] == "Dispute refund-0142"
    assert said["paths"] == "truth/records/shop/refund-0142.r0002.json\n"
    found = latest(root, "refund-0142")
    assert (found.status, found.change) == ("disputed", "dispute")
    assert found.rationale == (
        "Clause 3.2 says thirty days.",
        "Not forty.",
        "Proposed in issue 12.",
    )
    assert errors(root) == []


def test_another_form_of_the_only_fact(root: Path) -> None:
    code, said = run(root, body("answer"))
    assert (code, said["title"]) == (0, "Accept another answer for refund-0142")
    found = latest(root, "refund-0142")
    assert (found.status, found.change) == ("gold", "correction")
    assert found.facts[0].any_of == ("$40.00", "40 USD")
    assert errors(root) == []


def test_another_answer(root: Path) -> None:
    fields = {"facts": None, "acceptable_answers": ["Yes"]}
    finish(make_repository(root, [record("refund-0142", **fields)]))
    assert run(root, body("answer", answer="Yes, of course"))[0] == 0
    assert latest(root, "refund-0142").acceptable_answers == ("Yes", "Yes, of course")


def test_a_case(root: Path) -> None:
    code, said = run(root, body("case"))
    assert code == 0
    assert said["paths"].splitlines() == [
        "cases/shop/refund-2000.evalset.json",
        "cases/shop/suite.yaml",
        "truth/records/shop/refund-2000.r0001.json",
    ]
    assert latest(root, "refund-2000").status == "draft"
    assert errors(root) == []


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_reaches_nothing_but_the_record(root: Path, text: str) -> None:
    code, said = run(root, body("dispute", why=text))
    assert code == 0
    words = max(text.split(), key=len)
    assert not [name for name, content in said.items() if words in content and len(words) > 6]
    assert " ".join(text.split("\n")[0].split()) in " ".join(latest(root, "refund-0142").rationale)
    assert latest(root, "refund-0142").status == "disputed"
    assert errors(root) == []


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        ("dispute", {"case": "refund-9999"}),
        ("answer", {"answer": "$40.00"}),
        ("answer", {"fact": "day"}),
        ("answer", {"case": "refund-9999"}),
        ("case", {"suite": "unknown"}),
        ("case", {"case": "refund-0142"}),
        ("case", {"slice": "Not a slice"}),
    ],
)
def test_refusals_write_nothing_but_the_reason(
    root: Path, kind: Kind, changes: dict[str, str]
) -> None:
    before = {path: path.read_bytes() for path in root.rglob("*.json")}
    code, said = run(root, body(kind, **changes))
    assert code == 1
    assert list(said) == ["refused.md"]
    assert said["refused.md"].startswith("This form cannot be taken")
    assert {path: path.read_bytes() for path in root.rglob("*.json")} == before


@pytest.mark.parametrize(("text", "number"), [(None, 12), ("x", "12"), ("x", True), (3, 12)])
def test_events_that_are_none(root: Path, text: Any, number: Any) -> None:
    assert run(root, text, number)[0] == 1


def test_a_retired_case(root: Path) -> None:
    finish(
        make_repository(
            root,
            [
                record("refund-0142"),
                record("refund-0142", 2, status="retired", change="retire"),
            ],
        )
    )
    code, said = run(root, body("dispute"))
    assert (code, "retired" in said["refused.md"]) == (1, True)
