"""The launchers and the set-up, with a stand-in for uv: no network, and every accident.

The stand-in makes a real environment without packages and puts an empty `pydantic` into it.
Files in its folder say what goes wrong: `fail` holds what it prints before it fails, `slow`
makes it wait until the file is gone.
"""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.architecture.source import ROOT

UV = """\
#!/bin/sh
here={tools}
case "$1 $2" in
    '--version ') echo uv 1 ;;
    venv\\ *)
        for last; do :; done
        "{python}" -I -m venv --without-pip "$last"
        ;;
    'pip install')
        echo "$*" >>"$here/calls"
        while [ -e "$here/slow" ]; do sleep 0.05; done
        if [ -e "$here/fail" ]; then cat "$here/fail" >&2; exit 2; fi
        while [ "$1" != --python ]; do shift; done
        venv=${{2%/bin/python}}
        for library in "$venv"/lib/python3.*/site-packages; do : >"$library/pydantic.py"; done
        ;;
esac
"""
MAIN = """\
import os, sys
print(sys.argv[1:], os.getcwd(), sys.flags.utf8_mode, sys.flags.safe_path, sys.version_info[:2])
raise SystemExit(7 if "seven" in sys.argv else 0)
"""
VERSION = f"{sys.version_info[0]}.{sys.version_info[1]}"


@dataclass
class Clone:
    """A clone with launchers, locks and a command that tells how it was called."""

    root: Path
    tools: Path

    def environment(self, **more: str) -> dict[str, str]:
        """A clean environment in which only the stand-in, Python and the system are found."""
        path = f"{self.tools}:/usr/bin:/bin"
        return {"HOME": str(self.tools), "PATH": path, **more}

    def start(self, *command: str, cwd: Path | None = None, **more: str) -> subprocess.Popen[str]:
        """Start a command of the clone."""
        return subprocess.Popen(
            [str(self.root / command[0]), *command[1:]],
            cwd=cwd or self.root,
            env=self.environment(**more),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            encoding="utf-8",
            start_new_session=True,
        )

    def run(self, *command: str, cwd: Path | None = None, **more: str) -> tuple[int, str, str]:
        """Exit code, standard output and standard error of a command of the clone."""
        process = self.start(*command, cwd=cwd, **more)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def calls(self) -> int:
        """How often the installer was asked to install."""
        file = self.tools / "calls"
        return len(file.read_text().splitlines()) if file.exists() else 0


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    root = tmp_path / "ein Ort" / "wörk -räum"
    (root / "scripts/assay/cli").mkdir(parents=True)
    shutil.copy(ROOT / "assay", root / "assay")
    for name in ("bootstrap", "bootstrap.py", "environment.sh", "repro", "test"):
        shutil.copy(ROOT / "scripts" / name, root / "scripts" / name)
    shutil.copytree(ROOT / "scripts/requirements", root / "scripts/requirements")
    for name in ("__init__.py", "cli/__init__.py"):
        (root / "scripts/assay" / name).write_text("")
    (root / "scripts/assay/cli/main.py").write_text(MAIN)
    tools = tmp_path / "tools"
    tools.mkdir()
    python = Path(sys.executable).resolve()
    (tools / "uv").write_text(UV.format(tools=tools, python=python))
    (tools / "uv").chmod(0o755)
    (tools / f"python{VERSION}").symlink_to(python)
    for other in {"3.11", "3.12", "3.13"} - {VERSION}:
        shim = tools / f"python{other}"
        shim.write_text(f"#!/bin/sh\necho python{other}: command not found >&2\nexit 127\n")
        shim.chmod(0o755)
    return Clone(root, tools)


def test_first_use_and_the_next(clone: Clone, tmp_path: Path) -> None:
    code, out, err = clone.run("assay", "check", "a b", cwd=tmp_path)
    assert (code, out) == (
        0,
        f"['check', 'a b'] {tmp_path} 1 True {sys.version_info[:2]}\n",
    )
    assert err.splitlines()[0] == f"Setting up .venv: Python {VERSION}, uv, base …"
    assert err.splitlines()[1].startswith("Ready after ")
    calls = clone.calls()
    assert clone.run("assay", "seven") == (
        7,
        f"['seven'] {clone.root} 1 True {sys.version_info[:2]}\n",
        "",
    )
    assert clone.calls() == calls


