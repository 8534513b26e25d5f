"""Workflows, actions and scripts under the strictest linters that can be had."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.conformance


def run(*command: str) -> None:
    """Run a linter that must have nothing to say; skip where it is not installed."""
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed here")
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_zizmor() -> None:
    """In its most suspicious mood."""
    run("zizmor", "--offline", "--persona", "auditor", "--no-progress", ".github", "action.yml")


def test_actionlint() -> None:
    run("actionlint")


def test_shellcheck() -> None:
    folders = (".ci", "ci", "docs/hooks")
    scripts = [path for folder in folders for path in sorted((ROOT / folder).iterdir())]
    run("shellcheck", *(path.as_posix() for path in scripts if path.suffix == ""))


@pytest.mark.parametrize(
    ("schema", "files"),
    [
        ("vendor.gitlab-ci", [".gitlab-ci.yml", "ci/gitlab-gate.yml"]),
        ("vendor.github-workflows", [".github/workflows"]),
        ("vendor.github-actions", ["action.yml"]),
    ],
)
def test_schemas(schema: str, files: list[str]) -> None:
    paths = [
        file.as_posix()
        for name in files
        for file in (sorted((ROOT / name).iterdir()) if (ROOT / name).is_dir() else [ROOT / name])
    ]
    run("check-jsonschema", "--builtin-schema", schema, *paths)
