"""Two pull requests that each change one record merge in either order, and the jobs stay green.

The steps are the scripts that the workflows call, on a real repository with the real stages.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.ci.bench import CASES, Bench, make_bench
from tests.rules.harness import write_record

pytestmark = pytest.mark.pipeline

WHY = ["Delivered nine days ago.", "Looked at again, still so."]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """The benchmark with a branch for each case; every test works on a copy of it."""
    bench = make_bench(tmp_path_factory.mktemp("bench") / "main")
    for case in CASES:
        bench.repo.branch(case, "main")
        facts = [{"id": "amount", "any_of": ["$40.00", "40 USD"]}]
        fields = {"like": f"{case}.r0001", "facts": facts, "change": "correction", "rationale": WHY}
        write_record(bench.root, f"{case}.r0002", fields)
        bench.repo.git("add", "-A")
        bench.repo.git("commit", "-q", "-m", f"{case}: another form", who="bo")
    bench.repo.checkout("main")
    return bench


def copied(made: Bench, root: Path) -> Bench:
    """A copy to work on."""
    shutil.copytree(made.root, root, symlinks=True)
    return Bench(type(made.repo)(root, made.repo.day))


@pytest.fixture
def bench(made: Bench, tmp_path: Path) -> Bench:
    return copied(made, tmp_path / "clone")


def pull_request(bench: Bench, branch: str, out: Path) -> list[str]:
    """Play the jobs of a pull request; the stages that its report says moved."""
    bench.repo.checkout("main")
    bench.run(".ci/rules", "main", branch, str(out))
    assert (out / "review.md").read_text().startswith("### Truth: ")
    # What is reproduced is what would be merged.
    bench.repo.git("checkout", "-q", "--detach", "main")
    bench.repo.git("merge", "-q", "--no-ff", "--no-edit", branch)
    bench.run(".ci/reproduce", str(out))
    assert bench.repo.git("status", "--porcelain") == ""
    report = json.loads((out / "reproduced.json").read_text())
    assert report.get("problems", []) == []
    assert (out / "scoreboard.txt").read_text().startswith("Scoreboard")
    return [item["stage"] for item in report["moved"]]


def merge(bench: Bench, branch: str) -> None:
    """Merge as the forge does, and play the job of main."""
    bench.repo.checkout("main")
    before = bench.repo.head()
    bench.repo.git("merge", "-q", "--no-ff", "-m", f"Merge {branch}", branch)
    trailers = bench.root.parent / "trailers"
    trailers.write_text(f"Adjudicated-by: cleo {branch}.r0002\nAdjudicated-by: cleo x.r0001\n")
    assert "Lock and scores" in bench.run(".ci/main", before, str(trailers))
    written = bench.repo.git("log", "-1", "--format=%(trailers:key=Adjudicated-by,valueonly)")
    assert written.split("\n")[:2] == [f"cleo {branch}.r0002", "cleo x.r0001"]
    assert bench.repo.git("status", "--porcelain") == ""
    assert bench.run(".ci/main", bench.repo.head()).endswith("Nothing moved.\n")


def test_either_order(made: Bench, tmp_path: Path) -> None:
    """No file conflicts, every job is green, and both orders come to the same tree: records,
    lock and scores.
    """
    stages = {"report", "score@shop", "truth"}
    trees = set()
    for number, (first, second) in enumerate((CASES, CASES[::-1])):
        bench = copied(made, tmp_path / f"clone{number}")
        assert set(pull_request(bench, first, tmp_path / f"{number}a")) >= stages
        assert set(pull_request(bench, second, tmp_path / f"{number}b")) >= stages
        merge(bench, first)
        pull_request(bench, second, tmp_path / f"{number}c")
        merge(bench, second)
        trees.add(bench.repo.git("rev-parse", "HEAD^{tree}"))
    assert len(trees) == 1


def test_the_report_names_a_rule_that_is_broken(bench: Bench, tmp_path: Path) -> None:
    bench.repo.checkout(CASES[0])
    record = bench.root / f"truth/records/shop/{CASES[0]}.r0001.json"
    record.write_text(record.read_text().replace("nine days", "eight days"))
    bench.repo.git("commit", "-qam", "in place")
    bench.repo.checkout("main")
    bench.run(".ci/rules", "main", CASES[0], str(tmp_path / "out"), code=1)
    assert "HIS001" in (tmp_path / "out/rules.md").read_text()


def test_rules_that_a_branch_removes_still_hold(bench: Bench, tmp_path: Path) -> None:
    """The code that looks is that of main, whatever the branch did to it."""
    bench.repo.checkout(CASES[0])
    record = bench.root / f"truth/records/shop/{CASES[0]}.r0001.json"
    record.unlink()
    (bench.root / "scripts/assay/checks/history.py").write_text("")
    (bench.root / ".ci/rules").write_text("exit 0\n")
    bench.repo.git("commit", "-qam", "quiet")
    bench.repo.checkout("main")
    bench.run(".ci/rules", "main", CASES[0], str(tmp_path / "out"), code=1)
    said = (tmp_path / "out/rules.md").read_text()
    assert "HIS002" in said
    assert "HIS006" in said


def test_a_stage_that_wrote_other_bytes_with_the_same_inputs_is_seen(
    bench: Bench, tmp_path: Path
) -> None:
    lock = bench.root / "dvc.lock"
    metrics = next(bench.root.glob("scores/shop.metrics/*.json"))
    metrics.write_text(metrics.read_text() + " ")
    shutil.rmtree(bench.root / "scores/shop.metrics")
    text = lock.read_text()
    at = text.index("scores/shop.metrics")
    digest = text.index("md5: ", text.index("hash: md5", at) + 9) + 5
    lock.write_text(text[:digest] + "0" * 32 + text[digest + 32 :])
    bench.repo.git("commit", "-qam", "a lock that lies")
    out = bench.run(".ci/reproduce", str(tmp_path / "out"), code=1)
    assert "wrong: Stage score@shop wrote other scores/shop.metrics with unchanged inputs" in out
