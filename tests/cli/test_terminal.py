"""Ctrl-C at a question on a real terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import subprocess
import sys
import termios
import time
from pathlib import Path

from tests.support import finish, make_repository

SOURCE = Path(__file__).parents[2] / "scripts"


def controlling() -> None:
    """Make standard input the controlling terminal, so that Ctrl-C is a signal."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def talk(root: Path, arguments: list[str], answers: list[tuple[str, str]]) -> tuple[int, str]:
    """Run a command on a terminal; type each answer when its question has been asked."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "assay.cli.main", *arguments],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(SOURCE), "TERM": "dumb"},
        stdin=slave,
        stdout=slave,
        stderr=slave,
        close_fds=True,
        preexec_fn=controlling,
    )
    os.close(slave)
    said, left = "", list(answers)
    unseen = 0
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        ready, _, _ = select.select([master], [], [], 0.2)
        if ready:
            try:
                said += os.read(master, 4096).decode("utf-8", "replace")
            except OSError:
                break
        if left and left[0][0] in said[unseen:]:
            unseen = len(said)
            os.write(master, left.pop(0)[1].encode() + b"\n")
        if not ready and process.poll() is not None:
            break
    os.close(master)
    code = process.wait(timeout=30)
    assert not left, f"never asked: {left[0][0]}\n{said}"
    return code, said


def test_stopping_writes_nothing(tmp_path: Path) -> None:
    finish(make_repository(tmp_path))
    before = sorted(tmp_path.rglob("*.json"))
    code, said = talk(tmp_path, ["revise", "refund-0142"], [("Why a new revision", "\x03")])
    assert code == 130, said
    assert "nothing was written" in said
    assert sorted(tmp_path.rglob("*.json")) == before
