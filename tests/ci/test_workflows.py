"""What the workflows may do, and that they call scripts that are here."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
UNTRUSTED = {"pull-request", "review"}
TRUSTED = {"report", "main", "nightly", "proposals"}
PINNED = re.compile(r"[\w.-]+/[\w.-]+(/[\w./-]+)?@[0-9a-f]{40}")
SCRIPT = re.compile(
    r"(?<![\w/$.\"])(?:\.assay(?:/base|-bench)/)?((?:\.ci|ci|scripts|docs/hooks)/[a-z-]+)\b"
)


def load(path: Path) -> dict[str, Any]:
    value = YAML(typ="safe", pure=True).load(path)
    assert isinstance(value, dict)
    return value


def each() -> pytest.MarkDecorator:
    return pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)


def jobs(path: Path) -> dict[str, Any]:
    return dict(load(path)["jobs"])


def test_every_workflow_is_trusted_or_not() -> None:
    assert {path.stem for path in WORKFLOWS} == UNTRUSTED | TRUSTED


@each()
def test_nothing_is_permitted_that_no_job_names(path: Path) -> None:
    assert load(path)["permissions"] == {}
    assert load(path)["concurrency"]["group"]
    for name, job in jobs(path).items():
        assert job["timeout-minutes"] <= 90, name
        assert job["runs-on"] == "ubuntu-24.04", name


@pytest.mark.parametrize("name", sorted(UNTRUSTED))
def test_what_runs_code_of_strangers_can_only_read_and_knows_no_secret(name: str) -> None:
    path = ROOT / f".github/workflows/{name}.yml"
    assert "secrets.ASSAY" not in path.read_text()
    assert "{{ secrets" not in path.read_text()
    for job in jobs(path).values():
        assert set(job.get("permissions", {}).items()) <= {("contents", "read")}
    assert set(load(path)["on"]) <= {"pull_request", "merge_group", "pull_request_review"}


@each()
def test_no_workflow_runs_on_the_target_of_a_pull_request(path: Path) -> None:
    assert "pull_request_target" not in path.read_text()


@each()
def test_the_token_is_there_only_in_the_step_that_needs_it(path: Path) -> None:
    assert "token" not in str(load(path).get("env", {}))
    for name, job in jobs(path).items():
        assert "token" not in str(job.get("env", {})), name
        if path.stem == "pull-request":
            for step in job["steps"]:
                fetches = "fetch" in step.get("run", "")
                assert ("token" in str(step.get("env", {}))) == fetches, step["name"]


@each()
def test_no_expression_stands_in_a_command(path: Path) -> None:
    for job in jobs(path).values():
        for step in job["steps"]:
            assert "${{" not in step.get("run", ""), step.get("name")
            assert "shell" not in step


@each()
def test_actions_are_pinned(path: Path) -> None:
    for job in jobs(path).values():
        for step in job["steps"]:
            assert "uses" not in step or PINNED.fullmatch(step["uses"]), step["uses"]
            assert "checkout" not in step.get("uses", "")


def test_the_trusted_report_checks_out_the_default_branch_alone() -> None:
    path = ROOT / ".github/workflows/report.yml"
    commands = [step.get("run", "") for step in jobs(path)["report"]["steps"]]
    assert sum("git checkout" in command for command in commands) == 1
    assert any("git checkout -q trusted" in command for command in commands)
    assert not [command for command in commands if "worktree" in command]


def test_the_rules_run_by_the_code_of_the_base() -> None:
    steps = jobs(ROOT / ".github/workflows/pull-request.yml")["rules"]["steps"]
    commands = "\n".join(step.get("run", "") for step in steps)
    assert re.findall(r"git checkout -q (\S+)", commands) == ['"$BASE"']
    assert '.ci/rules "$BASE" "$HEAD"' in commands
    assert "scripts/repro" not in commands


@pytest.mark.parametrize(
    "path",
    [*WORKFLOWS, ROOT / ".gitlab-ci.yml", ROOT / "ci/gitlab-gate.yml", ROOT / "action.yml",
     *sorted((ROOT / ".ci").iterdir()), *sorted((ROOT / "docs/hooks").iterdir()), ROOT / "ci/gate"],
    ids=lambda path: path.name,
)  # fmt: skip
def test_scripts_that_are_called_are_here(path: Path) -> None:
    lines = [line for line in path.read_text().splitlines() if not line.lstrip().startswith("#")]
    for name in SCRIPT.findall("\n".join(lines)):
        assert (ROOT / name).exists(), name
        if (ROOT / name).is_file():
            assert (ROOT / name).stat().st_mode & 0o111, f"chmod +x {name}"


def test_both_forges_call_the_same_scripts() -> None:
    github = set(SCRIPT.findall("\n".join(path.read_text() for path in WORKFLOWS)))
    gitlab = set(SCRIPT.findall((ROOT / ".gitlab-ci.yml").read_text()))
    only_github = {".ci/open-pull-request", ".ci/propose", ".ci/record"}
    assert github - gitlab - {".github/workflows"} == only_github
    assert gitlab - github == set()


def test_the_action_passes_inputs_by_the_environment_alone() -> None:
    action = load(ROOT / "action.yml")
    assert action["runs"]["using"] == "composite"
    for step in action["runs"]["steps"]:
        assert "${{" not in step["run"]
        assert step["run"] == '"$GITHUB_ACTION_PATH/ci/gate" "$RUN" "$BASELINE"'


def test_reports_lie_where_git_and_the_pipeline_do_not_look() -> None:
    for name, job in load(ROOT / ".gitlab-ci.yml").items():
        for path in job.get("artifacts", {}).get("paths", []) if isinstance(job, dict) else ():
            assert path.startswith(".assay/"), name