def test_through_links_and_from_the_path(clone: Clone, tmp_path: Path) -> None:
    clone.run("assay")
    (tmp_path / "one").symlink_to(clone.root / "assay")
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "two").symlink_to("../one")
    for command in ([str(tmp_path / "one")], ["./far/two"], ["sh", "one"], ["one"]):
        done = subprocess.run(
            command,
            cwd=tmp_path,
            env=clone.environment(PATH=f"{tmp_path}:/usr/bin:/bin"),
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, ""), command


def test_a_clone_may_be_moved(clone: Clone, tmp_path: Path) -> None:
    clone.run("assay")
    moved = Clone(clone.root.rename(tmp_path / "moved"), clone.tools)
    code, _, err = moved.run("assay")
    assert (code, err) == (0, "")


def test_nothing_from_outside_leaks_in(clone: Clone, tmp_path: Path) -> None:
    clone.run("assay")
    (tmp_path / "pydantic.py").write_text("raise SystemExit('leaked')")
    (tmp_path / "assay").mkdir()
    (tmp_path / "assay/__init__.py").write_text("raise SystemExit('leaked')")
    code, _, err = clone.run("assay", cwd=tmp_path, PYTHONPATH=str(tmp_path), PYTHONHOME="/none")
    assert (code, err) == (0, "")


def test_a_killed_set_up_is_begun_anew(clone: Clone) -> None:
    (clone.tools / "slow").touch()
    process = clone.start("assay")
    wait_for(lambda: clone.calls() == 1)
    assert (clone.root / ".venv/bin/python").exists()
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    (clone.tools / "slow").unlink()
    (clone.root / ".venv/half").touch()
    code, _, err = clone.run("assay")
    assert code == 0
    assert "Setting up .venv" in err
    assert not (clone.root / ".venv/half").exists()


def test_a_set_up_that_is_told_to_stop_stops_its_installer(clone: Clone) -> None:
    (clone.tools / "slow").touch()
    process = clone.start("assay")
    wait_for(lambda: clone.calls() == 1)
    for pid in children(process.pid):
        os.kill(pid, signal.SIGTERM)
    process.communicate(timeout=30)
    assert process.returncode not in {0, None}
    (clone.tools / "slow").unlink()
    assert clone.run("assay")[0] == 0


def test_two_at_once(clone: Clone) -> None:
    (clone.tools / "slow").touch()
    first = clone.start("assay", "first")
    wait_for(lambda: clone.calls() == 1)
    second = clone.start("assay", "second")
    assert second.stderr is not None
    line = second.stderr.readline()
    assert line == "Another process is setting up .venv; waiting for it …\n"
    (clone.tools / "slow").unlink()
    assert "['first']" in first.communicate(timeout=60)[0]
    assert "['second']" in second.communicate(timeout=60)[0]
    assert (first.returncode, second.returncode) == (0, 0)
    assert clone.calls() == 2


def test_a_new_lock_is_installed(clone: Clone) -> None:
    clone.run("assay")
    (clone.root / ".venv/kept").touch()
    (clone.root / "scripts/requirements/digest").write_text("0" * 64 + "\n")
    code, _, err = clone.run("assay")
    assert code == 0
    assert "Setting up .venv" in err
    assert (clone.root / ".venv/kept").exists()
    assert clone.run("assay")[2] == ""


def test_a_higher_tier_is_kept(clone: Clone) -> None:
    assert clone.run("scripts/bootstrap", "dev")[0] == 0
    assert clone.run("assay")[2] == ""
    (clone.root / "scripts/requirements/digest").write_text("0" * 64 + "\n")
    assert ", dev …" in clone.run("assay")[2]


def test_a_python_that_vanished(clone: Clone) -> None:
    clone.run("assay")
    (clone.root / ".venv/bin/python").unlink()
    (clone.root / ".venv/bin/python").symlink_to("/nowhere/python3.11")
    code, _, err = clone.run("assay")
    assert code == 0
    assert "Setting up .venv" in err


@pytest.mark.parametrize(
    ("printed", "message"),
    [
        ("error: dns error: failed to lookup address", "The package index cannot be reached."),
        ("Temporary failure in name resolution", "The package index cannot be reached."),
        ("No space left on device (os error 28)", "The disk is full."),
        ("error: Hash mismatch for `x==1`", "A package is not the one that was locked."),
        ("something odd", "The set-up failed."),
    ],
)
def test_what_goes_wrong_is_said(clone: Clone, printed: str, message: str) -> None:
    (clone.tools / "fail").write_text(printed + "\n")
    code, out, err = clone.run("assay", ASSAY_INSTALLER="uv")
    assert (code, out) == (3, "")
    assert message in err
    assert "  next  " in err
    assert "Traceback" not in err
    (clone.tools / "fail").unlink()
    assert clone.run("assay")[0] == 0


