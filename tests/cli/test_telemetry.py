"""``assay telemetry`` from the outside."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from assay.cli.telemetry import telemetry
from assay.errors import InputError, RefusedError
from assay.telemetry import bringing
from tests.support import make_repository
from tests.telemetry.corpus import make_corpus


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(bringing, "has_remote", lambda _: False)
    return make_corpus(make_repository(tmp_path / "bench"))


def run(root: Path, *arguments: str) -> tuple[int, str]:
    """Exit code and standard output; errors of ours are raised."""
    done = CliRunner().invoke(telemetry, arguments, obj=root, catch_exceptions=False)
    return done.exit_code, done.stdout


def test_verify(root: Path) -> None:
    assert run(root, "verify")[0] == 0
    (root / "telemetry/shed/shed.csv").write_text("")
    code, out = run(root, "verify", "--format", "json")
    assert code == 1
    (finding,) = json.loads(out)["findings"]
    assert (finding["code"], finding["path"]) == ("DAT001", "telemetry.dvc")
    shutil.rmtree(root / "telemetry")
    assert run(root, "verify")[0] == 3


def test_rebuild_never_overwrites(root: Path) -> None:
    shutil.rmtree(root / "telemetry")
    assert run(root, "rebuild")[0] == 0
    (root / "telemetry/shed/shed.csv").write_text("mine")
    with pytest.raises(InputError, match="DAT001"):
        run(root, "rebuild")
    assert (root / "telemetry/shed/shed.csv").read_text() == "mine"
    code, out = run(root, "rebuild", "--accept")
    assert (code, out) == (0, "telemetry.dvc\ncassettes.dvc\n")
    assert run(root, "verify")[0] == 0


def test_real_data_is_missing(root: Path) -> None:
    manifest = root / "corpora/shed/manifest.yaml"
    manifest.write_text(manifest.read_text().replace("simulated: true", "simulated: false"))
    shutil.rmtree(root / "telemetry")
    with pytest.raises(RefusedError, match="DAT002"):
        run(root, "rebuild")
