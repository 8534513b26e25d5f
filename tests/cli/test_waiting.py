"""History, redaction, expiry and what waits for somebody."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from assay.ledger.hashes import content_hash
from assay.ledger.repository import Repository
from tests.cli.conftest import Run
from tests.gitrepo import GitRepo
from tests.support import case, finish, make_repository, record

FILE = "truth/records/shop/refund-0142.r{:04d}.json"
SECRET = "sk-live-9f8e7d6c5b4a"
PEOPLE = """\
  dan:
    roles: [{role: maintainer, from: "2026-01-01"}]
    git: [dan@example.com]
"""


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    """Two revisions of one case, the first with a secret in its rationale, committed."""
    records = [
        record("refund-0142", rationale=[f"The log says {SECRET} paid back in time."]),
        record("refund-0142", 2, rationale=["Nine days, so inside the window of thirty."]),
    ]
    made = GitRepo.make(finish(make_repository(tmp_path, records)))
    people = tmp_path / "truth/people.yaml"
    people.write_text(people.read_text() + PEOPLE)
    (tmp_path / ".gitignore").write_text(".assay/\n")
    made.commit()
    made.branch("work")
    return made


REDACT = [
    "truth", "redact", "refund-0142", "--why", "A key stood in it.",
    "--approved-by", "cleo", "--approved-by", "dan",
]  # fmt: skip


def test_a_redaction_is_the_one_permitted_edit(repo: GitRepo, run: Run) -> None:
    before = Repository.load(repo.root).revisions["refund-0142"]
    code, out, err = run(*REDACT, "--revision", "1", "--dry-run")
    assert (code, SECRET in out + err) == (0, False)
    assert SECRET in (repo.root / FILE.format(1)).read_text()
    code, out, err = run(*REDACT, "--revision", "1")
    assert (code, out) == (0, f"{FILE.format(1)}\n")
    assert SECRET not in (repo.root / FILE.format(1)).read_text()
    assert "Git still has the old content" in err
    repo.commit("redacted")
    code, out, _ = run("check", "--base", "main", "--format", "json")
    assert [f for f in json.loads(out)["findings"] if f["severity"] == "error"] == []
    assert code == 0
    assert run("fmt", "--check")[0] == 0
    after = Repository.load(repo.root).revisions["refund-0142"]
    assert [content_hash(item.record) for item in after] == [
        content_hash(item.record) for item in before
    ]
    assert run("check", "--since", "main")[0] == 0
    code, out, _ = run("truth", "history", "refund-0142")
    assert "redacted, approved by cleo, dan" in out
    assert run("truth", "show", "refund-0142", "--revision", "1")[0] == 0
    assert run("truth", "export")[0] == 0
    code, out, _ = run("diff", "main..HEAD")
    assert (code, "waits for cleo and dan" in out) == (0, True)
    assert "1 revision redacted (refund-0142 r0001); the rest is as it was" in out
    out = run("diff", "main..HEAD", "--approved", "cleo", "--approved", "dan")[1]
    assert "nobody is awaited" in out
    code, _, err = run(*REDACT, "--revision", "1")
    assert (code, "redacted already" in err) == (3, True)


def test_a_tombstone_that_counts_is_replaced_or_retired(repo: GitRepo, run: Run) -> None:
    code, _, err = run(*REDACT, "--revision", "1", "--revision", "2")
    assert (code, "not scored until there is a next one" in " ".join(err.split())) == (0, True)
    assert "assay revise refund-0142" in err
    repo.commit("redacted")
    code, out, _ = run("check", "--base", "main")
    assert (code, "STA004" in out) == (0, True)
    code, _, err = run("renew", "refund-0142", "--until", "2y")
    assert (code, "redacted" in err) == (3, True)
    code, _, err = run(
        "revise", "refund-0142", "--why", "Nine days of thirty, clause 3.2.", "--fact",
        "amount=$40.00", "--clause", "refunds-v7#3.2",
    )  # fmt: skip
    assert code == 0, err
    written = json.loads((repo.root / FILE.format(3)).read_text())
    assert "redacted" not in written
    assert written["change"] == "correction"
    repo.commit("again")
    assert run("check", "--base", "main")[0] == 0


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--approved-by", "cleo"], 2, "Two people"),
        (["--approved-by", "cleo", "--approved-by", "cleo"], 2, "Two people"),
        (["--approved-by", "cleo", "--approved-by", "ana"], 2, "may not approve"),
        (["--approved-by", "cleo", "--approved-by", "zoe"], 2, "Nobody is called"),
        (["--approved-by", "cleo", "--approved-by", "dan", "--revision", "7"], 2, "no revision 7"),
    ],
)
def test_who_may_not_redact(
    repo: GitRepo, run: Run, words: list[str], code: int, said: str
) -> None:
    got, _, err = run(
        "truth", "redact", "refund-0142", "--revision", "1", "--why", "A key stood in it.", *words
    )
    assert (got, said in err) == (code, True), err
    assert repo.git("status", "--short") == ""


def test_what_is_not_committed_is_not_redacted(repo: GitRepo, run: Run) -> None:
    path = repo.root / FILE.format(1)
    path.write_text(path.read_text().replace("in time", "late"))
    code, _, err = run(*REDACT, "--revision", "1")
    assert (code, "not as the last commit has it" in err) == (3, True)


def test_history_says_when_by_whom_and_what(repo: GitRepo, run: Run) -> None:
    run("revise", "refund-0142", "--change", "correction", "--why", "Cents count.", "--fact",
        "amount=$40.00 | 40 dollars")  # fmt: skip
    code, out, _ = run("truth", "history", "refund-0142")
    assert code == 0
    lines = out.splitlines()
    assert [line for line in lines if " r000" in line] == [
        "* r0003  gold      correction  not committed",
        f"  r0002  gold      correction  2026-11-01  ana  {repo.head()[:10]}",
        f"  r0001  gold      new         2026-11-01  ana  {repo.head()[:10]}",
    ]
    assert "changed: facts" in out
    assert "labelled by ana and bo, adjudicated by cleo" in out
    code, out, _ = run("truth", "history", "refund-0142", "--format", "json")
    shown = json.loads(out)
    assert [(r["revision"], r["counts"], r["changed"]) for r in shown["revisions"]] == [
        (3, True, ["facts"]), (2, False, []), (1, False, []),
    ]  # fmt: skip
    assert shown["revisions"][0]["commit"] is None


def ending(root: Path) -> Path:
    """Cases that end on several days; one was renewed, one is disputed, one moves to v8."""
    ends = {
        "a-gone": "2026-11-30", "b-soon": "2026-12-20", "c-later": "2027-02-01", "d-never": None,
    }  # fmt: skip
    records = [record(name, expires=end) for name, end in ends.items()]
    records += [
        record("e-renewed", expires="2026-12-05"),
        record("e-renewed", 2, change="renewal", expires="2028-01-01"),
        record("f-disputed", expires="2026-12-05"),
        record("f-disputed", 2, status="disputed", change="dispute", expires="2026-12-05"),
        record("g-moves", expires="2027-03-18"),
        record(
            "g-moves", 2, change="policy", policy_version="refunds-v8", expires="2028-01-01",
            clauses=["refunds-v8#3.2"],
        ),
    ]  # fmt: skip
    names = sorted({str(item["case_id"]) for item in records})
    state = {"orders": {"0142": {"paid": 40, "status": "delivered"}}}
    finish(make_repository(root, records, [case(n, "Refund 0142, please.", state) for n in names]))
    params = root / "params.yaml"
    params.write_text(params.read_text() + "  floors: {shop: 0.8}\n")
    return root


def test_expiry_forecasts(tmp_path: Path, run: Run) -> None:
    ending(tmp_path)
    code, out, _ = run("truth", "expiry", "--within", "200d", "--format", "json")
    shown = json.loads(out)
    assert code == 0
    assert [(row["case_id"], row["days"], row["expired"]) for row in shown["labels"]] == [
        ("a-gone", 0, True), ("b-soon", 20, False), ("c-later", 63, False),
    ]  # fmt: skip
    [suite] = shown["suites"]
    assert (suite["gating"], suite["cases"]) == (5, 7)
    assert suite["refuses_then"] is True
    code, out, _ = run("truth", "expiry")
    assert "b-soon" in out
    assert "c-later" not in out, "params.yaml announces 60 days"
    assert "Next  assay renew a-gone b-soon --until 6m" in out
    for by, heads in {"date": ["expired", "2026-12"], "owner": ["cleo"], "suite": ["shop"]}.items():
        out = run("truth", "expiry", "--by", by)[1]
        assert all(f"\n{head}  (" in out for head in heads)
    rows = list(csv.DictReader(io.StringIO(run("truth", "expiry", "--format", "csv")[1])))
    assert [(row["case_id"], row["expires"], row["expired"]) for row in rows] == [
        ("a-gone", "2026-11-30", "yes"), ("b-soon", "2026-12-20", "no"),
    ]  # fmt: skip
    assert run("truth", "expiry", "--owner", "ana")[1] == "No label ends by 2027-01-29.\n"
    code, out, _ = run("truth", "expiry", "--today", "2026-10-01", "--within", "10d")
    assert (code, "No label ends" in out) == (0, True)


def test_todo_lists_what_waits(tmp_path: Path, run: Run) -> None:
    ending(tmp_path)
    people = tmp_path / "truth/people.yaml"
    people.write_text(people.read_text() + PEOPLE)
    (tmp_path / ".gitignore").write_text(".assay/\n")
    repo = GitRepo.make(tmp_path)
    repo.commit()
    repo.branch("work")
    run("renew", "c-later", "--until", "1y")
    run("revise", "d-never", "--status", "silver", "--change", "policy", "--policy", "refunds-v8",
        "--why", "To be read again.")  # fmt: skip
    assert run("campaign", "open", "--policy", "refunds-v8", "--id", "move")[0] == 0
    repo.commit("renewed", who="bo")
    code, out, _ = run("todo", "--as", "cleo", "--format", "json")
    assert code == 0
    shown = json.loads(out)
    kinds: dict[str, list[str]] = {}
    for item in shown["items"]:
        kinds.setdefault(item["kind"], []).append(item["case_id"])
        assert item["next"]
    assert kinds["sign"] == ["c-later"]
    assert kinds["decide"] == ["f-disputed"]
    assert kinds["renew"] == ["a-gone", "b-soon"]
    assert kinds["campaign"] == ["a-gone", "b-soon", "c-later", "e-renewed", "f-disputed"]
    code, out, _ = run("todo", "--as", "cleo")
    assert "to sign on this branch  (1)" in out
    assert "assay renew a-gone --until 6m" in out
    assert "nothing waits" in run("todo", "--as", "ana")[1]
    # Without a name, git says who asks.
    code, _, err = run("todo")
    assert (code, "--as HANDLE" in err) == (2, True)
    repo.git("config", "user.email", "dan@example.com")
    code, out, _ = run("todo")
    assert (code, out.startswith("dan, 2026-11-30")) == (0, True)


def test_todo_without_git(tmp_path: Path, run: Run) -> None:
    ending(tmp_path)
    code, out, _ = run("todo", "--as", "cleo")
    assert (code, "nothing is said of signatures" in " ".join(out.split())) == (0, True)
    shown: dict[str, Any] = json.loads(run("todo", "--as", "cleo", "--format", "json")[1])
    assert shown["notes"]
