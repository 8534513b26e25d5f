"""Ctrl-C at a question on a real terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

from tests.support import finish, make_repository

SOURCE = Path(__file__).parents[2] / "scripts"


def controlling() -> None:
    """Make standard input the controlling terminal, so that Ctrl-C is a signal, and not ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # A job in the background inherits that it is.
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def test_stopping_writes_nothing(tmp_path: Path) -> None:
    finish(make_repository(tmp_path))
    before = sorted(tmp_path.rglob("*.json"))
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "assay.cli.main", "revise", "refund-0142"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(SOURCE), "TERM": "dumb"},
        stdin=slave,
        stdout=slave,
        stderr=slave,
        preexec_fn=controlling,
    )
    os.close(slave)
    said, end = "", time.monotonic() + 120
    while process.poll() is None:
        if time.monotonic() > end:
            process.kill()
            break
        if not select.select([master], [], [], 0.2)[0]:
            # It waits for an answer: the question stands there in full. As a person would, again
            # where a first one fell between the line editor's look for signals and its wait.
            if "(an empty line ends it)" in said:
                os.write(master, b"\x03")
            continue
        try:
            said += os.read(master, 4096).decode("utf-8", "replace")
        except OSError:
            break
    code = process.wait(timeout=30)
    os.close(master)
    assert code == 130, said
    assert sorted(tmp_path.rglob("*.json")) == before
