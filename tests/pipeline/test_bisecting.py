"""Which commit moved a score, on histories that the tests make."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import assay
from tests.cli.conftest import Run, run
from tests.pipeline.history import CASES, commit, entry, git, revise, tiny, write_run

__all__ = ["run"]

PACKAGE = Path(assay.__file__).parent


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tiny(tmp_path)


def bisect(run: Run, *options: str) -> dict[str, Any]:
    code, out, err = run("truth", "bisect", "agent", "--format", "json", *options)
    assert code == 0, err
    found = json.loads(out)
    assert found["schema_version"] == 1
    return found


def rates(move: dict[str, Any]) -> tuple[Any, Any]:
    return move["before"]["rate"], move["after"]["rate"]


def flips(move: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(f["case_id"], f["before"], f["after"]) for f in move["flips"]]


def nothing(root: Path, case_id: str, revision: int, **fields: Any) -> None:
    """A revision that a run which does nothing but say "Nothing." passes."""
    revise(
        root, case_id, revision, required_tools=None, acceptable_answers=["Nothing."],
        facts=None, **fields,
    )  # fmt: skip


def set_param(root: Path, old: str, new: str) -> None:
    path = root / "params.yaml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_every_commit_that_moved_the_rate(root: Path, run: Run) -> None:
    (root / "README.md").write_text("x", encoding="utf-8")
    commit(root, "Nothing that counts", "2026-11-02")
    nothing(root, CASES[1], 2, rationale=["The customer asks for nothing.", "Clause 3.2."])
    label = commit(root, "The label was wrong", "2026-11-03")
    revise(root, CASES[0], 2, change="wording", rationale=["Said better."])
    commit(root, "Only words", "2026-11-04")
    set_param(root, "2026-11-30", "2027-04-01")
    day = commit(root, "Another day", "2026-11-05")
    policies = root / "truth/policies.yaml"
    text = policies.read_text(encoding="utf-8").replace("2027-03-01", "2027-06-01")
    policies.write_text(text, encoding="utf-8")
    policy = commit(root, "The new policy comes later", "2026-11-06")
    revise(root, CASES[0], 3, change="renewal", expires="2027-12-01")
    renewed = commit(root, "Renewed", "2026-11-07")
    status = git(root, "status", "--porcelain", "--ignored")
    found = bisect(run)
    assert git(root, "status", "--porcelain", "--ignored") == status
    moves = found["moves"]
    assert [move["commit"] for move in moves] == [label, day, policy, renewed]
    assert (found["commits"], found["relevant"], found["looked_at"]) == (7, 6, 6)
    assert (found["start"]["rate"], found["end"]["rate"]) == (0.5, 1.0)
    assert rates(moves[0]) == (0.5, 1.0)
    assert (moves[0]["day"], moves[0]["author"]) == ("2026-11-03", "cleo")
    (change,) = moves[0]["changes"]
    assert change["words"] == "refund-0143 r0001 → r0002, correction, gold"
    assert change["because"] == "The customer asks for nothing. Clause 3.2."
    assert flips(moves[0]) == [(CASES[1], "failed", "passed")]
    assert [c["words"] for c in moves[1]["changes"]] == ["today: 2026-11-30 → 2027-04-01"]
    assert rates(moves[1]) == (1.0, None)
    excluded = "excluded EXP001, POL001"
    assert [f[2] for f in flips(moves[1])] == [excluded, excluded]
    assert [c["path"] for c in moves[2]["changes"]] == ["truth/policies.yaml"]
    assert flips(moves[2]) == [(name, excluded, "excluded EXP001") for name in CASES]
    assert flips(moves[3]) == [(CASES[0], "excluded EXP001", "passed")]


def test_it_is_said_in_words(root: Path, run: Run) -> None:
    nothing(root, CASES[1], 2, rationale=["Nothing is due."])
    label = commit(root, "The label was wrong", "2026-11-03")
    code, out, err = run("truth", "bisect", "agent")
    assert (code, err) == (0, "")
    words = " ".join(out.split())
    assert f"{label[:10]} 2026-11-03 cleo The label was wrong" in words
    assert "changes refund-0143 r0001 → r0002, correction, gold: Nothing is due." in words
    assert "rate 50.0 (1/2) → 100.0 (2/2) flips refund-0143: failed → passed" in words
    assert not any(len(line) > 80 for line in out.splitlines())


def test_one_case(root: Path, run: Run) -> None:
    for number, name in enumerate(CASES, start=2):
        revise(root, CASES[0], number, change="wording", rationale=[name])
        commit(root, "Words of the other case")
    nothing(root, CASES[1], 2)
    label = commit(root, "The label was wrong")
    found = bisect(run, "--case", CASES[1])
    assert found["relevant"] == 2
    assert [move["commit"] for move in found["moves"]] == [label]
    assert bisect(run, "--case", CASES[0])["moves"] == []
    code, _, err = run("truth", "bisect", "agent", "--case", "refund-0144")
    assert code == 2
    assert "did you mean refund-0143" in err


def test_a_long_history_is_halved(root: Path, run: Run) -> None:
    flipped = []
    for number in range(2, 42):
        if number in (17, 33):
            nothing(root, CASES[1], number)
            flipped.append(commit(root, f"Flip {number}"))
        elif number in (18, 19):
            nothing(root, CASES[1], number, change="wording", rationale=[f"{number}."])
            commit(root, f"Kept {number}")
        elif number < 33 or number > 36:
            revise(root, CASES[1], number)
            name = commit(root, f"Back {number}")
            if number in (20, 37):
                flipped.append(name)
        else:
            nothing(root, CASES[1], number, change="wording", rationale=[f"{number}."])
            commit(root, f"Kept {number}")
    found = bisect(run, "--case", CASES[1], "--good", "HEAD~26", "--bad", "HEAD~6")
    assert found["looked_at"] == found["relevant"] == 21
    assert [m["commit"] for m in found["moves"]] == flipped[:3]
    found = bisect(run, "--case", CASES[1], "--bad", "HEAD~6")
    assert found["looked_at"] < found["relevant"] == 35
    assert {m["commit"] for m in found["moves"]} <= set(flipped)
    assert "Searched by halves" in " ".join(found["remarks"])


def test_a_verdict_that_flips_across_a_commit_nobody_can_score(
    root: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assay.pipeline.bisecting.search.LINEAR", 4)
    policies = root / "truth/policies.yaml"
    text = policies.read_text(encoding="utf-8")
    for number in range(2, 6):
        revise(root, CASES[1], number)
        commit(root, f"Before {number}")
    policies.write_text("families: [", encoding="utf-8")
    unreadable = commit(root, "Broken")
    policies.write_text(text, encoding="utf-8")
    nothing(root, CASES[1], 6)
    mended = commit(root, "Mended, and a label")
    for number in range(7, 10):
        nothing(root, CASES[1], number, change="wording", rationale=[f"{number}."])
        commit(root, f"After {number}")
    found = bisect(run, "--case", CASES[1])
    assert "Searched by halves" in found["remarks"][0]
    (move,) = found["moves"]
    assert (move["commit"], move["unseen"]) == (mended, [unreadable])
    assert flips(move) == [(CASES[1], "failed", "passed")]


def test_cases_and_catalogues_move_scores_too(root: Path, run: Run) -> None:
    suite = root / "cases/shop/shop.evalset.json"
    text = suite.read_text(encoding="utf-8")
    suite.write_text(text.replace("order 0143", "order 0144"), encoding="utf-8")
    other = commit(root, "Another question")
    found = bisect(run)
    (move,) = found["moves"]
    assert move["commit"] == other
    assert [c["kind"] for c in move["changes"]] == ["cases"]
    assert flips(move) == [(CASES[1], "failed", "excluded CAS001")]


def with_code(root: Path) -> Path:
    """Copy the package into the repository."""
    target = root / "scripts/assay"
    shutil.copytree(PACKAGE, target, ignore=shutil.ignore_patterns("__pycache__"))
    return target


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


SCORED = "    return results, _result(run, results, chosen, trials, against, selection)"
ALL_FAIL = (
    "    results = [line.model_copy(update={'outcome': 'failed'}) for line in results]\n" + SCORED
)


def test_code_of_then_runs_as_it_was(root: Path, run: Run) -> None:
    code = with_code(root)
    commit(root, "The code", "2026-11-02")
    edit(code / "scoring/run.py", SCORED, ALL_FAIL)
    strict = commit(root, "Everything fails", "2026-11-03")
    nothing(root, CASES[1], 2)
    commit(root, "A label that such a scorer does not see", "2026-11-04")
    edit(code / "scoring/run.py", ALL_FAIL, SCORED)
    revise(root, CASES[0], 2, acceptable_answers=["No."], facts=None)
    both = commit(root, "Code and truth at once", "2026-11-05")
    (code / "reporting/words.py").write_text("broken(", encoding="utf-8")
    commit(root, "Broken where no score passes through", "2026-11-06")
    git(root, "checkout", "-q", "HEAD~1")
    found = bisect(run)
    assert [move["commit"] for move in found["moves"]] == [strict, both]
    first, second = found["moves"]
    assert rates(first) == (0.5, 0.0)
    assert flips(first) == [(CASES[0], "passed", "failed")]
    assert [c["words"] for c in first["changes"]] == ["code: 1 file in scoring"]
    assert first["before"]["scorer"] != first["after"]["scorer"]
    assert second["halfway"]["rate"] == 0.0
    assert rates(second) == (0.0, 0.5)
    assert found["blind"] == []


def test_code_that_does_not_run_is_unknown_and_not_guessed(root: Path, run: Run) -> None:
    code = with_code(root)
    commit(root, "The code", "2026-11-02")
    edit(code / "scoring/run.py", "import gc", "import gc, a_package_of_then")
    broken = commit(root, "Needs another package", "2026-11-03")
    nothing(root, CASES[1], 2)
    label = commit(root, "The label was wrong", "2026-11-04")
    edit(code / "scoring/run.py", "import gc, a_package_of_then", "import gc")
    mended = commit(root, "Needs it no more", "2026-11-05")
    found = bisect(run)
    (move,) = found["moves"]
    assert (move["commit"], move["not_own_code"]) == (label, True)
    assert flips(move) == [(CASES[1], "failed", "passed")]
    assert [b["commit"] for b in found["blind"]] == [broken, mended]
    assert all(b["what"] == "scorer" for b in found["blind"])
    assert "a_package_of_then" in found["blind"][0]["reason"]
    _, out, _ = run("truth", "bisect", "agent")
    assert "what its code did: the code does not run here" in " ".join(out.split())


def test_code_of_then_has_no_network(root: Path, run: Run) -> None:
    code = with_code(root)
    commit(root, "The code", "2026-11-02")
    call = "import gc\nimport socket\nsocket.create_connection(('127.0.0.1', 9))\n"
    edit(code / "scoring/run.py", "import gc\n", call)
    commit(root, "Calls home", "2026-11-03")
    (blind,) = bisect(run)["blind"]
    assert "there is no network here" in blind["reason"]


def test_data_that_cannot_be_scored_is_said(root: Path, run: Run) -> None:
    policies = root / "truth/policies.yaml"
    text = policies.read_text(encoding="utf-8")
    policies.write_text("families: [", encoding="utf-8")
    broken = commit(root, "Broken")
    policies.write_text(text, encoding="utf-8")
    nothing(root, CASES[1], 2)
    mended = commit(root, "Mended, and a label")
    found = bisect(run)
    assert [(b["commit"], b["what"]) for b in found["blind"]] == [(broken, "score")]
    (move,) = found["moves"]
    assert (move["commit"], move["unseen"]) == (mended, [broken])


def test_where_it_begins_and_ends(root: Path, run: Run) -> None:
    first = git(root, "rev-parse", "HEAD")
    nothing(root, CASES[1], 2)
    label = commit(root, "The label was wrong")
    revise(root, CASES[1], 3)
    back = commit(root, "It was right")
    assert [m["commit"] for m in bisect(run)["moves"]] == [label, back]
    assert [m["commit"] for m in bisect(run, "--good", label)["moves"]] == [back]
    assert [m["commit"] for m in bisect(run, "--bad", "HEAD~1")["moves"]] == [label]
    code, _, err = run("truth", "bisect", "agent", "--good", "HEAD", "--bad", first)
    assert code == 2
    assert "is not on the first-parent line" in err
    assert run("truth", "bisect", "agent", "--good", "nowhere")[0] == 2
    code, _, err = run("truth", "bisect", "agent", "--most", "2")
    assert code == 3
    assert f"--good {label[:10]}" in err


def test_a_merge_is_one_step(root: Path, run: Run) -> None:
    git(root, "checkout", "-q", "-b", "side")
    nothing(root, CASES[1], 2)
    commit(root, "On a branch")
    git(root, "checkout", "-q", "main")
    (root / "notes.txt").write_text("x", encoding="utf-8")
    commit(root, "Beside it")
    git(root, "merge", "-q", "--no-ff", "-m", "Merge side", "side")
    (move,) = bisect(run)["moves"]
    assert move["subject"] == "Merge side"
    assert move["changes"][0]["case_id"] == CASES[1]


def test_what_is_not_committed_is_said(root: Path, run: Run) -> None:
    nothing(root, CASES[1], 2)
    found = bisect(run)
    assert found["moves"] == []
    assert "truth/records/shop/refund-0143.r0002.json" in found["remarks"][0]


def test_a_shallow_clone_is_refused(root: Path, run: Run, tmp_path: Path) -> None:
    commit(root, "Second")
    commit(root, "Third")
    target = tmp_path / "shallow"
    git(root, "clone", "-q", "--depth", "2", f"file://{root}", str(target))
    code, _, err = run("truth", "bisect", "agent", root=target)
    assert code == 3
    assert "next  git fetch --unshallow" in err
    assert run("truth", "bisect", "agent", "--good", "HEAD~1", root=target)[0] == 0
    git(target, "fetch", "-q", "--unshallow")
    assert run("truth", "bisect", "agent", root=target)[0] == 0


def test_without_history_it_is_refused(root: Path, run: Run) -> None:
    (root / ".git").rename(root / "gone")
    code, _, err = run("truth", "bisect", "agent")
    assert code == 3
    assert "There is no git history here." in err


def test_a_repository_below_another_one(tmp_path: Path, run: Run) -> None:
    outer = tmp_path / "outer"
    inner = outer / "bench"
    tiny(inner)
    (inner / ".git").rename(outer / ".git")
    commit(outer, "Moved down")
    nothing(inner, CASES[1], 2)
    label = commit(outer, "The label was wrong")
    code, out, err = run("truth", "bisect", "agent", "--format", "json", root=inner)
    assert code == 0, err
    assert [m["commit"] for m in json.loads(out)["moves"]] == [label]


def test_a_table_of_verdicts_is_refused(root: Path, run: Run, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("case_id,passed\na,1\n", encoding="utf-8")
    code, _, err = run("truth", "bisect", str(table))
    assert code == 3
    assert "no truth can be applied" in err


def test_several_trials(root: Path, run: Run) -> None:
    write_run(root, [entry(CASES[1], 0), entry(CASES[1], 1, final_answer="Nothing.", turns=[{}])])
    nothing(root, CASES[1], 2)
    commit(root, "The label was wrong")
    (move,) = bisect(run)["moves"]
    assert [(f["trial"], f["before"], f["after"]) for f in move["flips"]] == [
        (0, "passed", "failed"),
        (1, "failed", "passed"),
    ]


@pytest.mark.skipif(os.name != "posix", reason="signals")
def hear() -> None:
    """Take Ctrl-C as a signal again: a job in the background inherits that it is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_stopping_leaves_nothing_behind(root: Path, tmp_path: Path) -> None:
    code = with_code(root)
    edit(code / "scoring/run.py", "import gc\n", "import gc\nimport time\ntime.sleep(60)\n")
    commit(root, "Slow code")
    folder = tmp_path / "temporary"
    folder.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "assay.cli.main", "-C", root, "truth", "bisect", "agent"],
        env={**os.environ, "TMPDIR": str(folder), "PYTHONPATH": str(PACKAGE.parent)},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=hear,
    )
    for _ in range(300):
        if any(folder.glob("assay-scores-*")):
            break
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert list(folder.iterdir()) == []
