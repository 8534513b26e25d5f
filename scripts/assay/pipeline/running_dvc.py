"""Running dvc: in a process group of its own, quietly, and over what a killed run left behind.

Stopping this process stops the stages as well: one that outlived dvc could overwrite a newer
result.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from assay.errors import InputError
from assay.telemetry.pointers import pointers
from assay.telemetry.proving import cached

_PID = re.compile(r'"pid":\s*([0-9]+)')
_ADVICE = ("To track the changes with git", "To enable auto staging", "Use `dvc push`")
_COMMANDS = ("\tgit add ", "\tdvc config core.autostage")


def forget_the_dead(root: Path) -> None:
    """Remove dvc's list of busy files where nobody on it lives, or where it cannot be read.

    dvc takes a killed process for a living one until its parent has fetched its exit code, which
    in many containers nobody ever does, and then refuses to work. A process that was killed a
    moment ago may still be dying: it is given two seconds.
    """
    file = root / ".dvc" / "tmp" / "rwlock"
    try:
        text = file.read_text(encoding="utf-8")
    except OSError:
        return
    for _ in range(20):
        if not any(lives(int(pid)) for pid in _PID.findall(text)):
            file.unlink(missing_ok=True)
            return
        time.sleep(0.1)


def lives(pid: int) -> bool:
    """Whether a process runs; one that has ended and only awaits its parent does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    try:
        # The state follows the program's name, which is in brackets and may hold anything.
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        return state.rpartition(")")[2].split()[0] not in {"Z", "X"}
    except (OSError, IndexError):
        return True


def keep(root: Path) -> None:
    """Let dvc keep proven data in its cache, so that ``dvc status`` has nothing to say.

    Raises:
        InputError: dvc does not agree that the data is what its pointer says.
    """
    new = [pointer.file for pointer in pointers(root) if not cached(root, pointer)]
    if not new:
        return
    done = subprocess.run(
        [sys.executable, "-m", "dvc", "commit", "--quiet", *new],
        cwd=root,
        env=environment(root),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise InputError(
            f"dvc cannot keep the data: {lines[-1] if lines else 'it gives no reason'}",
            path=new[0],
            hint="df -h .dvc/cache",
        )


def environment(root: Path) -> dict[str, str]:
    """What dvc is run with: our Python for the stages, and nothing written outside the clone."""
    here = Path(sys.executable).parent
    return {
        **os.environ,
        "PATH": f"{here}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
        "DVC_NO_ANALYTICS": "1",
        "DVC_SITE_CACHE_DIR": str(root / ".dvc" / "tmp" / "site"),
        "PYTHONSAFEPATH": "1",
        "PYTHONUTF8": "1",
    }


def run_dvc(root: Path, arguments: Sequence[str]) -> int:
    """Run ``dvc repro`` and pass its output on, without advice that does not hold here."""
    process = subprocess.Popen(
        [sys.executable, "-m", "dvc", "repro", *arguments],
        cwd=root,
        env=environment(root),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        process_group=0,
    )
    stopped: list[int] = []

    def stop(number: int, _: object) -> None:
        stopped.append(number)
        # dvc itself ignores an interrupt while a stage runs; the group does not outlive this.
        os.killpg(process.pid, signal.SIGTERM)

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        assert process.stdout is not None
        for line in without_advice(process.stdout):
            print(line, end="", flush=True)
        code = process.wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if stopped:
        print("repro: stopped; ./scripts/repro goes on from here", file=sys.stderr)
        return 128 + stopped[0]
    if code:
        print("repro: dvc repro failed; what it says above is the reason", file=sys.stderr)
        return 2 if code == 254 else 1
    return 0


def without_advice(lines: IO[str] | Iterator[str]) -> Iterator[str]:
    """dvc's lines without how to commit and push, which here the main branch's job does."""
    blank = ""
    for line in lines:
        if line.startswith(_ADVICE + _COMMANDS):
            blank = ""
        elif line == "\n":
            blank = line
        else:
            yield blank + line
            blank = ""
