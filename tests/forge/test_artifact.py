"""Archives of an untrusted job: whatever is in them, one message and nothing on the disk."""

from __future__ import annotations

import contextlib
import io
import json
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.forge.artifact import MOST_BYTES, MOST_TEXT, read_artifact

GOOD = {"schema_version": 1, "moved": [{"stage": "truth", "inputs": ["truth"]}], "problems": []}


def archive(path: Path, members: list[tuple[str, bytes]], **how: int) -> Path:
    file = path / "a.zip"
    with zipfile.ZipFile(file, "w", **how) as stream:  # type: ignore[arg-type]
        for name, data in members:
            stream.writestr(zipfile.ZipInfo(name), data)
    return file


def report(**changes: object) -> bytes:
    return json.dumps({**GOOD, **changes}).encode()


def test_what_it_must_hold(tmp_path: Path) -> None:
    board = "Scoreboard \u202e ```".encode() + b"\xff"
    found = read_artifact(
        archive(tmp_path, [("reproduced.json", report()), ("scoreboard.txt", board)])
    )
    assert [item.stage for item in found.reproduced.moved] == ["truth"]
    assert found.scoreboard.startswith("Scoreboard")


def test_nothing_else_is_looked_at_or_unpacked(tmp_path: Path) -> None:
    hostile = ["../../evil", "/etc/evil", "a/../../evil", "..\\evil", "x" * 300, "CON", "\u202e"]
    members = [("reproduced.json", report()), *((name, b"#!/bin/sh") for name in hostile)]
    before = sorted(tmp_path.rglob("*"))
    read_artifact(archive(tmp_path, members))
    assert sorted(tmp_path.rglob("*")) == [*before, tmp_path / "a.zip"]
    assert not (tmp_path.parent / "evil").exists()


def test_a_link_is_no_report(tmp_path: Path) -> None:
    info = zipfile.ZipInfo("reproduced.json")
    info.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as stream:
        stream.writestr(info, "/etc/passwd")
    with pytest.raises(InputError):
        read_artifact(tmp_path / "a.zip")


@pytest.mark.parametrize(
    "members",
    [
        [],
        [("x/reproduced.json", report())],
        [("reproduced.json", b"{")],
        [("reproduced.json", report(more=1))],
        [("reproduced.json", report(schema_version=2))],
        [("reproduced.json", report(problems=["x" * 301]))],
        [("reproduced.json", report(problems=["x"] * 201))],
        [("reproduced.json", report(moved=[{"stage": "s", "inputs": ["x"] * 5000}]))],
        [("reproduced.json", b"[" * 100_000)],
        [("reproduced.json", b" " * (MOST_TEXT + 1))],
        [("reproduced.json", report()), ("scoreboard.txt", b"x" * (MOST_TEXT + 1))],
        [("reproduced.json", report()), *((str(n), b"") for n in range(20))],
    ],
)
def test_what_does_not_fit_is_refused(tmp_path: Path, members: list[tuple[str, bytes]]) -> None:
    with pytest.raises(InputError) as wrong:
        read_artifact(archive(tmp_path, members, compression=zipfile.ZIP_DEFLATED))
    assert "evil" not in str(wrong.value)


def test_a_bomb(tmp_path: Path) -> None:
    file = tmp_path / "bomb.zip"
    with zipfile.ZipFile(file, "w", compression=zipfile.ZIP_DEFLATED) as stream:
        stream.writestr("reproduced.json", b"0" * 300_000_000)
    assert file.stat().st_size < MOST_BYTES
    with pytest.raises(InputError, match="larger"):
        read_artifact(file)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_twice(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="twice"):
        read_artifact(archive(tmp_path, [("reproduced.json", report())] * 2))


def test_too_large(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"x" * (MOST_BYTES + 1))
    with pytest.raises(InputError, match="larger"):
        read_artifact(tmp_path / "a.zip")


def good_archive() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression=zipfile.ZIP_DEFLATED) as made:
        made.writestr("reproduced.json", report())
        made.writestr("scoreboard.txt", "Scoreboard\n" * 20)
    return stream.getvalue()


WHOLE = good_archive()


@given(st.integers(0, len(WHOLE) - 1), st.binary(max_size=8), st.booleans())
def test_broken_archives_give_one_message(
    tmp_path_factory: pytest.TempPathFactory, at: int, bytes_: bytes, cut: bool
) -> None:
    file = tmp_path_factory.getbasetemp() / "broken.zip"
    file.write_bytes(WHOLE[:at] + bytes_ + (b"" if cut else WHOLE[at + len(bytes_) :]))
    with contextlib.suppress(InputError):  # Anything else would be a fault of ours.
        read_artifact(file)
