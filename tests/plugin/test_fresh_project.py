"""The lines of docs/pytest.md work in a fresh project with an environment of its own.

The environment has its own pip and finds the libraries of this one; the package is built and
installed from a copy, as a user would, but without an index.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.architecture.source import ROOT
from tests.plugin.bench import make_bench

PAGE = ROOT / "docs/pytest.md"
BLOCK = re.compile(r"^```(sh|python|toml|console)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
VARYING = (
    (re.compile(r"\b[0-9a-f]{8}\b"), "xxxxxxxx"),
    (re.compile(r"\bin [0-9.]+s"), "in 0.00s"),
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for needed in ("setuptools", "ensurepip"):
        pytest.importorskip(needed)
    top = tmp_path_factory.mktemp("fresh")
    bench = make_bench(top / "bench")
    _without_draft(bench)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, bench / name)
    shutil.copytree(
        ROOT / "scripts", bench / "scripts", ignore=shutil.ignore_patterns("__pycache__")
    )
    (top / "project").mkdir()
    subprocess.run([sys.executable, "-m", "venv", str(top / "venv")], check=True)
    (library,) = (top / "venv").glob("lib/python3.*/site-packages")
    paths = {sysconfig.get_path(name) for name in ("purelib", "platlib")}
    (library / "libraries.pth").write_text("".join(f"{path}\n" for path in sorted(paths)))
    for old in ("setuptools*", "pkg_resources", "_distutils_hack", "distutils-precedence.pth"):
        for path in library.glob(old):  # Python 3.11 brings one that is too old.
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    # pip finds pytest installed already, and so makes no command for it.
    command = top / "venv/bin/pytest"
    command.write_text(
        f"#!{top}/venv/bin/python\nimport sys\n\nimport pytest\n\nsys.exit(pytest.console_main())\n"
    )
    command.chmod(0o755)
    return top / "project"


def _without_draft(bench: Path) -> None:
    """The page's benchmark has four cases."""
    for path in bench.glob("truth/records/shop/refund-0146.*"):
        path.unlink()
    suite, cases = bench / "cases/shop/suite.yaml", bench / "cases/shop/shop.evalset.json"
    lines = suite.read_text(encoding="utf-8").splitlines(keepends=True)
    suite.write_text("".join(line for line in lines if "refund-0146" not in line))
    value = json.loads(cases.read_text(encoding="utf-8"))
    value["eval_cases"] = [case for case in value["eval_cases"] if case["eval_id"][-1] != "6"]
    cases.write_text(json.dumps(value), encoding="utf-8")


def shell(project: Path, command: str) -> subprocess.CompletedProcess[str]:
    venv = project.parent / "venv"
    return subprocess.run(
        ["bash", "-c", command],
        cwd=project,
        env={
            "PATH": f"{venv}/bin:/usr/bin:/bin",
            "HOME": str(project.parent),
            "LC_ALL": "C.UTF-8",
            "COLUMNS": "80",
            "PIP_NO_INDEX": "1",
            "PIP_NO_BUILD_ISOLATION": "0",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        },
        capture_output=True,
        encoding="utf-8",
        check=False,
        stdin=subprocess.DEVNULL,
    )


def steady(text: str) -> list[str]:
    for pattern, shown in VARYING:
        text = pattern.sub(shown, text)
    # Where nothing ran, pytest begins with an empty line or none.
    return [line.rstrip() for line in text.strip("\n").split("\n")]


def test_the_lines_of_the_page(project: Path) -> None:
    text = PAGE.read_text(encoding="utf-8")
    fresh: list[str] = []
    end = 0
    for match in BLOCK.finditer(text):
        kind, body = match[1], match[2]
        fresh.append(text[end : match.start()])
        end = match.end()
        if kind in ("python", "toml"):
            name = re.match(r"# (\S+)\n", body)
            assert name is not None, body
            (project / name[1]).write_text(body, encoding="utf-8")
        elif kind == "sh":
            for line in body.splitlines():
                done = shell(project, line)
                assert done.returncode == 0, done.stdout + done.stderr
        if kind != "console":
            fresh.append(match[0])
            continue
        shown: list[str] = []
        for line in body.splitlines():
            if line.startswith("$ "):
                done = shell(project, line[2:])
                shown += [line, *steady(done.stdout)]
                assert "Traceback" not in done.stdout + done.stderr
        fresh.append("```console\n" + "\n".join(shown) + "\n```\n")
    now = "".join(fresh) + text[end:]
    if os.environ.get("ASSAY_BLESS"):
        PAGE.write_text(now, encoding="utf-8", newline="\n")
        return
    assert now == text


@pytest.fixture(scope="module")
def installed(project: Path) -> Path:
    """The project after the page's first line, whichever tests this process runs besides."""
    kind, line = BLOCK.search(PAGE.read_text(encoding="utf-8")).groups()  # type: ignore[union-attr]
    assert kind == "sh"
    done = shell(project, line)
    assert done.returncode == 0, done.stdout + done.stderr
    return project


def test_the_plugin_is_there_without_being_asked_for(installed: Path) -> None:
    project = installed
    done = shell(project, "pytest --markers && pytest --version --version")
    assert "@pytest.mark.assay_cases(" in done.stdout
    assert "assay-bench" in done.stdout + done.stderr
    done = shell(project, "pytest -p no:assay-bench --markers")
    assert "@pytest.mark.assay_cases(" not in done.stdout


def test_another_plugin_of_the_environment_is_not_disturbed(installed: Path) -> None:
    project = installed
    (project / "plain").mkdir(exist_ok=True)
    (project / "plain/test_plain.py").write_text("def test_plain():\n    assert 1 == 1\n")
    done = shell(project, "pytest -q plain --strict-markers --strict-config -W error")
    assert done.returncode == 0, done.stdout
    assert "assay" not in done.stdout
