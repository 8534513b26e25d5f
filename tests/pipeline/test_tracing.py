"""``assay trace``: from a number back to what it rests on, and what of it still holds."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import assay
from assay.pipeline.naming import scored_ids
from tests.cli.conftest import Run, run
from tests.pipeline.history import CASES, commit, entry, git, revise, tiny, write_run

__all__ = ["run"]

PACKAGE = Path(assay.__file__).parent


@pytest.fixture
def root(tmp_path: Path, run: Run) -> Path:
    """A repository with a published result, committed."""
    root = tiny(tmp_path)
    assert run("score", "--out", str(root / "scores"), "--publish")[0] == 0
    commit(root, "A result", "2026-11-29")
    return root


@pytest.fixture
def name(root: Path) -> str:
    (found,) = scored_ids(root)
    return found


def traced(run: Run, name: str, *options: str) -> dict[str, Any]:
    code, out, err = run("trace", name, *options, "--format", "json")
    assert code == 0, err
    found = json.loads(out)
    assert found["schema_version"] == 1
    return found


def states(found: dict[str, Any]) -> dict[str, str]:
    return {part["name"]: part["state"] for part in found["parts"]}


def test_everything_still_holds(root: Path, run: Run, name: str) -> None:
    found = traced(run, name)
    assert found["id"] == name
    assert set(states(found).values()) == {"same"}
    assert {"truth", "cases", "policies", "scorer", "weights", "split", "verdicts", "rename_map",
            "scored_set", "run_digest"} == set(states(found))  # fmt: skip
    assert found["run_file"]["state"] == "same"
    assert (found["again"], found["statuses"]) == ("same", {"gold": 2})
    assert found["published"] == f"results/2026/{name}.json"
    made = found["made"]
    assert (made["commit"], made["recorded"]) == (git(root, "rev-parse", "HEAD~1"), True)
    assert made["clean"]["truth"] is True
    assert "The engine was no part of the repository" in " ".join(found["doubts"])


def test_what_changed_is_named(root: Path, run: Run, name: str) -> None:
    revise(root, CASES[1], 2, facts=[{"id": "amount", "any_of": ["$41.00"]}])
    found = traced(run, name)
    changed = [part for part, state in states(found).items() if state != "same"]
    assert (changed, found["again"]) == (["truth"], "other")
    assert found["again_id"] != name
    text = (root / "params.yaml").read_text(encoding="utf-8")
    (root / "params.yaml").write_text(text.replace("2026-11-30", "2027-05-01"), encoding="utf-8")
    # Another day of params.yaml changes nothing: it is judged at the day of the result.
    assert states(traced(run, name)) == states(found)
    write_run(root, [entry(CASES[0])])
    found = traced(run, name)
    assert states(found)["run_digest"] == "changed"
    assert found["run_file"]["state"] == "changed"


def test_a_case_down_to_clause_and_people(root: Path, run: Run, name: str) -> None:
    revise(root, CASES[0], 2, change="wording", rationale=["Said better."])
    second = commit(root, "Better words", "2026-12-01")
    found = traced(run, name, "--case", CASES[0])["case"]
    assert [line["outcome"] for line in found["lines"]] == ["passed"]
    assert found["content"]["state"] == "same"
    first, later = found["revisions"]
    assert (first["used"], first["counts"], first["day"]) == (True, False, "2026-11-01")
    assert (later["used"], later["counts"], later["commit"]) == (False, True, second)
    assert later["author"] == "cleo"
    (clause,) = found["clauses"]
    assert (clause["citation"], clause["whole"]) == ("refunds-v7#3.2", True)
    assert "Thirty days from delivery." in clause["words"]
    signed = {item["handle"]: item for item in found["signatures"]}
    assert signed["ana"]["roles"] == {"2026-09-18": ["labeler"], "2026-11-30": ["labeler"]}
    assert signed["cleo"]["roles"]["2026-11-30"] == ["adjudicator", "owner"]
    assert signed["cleo"]["proof"].startswith("proved as far as git is: committed")
    assert signed["bo"]["proof"] == "claimed in the record, not proved"
    (root / "truth/policies/refunds-v7.md").write_text("# Refunds\n", encoding="utf-8")
    code, out, _ = run("trace", name, "--case", CASES[0])
    assert code == 1 or "This clause cannot be found." in out


def test_an_edited_revision_shows(root: Path, run: Run, name: str) -> None:
    path = root / f"truth/records/shop/{CASES[0]}.r0001.json"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("$40.00", "$40"), encoding="utf-8")
    found = traced(run, name, "--case", CASES[0])
    assert found["case"]["content"]["state"] == "changed"
    assert states(found)["truth"] == "changed"


def paste(root: Path, tmp_path: Path, commands: list[str]) -> str:
    stub = tmp_path / "bin/assay"
    stub.parent.mkdir(exist_ok=True)
    stub.write_text(
        f'#!/bin/sh\nexec "{sys.executable}" -P -m assay.cli.main "$@"\n', encoding="utf-8"
    )
    stub.chmod(0o755)
    done = subprocess.run(
        ["sh", "-ec", "\n".join(commands)],
        cwd=root,
        env={**os.environ, "PATH": f"{stub.parent}:{os.environ['PATH']}",
             "PYTHONPATH": str(PACKAGE.parent)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_its_commands_make_it_again(root: Path, run: Run, name: str, tmp_path: Path) -> None:
    revise(root, CASES[1], 2, facts=[{"id": "amount", "any_of": ["$41.00"]}])
    commit(root, "Later")
    found = traced(run, name)
    assert found["again"] == "other"
    place = tmp_path.parent / f"{tmp_path.name}-bin"
    place.mkdir()
    assert f"Result    {name}" in paste(root, place, found["commands"])
    assert git(root, "rev-parse", "--abbrev-ref", "HEAD") == "main"


def test_its_commands_use_the_code_of_the_commit(run: Run, tmp_path: Path) -> None:
    root = tmp_path / "bench"
    tiny(root)
    shutil.copytree(PACKAGE, root / "scripts/assay", ignore=shutil.ignore_patterns("__pycache__"))
    launcher = root / "assay"
    launcher.write_text(
        f'#!/bin/sh\nPYTHONPATH=scripts exec "{sys.executable}" -P -m assay.cli.main "$@"\n',
        encoding="utf-8",
    )
    launcher.chmod(0o755)
    commit(root, "With its code")
    made = subprocess.run(
        ["./assay", "score", "--publish", "--only", "refund-*2", "--format", "json"],
        cwd=root, capture_output=True, text=True, check=True,
    )  # fmt: skip
    name = json.loads(made.stdout)["results"][0]["id"]
    published = json.loads((root / f"results/2026/{name}.json").read_text(encoding="utf-8"))
    assert published["made_from"]["clean"]["code"] is True
    path = root / "scripts/assay/scoring/run.py"
    path.write_text(path.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
    commit(root, "The scorer changes")
    traced_ = subprocess.run(
        ["./assay", "trace", name, "--format", "json"],
        cwd=root, capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = json.loads(traced_.stdout)
    assert [p for p, state in states(found).items() if state == "changed"] == ["scorer"]
    assert "--only 'refund-*2'" in found["commands"][0]
    assert f"Result    {name}" in paste(root, tmp_path, found["commands"])


def test_a_run_that_is_not_published(root: Path, run: Run) -> None:
    write_run(root, [entry(CASES[0], run="other")])
    found = traced(run, "other")
    assert (found["published"], found["made"]["commit"], found["again"]) == ("", None, "same")
    doubts = " ".join(found["doubts"])
    assert "It is not published" in doubts
    assert "runs/shop/other.jsonl" in doubts
    commit(root, "Another run")
    found = traced(run, "other")
    assert found["made"]["commit"] == git(root, "rev-parse", "HEAD")
    assert found["made"]["recorded"] is False
    assert found["commands"][0].startswith(f"git checkout --quiet {found['made']['commit']} && ")


def test_what_is_gone_is_said(root: Path, run: Run, name: str) -> None:
    (root / "runs/shop/agent.jsonl").unlink()
    found = traced(run, name)
    assert found["again"] == "unknown"
    assert states(found)["run_digest"] == "unknown"
    assert states(found)["truth"] == "same"
    assert "the run is not in this repository" in found["doubts"][0]
    (root / ".git").rename(root / "gone")
    doubts = " ".join(traced(run, name)["doubts"])
    assert "This clone has no commit" in doubts
    (root / "truth/policies.yaml").write_text("families: [", encoding="utf-8")
    found = traced(run, name)
    assert set(states(found).values()) == {"unknown"}
    assert "cannot be made again here" in found["doubts"][0]


def test_other_numbers_under_one_id(root: Path, run: Run, name: str) -> None:
    path = root / f"results/2026/{name}.json"
    shutil.rmtree(root / "scores")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"tags": {', '"tags": {"made_up": 1, ', 1), encoding="utf-8")
    found = traced(run, name)
    assert found["again"] == "numbers"


def test_in_words(root: Path, run: Run, name: str) -> None:
    code, out, err = run("trace", name, "--case", CASES[0])
    assert (code, err) == (0, "")
    words = " ".join(out.split())
    assert words.startswith(f"Result {name}: agent on shop, judged at 2026-11-30")
    assert "reproduced yes, scored here just now with the same numbers" in words
    assert "clause refunds-v7#3.2 in truth/policies/refunds-v7.md" in words
    assert "Thirty days from delivery." in words
    assert "Nothing here proves that ana, bo signed; the record says so." in words
    assert not any(len(line) > 100 for line in out.splitlines() if "git checkout" not in line)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("agnt",), 2, "did you mean agent"),
        (("agent", "--case", "refund-0144"), 2, "did you mean refund-0143"),
    ],
)
def test_what_is_not_there(
    root: Path, run: Run, arguments: tuple[str, ...], code: int, message: str
) -> None:
    found = run("trace", *arguments)
    assert (found[0], message in found[2]) == (code, True), found[2]


def test_an_excluded_case(root: Path, run: Run) -> None:
    revise(root, CASES[1], 2, status="disputed", change="dispute")
    found = traced(run, "agent", "--case", CASES[1])
    assert found["excluded"] == {"STA001": 1}
    assert found["case"]["excluded"]["codes"] == ["STA001"]
    assert found["case"]["content"] is None
