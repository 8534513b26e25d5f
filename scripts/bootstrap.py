"""Make ``.venv`` from the locked requirements. Standard library only; `scripts/bootstrap` runs it.

``.venv/assay-ready`` holds the digest of the lock, the tier and the Python, in one line. It is
written last and removed first, so an environment without it is unfinished and is made anew.
``.venv/assay-made`` says that the environment is ours to remove. One process sets up at a time;
the lock is the kernel's, is passed on to the installer, and so outlives a killed parent for as
long as an installer still writes.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import IO, NoReturn

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ROOT / "scripts" / "requirements"
VENV = ROOT / ".venv"
MADE = VENV / "assay-made"
READY = VENV / "assay-ready"
LOG = ROOT / ".assay" / "setup.log"
PYTHON = VENV / "bin" / "python"
TIERS = ("base", "dev", "conformance")
VERSION = f"{sys.version_info[0]}.{sys.version_info[1]}"

CAUSES = (
    (r"No space left on device", "The disk is full.", "df -h ."),
    (
        r"name resolution|dns error|[Ff]ailed to lookup|Network is unreachable|Connection refused"
        r"|No route to host|[Tt]imed? ?out|Failed to establish a new connection"
        r"|error sending request|client error \(Connect\)|ProxyError|Connection reset",
        "The package index cannot be reached.",
        "connect to the network and type the command again;"
        " a mirror is set with PIP_INDEX_URL (pip) or UV_DEFAULT_INDEX (uv)",
    ),
    (
        r"DO NOT MATCH THE HASHES|[Hh]ash mismatch",
        "A package is not the one that was locked.",
        "git checkout scripts/requirements; if it stays so, the index serves something else",
    ),
    (
        r"No matching distribution|no wheels with a matching|Could not find a version",
        "The index has no package for this machine or Python.",
        "export ASSAY_PYTHON=python3.12, or another from 3.11 to 3.13",
    ),
    (r"ensurepip|python3?-venv", "This Python cannot make environments.", ""),
)


class StepError(Exception):
    """A step failed; its output is in the log."""


def main() -> int:
    """Set up, or wait for the process that does; nothing to do is no work."""
    parser = argparse.ArgumentParser(prog="scripts/bootstrap")
    parser.add_argument("--python", default=sys.executable, help=argparse.SUPPRESS)
    parser.add_argument("tier", nargs="?", choices=TIERS, default="base")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        LOG.parent.mkdir(exist_ok=True)
        with (LOG.parent / "setup.lock").open("a") as lock:
            hold(lock)
            done = current(arguments.tier)
            if done:
                stamp(done, arguments.python)
            else:
                os.set_inheritable(lock.fileno(), True)
                set_up(tier_to_make(arguments.tier), arguments.python, lock.fileno())
    except OSError as error:
        if error.errno in {13, 30}:
            fail(
                f"Cannot be written: {error.filename or ROOT}: {error.strerror}.",
                f'clone into a folder of your own:  git clone "{ROOT}" ~/assay',
            )
        fail(f"{error.filename or ROOT}: {error.strerror}.", "ls -la .venv .assay")
    except KeyboardInterrupt:
        fail("Interrupted; the next command begins again.", "")
    return 0


def hold(lock: IO[str]) -> None:
    """Take the lock, and say so when that means waiting."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say("Another process is setting up .venv; waiting for it …")
        fcntl.flock(lock, fcntl.LOCK_EX)


def wanted() -> str:
    """Digest of the lock as it lies in the repository."""
    file = LOCKS / "digest"
    try:
        return file.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        fail(f"{file} is missing.", "git checkout scripts/requirements")


def made() -> tuple[str, str]:
    """Digest and tier of the finished environment; empty when there is none."""
    try:
        digest, tier, _ = (READY.read_text(encoding="utf-8") + "  ").split(" ", 2)
    except FileNotFoundError:
        return "", ""
    return digest, tier


