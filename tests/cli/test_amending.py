"""Renew, dispute, retire: what they write, refuse, show and say next."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assay.ledger.hashes import content_hash
from assay.ledger.repository import Repository
from tests.cli.conftest import Run
from tests.gitrepo import GitRepo
from tests.support import case, finish, make_repository, record

FILE = "truth/records/shop/{}.r{:04d}.json"


def read(root: Path, revision: int, name: str = "refund-0142") -> dict[str, Any]:
    value = json.loads((root / FILE.format(name, revision)).read_text())
    assert isinstance(value, dict)
    return value


def three(root: Path) -> Path:
    """Three gold cases; the third has no end."""
    names = ("refund-0142", "refund-0150", "refund-0160")
    state = {"orders": {"0142": {"paid": 40, "status": "delivered"}}}
    records = [record(names[0]), record(names[1]), record(names[2], expires=None)]
    return finish(make_repository(root, records, [case(n, "Refund it.", state) for n in names]))


def run_of(root: Path, name: str, *calls: str) -> None:
    """A stored run of the first case with some calls."""
    args = {"order_id": "0142", "amount": 40}
    made = [{"name": tool, "args": args, "outcome": "ok"} for tool in calls]
    answer = "$40.00 are on their way."
    value = {
        "schema_version": 1,
        "run": name,
        "case_id": "refund-0142",
        "turns": [{"user": "Please refund order 0142.", "answer": answer, "tool_calls": made}],
        "final_answer": answer,
    }
    (root / "runs/shop").mkdir(parents=True, exist_ok=True)
    (root / f"runs/shop/{name}.jsonl").write_text(json.dumps(value) + "\n")


def untouched(root: Path) -> dict[str, bytes]:
    return {
        path.as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".git/" not in path.as_posix() and ".assay" not in path.parts
    }


def test_renew_extends_and_changes_nothing_that_decides(tmp_path: Path, run: Run) -> None:
    finish(make_repository(tmp_path))
    code, out, err = run("renew", "refund-0142", "--until", "2027-05-28")
    assert (code, out) == (0, f"{FILE.format('refund-0142', 2)}\n")
    before, after = Repository.load(tmp_path).revisions["refund-0142"]
    assert content_hash(before.record) == content_hash(after.record)
    assert (after.record.change, after.record.expires) == ("renewal", "2027-05-28")
    assert after.record.adjudicator == "cleo"
    assert after.record.rationale[:-1] == before.record.rationale
    assert "2026-11-30" in after.record.rationale[-1]
    assert "user says" in err
    assert "Thirty days from delivery." in err
    assert "must sign" in err
    assert "Next" in err
    assert run("check")[0] == 0
    assert run("fmt", "--check")[0] == 0


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("renew refund-0142 --until 2027-01-01", 3, "holds until 2027-03-18 already"),
        ("renew refund-0142 --until 2026-11-30", 3, "holds until"),
        ("renew refund-0160 --until 6m", 3, "it has no end"),
        ("renew refund-0142 --until 6m --adjudicator ana", 2, "labelled it"),
        ("renew refund-0142 --until 6m --adjudicator zoe", 2, "Nobody is called"),
        ("renew refund-0142 --until soon", 2, "neither a day nor a span"),
        ("renew refund-0142", 2, "Until when?"),
        ("renew --until 6m", 2, "Name cases"),
        ("renew refund-0142 --where status=gold --until 6m", 2, "Name cases"),
        ("renew refund-0143 --until 6m", 2, "did you mean refund-0142"),
        ("renew --where status=silver --until 6m", 3, "No record fits"),
        ("renew --where colour=red --until 6m", 2, "cannot be understood"),
        ("dispute refund-0142", 2, "says why"),
        ("dispute refund-0142 --why x --as zoe", 2, "Nobody is called"),
        ("dispute refund-0142 --why x --run nothing", 2, ""),
        ("retire refund-0142", 2, "says why"),
        ("retire refund-0142 --why x --adjudicator bo", 2, "labelled it"),
        ("truth history refund-014", 2, "did you mean"),
        ("truth expiry --within 2026-01-01", 2, "is before"),
        ("truth expiry --suite nope", 2, "No suite"),
        ("truth expiry --owner zoe", 2, "Nobody is called"),
        ("todo --as zoe", 2, "Nobody is called"),
        ("truth redact refund-0142 --why x", 2, "--revision 1"),
    ],
)
def test_what_is_refused_writes_nothing(
    tmp_path: Path, run: Run, words: str, code: int, said: str
) -> None:
    three(tmp_path)
    before = untouched(tmp_path)
    got, _, err = run(*words.split())
    assert (got, said in " ".join(err.split())) == (code, True), err
    assert untouched(tmp_path) == before


def test_renew_of_several_is_declared_and_proved(tmp_path: Path, run: Run) -> None:
    repo = GitRepo.make(three(tmp_path))
    (tmp_path / ".gitignore").write_text(".assay/\n")
    repo.commit()
    repo.branch("work")
    code, out, err = run("renew", "--where", "owner=cleo", "--until", "2027-06-01", "--dry-run")
    assert (code, "2 revisions to write" in out) == (0, True)
    assert not (tmp_path / "truth/campaigns").exists()
    code, out, err = run("renew", "--where", "owner=cleo", "--until", "2027-06-01")
    assert (code, out) == (0, "truth/campaigns/renew.change.yaml\n")
    assert "1 record left alone" in err
    assert not (tmp_path / FILE.format("refund-0160", 2)).exists()
    repo.commit("renewed")
    assert run("check", "--base", "main")[0] == 0
    code, out, _ = run("diff", "main..HEAD", "--format", "json")
    [declared] = json.loads(out)["declared"]
    assert (code, declared["command"][0], declared["proved"]) == (0, "renew", True)
    # Written otherwise than the command writes it, the declaration no longer holds.
    path = tmp_path / FILE.format("refund-0150", 2)
    path.write_text(path.read_text().replace("2027-06-01", "2027-12-01"))
    repo.git("commit", "-q", "-a", "--amend", "--no-edit")
    assert run("diff", "main..HEAD")[0] == 1


def test_dispute_takes_the_run_as_evidence(tmp_path: Path, run: Run) -> None:
    finish(make_repository(tmp_path))
    run_of(tmp_path, "hasty")
    run_of(tmp_path, "slow")
    run_of(tmp_path, "good", "issue_refund")
    code, out, err = run(
        "dispute", "refund-0142", "--why", "The order is another one.", "--run", "hasty",
        "--as", "ana",
    )  # fmt: skip
    assert (code, out) == (0, f"{FILE.format('refund-0142', 2)}\n"), err
    written = read(tmp_path, 2)
    assert (written["status"], written["change"]) == ("disputed", "dispute")
    assert written["rationale"] == ["The order is another one.", "Disputed by ana."]
    did = "Run hasty called no tool and failed under revision 1"
    assert written["evidence"][0].startswith(did)
    assert "1 of 2 other runs fail too: slow" in " ".join(err.split())
    assert "fails now, not scored with this revision" in err
    assert run("check")[0] == 0
    assert run("score", "--runs", "good")[0] == 3, "nothing is left to score"


def test_retire_is_final(tmp_path: Path, run: Run) -> None:
    finish(make_repository(tmp_path))
    code, out, err = run("retire", "refund-0142", "--why", "The shop no longer refunds.")
    assert (code, out) == (0, f"{FILE.format('refund-0142', 2)}\n")
    assert (read(tmp_path, 2)["status"], read(tmp_path, 2)["adjudicator"]) == ("retired", "cleo")
    assert "final" in err
    assert run("check")[0] == 0
    before = untouched(tmp_path)
    for words in (
        ["retire", "refund-0142", "--why", "x"],
        ["renew", "refund-0142", "--until", "6m"],
        ["dispute", "refund-0142", "--why", "x"],
        ["revise", "refund-0142", "--why", "x", "--answer", "y"],
        ["new", "refund-0142", "--why", "x"],
    ):
        code, _, err = run(*words)
        assert (code, "retired" in err or "has a record" in err) == (3, True), (words, err)
    assert untouched(tmp_path) == before


@pytest.mark.parametrize(
    ("status", "flags", "allowed"),
    [
        ("gold", "--change wording --set clauses=[\"refunds-v7#3.2\"]", True),
        ("gold", "--change wording --answer Refunded.", False),
        ("gold", "--change upheld --answer Refunded.", False),
        ("gold", "--change correction --answer Refunded.", True),
        ("gold", "--change new --answer Refunded.", False),
        ("gold", "--status silver --change correction", False),
        ("gold", "--status silver --change policy --policy refunds-v8", True),
        ("gold", "--status draft --change correction", False),
        ("silver", "--status draft --change correction", False),
        ("silver", "--status gold --change correction", False),
        ("silver", "--status gold --change new", True),
        ("silver", "--change correction --answer Refunded.", True),
        ("disputed", "--status gold --change upheld", True),
        ("disputed", "--status gold --change upheld --answer Refunded.", False),
        ("disputed", "--status gold --change correction --answer Refunded.", True),
        ("disputed", "--status gold --change renewal", False),
        ("disputed", "--status disputed --change wording", True),
        ("disputed", "--status disputed --change wording --answer Refunded.", False),
        ("gold", "--status disputed --change rename", True),
        ("gold", "--status disputed --change correction", False),
        ("gold", "--status retired --change retire", True),
        ("gold", "--status retired --change correction", False),
    ],
)  # fmt: skip
def test_the_life_of_a_record(
    tmp_path: Path, run: Run, status: str, flags: str, allowed: bool
) -> None:
    change = {"disputed": "dispute"}.get(status, "new")
    finish(make_repository(tmp_path, [record("refund-0142", status=status, change=change)]))
    code, _, err = run("revise", "refund-0142", "--why", "Looked at again.", *flags.split())
    assert code == (0 if allowed else 3), err
    assert (tmp_path / FILE.format("refund-0142", 2)).exists() == allowed
    if allowed:
        found = json.loads(run("check", "--format", "json", "--select", "LIF*")[1])
        assert found["findings"] == []
    else:
        assert "next" in err


def test_json_of_every_verb(tmp_path: Path, run: Run) -> None:
    three(tmp_path)
    for words in (
        ["renew", "refund-0142", "--until", "1y"],
        ["dispute", "refund-0142", "--why", "x"],
        ["retire", "refund-0142", "--why", "x"],
        ["revise", "refund-0142", "--why", "x", "--answer", "Refunded."],
    ):
        code, out, _ = run(*words, "--format", "json", "--dry-run")
        shown = json.loads(out)
        assert (code, shown["schema_version"], shown["revision"]) == (0, 1, 2)
        assert shown["written"] == []
    assert len(Repository.load(tmp_path).records) == 3


def test_questions_have_defaults(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    finish(make_repository(tmp_path))
    monkeypatch.setattr(sys, "stdin", Terminal("\n\n"))
    code, _, err = run("renew", "refund-0142")
    assert code == 0, err
    assert "label says" in err
    assert read(tmp_path, 2)["expires"] == "2027-05-30"
    monkeypatch.setattr(sys, "stdin", Terminal("It is unclear.\n\nn\n"))
    assert run("dispute", "refund-0142")[0] == 0
    assert not (tmp_path / FILE.format("refund-0142", 3)).exists()
    monkeypatch.setattr(sys, "stdin", Terminal("It is unclear.\n\ny\n"))
    assert run("dispute", "refund-0142")[0] == 0
    assert read(tmp_path, 3)["status"] == "disputed"
    monkeypatch.setattr(sys, "stdin", Terminal("\nGone.\n\n\n"))
    assert run("retire", "refund-0142")[0] == 0
    assert read(tmp_path, 4)["rationale"] == ["Gone."]
