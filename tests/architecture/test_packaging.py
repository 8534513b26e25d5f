"""What an installation holds: the package, its data, and nothing else."""

from __future__ import annotations

import fnmatch
import tomllib

import pytest

from tests.architecture.source import ROOT

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
    "setuptools"
]


def test_only_the_package_is_installed() -> None:
    setuptools = pytest.importorskip("setuptools")
    find = SETTINGS["packages"]["find"]
    assert find["namespaces"] is False
    packages = setuptools.find_packages(find["where"][0], include=find["include"])
    assert {name.split(".")[0] for name in packages} == {"assay"}
    folders = {
        path.parent.relative_to(ROOT / "scripts").as_posix().replace("/", ".")
        for path in (ROOT / "scripts/assay").rglob("*.py")
    }
    assert folders == set(packages)


def test_every_file_of_the_package_is_installed() -> None:
    package = ROOT / "scripts/assay"
    patterns = SETTINGS["package-data"]["assay"]
    data = [
        path.relative_to(package).as_posix()
        for path in package.rglob("*")
        if path.is_file() and path.suffix not in (".py", ".pyc")
    ]
    assert data
    assert [name for name in data if not any(fnmatch.fnmatch(name, p) for p in patterns)] == []
