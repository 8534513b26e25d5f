"""Standard streams that are closed, full, or left by their reader."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import make_repository

SOURCE = Path(__file__).parents[2] / "scripts"


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "assay.cli.main", *words]


ENVIRONMENT = {**os.environ, "PYTHONPATH": str(SOURCE)}


@pytest.mark.parametrize("words", [("check", "--explain", "all"), ("--help",)])
def test_a_reader_that_goes_away_changes_no_exit_code(words: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        done = subprocess.run(
            command(*words), stdout=pipe, stderr=subprocess.PIPE, env=ENVIRONMENT, check=False
        )
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_wrong_file_stays_wrong_when_nobody_reads(tmp_path: Path) -> None:
    root = make_repository(tmp_path)
    (root / "truth/people.yaml").write_text("bogus: 1\n")
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        done = subprocess.run(
            command("-C", str(root), "check"),
            stdout=pipe,
            stderr=subprocess.PIPE,
            env=ENVIRONMENT,
            check=False,
        )
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="this system has no /dev/full")
def test_a_full_disk_is_no_fault_of_ours() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command("check", "--explain", "all"),
            stdout=full,
            stderr=subprocess.PIPE,
            env=ENVIRONMENT,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.startswith(b"assay: Output cannot be written: No space left")


def test_closed_streams(tmp_path: Path) -> None:
    root = make_repository(tmp_path)
    line = f'"{sys.executable}" -m assay.cli.main -C "{root}" check --explain all'
    done = subprocess.run(
        ["sh", "-c", f"{line} <&- >&- 2>&-"], env=ENVIRONMENT, check=False, timeout=60
    )
    assert done.returncode == 0


def test_json_on_a_terminal_turns_nothing_round(capsys: pytest.CaptureFixture[str]) -> None:
    from assay.cli.common import print_json

    print_json({"said": "a\u202eb\x1b"})
    assert capsys.readouterr().out == '{\n  "said": "a\\u202eb\\u001b"\n}\n'
