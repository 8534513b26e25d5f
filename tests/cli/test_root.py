"""Which repository a command works in."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from assay.cli.common import root_of
from assay.errors import UsageError
from tests.support import make_repository


def found(given: Path | None = None) -> Path:
    """What a command with ``-C given`` would work in."""
    return root_of(click.Context(click.Command("x"), obj=given))


def test_nearest_then_the_launchers_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own, near = make_repository(tmp_path / "own"), make_repository(tmp_path / "near")
    outside = tmp_path / "outside"
    outside.mkdir()
    monkeypatch.delenv("ASSAY_ROOT", raising=False)
    monkeypatch.chdir(outside)
    with pytest.raises(UsageError):
        found()
    monkeypatch.setenv("ASSAY_ROOT", str(own))
    assert found() == own
    monkeypatch.chdir(near / "truth")
    assert found() == near
    assert found(own) == own
    with pytest.raises(UsageError):
        found(outside)
