"""Campaigns, bulk changes and renames: what they write, list and refuse, also when killed."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from assay.checks.runner import run_checks
from assay.errors import InputError, RefusedError, UsageError
from assay.files.journal import finish, pending
from assay.files.writing import locked
from assay.ledger.bulk import digest_of, free_name, write_bulk
from assay.ledger.campaigns.affected import affected
from assay.ledger.campaigns.files import cases_digest, cases_text, load_campaign, open_campaign
from assay.ledger.campaigns.moving import fill, uphold
from assay.ledger.campaigns.pace import pace
from assay.ledger.campaigns.progress import progress
from assay.ledger.renaming import renames
from assay.ledger.repository import Repository
from assay.ledger.selecting import latest, parse_where
from assay.models.campaign import Campaign
from tests.support import case, make_repository, record
from tests.support import finish as finished

V8_TEXT = "# Refunds\n\n## 3.2 Window\n\nThirty days from delivery.\n\n## 3.3 Late\n\nNothing.\n"
V7_TEXT = "# Refunds\n\n## 3.2 Window\n\nThirty days from delivery.\n\n## 3.3 Late\n\nA voucher.\n"


def build(root: Path) -> Repository:
    """Three cases: one cites a clause that stays, one a clause that changes, one is retired."""
    cases = [case(name, f"Refund {name}.") for name in ("same", "other", "gone", "old")]
    late = {"clauses": ["refunds-v7#3.3"]}
    make_repository(
        root,
        [
            record("same"),
            record("other", **late),
            record("gone"),
            record("gone", 2, status="retired", change="retire"),
            record("old", required_tools=["refund_order", "lookup_order"]),
        ],
        cases,
    )
    (root / "truth/policies/refunds-v7.md").write_text(V7_TEXT)
    (root / "truth/policies/refunds-v8.md").write_text(V8_TEXT)
    finished(root)
    return Repository.load(root)


def opened(root: Path, repository: Repository, **where: str) -> str:
    cases = affected(repository, "refunds-v8", where)
    made = Campaign(
        id="to-refunds-v8",
        policy="refunds-v8",
        opened="2026-11-30",
        due="2027-02-28",
        why="The window moves.",
        where=where,
        minutes=6,
        cases=len(cases),
        digest=cases_digest(cases_text(cases)),
    )
    return open_campaign(root, made, cases)


def states(root: Path) -> dict[str, str]:
    repository = Repository.load(root)
    stored = load_campaign(root, "to-refunds-v8")
    return {item.case.case_id: item.state for item in progress(repository, stored)}


def test_what_a_version_touches(tmp_path: Path) -> None:
    found = affected(build(tmp_path), "refunds-v8", {})
    assert [(c.case_id, c.versions, c.changed) for c in found] == [
        ("old", ("refunds-v7",), ()),
        ("other", ("refunds-v7",), ("refunds-v7#3.3",)),
        ("same", ("refunds-v7",), ()),
    ]
    some = affected(build(tmp_path), "refunds-v8", {"tool": "lookup_order"})
    assert [c.case_id for c in some] == ["old"]
    with pytest.raises(UsageError, match="No policy version"):
        affected(build(tmp_path), "refunds-v9", {})


def test_a_campaign_is_frozen(tmp_path: Path) -> None:
    repository = build(tmp_path)
    assert opened(tmp_path, repository) == "truth/campaigns/to-refunds-v8.yaml"
    with pytest.raises(RefusedError, match="exists already"):
        opened(tmp_path, repository)
    listed = tmp_path / "truth/campaigns/to-refunds-v8.cases.jsonl"
    assert [json.loads(line)["case_id"] for line in listed.read_text().splitlines()] == [
        "old", "other", "same",
    ]  # fmt: skip
    listed.write_text(listed.read_text().replace("other", "another"))
    with pytest.raises(InputError, match="not those that the campaign was opened with"):
        load_campaign(tmp_path, "to-refunds-v8")
    with pytest.raises(UsageError, match="No campaign is called"):
        load_campaign(tmp_path, "to-refunds-v9")


def test_what_stays_is_upheld_and_what_changed_is_not(tmp_path: Path) -> None:
    repository = build(tmp_path)
    opened(tmp_path, repository)
    stored = load_campaign(tmp_path, "to-refunds-v8")
    bulk, changed = uphold(repository, stored, {}, adjudicator="cleo", why="The clause stays.")
    assert [draft.record.case_id for draft in bulk.drafts] == ["old", "same"]
    assert [item.case_id for item in changed] == ["other"]
    write_bulk(tmp_path, bulk, name="u", command=["campaign", "uphold"], why="x")
    assert states(tmp_path) == {"old": "done", "other": "open", "same": "done"}
    moved = Repository.load(tmp_path).revisions["same"][-1].record
    assert (moved.status, moved.change, moved.policies) == ("gold", "upheld", ("refunds-v8",))
    assert moved.clauses == ("refunds-v8#3.2",)
    report = run_checks(Repository.load(tmp_path))
    assert [f for f in report.findings if f.severity == "error"] == []
    again, _ = uphold(
        Repository.load(tmp_path), stored, {}, adjudicator="cleo", why="The clause stays."
    )
    assert again.drafts == ()


def test_the_old_label_counts_until_the_version_takes_effect(tmp_path: Path) -> None:
    repository = build(tmp_path)
    opened(tmp_path, repository)
    stored = load_campaign(tmp_path, "to-refunds-v8")
    bulk, _ = uphold(repository, stored, {}, adjudicator="cleo", why="The clause stays.")
    write_bulk(tmp_path, bulk, name="u", command=["x"], why="x")
    moved = Repository.load(tmp_path)
    for day, policy in (("2026-11-30", "refunds-v7"), ("2027-03-01", "refunds-v8")):
        report = run_checks(moved, today=day)
        about = {f.code for f in report.findings if f.case_id == "same" and f.severity != "note"}
        assert "POL001" not in about, (day, policy)


def test_suggestions_become_silver(tmp_path: Path) -> None:
    repository = build(tmp_path)
    opened(tmp_path, repository)
    stored = load_campaign(tmp_path, "to-refunds-v8")
    fields: dict[str, Any] = {"facts": [{"id": "none", "any_of": ["no refund"]}]}
    bulk = fill(repository, stored, {"other": fields}, drafted_by="ana", why="Suggested.")
    write_bulk(tmp_path, bulk, name="f", command=["x"], why="x")
    new = Repository.load(tmp_path).revisions["other"][-1].record
    assert (new.status, new.change, new.drafted_by) == ("silver", "policy", "ana")
    assert (new.labelers, new.adjudicator, new.policies) == ((), None, ("refunds-v8",))
    assert states(tmp_path) == {"old": "open", "other": "silver", "same": "open"}


def test_the_pace_says_when_it_ends(tmp_path: Path) -> None:
    repository = build(tmp_path)
    opened(tmp_path, repository)
    stored = load_campaign(tmp_path, "to-refunds-v8")
    assert pace(repository, stored, "2026-12-10").ends is None
    bulk, _ = uphold(repository, stored, {"tool": "lookup_order"}, adjudicator="cleo", why="So.")
    write_bulk(tmp_path, bulk, name="u", command=["x"], why="x")
    found = pace(Repository.load(tmp_path), stored, "2026-12-10")
    assert (len(found.open), found.ends, found.effective) == (2, "2026-12-30", "2027-03-01")


def test_renames_are_written_and_move_nothing(tmp_path: Path) -> None:
    repository = build(tmp_path)
    bulk = renames(repository, latest(repository))
    (draft,) = bulk.drafts
    assert [entry.tool for entry in draft.record.required] == ["issue_refund", "lookup_order"]
    write_bulk(tmp_path, bulk, name="rename", command=["truth", "rename"], why="One name.")
    after = Repository.load(tmp_path)
    report = run_checks(after)
    assert [f for f in report.findings if f.severity == "error"] == []
    assert renames(after, latest(after)).drafts == ()
    with pytest.raises(RefusedError, match="called `rename` already"):
        write_bulk(tmp_path, bulk, name="rename", command=["truth", "rename"], why="One name.")
    assert free_name(tmp_path, "rename") == "rename-2"


def test_conditions() -> None:
    assert parse_where(["suite=shop", "clause=refunds-v7#3.2"]) == {
        "suite": "shop",
        "clause": "refunds-v7#3.2",
    }
    for wrong in (["suite"], ["suite="], ["colour=red"], ["suite=a", "suite=b"]):
        with pytest.raises(UsageError):
            parse_where(wrong)


def test_nothing_to_write_writes_nothing(tmp_path: Path) -> None:
    build(tmp_path)
    from assay.ledger.bulk import Bulk

    assert write_bulk(tmp_path, Bulk((), ()), name="x", command=["x"], why="x") == ()
    assert not (tmp_path / "truth/campaigns").exists()


# -- kills --------------------------------------------------------------------------------------

KILLED = """
import sys
from pathlib import Path
from assay.ledger.bulk import write_bulk
from assay.ledger.renaming import renames
from assay.ledger.repository import Repository
from assay.ledger.selecting import latest

