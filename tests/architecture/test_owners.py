"""CODEOWNERS: only syntax that the forge understands, and an owner for everything that counts."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

import pytest

from tests.architecture.source import ROOT

OWNER = re.compile(r"@[A-Za-z0-9][A-Za-z0-9-]*(/[A-Za-z0-9._-]+)?|[^@\s]+@[^@\s]+\.[^@\s]+")
PROTECTED = (
    ".ci/run",
    ".dvc/config",
    ".dvcignore",
    ".gitattributes",
    ".github/workflows/ci.yml",
    "CODEOWNERS",
    "assay",
    "dvc.yaml",
    "params.yaml",
    "pyproject.toml",
    "scripts/assay/scoring/matching.py",
    "telemetry.dvc",
    "tests/support.py",
    "truth/people.yaml",
)


def lines() -> list[tuple[str, list[str]]]:
    """Pattern and owners of each line that says something."""
    text = (ROOT / "CODEOWNERS").read_text(encoding="utf-8")
    said = [line.split() for line in text.splitlines() if line.strip() and line[0] != "#"]
    return [(words[0], words[1:]) for words in said]


def owners(path: str) -> list[str]:
    """Owners of a file: those of the last line that matches."""
    found: list[str] = []
    for pattern, names in lines():
        if matches(pattern, path):
            found = names
    return found


def matches(pattern: str, path: str) -> bool:
    """The forge's rule, for the patterns that the syntax test permits."""
    if pattern == "*":
        return True
    if pattern.startswith("/"):
        inner = pattern[1:]
        return path.startswith(inner) if inner.endswith("/") else path == inner
    return any(fnmatchcase(part, pattern) for part in path.split("/"))


def test_syntax() -> None:
    for pattern, names in lines():
        assert not re.search(r"[!\[\]\\?]", pattern), pattern
        assert pattern.startswith("/") or "/" not in pattern, f"{pattern} matches anywhere"
        assert names, f"{pattern} takes the owner away"
        assert all(OWNER.fullmatch(name) for name in names), names


def test_nothing_shadows_it() -> None:
    assert not (ROOT / ".github/CODEOWNERS").exists()
    assert not (ROOT / "docs/CODEOWNERS").exists()


@pytest.mark.parametrize("path", PROTECTED)
def test_what_judges_truth_is_protected(path: str) -> None:
    """By those who may change this file itself."""
    assert set(owners(path)) & set(owners("CODEOWNERS"))


def test_truth_has_an_owner_of_its_own() -> None:
    records = owners("truth/records/shop/refund-0142.r0001.json")
    assert records
    assert records != owners("scripts/assay/errors.py")
    assert owners("truth/policies/refunds-v7.md") == records
