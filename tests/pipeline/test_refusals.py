"""Every refusal names what differs, and what it says to type next works when it is pasted."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run, run
from tests.pipeline.history import CASES, commit, entry, git, tiny, write_run
from tests.pipeline.test_bisecting import nothing
from tests.pipeline.test_comparing import better, compare, paste, publish, refused
from tests.pipeline.test_gating import NAMES, bench, broken
from tests.support import CANARY, case, finish, record

__all__ = ["run"]

OF_LABELS = ("truth", "cases", "policies", "split")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tiny(tmp_path)


def changed_copy(root: Path, old: str, **context: Any) -> str:
    """A copy of a published result that says that it was measured against something else."""
    path = next((root / "results").rglob(f"{old}.json"))
    value = json.loads(path.read_text(encoding="utf-8"))
    value["result"]["context"].update(context)
    copy = root / "copy.json"
    copy.write_text(json.dumps(value), encoding="utf-8")
    return str(copy)


@pytest.mark.parametrize(
    ("part", "value", "said"),
    [
        ("truth", "5" * 64, "Truth: 5555555555 and "),
        ("cases", "5" * 64, "Cases: 5555555555 and "),
        (
            "policies",
            {"refunds": "refunds-v6"},
            "Policies in force: refunds refunds-v6 and refunds refunds-v7",
        ),
        ("scorer", "5" * 64, "Scorer: 5555555555 and "),
        ("weights", {"outcome": 1}, "Weights: "),
        ("split", "5" * 64, "Split: 5555555555 and "),
        ("store", "5" * 64, "Telemetry store: 5555555555 and none"),
        ("cassettes", "5" * 64, "Cassettes: 5555555555 and none"),
        ("verdicts", "5" * 64, "Recorded verdicts: 5555555555 and "),
        ("rename_map", "5" * 64, "nobody can tell which names they map differently"),
    ],
)
def test_one_part_that_differs(root: Path, run: Run, part: str, value: object, said: str) -> None:
    old = publish(run)
    commit(root, "Published")
    better(root)
    message, commands = refused(run, changed_copy(root, old, **{part: value}), "other")
    assert said in message
    assert message.count(" and ") == 1, "nothing else is named"
    ways = [command.split(" other ")[1] for command in commands]
    assert ways == (["--on unchanged"] if part in OF_LABELS else []) + ["--regrade"]
    for command in commands:
        done = paste(command)
        assert done.returncode == 0, done.stderr
        assert "On the cases that both have" in done.stdout


def second_suite(root: Path) -> None:
    """Another suite with one case, and a run on it."""
    name = "ticket-0001"
    folder = root / "cases/desk"
    folder.mkdir()
    folder.joinpath("suite.yaml").write_text(
        f"schema_version: 1\nsuite: desk\ntitle: A desk\nowner: cleo\ncanary: {CANARY}\n"
        f'licence: CC-BY-4.0\nreference_date: "2026-09-18"\n'
        f"cases:\n  {name}: {{slice: all, template: {name}}}\n",
        encoding="utf-8",
    )
    folder.joinpath("desk.evalset.json").write_text(
        json.dumps(
            {
                "eval_set_id": "desk",
                "description": f"canary {CANARY}",
                "eval_cases": [case(name, "Please refund order 0142.", {"paid": 40})],
            }
        ),
        encoding="utf-8",
    )
    target = root / "truth/records/desk"
    target.mkdir()
    target.joinpath(f"{name}.r0001.json").write_text(json.dumps(record(name)), encoding="utf-8")
    params = root / "params.yaml"
    params.write_text(params.read_text().replace("[shop]", "[desk, shop]"), encoding="utf-8")
    finish(root)
    write_run(root, [entry(name, run="clerk")], "desk")


def test_another_suite(root: Path, run: Run) -> None:
    second_suite(root)
    message, commands = refused(run, "agent", "clerk")
    assert "Suite: shop and desk" in message
    assert [command.split(" score ")[1] for command in commands] == [
        "--runs shop/agent --runs desk/clerk"
    ]
    done = paste(commands[0])
    assert done.returncode == 0, done.stderr
    assert "shop (2)" in done.stdout
    assert "desk (1)" in done.stdout


RENAMED = """\
  - name: {old}
    server: {server}
    effect: writes
    renamed_to: {new}
    reason: one name for all
