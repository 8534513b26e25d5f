"""Data is proved before anything runs; no way of getting it rewrites a pointer."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from assay.models.finding import Finding
from assay.telemetry import bringing
from assay.telemetry.bringing import bring
from assay.telemetry.digests import digest_of, folder_rows
from assay.telemetry.pointers import read_pointer
from assay.telemetry.proving import in_cache, verify
from tests.telemetry.corpus import make_corpus


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_corpus(tmp_path / "a ü")


@pytest.fixture(autouse=True)
def _no_remote(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asking dvc for a remote costs half a second; the tests of remotes undo this."""
    monkeypatch.setattr(bringing, "has_remote", lambda _: False)


def codes(findings: list[Finding]) -> list[tuple[str, str]]:
    """Code and path of each finding."""
    return [(finding.code, finding.path) for finding in findings]


def pointer_bytes(root: Path) -> dict[str, bytes]:
    """The pointer files as they are."""
    return {file.name: file.read_bytes() for file in root.glob("[!.]*.dvc")}


def test_what_is_there_is_proved(root: Path) -> None:
    said: list[str] = []
    assert verify(root) == []
    assert bring(root, said.append) == []
    assert said == []


def test_what_is_missing_is_rebuilt(root: Path) -> None:
    before = (root / "telemetry/shed/shed.csv").read_bytes()
    shutil.rmtree(root / "telemetry")
    shutil.rmtree(root / "cassettes")
    (root / "cassettes").mkdir()
    assert codes(verify(root)) == [("DAT002", "telemetry.dvc"), ("DAT002", "cassettes.dvc")]
    said: list[str] = []
    assert bring(root, said.append) == []
    assert said == ["Rebuilding telemetry …", "Rebuilding cassettes …"]
    assert (root / "telemetry/shed/shed.csv").read_bytes() == before
    assert verify(root) == []
    assert not list(root.glob("*.partial"))


def test_what_a_killed_rebuild_left_is_thrown_away(root: Path) -> None:
    shutil.rmtree(root / "telemetry")
    (root / "telemetry.partial/shed").mkdir(parents=True)
    (root / "telemetry.partial/shed/half.csv").write_text("time\n")
    assert bring(root, lambda _: None) == []
    assert not (root / "telemetry/shed/half.csv").exists()


TAMPERED = {
    "a byte more": lambda f: (f / "shed/shed.csv").open("a").write("\n"),
    "a byte other": lambda f: (f / "shed/shed.csv").write_bytes(
        (f / "shed/shed.csv").read_bytes()[:-2] + b"7\n"
    ),
    "a file more": lambda f: (f / "shed/note.txt").write_text(""),
    "a file less": lambda f: (f / "shed/shed.csv").unlink(),
    "a file renamed": lambda f: (f / "shed/shed.csv").rename(f / "shed/other.csv"),
    "CRLF": lambda f: (f / "shed/shed.csv").write_bytes(
        (f / "shed/shed.csv").read_bytes().replace(b"\n", b"\r\n")
    ),
}


@pytest.mark.parametrize("how", list(TAMPERED))
def test_tampered_data_stops_everything(root: Path, how: str) -> None:
    before = pointer_bytes(root)
    TAMPERED[how](root / "telemetry")
    for findings in (verify(root), bring(root, lambda _: None)):
        assert codes(findings) == [("DAT001", "telemetry.dvc")]
        assert findings[0].message.startswith("telemetry is here but differs from telemetry.dvc: ")
        assert "mv telemetry telemetry.changed" in findings[0].hint
    assert pointer_bytes(root) == before


def test_a_declaration_that_was_changed_disagrees_with_the_pointer(root: Path) -> None:
    before = pointer_bytes(root)
    shutil.rmtree(root / "telemetry")
    declaration = root / "corpora/shed/simulation.yaml"
    declaration.write_text(declaration.read_text().replace("seed: shed", "seed: barn"))
    (finding,) = bring(root, lambda _: None)
    assert finding.code == "DAT003"
    assert finding.message.startswith("corpora/shed/simulation.yaml and telemetry.dvc disagree: ")
    assert pointer_bytes(root) == before
    assert not (root / "telemetry").exists()


