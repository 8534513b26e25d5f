"""The plugin costs nothing in a session that has no use for it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.architecture.source import ROOT

PLUGIN = "assay.testing.plugin"


def start(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command],
        env={**os.environ, "PYTHONPATH": str(ROOT / "scripts")},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )


def test_it_imports_pytest_and_nothing_else() -> None:
    before = "import sys, pytest; from _pytest import terminal; old = set(sys.modules)"
    after = f"import {PLUGIN}; print(*sorted(set(sys.modules) - old))"
    assert start("-c", f"{before}; {after}").stdout.split() == ["assay", "assay.testing", PLUGIN]


def test_a_script_needs_no_pytest() -> None:
    code = "import sys; from assay.testing import load_cases; print('_pytest' in sys.modules)"
    assert start("-c", code).stdout == "False\n"


def test_a_session_without_cases_loads_no_more(tmp_path: Path) -> None:
    """What it costs in milliseconds stands in benchmarks; what it loads is the same everywhere."""
    (tmp_path / "conftest.py").write_text(
        "import sys\n\n\ndef pytest_unconfigure():\n"
        "    print('loaded', *sorted(m for m in sys.modules if m.partition('.')[0] == 'assay'))\n",
        encoding="utf-8",
    )
    (tmp_path / "test_a.py").write_text("def test_a(): ...\n", encoding="utf-8")
    done = start("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", PLUGIN, str(tmp_path))
    last = done.stdout.splitlines()[-1]
    assert last == f"loaded assay assay.testing {PLUGIN}"