def test_a_foreign_environment_is_left_alone(clone: Clone) -> None:
    (clone.root / ".venv").mkdir()
    (clone.root / ".venv/mine").touch()
    code, _, err = clone.run("assay")
    assert code == 3
    assert ".venv was not made by this repository" in err
    assert "  next  mv .venv .venv.old" in err
    assert (clone.root / ".venv/mine").exists()


def test_no_python_fits(clone: Clone, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    for name in ("sh", "readlink"):
        (bare / name).symlink_to(shutil.which(name) or name)
    (bare / "python3").write_text("#!/bin/sh\necho no such command >&2\nexit 127\n")
    (bare / "python3").chmod(0o755)
    code, _, err = clone.run("assay", PATH=str(bare))
    assert code == 3
    assert err.startswith("No CPython from 3.11 to 3.13 that runs was found on PATH.\n  next  ")


def test_assay_python(clone: Clone) -> None:
    code, _, err = clone.run("assay", ASSAY_PYTHON="/bin/false")
    assert code == 3
    assert err.startswith('ASSAY_PYTHON is "/bin/false": no CPython')
    wish = str(Path(sys.executable).resolve())
    assert clone.run("assay", ASSAY_PYTHON=wish)[0] == 0
    assert clone.run("assay", ASSAY_PYTHON=wish)[2] == ""
    assert clone.run("assay")[2] == ""


def readable(folder: Path) -> None:
    """Let everybody read a folder and find the way to it."""
    for above in folder.parents[:-1]:
        above.chmod(above.stat().st_mode | 0o5)
    for file in (folder, *folder.rglob("*")):
        if not file.is_symlink():
            file.chmod(file.stat().st_mode | (0o5 if file.is_dir() else 0o4))


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="needs root")
def test_without_permission_to_write(clone: Clone, tmp_path: Path) -> None:
    nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    probe = "import sys, venv; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))"
    pythons = [str(Path(sys.executable).resolve()), "/usr/bin/python3"]
    # Through a shell, since setpriv itself still starts what nobody may not.
    through = [*nobody, "sh", "-c", 'exec "$0" -c "$1"']
    fits = [p for p in pythons if not subprocess.run([*through, p, probe], check=False).returncode]
    if not fits:
        pytest.skip("an unprivileged user can run no Python that fits")
    python = fits[0]
    (clone.tools / "uv").write_text(UV.format(tools=clone.tools, python=python))
    readable(tmp_path)

    def as_nobody() -> tuple[int, str]:
        done = subprocess.run(
            [*nobody, str(clone.root / "assay")],
            cwd="/",
            env=clone.environment(ASSAY_PYTHON=python),
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        return done.returncode, done.stderr

    code, err = as_nobody()
    assert code == 3
    assert err.startswith("Cannot be written: ")
    assert "  next  clone into a folder of your own" in err
    clone.run("assay", ASSAY_PYTHON=python)
    readable(tmp_path)
    assert as_nobody() == (0, "")


def test_the_check_before_a_command_is_cheap(clone: Clone) -> None:
    """Against starting the same Python directly, in processor seconds."""
    clone.run("assay")
    python = str(clone.root / ".venv/bin/python")

    def cost(*command: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=clone.environment())
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    launched = direct = 60.0
    for _ in range(30):
        launched = min(launched, cost(str(clone.root / "assay")))
        direct = min(direct, cost(python, "-P", "-m", "assay.cli.main"))
        if launched - direct < 0.02:
            return
    raise AssertionError(f"{launched:.3f} s through the launcher, {direct:.3f} s without")


def wait_for(condition: object) -> None:
    """Wait until something holds, half a minute at most."""
    assert callable(condition)
    for _ in range(600):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("it never happened")


def children(pid: int) -> list[int]:
    """Direct children of a process."""
    done = subprocess.run(
        ["pgrep", "-P", str(pid)], capture_output=True, encoding="utf-8", check=False
    )
    return [int(line) for line in done.stdout.split()]
