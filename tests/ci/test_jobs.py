"""The smaller jobs as the workflows call them: nightly, forms, pushing, gates, hooks."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.ci.bench import Bench, make_bench
from tests.forge.test_forms import HOSTILE, body

GH = """\
#!/bin/sh
for argument; do printf '%s\\n' "$argument" >>"$GH_LOG"; done
[ "$1 $2" != "pr list" ] || cat "$GH_LIST" 2>/dev/null || :
"""


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A benchmark, a forge's repository beside it, and a stand-in for gh."""
    made = make_bench(tmp_path / "bench", reproduced=False)
    made.tools.mkdir()
    (made.tools / "gh").write_text(GH)
    (made.tools / "gh").chmod(0o755)
    made.repo.git("clone", "-q", "--bare", ".", str(tmp_path / "forge.git"))
    return made


def forge(bench: Bench, *arguments: str) -> str:
    return bench.repo.git("--git-dir", str(bench.root.parent / "forge.git"), *arguments)


def open_pull_request(bench: Bench, folder: Path, code: int = 0) -> list[str]:
    """What gh was called with."""
    log = bench.root.parent / "log"
    log.unlink(missing_ok=True)
    bench.run(
        ".ci/open-pull-request", str(folder), "main", code=code,
        REPOSITORY=str(bench.root.parent / "forge.git"), GITHUB_REPOSITORY="org/bench",
        GH_TOKEN="t", GH_LOG=str(log), GH_LIST=str(bench.root.parent / "open"),
    )  # fmt: skip
    return log.read_text().splitlines() if log.exists() else []


def test_nightly(bench: Bench, tmp_path: Path) -> None:
    out = tmp_path / "out"
    bench.run(".ci/nightly", "2027-04-01", str(out))
    assert (out / "title").read_text() == "Today is 2027-04-01: 2 cases stop to gate\n"
    said = open_pull_request(bench, out)
    assert said[said.index("create") :][:1] == ["create"]
    assert 'today: "2027-04-01"' in forge(bench, "show", "assay/today:params.yaml")
    assert forge(bench, "diff", "--name-only", "main", "assay/today") == "params.yaml\n"
    (tmp_path / "open").write_text("7\n")
    said = open_pull_request(bench, out)
    assert said[said.index("edit") + 1] == "7"


def test_a_night_on_which_nothing_is_to_be_done(bench: Bench, tmp_path: Path) -> None:
    before = bench.repo.head()
    bench.run(".ci/nightly", "2026-11-30", str(tmp_path / "out"))
    assert bench.repo.head() == before
    assert open_pull_request(bench, tmp_path / "out") == []


@pytest.mark.parametrize("text", ["Clause 3.2.", *HOSTILE[:4]])
def test_a_form(bench: Bench, tmp_path: Path, text: str) -> None:
    event, out = tmp_path / "event.json", tmp_path / "out"
    event.write_text(json.dumps({"issue": {"number": 12, "body": body("dispute", why=text)}}))
    bench.run(".ci/propose", str(event), str(out))
    said = open_pull_request(bench, out)
    assert said[said.index("--title") + 1] == "Dispute refund-0142"
    assert forge(bench, "diff", "--name-only", "main", "assay/issue-12") == (
        "truth/records/shop/refund-0142.r0002.json\n"
    )
    assert forge(bench, "log", "-1", "--format=%B", "assay/issue-12").strip() == (
        "Dispute refund-0142\n\nFrom the form in issue 12."
    )
    assert not Path("/tmp/evil").exists()


def test_a_form_that_is_refused(bench: Bench, tmp_path: Path) -> None:
    event, out = tmp_path / "event.json", tmp_path / "out"
    event.write_text(json.dumps({"issue": {"number": 12, "body": "### Case\n\nx"}}))
    before = bench.repo.head()
    bench.run(".ci/propose", str(event), str(out), code=1)
    assert (out / "refused.md").exists()
    assert (bench.repo.head(), bench.repo.git("status", "--porcelain")) == (before, "")


@pytest.mark.parametrize("name", ["main", "assay/issue-", "--force", "assay/today2"])
def test_no_other_branch_is_pushed(bench: Bench, tmp_path: Path, name: str) -> None:
    out = tmp_path / "out"
    out.mkdir()
    for file in ("title", "body.md"):
        (out / file).write_text("x\n")
    (out / "branch").write_text(name)
    assert open_pull_request(bench, out, code=70) == []


def test_a_push_that_is_overtaken_is_no_failure(bench: Bench) -> None:
    remote = str(bench.root.parent / "forge.git")
    bench.repo.git("commit", "-q", "--allow-empty", "-m", "one")
    bench.run(".ci/push", remote, "main")
    bench.repo.git("reset", "-q", "--hard", "HEAD~1")
    bench.repo.git("commit", "-q", "--allow-empty", "-m", "two")
    bench.run(".ci/push", remote, "main")
    assert forge(bench, "log", "-1", "--format=%s", "main") == "one\n"
    hook = bench.root.parent / "forge.git/hooks/pre-receive"
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    bench.repo.git("fetch", "-q", remote, "main")
    bench.repo.git("reset", "-q", "--hard", "FETCH_HEAD")
    bench.repo.git("commit", "-q", "--allow-empty", "-m", "three")
    bench.run(".ci/push", remote, "main", code=1)


def test_another_repository_scores_and_gates_its_agent(bench: Bench, tmp_path: Path) -> None:
    agent = tmp_path / "agent"
    agent.mkdir()
    run = agent / "run.jsonl"
    shutil.rmtree(bench.root / ".git")  # An action is brought without history.
    run.write_text((bench.root / "runs/shop/quick.jsonl").read_text().replace("quick", "mine"))
    said = bench.run(str(bench.root / "ci/gate"), "run.jsonl", cwd=agent)
    assert "Scoreboard" in said
    assert (agent / "assay-report.md").read_text() == said
    bench.run(
        str(bench.root / "ci/gate"), "run.jsonl", str(bench.root / "runs/shop/quick.jsonl"),
        cwd=agent, ASSAY_REPORT="report.md", ASSAY_SUITE="shop",
    )  # fmt: skip
    assert (agent / "report.md").read_text()
    bench.run(str(bench.root / "ci/gate"), "nothing.jsonl", cwd=agent, code=2)


def test_hooks(bench: Bench) -> None:
    bench.repo.git("add", "-A")
    bench.run("docs/hooks/pre-commit")
    bench.repo.branch("work")
    record = bench.root / "truth/records/shop/refund-0142.r0001.json"
    record.write_text(record.read_text().replace("nine", "eight"))
    bench.repo.git("commit", "-qam", "in place")
    said = bench.run("docs/hooks/pre-push", code=1, ASSAY_BASE="main")
    assert "HIS001" in said
    bench.run("docs/hooks/pre-push", code=1)
    record.write_text("{")
    bench.repo.git("add", "-A")
    bench.run("docs/hooks/pre-commit", code=1)