def runs() -> bool:
    """Whether the environment's Python runs and is of the version that was asked for."""
    try:
        done = subprocess.run(
            [PYTHON, "-I", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"],
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return False
    # Without a wish the environment stays with the Python that it was made with.
    known = {VERSION} if os.environ.get("ASSAY_PYTHON") else {"3.11", "3.12", "3.13"}
    return done.returncode == 0 and done.stdout.strip() in known


def current(tier: str) -> str:
    """The tier that is installed, if that is enough; else an empty string."""
    digest, have = made()
    enough = have in TIERS and TIERS.index(have) >= TIERS.index(tier)
    return have if enough and digest == wanted() and runs() else ""


def tier_to_make(tier: str) -> str:
    """Never less than what was installed before."""
    return max(tier, made()[1] or tier, key=TIERS.index)


def set_up(tier: str, python: str, lock: int) -> None:
    """Make or renew the environment, with uv where it is installed and works, else with pip."""
    tools = installers()
    began = time.monotonic()
    LOG.write_bytes(b"")
    for tool in tools:
        say(f"Setting up .venv: Python {VERSION}, {tool.rsplit('/', 1)[-1]}, {tier} …")
        try:
            make(tool, tier, lock)
            break
        except StepError:
            if tool == tools[-1]:
                explain()
            # uv knows neither the mirrors nor the certificates that pip was configured with.
            say(f"uv failed ({LOG}); trying pip.")
    stamp(tier, python)
    say(f"Ready after {time.monotonic() - began:.0f} s.")


def make(tool: str, tier: str, lock: int) -> None:
    """One attempt with one installer."""
    files = [LOCKS / f"{name}-{VERSION}.txt" for name in ("build", *TIERS[: TIERS.index(tier) + 1])]
    if made()[0] and runs() and version_of_venv() == VERSION and (tool != "pip" or has_pip()):
        READY.unlink()
    else:
        create(tool, lock)
    if tool == "pip":
        install = [str(PYTHON), "-m", "pip", "install", "--disable-pip-version-check"]
        install += ["--retries", "3", "--timeout", "30", "--use-pep517", "--no-input"]
    else:
        install = [tool, "pip", "install", "--python", str(PYTHON)]
    # What source distributions are built with is locked as well, hence no isolated builds.
    install += ["--require-hashes", "--no-deps", "--no-build-isolation"]
    step([*install, "-r", str(files[0])], lock)
    step([*install, *(word for file in files for word in ("-r", str(file)))], lock)
    library = VENV / "lib" / f"python{VERSION}" / "site-packages"
    # Relative to the folder it lies in, so that the clone may be moved.
    (library / "assay.pth").write_text("../../../../scripts\n", encoding="ascii")
    step([str(PYTHON), "-I", "-c", "import assay, pydantic"], lock)


def version_of_venv() -> str:
    """``3.x`` of the environment's library folder."""
    found = sorted(VENV.glob("lib/python3.*"))
    return found[0].name.removeprefix("python") if found else ""


def has_pip() -> bool:
    """Whether the environment holds pip."""
    return any(VENV.glob("lib/python3.*/site-packages/pip"))


def installers() -> list[str]:
    """What to try, in order: the path of uv, and ``pip``."""
    wish = os.environ.get("ASSAY_INSTALLER", "")
    if wish not in {"", "uv", "pip"}:
        fail(f"ASSAY_INSTALLER is {wish}; it may be uv or pip.", "unset ASSAY_INSTALLER")
    uv = shutil.which("uv") if wish != "pip" else None
    if uv and subprocess.run([uv, "--version"], capture_output=True, check=False).returncode:
        uv = None
    if wish == "uv" and not uv:
        fail("ASSAY_INSTALLER is uv, and uv does not run.", "unset ASSAY_INSTALLER")
    pip = wish != "uv" and (not uv or find_spec("ensurepip") is not None)
    return [*([uv] if uv else []), *(["pip"] if pip else [])]


def create(tool: str, lock: int) -> None:
    """An empty environment, in place of an unfinished one of ours."""
    if VENV.is_symlink() or (VENV.exists() and not VENV.is_dir()):
        fail(".venv is not a folder.", "mv .venv .venv.old")
    if VENV.is_dir():
        if not MADE.exists() and any(VENV.iterdir()):
            fail(".venv was not made by this repository and is left alone.", "mv .venv .venv.old")
        shutil.rmtree(VENV)
    VENV.mkdir()
    MADE.write_text("Made by scripts/bootstrap; removed and made anew at will.\n", encoding="ascii")
    if tool == "pip":
        step([sys.executable, "-I", "-m", "venv", str(VENV)], lock)
    else:
        command = [tool, "venv", "--allow-existing", "--python", sys.executable]
        step([*command, str(VENV)], lock)


def stamp(tier: str, python: str) -> None:
    """Say that the environment is finished, whole or not at all."""
    line = f"{wanted()} {tier} {python}\n"
    if READY.exists() and READY.read_text(encoding="utf-8") == line:
        return
    temporary = READY.with_suffix(".tmp")
    with temporary.open("w", encoding="utf-8") as stream:
        stream.write(line)
        stream.flush()
        os.fsync(stream.fileno())
    temporary.replace(READY)


def step(command: list[str], lock: int) -> None:
    """Run one step with its output in the log; on a terminal the seconds are counted."""
    environment = {**os.environ, "PYTHONUTF8": "1", "UV_NO_PROGRESS": "1"}
    began = time.monotonic()
    with LOG.open("ab") as log:
        log.write(("$ " + " ".join(command) + "\n").encode("utf-8", "surrogateescape"))
        log.flush()
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=ROOT,
            env=environment,
            pass_fds=(lock,),
        )
        try:
            while True:
                try:
                    code = process.wait(1)
                    break
                except subprocess.TimeoutExpired:
                    if sys.stderr.isatty():
                        print(f"\r{time.monotonic() - began:4.0f} s ", end="", file=sys.stderr)
        except BaseException:
            process.terminate()
            process.wait()
            raise
    if sys.stderr.isatty():
        print("\r        \r", end="", file=sys.stderr)
    if code:
        raise StepError


def explain() -> NoReturn:
    """Say why the installer failed, as far as its output tells."""
    lines = LOG.read_text(encoding="utf-8", errors="replace").splitlines()
    last = max(index for index, line in enumerate(lines) if line.startswith("$ "))
    text = "\n".join(lines[last:])
    for pattern, message, hint in CAUSES:
        if re.search(pattern, text):
            fail(message, hint or f"apt install python{VERSION}-venv, or install uv")
    tail = "\n".join(f"  | {line}" for line in lines[-8:])
    fail(f"The set-up failed.\n{tail}", f"less {LOG}")


def say(message: str) -> None:
    """One message for the person; stdout belongs to the command that follows."""
    print(message, file=sys.stderr, flush=True)


def fail(message: str, hint: str) -> NoReturn:
    """End with what is wrong and what to type next."""
    say(message + (f"\n  next  {hint}" if hint else ""))
    raise SystemExit(3)


if __name__ == "__main__":
    raise SystemExit(main())