def test_real_data_is_never_made_up(tmp_path: Path) -> None:
    root = make_corpus(tmp_path / "real", simulated=False)
    assert bring(root, lambda _: None) == []
    shutil.rmtree(root / "telemetry")
    (finding,) = bring(root, lambda _: None)
    assert finding.code == "DAT002"
    assert finding.message == (
        "telemetry is not here, and no remote is configured,"
        " and no corpus that is simulated makes it."
    )
    assert finding.hint.startswith("dvc remote add --local")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "This is not a pointer to telemetry with an md5."),
        ("outs: [1, 2]\n", "This is not a pointer to telemetry with an md5."),
        ("outs:\n- path: telemetry\n", "This is not a pointer to telemetry with an md5."),
        (
            "outs:\n- md5: 0123456789abcdef0123456789abcdef.dir\n  path: other\n",
            "This is not a pointer to telemetry with an md5.",
        ),
        ("outs: [\n", "Not valid YAML: "),
    ],
)
def test_a_broken_pointer_is_a_finding(root: Path, text: str, message: str) -> None:
    (root / "telemetry.dvc").write_text(text)
    for findings in (verify(root), bring(root, lambda _: None)):
        assert codes(findings) == [("DAT004", "telemetry.dvc")]
        assert findings[0].message.startswith(message)


def test_a_broken_manifest_is_a_finding(root: Path) -> None:
    manifest = root / "corpora/shed/manifest.yaml"
    manifest.write_text(manifest.read_text().replace("simulated: true", "simulated: maybe"))
    (finding,) = bring(root, lambda _: None)
    assert (finding.code, finding.path, finding.line) == ("DAT004", "corpora/shed/manifest.yaml", 5)


def test_the_changed_file_is_named_where_the_cache_knows_it(root: Path) -> None:
    listing = in_cache(root, read_pointer(root, "telemetry"))
    listing.parent.mkdir(parents=True)
    rows, _ = folder_rows(root / "telemetry")
    listing.write_text(json.dumps([{"md5": md5, "relpath": name} for name, md5 in rows.items()]))
    (root / "telemetry/shed/note.txt").write_text("")
    with (root / "telemetry/shed/shed.csv").open("a") as stream:
        stream.write("x")
    (finding,) = verify(root)
    assert finding.message.endswith(": changed shed/shed.csv; added shed/note.txt.")


@pytest.mark.pipeline
def test_dvc_agrees_with_the_digests(tmp_path: Path) -> None:
    """The digest rule against dvc itself, on names that are easy to sort wrongly."""
    data = tmp_path / "data"
    for name in ("a.txt", "a/b", "a b/ü.csv", "a-/c", "A/x", "ä/ö", "z/deep/er/f", "empty"):
        file = data / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("" if name == "empty" else f"{name}\r\n")
    (data / "hollow" / "folder").mkdir(parents=True)
    (tmp_path / "one.csv").write_text("time\n")
    dvc = [sys.executable, "-m", "dvc"]
    for arguments in (["init", "--no-scm", "-q"], ["add", "-q", "data", "one.csv"]):
        subprocess.run([*dvc, *arguments], cwd=tmp_path, check=True)
    assert read_pointer(tmp_path, "data").digest == digest_of(data)
    assert read_pointer(tmp_path, "one.csv").digest == digest_of(tmp_path / "one.csv")


@pytest.mark.pipeline
def test_data_comes_from_a_remote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    root = make_corpus(tmp_path / "real", simulated=False)
    before = pointer_bytes(root)
    store = tmp_path / "store"
    dvc = [sys.executable, "-m", "dvc"]
    for arguments in (
        ["init", "--no-scm", "-q"],
        ["commit", "-q", "telemetry.dvc", "cassettes.dvc"],
        ["remote", "add", "-q", "--local", "-d", "store", str(store)],
        ["push", "-q"],
    ):
        subprocess.run([*dvc, *arguments], cwd=root, check=True)
    for name in ("telemetry", "cassettes", ".dvc/cache"):
        shutil.rmtree(root / name)
    said: list[str] = []
    assert bring(root, said.append) == []
    assert said == ["Pulling telemetry …", "Pulling cassettes …"]
    assert pointer_bytes(root) == before

    for name in ("telemetry", ".dvc/cache"):
        shutil.rmtree(root / name)
    shutil.rmtree(store)
    (finding,) = bring(root, lambda _: None)
    assert finding.code == "DAT002"
    assert "dvc pull failed" in finding.message
