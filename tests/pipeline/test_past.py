"""An old result scored again: exactly the truth, the cases and the parameters of then."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run, run
from tests.pipeline.history import CASES, commit, entry, git, revise, tiny, write_run
from tests.support import CANARY, TOOLS, case, record

__all__ = ["run"]

OLD_SCORER = "0" * 64
NEXT_TOOL = """\
  - name: pay_back
    server: payments
    effect: writes
    parameters:
      type: object
      properties:
        order_id: {type: string}
        amount: {type: number}
      required: [order_id, amount]
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tiny(tmp_path / "bench")


def score(run: Run, root: Path, out: Path, *options: str) -> tuple[bytes, bytes, str]:
    """Result, lines, and what is said beside."""
    code, _, err = run("score", "--runs", "agent", "--out", str(out), *options, root=root)
    assert code == 0, err
    files = [(out / "shop" / f"agent{suffix}").read_bytes() for suffix in (".json", ".jsonl")]
    return files[0], files[1], err


def much_later(root: Path) -> None:
    """Three revisions, a rename, another policy in force, another question, other parameters."""
    name = CASES[0]
    revise(root, name, 2, facts=[{"id": "amount", "any_of": ["$41.00"]}])
    commit(root, "The amount was wrong", "2026-11-10")
    revise(root, name, 3, change="dispute", status="disputed")
    commit(root, "Is it?", "2026-11-11")
    tools = TOOLS.replace(
        "  - name: issue_refund\n", "  - name: issue_refund\n    renamed_to: pay_back\n"
        "    reason: plainer\n", 1
    )  # fmt: skip
    (root / "truth/tools.yaml").write_text(tools + NEXT_TOOL)
    commit(root, "A tool has another name", "2026-11-12")
    policies = root / "truth/policies.yaml"
    policies.write_text(policies.read_text().replace("2027-03-01", "2026-11-13"))
    commit(root, "The policy comes earlier", "2026-11-13")
    suite = root / "cases/shop/shop.evalset.json"
    questions = [case(name, f"I want my money for {name} back.", {"paid": 41}) for name in CASES]
    whole = {"eval_set_id": "shop", "description": f"canary {CANARY}", "eval_cases": questions}
    suite.write_text(json.dumps(whole))
    entries = root / "cases/shop/suite.yaml"
    entries.write_text(entries.read_text().replace("slice: window", "slice: late"))
    params = root / "params.yaml"
    params.write_text(params.read_text().replace("2026-11-30", "2027-05-01"))
    commit(root, "Other questions, another day", "2026-11-14")
    revise(
        root, name, 4, change="correction", policy_version="refunds-v8", clauses=["refunds-v8#3.2"]
    )
    commit(root, "The label follows the policy", "2026-11-15")


