"""What a command imports before it works: help must be quick, and checking needs no dvc."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.source import ROOT
from tests.support import finish, make_repository

HEAVY = {
    "dulwich",
    "dvc",
    "google",
    "inspect_ai",
    "mcp",
    "networkx",
    "numpy",
    "pandas",
    "pyarrow",
    "pygit2",
    "pyoxigraph",
    "rich",
    "scipy",
    "sklearn",
}
NOT_FOR_HELP = HEAVY | {
    "assay.checks",
    "assay.intake",
    "assay.pipeline",
    "assay.scoring",
    "assay.telemetry",
    "git",
    "jinja2",
    "jiter",
    "jsonschema",
    "pydantic",
    "ruamel",
}
NOT_FOR_CHECK = HEAVY | {"assay.pipeline", "assay.telemetry", "jinja2"}
NOT_FOR_TABLES = HEAVY | {
    "assay.checks",
    "assay.ledger.repository",
    "assay.models.published",
    "asyncio",
    "git",
    "jinja2",
    "jsonschema",
    "ruamel",
    "subprocess",
}
IMPORTED = re.compile(r"import time:\s+\d+ \|\s+\d+ \|\s+(\S+)")


def environment() -> dict[str, str]:
    """Our sources first, and nothing that changes how Python starts."""
    return {**os.environ, "PYTHONPATH": str(ROOT / "scripts"), "PYTHONSAFEPATH": "1"}


def imported(*arguments: str, cwd: Path = ROOT) -> tuple[int, set[str]]:
    """Exit code of the command and all modules that it imported, with their parents."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "assay.cli.main", *arguments],
        env=environment(),
        cwd=cwd,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    names = set(IMPORTED.findall(done.stderr))
    assert "click" in names, done.stderr[-2000:]
    return done.returncode, names | {name.rsplit(".", 1)[0] for name in names}


def test_help_imports_next_to_nothing() -> None:
    code, names = imported("--help")
    assert code == 0
    assert names & NOT_FOR_HELP == set()


def test_check_imports_no_pipeline(tmp_path: Path) -> None:
    pytest.importorskip("assay.reporting.findings")
    root = finish(make_repository(tmp_path / "bench"))
    code, names = imported("-C", str(root), "check")
    assert code == 0
    assert names & NOT_FOR_CHECK == set()


def cost(*command: str) -> float:
    """Processor seconds of one run; wall time would measure the neighbours as well."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, *command], env=environment(), check=True, stdout=subprocess.DEVNULL
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_comparing_two_tables_needs_the_core_alone(tmp_path: Path) -> None:
    table = tmp_path / "a.csv"
    table.write_text("case_id,passed\nx,true\n", encoding="utf-8")
    code, names = imported("compare", "a.csv", "a.csv", cwd=tmp_path)
    assert code == 0
    assert names & NOT_FOR_TABLES == set()


def test_what_is_loaded_after_two_tables_were_compared(tmp_path: Path) -> None:
    """The same by `sys.modules`, which also knows what a module loads without an import."""
    (tmp_path / "a.csv").write_text("case_id,passed\nx,true\n", encoding="utf-8")
    code = (
        "import sys\nfrom assay.cli.main import main\n"
        "try:\n    main(['compare', 'a.csv', 'a.csv'])\n"
        "finally:\n    print(*sorted(sys.modules), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment(), cwd=tmp_path, capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    loaded = set(done.stderr.split())
    assert "assay.comparing.whole" in loaded
    assert loaded & NOT_FOR_TABLES == set()


def test_help_is_quick() -> None:
    """At most twice of importing click, and a tenth of a second."""
    ours = click = 60.0
    for _ in range(30):
        ours = min(ours, cost("-m", "assay.cli.main", "--help"))
        click = min(click, cost("-c", "import click"))
        if ours <= 2 * click + 0.1:
            return
    raise AssertionError(f"help costs {ours:.3f} s, importing click {click:.3f} s")
