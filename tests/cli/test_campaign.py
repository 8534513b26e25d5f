"""``assay campaign`` and ``assay truth rename``, as they are typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.ledger.test_campaigns import build

OPEN = ("campaign", "open", "--policy", "refunds-v8")


def test_the_whole_way(tmp_path: Path, run: Run) -> None:
    build(tmp_path)
    code, out, _ = run(*OPEN, "--dry-run")
    assert code == 0
    assert "3 cases" in out
    assert "if nothing is done, 3 of 3 gating cases are lost by 2027-03-01" in out
    assert not (tmp_path / "truth/campaigns").exists()
    code, out, err = run(*OPEN, "--due", "90d")
    assert (code, out) == (0, "truth/campaigns/to-refunds-v8.yaml\n")
    assert "Next  assay campaign uphold to-refunds-v8 --dry-run" in err
    assert run(*OPEN)[0] == 3, "it is frozen"
    assert run("check")[0] == 0

    code, out, _ = run(
        "campaign", "uphold", "to-refunds-v8", "--adjudicator", "cleo", "--format", "json"
    )
    assert code == 0
    value = json.loads(out)
    assert len(value["revisions"]) == 2
    assert value["written"][-1] == "truth/campaigns/to-refunds-v8-uphold.change.yaml"
    code, out, _ = run("campaign", "close", "to-refunds-v8")
    assert code == 1
    assert "1 case of 3 left" in out

    (tmp_path / "s.jsonl").write_text('{"case_id": "other", "forbidden_tools": ["send_mail"]}\n')
    code, out, _ = run(
        "campaign", "fill", "to-refunds-v8", "--from", str(tmp_path / "s.jsonl"),
        "--drafted-by", "ana",
    )  # fmt: skip
    assert code == 0
    code, out, _ = run("campaign", "status", "--today", "2026-12-10")
    assert code == 0
    assert "3 of 3 cases looked at (100 %)" in out
    assert "1 silver, 2 done" in out
    value = json.loads(run("campaign", "status", "--format", "json")[1])
    assert value["campaigns"][0]["states"]["done"] == 2
    assert run("check")[0] == 0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{}", "names no case"),
        ('{"case_id": "othr"}', "did you mean other?"),
        ('{"case_id": "other", "status": "gold"}', "cannot be suggested"),
        ('{"case_id": "other"}\n{"case_id": "other"}', "stands there twice"),
        ('{"case_id": "other", ', "Not valid JSON"),
    ],
)
def test_a_wrong_suggestion_writes_nothing(
    tmp_path: Path,
    run: Run,
    line: str,
    message: str,
) -> None:
    build(tmp_path)
    run(*OPEN)
    (tmp_path / "s.jsonl").write_text(f"{line}\n")
    code, _, err = run(
        "campaign", "fill", "to-refunds-v8", "--from", str(tmp_path / "s.jsonl"),
        "--drafted-by", "ana",
    )  # fmt: skip
    assert code == 1
    assert message in err
    assert not (tmp_path / "truth/records/shop/other.r0002.json").exists()


def test_wrong_use(tmp_path: Path, run: Run) -> None:
    build(tmp_path)
    for words in (
        ("campaign", "open", "--policy", "refunds-v9"),
        (*OPEN, "--where", "colour=red"),
        ("campaign", "uphold", "nothing", "--adjudicator", "cleo"),
        ("campaign", "status", "nothing"),
        ("truth", "rename", "no_such_tool"),
    ):
        code, _, err = run(*words)
        assert code == 2, words
        assert "next" in err
    run(*OPEN)
    assert run("campaign", "uphold", "to-refunds-v8", "--adjudicator", "nobody")[0] == 2
    assert run("campaign", "open", "--policy", "refunds-v7", "--id", "back")[0] == 3


def test_rename(tmp_path: Path, run: Run) -> None:
    build(tmp_path)
    code, out, _ = run("truth", "rename", "refund_order", "--dry-run")
    assert code == 0
    assert out.startswith("1 revision to write\n")
    code, out, _ = run("truth", "rename")
    assert (code, out) == (0, "truth/campaigns/rename.change.yaml\n")
    code, out, _ = run("truth", "rename", "--format", "json")
    assert json.loads(out) == {"schema_version": 1, "revisions": [], "skipped": [], "written": []}
