"""The gate as it is typed: three stories, a benchmark somewhere else, formats, baselines."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

from assay.pipeline.gating.bench import parse_bench
from tests.cli.conftest import Run, run
from tests.pipeline.history import commit, entry, git, write_run
from tests.support import case, finish, make_repository, record

__all__ = ["run"]

NAMES = [f"refund-{number:04d}" for number in range(1, 13)]


def bench(root: Path, **fields: object) -> Path:
    """Twelve gold cases, a run that passes all of them, committed."""
    make_repository(
        root,
        [record(name, **fields) for name in NAMES],
        [case(name, "Please refund order 0142.", {"paid": 40}) for name in NAMES],
    )
    finish(root)
    write_run(root, [entry(name) for name in NAMES])
    git(root, "init", "-q", "-b", "main")
    (root / ".gitignore").write_text("/.assay/\n/scores/\n", encoding="utf-8")
    commit(root, "First state", "2026-11-29")
    return root


def broken(root: Path, number: int, run: str = "agent") -> Path:
    """The run, in which so many cases went wrong."""
    wrong = {"final_answer": "Nothing.", "turns": [{}]}
    return write_run(
        root,
        [entry(n, run=run, **(wrong if i < number else {})) for i, n in enumerate(NAMES)],  # type: ignore[arg-type]
    )


def test_all_well(tmp_path: Path, run: Run) -> None:
    bench(tmp_path)
    code, out, _ = run("gate", "agent", "--baseline", "HEAD")
    assert code == 0
    assert out.startswith("agent against HEAD on shop: passes\n")
    assert "acts        nobody" in out
    assert "12 gating cases of 12 (100.0 %)" in out


def test_the_agent_is_broken(tmp_path: Path, run: Run) -> None:
    bench(tmp_path)
    broken(tmp_path, 8)
    code, out, _ = run("gate", "agent", "--baseline", "HEAD")
    assert code == 1
    assert "fails, the agent became worse" in out
    assert "acts        whoever changed the agent" in out
    assert "8 worse, 0 better; p = 0.0078 after Holm" in " ".join(out.split())
    assert f"next  assay -C {tmp_path} why refund-0001 --run agent" in out
    assert run("why", "refund-0001", "--run", "agent")[0] == 0


def test_a_few_cases_are_no_proof(tmp_path: Path, run: Run) -> None:
    bench(tmp_path)
    broken(tmp_path, 3)
    code, out, _ = run("gate", "agent", "--baseline", "HEAD")
    assert code == 0
    assert "refund-0003" in out, "they are listed all the same"


def test_labels_expired_overnight(tmp_path: Path, run: Run) -> None:
    bench(tmp_path, expires="2026-12-01")
    params = tmp_path / "params.yaml"
    text = params.read_text().replace("gate:\n", "gate:\n  floors: {shop: 0.85}\n")
    params.write_text(text)
    assert run("gate", "agent", "--baseline", "HEAD")[0] == 0
    params.write_text(text.replace("2026-11-30", "2026-12-01"))
    code, out, _ = run("gate", "agent", "--baseline", "HEAD")
    assert code == 3
    assert "the benchmark has to change and not the agent" in " ".join(out.split())
    assert "The benchmark shrank: 0 of 12 cases gate (0.0 %), and the floor is 85.0 %." in out
    assert "acts        the owners of what is excluded" in out
    assert run("check", "--select", "EXP001")[0] == 0


def test_today_is_stale(tmp_path: Path, run: Run) -> None:
    bench(tmp_path)
    (tmp_path / "notes.txt").write_text("x")
    commit(tmp_path, "Later", "2026-12-15")
    code, out, _ = run("gate", "agent", "--baseline", "HEAD")
    assert code == 3
    assert "15 days before the last commit (2026-12-15)" in out


def test_a_run_without_an_answer_cannot_pass(tmp_path: Path, run: Run) -> None:
    bench(tmp_path)
    write_run(tmp_path, [entry(name) for name in NAMES[2:]])
    code, out, _ = run("gate", "agent", "--baseline", "HEAD")
    assert code == 3
    assert "The run has no entry for 2 gating cases." in out
    assert run("gate", "agent", "--baseline", "HEAD", "--only", "refund-001*")[0] == 0
    code, out, _ = run("gate", "agent", "--baseline", "HEAD", "--only", "nothing")
    assert code == 3
    assert run("gate", "agent", "--baseline", "HEAD", "--only", "nothing", "--allow-empty")[0] == 0


def test_a_required_case(tmp_path: Path, run: Run) -> None:
    bench(tmp_path)
    params = tmp_path / "params.yaml"
    params.write_text(
        params.read_text().replace("gate:\n", "gate:\n  require: {cases: [refund-0001]}\n")
    )
    broken(tmp_path, 1)
    code, out, _ = run("gate", "agent", "--baseline", "HEAD")
    assert code == 1
    assert "a case that must pass does not" in out
    assert "passed → failed, must pass" in out
    quarantine = "schema_version: 1\nquarantine:\n  - {case: refund-0001, reason: Being looked at., until: \"2026-12-24\"}\n"  # fmt: skip # noqa: E501
    (tmp_path / "truth/quarantine.yaml").write_text(quarantine)
    code, out, _ = run("gate", "agent", "--baseline", "HEAD")
    assert code == 0
    assert "1 in quarantine: refund-0001" in out


def test_other_agents_that_fail_alike_put_the_label_in_doubt(tmp_path: Path, run: Run) -> None:
    bench(tmp_path)
    for name in ("second", "third"):
        broken(tmp_path, 1, name)
    broken(tmp_path, 1)
    _, out, _ = run("gate", "agent", "--baseline", "HEAD")
    assert "2 of 2 other runs fail it: label suspected" in out


def test_a_run_is_no_witness_of_its_own(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench(tmp_path)
    write_run(tmp_path, [entry(name, run="before") for name in NAMES])
    broken(tmp_path, 1)
    monkeypatch.chdir(tmp_path)
    code, out, err = run(
        "gate", "runs/shop/agent.jsonl", "--baseline", "before", "--format", "json"
    )
    assert code == 0, err
    (failure,) = json.loads(out)["failures"]
    assert (failure.get("agree", 0), failure["others"]) == (0, 1)


@pytest.mark.parametrize("how", ["name", "file", "id"])
def test_baselines(tmp_path: Path, run: Run, how: str) -> None:
    bench(tmp_path)
    baseline = "agent"
    if how == "id":
        run("score", "--runs", "agent", "--out", str(tmp_path / "scores"))
        found = json.loads((tmp_path / "scores/shop/agent.json").read_text())
        baseline = found["id"]
    candidate = broken(tmp_path, 8, "candidate")
    if how == "file":
        shutil.move(tmp_path / "runs/shop/agent.jsonl", tmp_path / "agent.jsonl")
        baseline = str(tmp_path / "agent.jsonl")
    assert run("gate", str(candidate), "--baseline", baseline)[0] == 1


def test_a_result_of_another_truth_is_refused_with_a_command_that_works(
    tmp_path: Path, run: Run
) -> None:
    bench(tmp_path)
    run("score", "--runs", "agent", "--out", str(tmp_path / "scores"))
    old = json.loads((tmp_path / "scores/shop/agent.json").read_text())["id"]
    value = record("refund-0001", 2, facts=[{"id": "amount", "any_of": ["$40.00", "40 dollars"]}])
    (tmp_path / "truth/records/shop/refund-0001.r0002.json").write_text(json.dumps(value))
    finish(tmp_path)
    broken(tmp_path, 0, "candidate")
    code, out, _ = run("gate", "candidate", "--baseline", old)
    assert code == 3
    assert "Run and baseline were not measured alike: truth" in out
    (hint,) = [line for line in out.splitlines() if "--regrade" in line]
    assert run(*hint.split(f"assay -C {tmp_path} ")[1].split())[0] == 0


def test_verdicts_alone_are_no_run(tmp_path: Path, run: Run) -> None:
    bench(tmp_path)
    (tmp_path / "v.csv").write_text("case_id,passed\nrefund-0001,true\n")
    code, _, err = run("gate", str(tmp_path / "v.csv"), "--baseline", "agent")
    assert code == 2
    assert " compare agent " in err
    code, _, err = run("gate", "agnt", "--baseline", "agent")
    assert code == 2
    code, _, err = run("gate", "agent", "--baseline", "no-such-thing")
    assert code == 2
    assert "no-such-thing" in err


def test_formats(tmp_path: Path, run: Run) -> None:
    bench(tmp_path)
    broken(tmp_path, 8)
    code, out, _ = run("gate", "agent", "--baseline", "HEAD", "--format", "json")
    value = json.loads(out)
    assert (code, value["decision"], value["exit_code"]) == (1, "fails", 1)
    _, out, _ = run("gate", "agent", "--baseline", "HEAD", "--format", "junit")
    suite = ElementTree.fromstring(out)
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("9", "9", "0")
    _, out, _ = run("gate", "agent", "--baseline", "HEAD", "--format", "markdown")
    assert out.startswith("### ❌ agent against HEAD on shop: fails")
    target = tmp_path / "gate.xml"
    code, out, err = run(
        "gate", "agent", "--baseline", "HEAD", "--format", "junit", "--out", str(target)
    )
    assert (code, out) == (1, f"{target.as_posix()}\n")
    assert "fails, the agent became worse" in err
    assert target.read_text().startswith("<?xml")


def test_text_in_a_run_is_never_markup(tmp_path: Path, run: Run) -> None:
    bench(tmp_path)
    write_run(
        tmp_path,
        [entry(n, final_answer="<img src=x> @all [a](b)\x1b[31m", turns=[{}]) for n in NAMES],
    )
    for fmt in ("text", "markdown", "junit"):
        _, out, _ = run("gate", "agent", "--baseline", "HEAD", "--format", fmt)
        assert "<img" not in out
        assert "\x1b" not in out


# -- a benchmark in another repository ------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("../bench", ("../bench", None)),
        ("../bench@v1", ("../bench", "v1")),
        ("https://host/team/bench.git", ("https://host/team/bench.git", None)),
        ("https://host/team/bench.git@v1.2", ("https://host/team/bench.git", "v1.2")),
        ("git@host:team/bench.git", ("git@host:team/bench.git", None)),
        ("git@host:team/bench.git@v1", ("git@host:team/bench.git", "v1")),
    ],
)
def test_addresses(text: str, parsed: tuple[str, str | None]) -> None:
    assert parse_bench(text) == parsed


def test_an_agent_that_lives_elsewhere(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = bench(tmp_path / "bench")
    git(there, "tag", "v1")
    mine = tmp_path / "agent"
    mine.mkdir()
    shutil.copy(there / "runs/shop/agent.jsonl", mine / "before.jsonl")
    moved = broken(there, 8)
    (mine / "after.jsonl").write_text(moved.read_text().replace('"run":"agent"', '"run":"after"'))
    git(there, "checkout", "-q", ".")
    monkeypatch.chdir(mine)
    for name in (str(there), f"{there}@v1", f"{there.as_uri()}@v1"):
        words = ("gate", "after.jsonl", "--baseline", "before.jsonl", "--bench", name)
        code, out, err = run(*words, root=mine)
        assert code == 1, err
        assert "on shop: fails" in out
    code, _, err = run("gate", "a", "--baseline", "b", "--bench", f"{there}@v9", root=mine)
    assert code == 3
    assert "cannot be fetched: fatal: Remote branch v9 not found" in err
    words = ("gate", "a", "--baseline", "b", "--bench")
    code, _, err = run(*words, "no such; place", root=mine)
    assert code == 3
    assert "cannot be fetched: fatal: " in err
    assert "git ls-remote -- 'no such; place'" in err
    code, _, err = run("gate", "a", "--baseline", "b", "--bench", str(mine), root=mine)
    assert code == 2
    assert "no benchmark repository" in err