def test_an_old_result_comes_out_byte_for_byte_but_for_a_scorer_that_is_said_to_differ(
    root: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as then:
        then.setattr("assay.pipeline.against.code_digest", lambda: OLD_SCORER)
        before = score(run, root, tmp_path / "before")
        code, out, err = run("score", "--runs", "agent", "--publish", root=root)
        assert code == 0, err
        path = next(line for line in out.splitlines() if line.startswith("results/"))
        made_at = git(root, "rev-parse", "HEAD")
    commit(root, "A result", "2026-11-09")
    much_later(root)
    now = score(run, root, tmp_path / "now", "--allow-empty")
    assert json.loads(now[0])["overall"]["passed"] == 0
    for name in (made_at, f"{made_at[:12]}", "HEAD~7"):
        again = score(run, root, tmp_path / "again", "--truth-at", name)
        assert again[1] == before[1]
        first, second = json.loads(before[0]), json.loads(again[0])
        scorer, identity = second["context"]["scorer"], second["id"]
        assert scorer != OLD_SCORER
        assert again[0] == before[0].replace(OLD_SCORER.encode(), scorer.encode()).replace(
            first["id"].encode(), identity.encode()
        )
        assert again[2] == (
            f"shop/agent: result {Path(path).stem} of then comes out byte for byte, but for the"
            f" code: scorer {'0' * 10} then, {scorer[:10]} now; so the id is another.\n"
        )
    # The id of the result names its run.
    code, out, err = run(
        "score", "--runs", Path(path).stem, "--truth-at", made_at, "--format", "json", root=root
    )
    assert (code, json.loads(out)["results"][0]) == (0, json.loads(again[0]))


def test_the_same_code_says_byte_for_byte(root: Path, run: Run, tmp_path: Path) -> None:
    run("score", "--runs", "agent", "--publish", root=root)
    commit(root, "A result")
    much_later(root)
    said = score(run, root, tmp_path / "out", "--truth-at", "HEAD~7")[2]
    assert said.endswith("of then comes out byte for byte.\n")


def test_scores_that_the_commit_holds_are_compared(root: Path, run: Run, tmp_path: Path) -> None:
    score(run, root, root / "scores")
    git(root, "add", "-f", "scores/shop/agent.json")
    first = commit(root, "Scores")
    assert "comes out byte for byte." in score(run, root, tmp_path / "a", "--truth-at", first)[2]
    revise(root, CASES[0], 2, facts=[{"id": "amount", "any_of": ["$41.00"]}])
    stale = commit(root, "A label moves, the scores of the tree not yet")
    said = score(run, root, tmp_path / "b", "--truth-at", stale)[2]
    assert "was made under other data than the commit has: truth " in said
    stored = root / "scores/shop/agent.json"
    score(run, root, root / "scores")
    stored.write_text(stored.read_text().replace('"trials": 1', '"trials": 2'))
    git(root, "add", "-f", "scores/shop/agent.json")
    other = commit(root, "Somebody edits")
    assert "one of another run" in score(run, root, tmp_path / "c", "--truth-at", other)[2]
    stored.write_text("{}")
    git(root, "add", "-f", "scores/shop/agent.json")
    broken = commit(root, "Somebody breaks")
    assert "shape" in score(run, root, tmp_path / "d", "--truth-at", broken)[2]
    # Another question has no answer of then.
    assert score(run, root, tmp_path / "e", "--truth-at", first, "--today", "2026-12-01")[2] == ""


def test_numbers_that_do_not_come_out_are_named(root: Path, run: Run, tmp_path: Path) -> None:
    score(run, root, root / "scores")
    stored = root / "scores/shop/agent.json"
    value = json.loads(stored.read_text())
    value["overall"]["passed"] = 2
    stored.write_text(json.dumps(value))
    git(root, "add", "-f", "scores/shop/agent.json")
    found = commit(root, "Better than it was")
    said = score(run, root, tmp_path / "out", "--truth-at", found)[2]
    assert said.endswith("of then does not come out: overall differ (same scorer).\n")


def one_message(err: str) -> str:
    assert "Traceback" not in err
    lines = err.splitlines()
    assert lines[0].startswith("assay: ")
    assert sum(line.startswith("assay: ") for line in lines) == 1
    return err


def test_what_is_not_there_is_said_once(root: Path, run: Run, tmp_path: Path) -> None:
    first = git(root, "rev-parse", "HEAD")
    much_later(root)
    code, _, err = run("score", "--truth-at", "0123456789", root=root)
    assert (code, "There is no commit `0123456789`." in one_message(err)) == (2, True)
    code, _, err = run("score", "--truth-at", "--output=x", root=root)
    assert (code, "There is no commit" in one_message(err)) == (2, True)
    shallow = tmp_path / "shallow"
    git(root, "clone", "-q", "--depth", "2", root.as_uri(), str(shallow))
    for name in (first, "HEAD~2"):
        code, out, err = run("score", "--truth-at", name, root=shallow)
        assert (code, out) == (3, "")
        assert "its history is cut off" in one_message(err)
        assert "git fetch --unshallow" in err
    # What a shallow clone does have is as good as anywhere.
    assert (
        score(run, shallow, tmp_path / "a", "--truth-at", "HEAD~1", "--allow-empty")[:2]
        == score(run, root, tmp_path / "b", "--truth-at", "HEAD~1", "--allow-empty")[:2]
    )


def test_before_there_was_truth_or_the_suite(root: Path, run: Run, tmp_path: Path) -> None:
    bare = tmp_path / "young"
    bare.mkdir()
    git(bare, "init", "-q", "-b", "main")
    (bare / "README").write_text("to come")
    commit(bare, "Nothing yet")
    git(bare, "pull", "-q", "--allow-unrelated-histories", "--no-rebase", "--no-edit", str(root))
    code, out, err = run("score", "--truth-at", "HEAD^1", root=bare)
    assert (code, out) == (3, "")
    assert "There is no truth/ at commit" in one_message(err)

    first = git(root, "rev-parse", "HEAD")
    entries = {"window": [case("parcel-1", "Where is my parcel?")]}
    folder = root / "cases/mail"
    folder.mkdir()
    text = (root / "cases/shop/suite.yaml").read_text().split("cases:\n")[0]
    (folder / "suite.yaml").write_text(
        text.replace("suite: shop", "suite: mail").replace(CANARY[:8], "11111111")
        + "cases:\n  parcel-1: {slice: window, template: parcel-1}\n"
    )
    canary = f"canary 11111111{CANARY[8:]}"
    (folder / "mail.evalset.json").write_text(
        json.dumps({"eval_set_id": "mail", "description": canary, "eval_cases": entries["window"]})
    )
    place = root / "truth/records/mail/parcel-1.r0001.json"
    place.parent.mkdir()
    place.write_text(json.dumps(record("parcel-1"), indent=2))
    write_run(root, [entry("parcel-1", run="post")], suite="mail")
    params = root / "params.yaml"
    params.write_text(params.read_text().replace("[shop]", "[mail, shop]"))
    commit(root, "Another suite")
    code, out, err = run("score", "--runs", "post", "--truth-at", first, root=root)
    assert (code, out) == (3, "")
    assert f"There was no suite `mail` at commit {first[:10]}." in one_message(err)
    code, out, err = run("score", "--suite", "mail", "--truth-at", first, root=root)
    assert (code, out) == (3, "")
    # Of several runs those are scored that had a suite, and the others are named.
    code, out, err = run("score", "--truth-at", first, "--format", "json", root=root)
    assert (code, [r["subject"]["run"] for r in json.loads(out)["results"]]) == (0, ["agent"])
    assert err == "There was no suite `mail` then; its runs are not scored.\n"


def test_nothing_of_the_commit_stays_behind(
    root: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "t"))
    (tmp_path / "t").mkdir()
    before = git(root, "status", "--porcelain", "--ignored")
    run("score", "--truth-at", "HEAD", root=root)
    run("score", "--truth-at", "HEAD", "--suite", "nowhere", root=root)
    assert list((tmp_path / "t").iterdir()) == []
    assert git(root, "status", "--porcelain", "--ignored") == before