root = Path(sys.argv[1])
repository = Repository.load(root)
bulk = renames(repository, latest(repository))
print("ready", flush=True)
sys.stdin.readline()
write_bulk(root, bulk, name="rename", command=["truth", "rename"], why="One name.")
"""


def tree(root: Path) -> str:
    files = sorted(path for path in (root / "truth").rglob("*") if path.is_file())
    return digest_of((path.relative_to(root).as_posix(), path.read_bytes()) for path in files)


def large(root: Path, number: int) -> None:
    cases = [case(f"c{index:04d}", "Refund.") for index in range(number)]
    tools = ["refund_order", "lookup_order"]
    make_repository(root, [record(c["eval_id"], required_tools=tools) for c in cases], cases)
    finished(root)


@pytest.mark.parametrize("seed", range(6))
def test_a_killed_rename_ends_in_the_same_tree(tmp_path: Path, seed: int) -> None:
    """Killed at a random moment, then the next writing command: all of it, or nothing of it."""
    large(tmp_path, 300)
    before = tree(tmp_path)
    repository = Repository.load(tmp_path)
    bulk = renames(repository, latest(repository))
    files = [(draft.path, draft.text.encode()) for draft in bulk.drafts]
    assert len(files) == 300
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    program = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(tmp_path)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env, text=True,
    )  # fmt: skip
    assert program.stdin is not None
    assert program.stdout is not None
    assert program.stdout.readline() == "ready\n"
    program.stdin.write("\n")
    program.stdin.flush()
    time.sleep(random.Random(seed).uniform(0.0, 0.15))
    program.send_signal(signal.SIGKILL)
    program.wait()
    program.stdin.close()
    program.stdout.close()
    if pending(tmp_path):
        with locked(tmp_path):
            finish(tmp_path)
    after = tree(tmp_path)
    if after != before:
        assert all((tmp_path / path).read_bytes() == data for path, data in files)
        assert (tmp_path / "truth/campaigns/rename.change.yaml").is_file()
    else:
        assert not (tmp_path / "truth/campaigns").exists()
        write_bulk(tmp_path, bulk, name="rename", command=["truth", "rename"], why="One name.")
        assert all((tmp_path / path).read_bytes() == data for path, data in files)
