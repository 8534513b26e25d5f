"""Every file is code or data, and never both."""

from __future__ import annotations

import subprocess

import pytest

from assay.ledger.paths import CODE_PATHS, DATA_PATHS, kind_of
from tests.architecture.source import ROOT


def tracked() -> list[str]:
    """Files that git tracks, or would track if they were added."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others"]
    done = subprocess.run(
        [*command, "--exclude-standard"], capture_output=True, check=False, encoding="utf-8"
    )
    if done.returncode:
        pytest.skip("not a git clone")
    return sorted(name for name in done.stdout.split("\0") if name)


def test_every_file_is_code_or_data() -> None:
    neither = [path for path in tracked() if kind_of(path) is None]
    assert neither == [], "add them to CODE_PATHS or DATA_PATHS in scripts/assay/ledger/paths.py"


def test_no_entry_is_both() -> None:
    assert set(CODE_PATHS) & set(DATA_PATHS) == set()
    assert list(CODE_PATHS) == sorted(CODE_PATHS)
    assert list(DATA_PATHS) == sorted(DATA_PATHS)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("scripts/assay/errors.py", "code"),
        ("tests/files/test_reading.py", "code"),
        ("tests/domain/test_refunds.py", "data"),
        ("docs/architecture.md", "code"),
        ("docs/domain/agreement.md", "data"),
        ("truth/records/refunds/refund-0142.r0001.json", "data"),
        ("telemetry.dvc", "data"),
        ("cases/x/big.dvc", "data"),
        (".dvc/config", "data"),
        (".dvc/.gitignore", "code"),
        ("assay", "code"),
        ("assay.txt", None),
        ("notes/telemetry.dvc", None),
    ],
)
def test_kinds(path: str, kind: str | None) -> None:
    assert kind_of(path) == kind