"""


def rename(root: Path, server: str, old: str, new: str) -> None:
    path = root / "truth/tools.yaml"
    text = path.read_text(encoding="utf-8") + RENAMED.format(server=server, old=old, new=new)
    path.write_text(text, encoding="utf-8")


def calls(name: str) -> list[dict[str, Any]]:
    return [{"tool_calls": [{"name": name, "args": {"order_id": "0142", "amount": 40}}]}]


def test_rename_maps_that_map_a_called_name_differently(root: Path, run: Run) -> None:
    write_run(root, [entry(CASES[0]), entry(CASES[1], turns=calls("pay_back"))])
    commit(root, "A run that calls a name that nobody knows")
    old = publish(run)
    commit(root, "Published")
    rename(root, "payments", "pay_back", "issue_refund")
    commit(root, "The name is known now")
    better(root)
    message, commands = refused(run, old, "other")
    assert "Rename map: " in message
    assert "(they map pay_back differently)" in message
    assert message.count(" and ") == 1, "truth, cases and scorer are the same"
    assert commands == [f"assay -C {root} compare {old} other --regrade"]
    done = paste(commands[0])
    assert done.returncode == 0, done.stderr
    assert "100.0 → 100.0, 0.0 points" in done.stdout


def test_rename_maps_that_differ_in_names_that_nobody_called(root: Path, run: Run) -> None:
    old = publish(run)
    commit(root, "Published")
    rename(root, "crm", "post_letter", "send_mail")
    better(root)
    made = compare(run, old, "other")
    assert made["a"]["context"]["rename_map"] != made["b"]["context"]["rename_map"]
    assert made["on"] == "same"


def test_the_gate_looks_at_rename_maps_as_well(root: Path, run: Run) -> None:
    write_run(root, [entry(CASES[0]), entry(CASES[1], turns=calls("pay_back"))])
    commit(root, "A run that calls a name that nobody knows")
    old = publish(run)
    commit(root, "Published")
    rename(root, "payments", "pay_back", "issue_refund")
    commit(root, "The name is known now")
    better(root)
    code, out, _ = run("gate", "other", "--baseline", old)
    assert code == 3
    assert "rename map" in out
    assert paste(hint_of(out)).returncode == 0


def test_a_result_whose_lines_are_not_here(root: Path, run: Run) -> None:
    better(root)
    assert run("score", "--out", str(root / "scores"))[0] == 0
    name = json.loads((root / "scores/shop/agent.json").read_text())["id"]
    (root / "scores/shop/agent.jsonl").unlink()
    code, _, err = run("compare", name, "other")
    assert code == 3
    assert "The lines of this result are not here" in err
    done = paste(err.split("next  ")[1].strip())
    assert done.returncode == 0, done.stderr
    assert compare(run, name, "other")["a"]["result"] == name


def test_nothing_in_common(root: Path, run: Run) -> None:
    write_run(root, [entry(CASES[1], run="half")])
    write_run(root, [entry(CASES[0], run="other")])
    message, commands = refused(run, "half", "other")
    assert "No case has a verdict on both sides" in message
    for command in commands:
        assert paste(command).returncode == 0


def test_nothing_in_common_of_two_tables(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("case_id,passed\nx,true\n", encoding="utf-8")
    (tmp_path / "b 2.csv").write_text("case_id,passed\ny,true\n", encoding="utf-8")
    words = [sys.executable, "-m", "assay.cli.main", "compare", "a.csv", "b 2.csv"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    command = done.stderr.split("next  ")[1].split("  (")[0]
    shown = subprocess.run(
        shlex.split(command), cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "x,true" in shown.stdout
    assert "y,true" in shown.stdout


def test_nothing_in_common_of_a_table_and_a_run(root: Path, run: Run) -> None:
    table = root / "a.csv"
    table.write_text("case_id,passed\nx,true\n", encoding="utf-8")
    code, _, err = run("compare", str(table), "agent", "--on", "verdicts")
    assert code == 3
    command = err.split("next  ")[1].split("  (")[0]
    subprocess.run(shlex.split(command), capture_output=True, check=True)


def test_verdicts_alone_cannot_gate_and_can_be_compared(root: Path, run: Run) -> None:
    for name in ("a.csv", "b 2.csv"):
        (root / name).write_text("case_id,passed\nx,true\n", encoding="utf-8")
    code, _, err = run("gate", str(root / "b 2.csv"), "--baseline", str(root / "a.csv"))
    assert code == 2
    done = paste(err.split("or  ")[1].strip())
    assert (done.returncode, done.stderr) == (0, "")


# -- the gate -------------------------------------------------------------------------------------


def hint_of(out: str) -> str:
    line = next(line for line in out.splitlines() if line.strip().startswith("next  assay"))
    return line.strip().removeprefix("next  ").split("  (")[0]


def test_gate_other_context(tmp_path: Path, run: Run) -> None:
    bench(tmp_path)
    old = publish(run)
    commit(tmp_path, "Published")
    nothing(tmp_path, NAMES[0], 2)
    commit(tmp_path, "Another label")
    code, out, _ = run("gate", "agent", "--baseline", old, "--only", "refund-00*")
    assert code == 3
    command = hint_of(out)
    assert "--only 'refund-00*' --regrade" in command
    assert paste(command).returncode == 0


def test_gate_of_another_suite(root: Path, run: Run) -> None:
    second_suite(root)
    better(root)
    code, out, _ = run("gate", "agent", "--baseline", "desk/clerk")
    assert code == 3
    assert "suite shop and desk" in out
    assert paste(hint_of(out)).returncode in (0, 1)


def test_gate_of_drafts(tmp_path: Path, run: Run) -> None:
    bench(tmp_path)
    statuses = ("--status", "gold", "--status", "draft")
    run("score", "--runs", "agent", *statuses, "--out", str(tmp_path / "scores"))
    code, out, _ = run("gate", str(tmp_path / "scores/shop/agent.json"), "--baseline", "agent")
    assert code == 3
    assert "Drafts were scored" in out
    assert paste(hint_of(out)).returncode == 0


def test_gate_with_nothing_selected(tmp_path: Path, run: Run) -> None:
    bench(tmp_path)
    code, out, _ = run("gate", "agent", "--baseline", "HEAD", "--only", "nothing")
    assert code == 3
    assert paste(hint_of(out)).returncode == 0


def test_gate_of_a_run_that_lacks_cases(tmp_path: Path, run: Run) -> None:
    bench(tmp_path)
    write_run(tmp_path, [entry(name, run="short") for name in NAMES[2:]])
    code, out, _ = run("gate", "short", "--baseline", "agent")
    assert code == 3
    done = paste(hint_of(out))
    assert done.returncode == 0, done.stderr
    assert "2 A has a verdict, B no entry" in done.stdout


def test_gate_of_a_run_without_a_verdict(tmp_path: Path, run: Run) -> None:
    bench(tmp_path)
    broken_harness: dict[str, Any] = {
        "infrastructure_errors": ["The tool server did not answer."],
        "turns": [{}],
    }
    write_run(
        tmp_path,
        [entry(n, run="sick", **(broken_harness if i < 1 else {})) for i, n in enumerate(NAMES)],
    )
    code, out, _ = run("gate", "sick", "--baseline", "agent")
    assert code == 3
    assert "1 errored, 0 not evaluated" in out
    done = paste(hint_of(out))
    assert done.returncode == 0, done.stderr
    assert "did not answer" in done.stdout


def test_gate_when_today_is_stale(tmp_path: Path, run: Run) -> None:
    bench(tmp_path)
    commit(tmp_path, "Later", "2026-12-15")
    code, out, _ = run("gate", "agent", "--baseline", "HEAD")
    assert code == 3
    done = paste(hint_of(out))
    assert done.returncode == 0, done.stderr
    assert run("gate", "agent", "--baseline", "HEAD")[0] == 0


def test_gate_when_the_benchmark_shrank(tmp_path: Path, run: Run) -> None:
    bench(tmp_path, expires="2026-12-01")
    params = tmp_path / "params.yaml"
    text = params.read_text().replace("gate:\n", "gate:\n  floors: {shop: 0.85}\n")
    params.write_text(text.replace("2026-11-30", "2026-12-01"))
    code, out, _ = run("gate", "agent", "--baseline", "HEAD")
    assert code == 3
    hints = [line for line in out.splitlines() if "next  assay" in line]
    done = paste(hints[0].strip().removeprefix("next  "))
    assert done.returncode == 0, done.stderr
    assert "EXP001" in done.stdout


def test_gate_of_a_file_says_why_by_the_file(tmp_path: Path, run: Run) -> None:
    bench(tmp_path)
    path = broken(tmp_path, 8, "candidate")
    moved = tmp_path / "my candidate.jsonl"
    path.rename(moved)
    code, out, _ = run("gate", str(moved), "--baseline", "agent")
    assert code == 1
    line = next(line for line in out.splitlines() if "next  assay" in line)
    done = paste(line.strip().removeprefix("next  "))
    assert done.returncode == 0, done.stderr


def test_gate_with_a_benchmark_elsewhere_says_where(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = bench(tmp_path / "bench")
    git(there, "tag", "v1")
    mine = tmp_path / "agent"
    mine.mkdir()
    whole = (there / "runs/shop/agent.jsonl").read_text(encoding="utf-8")
    (mine / "before.jsonl").write_text(whole, encoding="utf-8")
    (mine / "after.jsonl").write_text("".join(whole.splitlines(True)[2:]), encoding="utf-8")
    monkeypatch.chdir(mine)
    for name in (str(there), f"{there.as_uri()}@v1"):
        words = ["gate", "after.jsonl", "--baseline", "before.jsonl", "--bench", name]
        done = paste(shlex.join(["assay", *words]))
        assert done.returncode == 3, done.stderr
        line = next(line for line in done.stdout.splitlines() if "next  " in line)
        command = line.strip().removeprefix("next  ").split("  (")[0]
        tool = f"{shlex.quote(sys.executable)} -m assay.cli.main"
        shown = subprocess.run(
            ["bash", "-c", f'assay() {{ {tool} "$@"; }}; {command}'],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert shown.returncode == 0, shown.stderr
        assert "2 A has a verdict, B no entry" in shown.stdout
