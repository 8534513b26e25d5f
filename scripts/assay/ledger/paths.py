"""Which files are the engine's code and which are a domain's data.

A fork replaces the data and keeps the code, and no pull request changes both. A path belongs to
the most specific entry that matches it: a folder ends in ``/`` and covers all below it, ``*``
stands for any characters within one name, anything else is the path itself.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Literal

CODE_PATHS: tuple[str, ...] = (
    ".ci/",
    ".dvc/.gitignore",
    ".dvcignore",
    ".gitattributes",
    ".github/",
    ".gitignore",
    ".gitlab-ci.yml",
    ".pre-commit-hooks.yaml",
    "CONTRIBUTING.md",
    "LICENSE",
    "action.yml",
    "assay",
    "benchmarks/",
    "ci/",
    "docs/",
    "dvc.yaml",
    "pyproject.toml",
    "scripts/",
    "tests/",
)
"""Code: the same in every fork, merged from the engine."""

DATA_PATHS: tuple[str, ...] = (
    "*.dvc",
    ".dvc/config",
    "CODEOWNERS",
    "README.md",
    "cases/",
    "corpora/",
    "docs/domain/",
    "dvc.lock",
    "params.yaml",
    "results/",
    "runs/",
    "scores/",
    "splits/",
    "tests/domain/",
    "truth/",
)
"""Data: what a domain is about, owned by the fork."""


def kind_of(path: str) -> Literal["code", "data"] | None:
    """Whether a path, relative to the root, is code or data; none where no entry covers it."""
    best: tuple[int, Literal["code", "data"]] | None = None
    for kind, entries in (("code", CODE_PATHS), ("data", DATA_PATHS)):
        for entry in entries:
            if _covers(entry, path) and (best is None or len(entry) > best[0]):
                best = (len(entry), "code" if kind == "code" else "data")
    return best[1] if best else None


def _covers(entry: str, path: str) -> bool:
    if entry.endswith("/"):
        return path.startswith(entry)
    return path == entry or ("/" not in path and fnmatchcase(path, entry))
