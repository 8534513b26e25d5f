"""The shipped simulated data is what its pointers say, rebuilt from what git holds alone."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from assay.telemetry.bringing import bring
from assay.telemetry.proving import verify

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.domain


def test_shipped_data_is_rebuilt_and_proved(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "corpora", tmp_path / "corpora")
    for pointer in ROOT.glob("[!.]*.dvc"):
        shutil.copy(pointer, tmp_path)
    assert {file.name for file in tmp_path.glob("[!.]*.dvc")} >= {"telemetry.dvc", "cassettes.dvc"}
    assert bring(tmp_path, lambda _: None) == []
    assert verify(tmp_path) == []
