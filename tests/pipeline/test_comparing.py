"""``assay compare``: names, refusals that help, and a history taken apart."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run, run
from tests.pipeline.history import CASES, commit, entry, git, revise, tiny, write_run
from tests.pipeline.test_bisecting import SCORED, edit, nothing, set_param, with_code
from tests.support import case, finish, make_repository, record

__all__ = ["run"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tiny(tmp_path)


def publish(run: Run, name: str = "agent") -> str:
    code, out, err = run("score", "--runs", name, "--publish", "--format", "json")
    assert code == 0, err
    return str(json.loads(out)["published"][0]["id"])


def compare(run: Run, *words: str) -> dict[str, Any]:
    code, out, err = run("compare", *words, "--format", "json")
    assert code == 0, err
    made: dict[str, Any] = json.loads(out)
    return made


def refused(run: Run, *words: str) -> tuple[str, list[str]]:
    """The message, and every command that it offers."""
    code, out, err = run("compare", *words)
    assert (code, out) == (3, "")
    message, *rest = err.split("\n  next  ")
    commands = [line.split("  ")[0] for line in "".join(rest).strip().split("\n  or    ")]
    return message, commands


def paste(text: str) -> subprocess.CompletedProcess[str]:
    """Run a command as it was printed."""
    words = shlex.split(text)
    assert words[0] == "assay"
    return subprocess.run(
        [sys.executable, "-m", "assay.cli.main", *words[1:]],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NO_COLOR": "1"},
    )


def better(root: Path) -> None:
    write_run(root, [entry(name, run="other") for name in CASES])


def test_two_runs_of_the_repository(root: Path, run: Run) -> None:
    better(root)
    made = compare(run, "agent", "other")
    found = made["measures"][0]
    assert (found["cases"], found["a"], found["b"], found["exact"]) == (2, 0.5, 1.0, "1/2")
    assert made["conclusion"] == "cannot_tell"
    assert [(p["parts"], p["exact"]) for p in made["attribution"]["parts"]] == [
        (["coverage"], "0"), (["scorer"], "0"), (["truth"], "0"), (["agent"], "1/2"),
    ]  # fmt: skip
    assert made["a"]["tally"]["expected"] == 2
    code, out, _ = run("compare", "agent", "other", "--format", "markdown")
    assert code == 0
    assert out.startswith("### agent → other on shop: cannot tell, +50.0 points on 2 cases")


def test_other_truth_is_refused_with_commands_that_work(root: Path, run: Run) -> None:
    old = publish(run)
    commit(root, "Published")
    nothing(root, CASES[1], 2)
    commit(root, "The label was wrong", "2026-11-03")
    better(root)
    message, commands = refused(run, old, "other")
    assert "Truth: " in message
    assert "Policies" not in message
    assert [c.rsplit(" ", 1)[0] for c in commands] == [
        f"assay -C {root} compare {old} other --on",
        f"assay -C {root} compare {old} other",
    ]
    unchanged, again = (paste(command) for command in commands)
    assert unchanged.returncode == again.returncode == 0, unchanged.stderr + again.stderr
    assert "100.0 → 100.0, 0.0 points" in unchanged.stdout
    assert "1 label differs: refund-0143" in unchanged.stdout
    assert "scored again" in again.stdout
    assert "100.0 → 50.0, -50.0 points" in again.stdout


def test_the_scorer_of_then_needs_both_again(root: Path, run: Run) -> None:
    old = publish(run)
    path = next((root / "results").rglob(f"{old}.json"))
    stale = path.read_text(encoding="utf-8").replace(
        json.loads(path.read_text())["result"]["context"]["scorer"], "5" * 64
    )
    copy = root / "copy.json"
    copy.write_text(stale, encoding="utf-8")
    better(root)
    message, commands = refused(run, str(copy), "other")
    assert "Scorer: 5555555555 and " in message
    assert len(commands) == 1
    assert commands[0].endswith("--regrade")
    done = paste(commands[0])
    assert done.returncode == 0, done.stderr
    assert "scorer, truth and agent" not in done.stdout
    assert "scorer" in done.stdout


def test_drafts_are_refused(root: Path, run: Run) -> None:
    revise(root, CASES[1], 2, status="draft", adjudicator=None)
    statuses = ("--status", "gold", "--status", "draft")
    assert run("score", "--runs", "agent", *statuses, "--out", str(root / "scores"))[0] in (0, 1)
    better(root)
    message, commands = refused(run, str(root / "scores/shop/agent.json"), "other")
    assert "drafts are never compared" in message
    assert commands[0].endswith("--regrade")
    assert paste(commands[0]).returncode == 0


def test_lines_without_their_result(root: Path, run: Run) -> None:
    better(root)
    assert run("score", "--out", str(root / "scores"))[0] == 0
    lines = root / "lines.jsonl"
    lines.write_bytes((root / "scores/shop/agent.jsonl").read_bytes())
    message, commands = refused(run, str(lines), "other")
    assert "Context: unknown and truth " in message
    done = paste(commands[0])
    assert done.returncode == 0, done.stderr
    assert "Nobody knows what one of the two was judged by." in " ".join(done.stdout.split())


def test_a_run_that_changed_is_not_scored_under_the_old_name(root: Path, run: Run) -> None:
    assert run("score", "--out", str(root / "scores"))[0] == 0
    name = json.loads((root / "scores/shop/agent.json").read_text())["id"]
    write_run(root, [entry(name, final_answer="Other.") for name in CASES])
    better(root)
    code, _, err = run("compare", name, "other", "--regrade")
    assert code == 3
    assert f"The run has changed since result {name} was made from it" in err


def test_a_published_run_is_taken_from_its_commit(root: Path, run: Run) -> None:
    old = publish(run)
    commit(root, "Published")
    write_run(root, [entry(name) for name in CASES])
    made = compare(run, old, "agent", "--regrade")
    assert (made["measures"][0]["a"], made["measures"][0]["b"]) == (0.5, 1.0)


def test_another_policy_than_the_one_it_was_given(root: Path, run: Run) -> None:
    write_run(root, [entry(name, run="other", policy="refunds-v6") for name in CASES])
    for more in ((), ("--regrade",)):
        made = compare(run, "agent", "other", *more)
        assert "other was given refunds-v6 and is judged by refunds-v7." in made["remarks"]


def test_slices_and_suites_that_do_not_exist(root: Path, run: Run) -> None:
    better(root)
    assert compare(run, "agent", "other", "--slice", "window")["only_slices"] == ["window"]
    code, _, err = run("compare", "agent", "other", "--slice", "windows")
    assert (code, "slices: window" in err) == (2, True)
    code, _, err = run("compare", "agent", "nobody")
    assert code == 2
    assert "neither a run nor a result nor a file" in err
    code, _, err = run("compare", "agent", "other", "--regrade", "--on", "unchanged")
    assert code == 2


def seven_worse(root: Path) -> None:
    """Ten cases, of which the first run passes all and the second three."""
    make_repository(
        root,
        [record(name) for name in NAMES],
        [case(name, f"Please refund order {name[-4:]}.", {"paid": 40}) for name in NAMES],
    )
    finish(root)
    write_run(root, [entry(name) for name in NAMES])
    wrong = {"final_answer": "Nothing.", "turns": [{}]}
    write_run(
        root,
        [entry(name, run="other", **(wrong if i < 7 else {})) for i, name in enumerate(NAMES)],  # type: ignore[arg-type]
    )


def test_the_level_is_that_of_the_gate(tmp_path: Path, run: Run) -> None:
    """7 to 0 is p = 0.0156: worse at 0.05, and nothing at 0.01."""
    seven_worse(tmp_path)
    made = compare(run, "agent", "other")
    assert (made["alpha"], made["alpha_from"], made["conclusion"]) == (0.05, "gate.alpha", "worse")
    params = tmp_path / "params.yaml"
    text = params.read_text(encoding="utf-8")
    params.write_text(text.replace("gate:\n", "gate:\n  alpha: 0.01\n"), encoding="utf-8")
    made = compare(run, "agent", "other")
    assert (made["alpha"], made["conclusion"]) == (0.01, "cannot_tell")
    for fmt in ("text", "markdown"):
        _, out, _ = run("compare", "agent", "other", "--format", fmt)
        assert "tests at the level of 0.01 (gate.alpha of params.yaml)" in " ".join(out.split())


def test_a_wrong_level_is_named(root: Path, run: Run) -> None:
    better(root)
    params = root / "params.yaml"
    text = params.read_text(encoding="utf-8")
    params.write_text(text.replace("gate:\n", "gate:\n  alpha: 2\n"), encoding="utf-8")
    table(root, "a.csv", "x,true")
    code, out, err = run("compare", str(root / "a.csv"), str(root / "a.csv"))
    assert (code, out) == (1, "")
    assert "params.yaml" in err
    assert "gate/alpha" in err


# -- plain tables -------------------------------------------------------------------------------


def table(folder: Path, name: str, *rows: str, head: str = "case_id,passed") -> str:
    path = folder / name
    path.write_text("\n".join((head, *rows)) + "\n", encoding="utf-8")
    return str(path)


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "empty"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.delenv("ASSAY_ROOT", raising=False)
    return folder


def alone(*words: str) -> tuple[int, str, str]:
    done = paste(shlex.join(["assay", *words]))
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


def test_two_tables_in_an_empty_folder(empty: Path) -> None:
    rows = [
        f"c{index},{'yes' if index < 30 else 'no'},s{index % 2},t{index // 2}"
        for index in range(60)
    ]
    head = "case_id,passed,slice,template"
    table(empty, "before.csv", *rows, head=head)
    after = [{"case_id": f"c{index}", "passed": index < 45} for index in range(59)]
    (empty / "after.jsonl").write_text("\n".join(map(json.dumps, after)), encoding="utf-8")
    code, out, err = alone("compare", "before.csv", "after.jsonl", "--format", "json")
    assert (code, err) == (0, "")
    made = json.loads(out)
    found = made["measures"][0]
    assert made["conclusion"] == "better"
    assert (made["alpha"], made["alpha_from"]) == (0.05, "default")
    assert (found["cases"], found["clusters"], found["higher"]) == (59, 30, 15)
    assert found["method"] == "exact sign flips of clusters"
    assert [item["slice"] for item in made["slices"]] == ["s0", "s1"]
    assert made["b"]["unmatched"] == ["c59"]
    assert [part["parts"] for part in made["attribution"]["parts"]] == [
        ["coverage"], ["scorer", "truth", "agent"],
    ]  # fmt: skip
    code, out, _ = alone("compare", "before.csv", "after.jsonl")
    assert code == 0
    assert not [line for line in out.splitlines() if len(line) > 80]


def test_two_published_results_without_their_repository(
    tmp_path: Path, run: Run, empty: Path
) -> None:
    home = tiny(tmp_path / "home")
    files = []
    for revision in (1, 2):
        if revision == 2:
            nothing(home, CASES[1], 2)
            commit(home, "The label was wrong")
        code, out, err = run(
            "-C", str(home), "score", "--runs", "agent", "--publish", "--format", "json"
        )
        assert code == 0, err
        name = json.loads(out)["published"][0]["id"]
        files.append(empty / f"{name}.json")
        files[-1].write_bytes(next((home / "results").rglob(f"{name}.json")).read_bytes())
        commit(home, "Published")
    code, out, err = alone("compare", *map(str, files), "--on", "unchanged")
    assert code == 0, err
    assert "1 label differs: refund-0143" in out
    assert "Not known: There is no benchmark repository here" in out


def test_words_of_a_table(empty: Path) -> None:
    table(empty, "a.csv", "x,true", "y,error", "z,", "w,skipped", "v,false")
    table(empty, "b.csv", "x,1", "y,1", "z,1", "w,1", "v,0")
    _, out, _ = alone("compare", "a.csv", "b.csv", "--format", "json")
    tally = json.loads(out)["a"]["tally"]
    counts = [tally[name] for name in ("expected", "passed", "failed", "not_evaluated", "errored")]
    assert counts == [5, 1, 1, 2, 1]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (("x,perhaps",), "`passed` is 'perhaps'"),
        (("x,true,0", "x,false,0"), "stands there twice"),
    ],
)
def test_a_row_that_cannot_be_read_is_never_left_out_in_silence(
    empty: Path, rows: tuple[str, ...], said: str
) -> None:
    head = "case_id,passed,trial" if rows[0].count(",") == 2 else "case_id,passed"
    table(empty, "a.csv", *rows, head=head)
    code, out, err = alone("compare", "a.csv", "a.csv")
    assert (code, out) == (1, "")
    assert said in err


def test_nothing_in_common_is_refused(empty: Path) -> None:
    table(empty, "a.csv", "x,true")
    table(empty, "b.csv", "y,true")
    code, out, err = alone("compare", "a.csv", "b.csv")
    assert (code, out) == (3, "")
    assert "1 evaluated in a.csv and unmatched in b.csv (x)" in err
    code, _, err = alone("compare", "a.csv", "c.csv")
    assert (code, "There is no file `c.csv`." in err) == (2, True)


def test_only_the_core_is_imported(empty: Path) -> None:
    table(empty, "a.csv", "x,true")
    script = (
        "import sys\n"
        "heavy = ('dvc', 'pyarrow', 'pyoxigraph', 'git', 'numpy', 'scipy', 'networkx', 'jinja2',"
        " 'rich', 'ruamel', 'jsonschema')\n"
        "sys.modules.update(dict.fromkeys(heavy))\n"
        "from assay.cli.main import main\n"
        "main(['compare', 'a.csv', 'a.csv'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


# -- a history ----------------------------------------------------------------------------------

NAMES = [f"refund-{number:04d}" for number in range(1, 11)]
WRONG = (
    "    results = [line.model_copy(update={'outcome': 'failed'}) if line.case_id == 'refund-0006'"
    " else line for line in results]\n" + SCORED
)


def agent(passes: str) -> list[Any]:
    """A run that does what is asked in some cases, by their last digit, and nothing in others."""
    return [
        entry(name) if name[-1] in passes else entry(name, final_answer="Nothing.", turns=[{}])
        for name in NAMES
    ]


def with_history(root: Path) -> str:
    """Ten cases; then the agent improves, two labels are corrected, the scorer is mended, and
    three labels expire. Returns the id of the result that was published before all that."""
    expiring: dict[str, dict[str, Any]] = {name: {"expires": "2027-01-31"} for name in NAMES[7:]}
    make_repository(
        root,
        [record(name, **expiring.get(name, {})) for name in NAMES],
        [case(name, f"Please refund order {name[-4:]}.", {"paid": 40}) for name in NAMES],
    )
    finish(root)
    (root / ".gitignore").write_text("/.assay/\n/scores/\n__pycache__/\n", encoding="utf-8")
    git(root, "init", "-q", "-b", "main")
    code = with_code(root)
    edit(code / "scoring/run.py", SCORED, WRONG)
    write_run(root, agent("12689"))
    commit(root, "First state", "2026-11-01")
    done = subprocess.run(
        [sys.executable, "-P", "-m", "assay.cli.main", "-C", str(root), "score", "--runs", "agent",
         "--publish", "--format", "json"],
        env={**os.environ, "PYTHONPATH": str(root / "scripts")},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    commit(root, "Published", "2026-11-02")
    edit(code / "scoring/run.py", WRONG, SCORED)
    for name in NAMES[3:5]:
        nothing(root, name, 2)
    set_param(root, "2026-11-30", "2027-02-10")
    write_run(root, agent("126789"))
    commit(root, "Everything at once", "2026-11-03")
    return str(json.loads(done.stdout)["published"][0]["id"])


def parts_of(made: dict[str, Any]) -> dict[tuple[str, ...], Fraction]:
    return {tuple(p["parts"]): Fraction(p["exact"]) for p in made["attribution"]["parts"]}


def test_a_history_is_taken_apart(tmp_path: Path, run: Run) -> None:
    old = with_history(tmp_path)
    message, commands = refused(run, old, "agent")
    assert message.count(";") == 1
    assert "Truth: " in message
    assert "Scorer: " in message
    assert [command.rsplit(" ", 1)[1] for command in commands] == ["--regrade"]
    made = compare(run, old, "agent", "--regrade")
    # By hand: 4 of 10 before, since the old scorer fails refund-0006; 2 of the 7 that are left.
    assert (made["attribution"]["exact_a"], made["attribution"]["exact_b"]) == ("2/5", "6/7")
    assert made["attribution"]["unknown"] == []
    expected = {
        ("coverage",): Fraction(2, 7) - Fraction(2, 5),
        ("scorer",): Fraction(1, 7),
        ("truth",): Fraction(2, 7),
        ("agent",): Fraction(1, 7),
    }
    assert parts_of(made) == expected
    assert made["attribution"]["left"] == NAMES[7:]
    moved = [[m["case_id"] for m in p["moved"]] for p in made["attribution"]["parts"]]
    assert moved == [[], ["refund-0006"], ["refund-0004", "refund-0005"], ["refund-0007"]]
    # Both under the truth and the code of now: only the agent is left.
    assert (made["measures"][0]["cases"], made["measures"][0]["exact"]) == (7, "1/7")
    assert made["a"]["tally"]["excluded"] == made["b"]["tally"]["excluded"] == 3
    done = paste(commands[0])
    assert done.returncode == 0
    assert "coverage    -11.4 (left: refund-0008, refund-0009, refund-0010)" in done.stdout


def test_the_same_history_the_other_way_round(tmp_path: Path, run: Run) -> None:
    """The second side is the old one: its scorer runs in a process of its own."""
    old = with_history(tmp_path)
    made = compare(run, "agent", old, "--regrade")
    assert made["attribution"]["unknown"] == []
    found = parts_of(made)
    assert sum(found.values()) == Fraction(2, 5) - Fraction(6, 7)
    assert found["coverage",] == Fraction(4, 35)
    assert found["scorer",] == Fraction(-1, 7)
    assert found["truth",] == Fraction(-2, 7)
    assert found["agent",] == Fraction(-1, 7)


def test_a_scorer_that_is_gone_joins_parts(tmp_path: Path, run: Run) -> None:
    old = with_history(tmp_path)
    path = next((tmp_path / "results").rglob(f"{old}.json"))
    text = path.read_text(encoding="utf-8")
    value = json.loads(text)
    copy = tmp_path / "copy.json"
    copy.write_text(text.replace(value["result"]["context"]["scorer"], "5" * 64), encoding="utf-8")
    made = compare(run, "agent", str(copy), "--regrade")
    assert list(parts_of(made)) == [("coverage",), ("scorer", "truth", "agent")]
    assert made["attribution"]["unknown"]
    assert sum(parts_of(made).values()) == Fraction(2, 5) - Fraction(6, 7)
