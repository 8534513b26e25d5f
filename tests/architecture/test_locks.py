"""The locks hold what pyproject.toml asks for, hashed, and name no index, host or path."""

from __future__ import annotations

import hashlib
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.architecture.source import ROOT

LOCKS = ROOT / "scripts" / "requirements"
PYTHONS = ("3.11", "3.12", "3.13")
TIERS = ("build", "base", "dev", "conformance")
EXTRAS = {"base": ("pipeline",), "dev": ("dev",), "conformance": ("oracles",)}
ENTRY = re.compile(
    r"(?P<name>[a-z0-9][a-z0-9.-]*)==(?P<version>[^\s;\\]+)(?P<marker> ; [^\\]+)? \\\n"
    r"(    --hash=sha256:[0-9a-f]{64} \\\n)*    --hash=sha256:[0-9a-f]{64}\n"
)


def locked(tier: str, python: str) -> dict[str, Version]:
    """Name to version of one lock file."""
    text = (LOCKS / f"{tier}-{python}.txt").read_text(encoding="utf-8")
    return {canonicalize_name(m["name"]): Version(m["version"]) for m in ENTRY.finditer(text)}


def asked(tier: str) -> list[Requirement]:
    """What pyproject.toml asks for in a tier."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    texts = list(project["dependencies"]) if tier == "base" else []
    for extra in EXTRAS[tier]:
        texts += project["optional-dependencies"][extra]
    wanted = [Requirement(text) for text in texts]
    return [w for w in wanted if canonicalize_name(w.name) != canonicalize_name(project["name"])]


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("tier", TIERS)
def test_form(tier: str, python: str) -> None:
    text = (LOCKS / f"{tier}-{python}.txt").read_text(encoding="utf-8")
    rest = ENTRY.sub("", text)
    assert rest == f"# Python {python}. Written by scripts/lock, never by hand.\n"


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("tier", list(EXTRAS))
def test_pyproject_is_satisfied(tier: str, python: str) -> None:
    have: dict[str, Version] = {}
    for below in TIERS[: TIERS.index(tier) + 1]:
        have |= locked(below, python)
    for requirement in asked(tier):
        version = have.get(canonicalize_name(requirement.name))
        assert version is not None, f"{requirement}: scripts/lock"
        assert requirement.specifier.contains(version, prereleases=True), (
            f"{requirement}: {version}"
        )


@pytest.mark.parametrize("python", PYTHONS)
def test_no_package_is_in_two_tiers(python: str) -> None:
    names = [name for tier in TIERS for name in locked(tier, python)]
    assert sorted(names) == sorted(set(names))


def test_python_versions_agree() -> None:
    """Results must not depend on the Python, so the base libraries differ only where they must."""
    first, *others = [locked("base", python) for python in PYTHONS]
    for other in others:
        differing = {name for name in first if name in other and first[name] != other[name]}
        # networkx dropped Python 3.11.
        assert differing <= {"networkx"}


def test_digest_is_fresh() -> None:
    total = hashlib.sha256()
    for file in sorted(LOCKS.glob("*-3.*.txt")):
        total.update(f"{file.name}\n".encode() + file.read_bytes())
    assert Path(LOCKS / "digest").read_text(encoding="utf-8") == total.hexdigest() + "\n"


def test_the_python_that_runs_is_one_that_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == f">={PYTHONS[0]}"
