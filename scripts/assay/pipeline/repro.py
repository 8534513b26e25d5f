"""What ``scripts/repro`` runs: prove the data, run dvc, show the scoreboard.

dvc runs in a process group of its own, so that stopping this command stops the stages as well:
a stage that outlived dvc could overwrite a newer result.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from assay.errors import AssayError, InputError, RefusedError, UsageError
from assay.files.writing import locked
from assay.models.finding import Finding
from assay.telemetry.bringing import bring
from assay.telemetry.pointers import pointers
from assay.telemetry.proving import cached

SCOREBOARD = "report/scoreboard.txt"
_ADVICE = ("To track the changes with git", "To enable auto staging", "Use `dvc push`")
_PID = re.compile(r'"pid":\s*([0-9]+)')
_COMMANDS = ("\tgit add ", "\tdvc config core.autostage")


def main(arguments: Sequence[str]) -> int:
    """Reproduce everything, or what one suite needs.

    Args:
        arguments: the repository's root; then ``--suite NAME`` as often as wanted, and
            anything else for ``dvc repro``.

    Returns:
        0 fine; 1 a file is wrong or a stage failed; 2 wrong use; 3 data or git is missing, or
        another command is writing; 130 and 143 stopped by a signal.
    """
    try:
        root = Path(arguments[0])
        suites, others = split_arguments(arguments[1:])
        require_clone(root)
        wanted = targets(root, suites)
        with locked(root):
            findings = bring(root, _say)
            if findings:
                return refuse(findings)
            forget_the_dead(root)
            keep(root)
            code = run_dvc(root, [*others, *wanted])
            if code:
                return code
            show(root, suites)
    except AssayError as error:
        _say(f"repro: {error}")
        return error.exit_code
    return 0


def split_arguments(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Suites that were asked for, and what is passed on.

    Raises:
        UsageError: ``--suite`` without a name.
    """
    suites: list[str] = []
    others: list[str] = []
    left = list(arguments)
    while left:
        word = left.pop(0)
        if word.startswith("--suite="):
            suites.append(word.removeprefix("--suite="))
        elif word == "--suite":
            if not left:
                raise UsageError("--suite needs a name.", hint="./scripts/repro --suite NAME")
            suites.append(left.pop(0))
        else:
            others.append(word)
    return suites, others


def targets(root: Path, suites: Sequence[str]) -> list[str]:
    """The stages that score these suites; none where everything is wanted.

    Raises:
        UsageError: a suite that the pipeline does not build.
    """
    if not suites:
        return []
    from assay.files.yamls import read_yaml

    value = read_yaml(root / "params.yaml", name="params.yaml").value
    known = value.get("suites") if isinstance(value, dict) else None
    names = [str(name) for name in known] if isinstance(known, list) else []
    for suite in suites:
        if suite not in names:
            raise UsageError(
                f"No suite is called {suite}.",
                path="params.yaml",
                hint=f"./scripts/repro --suite {names[0]}" if names else "add it to suites",
            )
    return [f"score@{suite}" for suite in suites]


def require_clone(root: Path) -> None:
    """See that git runs and that the root is a clone: dvc needs both.

    Raises:
        RefusedError: it is not so.
    """
    if shutil.which("git") is None:
        raise RefusedError("git is not installed.", hint="apt install git")
    done = subprocess.run(
        ["git", "-C", root, "rev-parse", "--is-inside-work-tree"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        return
    lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
    if "dubious ownership" in done.stderr:
        raise RefusedError(
            "The clone belongs to somebody else, and git refuses to use it.",
            path=root.as_posix(),
            hint=f"git config --global --add safe.directory '{root}'",
        )
    raise RefusedError(
        f"This is no git clone: {lines[0] if lines else 'git gives no reason'}.",
        path=root.as_posix(),
        hint="git clone it, or: git init && git add -A && git commit -m 'First state'",
    )


def refuse(findings: Sequence[Finding]) -> int:
    """Say why nothing is run: 3 where data is missing, 1 where it is wrong."""
    for finding in findings:
        error = InputError(
            f"{finding.code} {finding.message}",
            path=finding.path,
            line=finding.line,
            column=finding.column,
            pointer=finding.pointer,
            hint=finding.hint,
        )
        _say(f"repro: {error}")
    return 3 if all(finding.code == "DAT002" for finding in findings) else 1


def forget_the_dead(root: Path) -> None:
    """Remove dvc's list of busy files where nobody on it lives, or where it cannot be read.

    dvc takes a killed process for a living one until its parent has fetched its exit code, which
    in many containers nobody ever does, and then refuses to work.
    """
    file = root / ".dvc" / "tmp" / "rwlock"
    try:
        text = file.read_text(encoding="utf-8")
    except OSError:
        return
    if not any(lives(int(pid)) for pid in _PID.findall(text)):
        file.unlink(missing_ok=True)


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
        _say("repro: stopped; ./scripts/repro goes on from here")
        return 128 + stopped[0]
    if code:
        _say("repro: dvc repro failed; what it says above is the reason")
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


def show(root: Path, suites: Sequence[str]) -> None:
    """Print the scoreboard; for single suites say where their results lie."""
    board = root / SCOREBOARD
    if suites:
        for suite in suites:
            print(f"scores/{suite}")
    elif board.is_file():
        print(board.read_text(encoding="utf-8"), end="")


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
