"""Lock the dependencies: hashed requirements files, one per Python version and tier.

``scripts/lock`` runs this. A tier holds only what it adds to the one before it, so that no
package is pinned twice:

    build        what source distributions are built with; installed first
    base         what ``assay`` and ``scripts/repro`` need
    dev          what ``scripts/test`` needs besides
    conformance  the libraries that serve as oracles in ``scripts/test --conformance``

A file names packages, versions and hashes, and no index, host, path or time. Of the hashes of
a release it holds those of the wheels that CPython of that version can install on Linux
(x86_64, aarch64) and macOS, and of the source only where such a wheel is missing on Linux.
All tiers of one Python version come from one resolution, so they always fit together.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from packaging.markers import Marker
from packaging.tags import Tag
from packaging.utils import canonicalize_name, parse_wheel_filename

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PYTHONS = ("3.11", "3.12", "3.13")
TIERS: dict[str, tuple[str, ...]] = {
    "base": ("pipeline",),
    "dev": ("pipeline", "dev"),
    "conformance": ("pipeline", "dev", "oracles"),
}
BUILD = ("setuptools",)
MACHINES = (("linux", "x86_64"), ("linux", "aarch64"), ("darwin", "x86_64"), ("darwin", "arm64"))
PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)


def main() -> int:
    """Write all lock files and their digest."""
    parser = argparse.ArgumentParser(prog="scripts/lock", description=__doc__.split("\n")[0])
    parser.add_argument("--upgrade", action="store_true", help="take the newest versions")
    arguments = parser.parse_args()
    if shutil.which("uv") is None:
        print("uv is not installed.\n  next  python -m pip install uv", file=sys.stderr)
        return 3
    for python in PYTHONS:
        pins = {} if arguments.upgrade else old_pins(python)
        try:
            files = lock(python, pins)
        except subprocess.CalledProcessError as error:
            print(error.stderr, file=sys.stderr)
            print("No set of versions fits.\n  next  scripts/lock --upgrade", file=sys.stderr)
            return 1
        for tier, text in files.items():
            (HERE / f"{tier}-{python}.txt").write_text(text, encoding="utf-8", newline="\n")
    (HERE / "digest").write_text(digest(HERE) + "\n", encoding="utf-8", newline="\n")
    print(HERE)
    return 0


def digest(folder: Path) -> str:
    """SHA-256 over names and bytes of all lock files; what `.venv` is compared with."""
    total = hashlib.sha256()
    for file in sorted(folder.glob("*-3.*.txt")):
        total.update(f"{file.name}\n".encode() + file.read_bytes())
    return total.hexdigest()


def old_pins(python: str) -> dict[str, str]:
    """Name to version as they are locked now."""
    texts = (file.read_text(encoding="utf-8") for file in HERE.glob(f"*-{python}.txt"))
    return {name: version for text in texts for name, version in PIN.findall(text)}


def lock(python: str, pins: dict[str, str]) -> dict[str, str]:
    """Tier to the text of its lock file."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        constraints = folder / "constraints.txt"
        constraints.write_text("".join(f"{n}=={v}\n" for n, v in sorted(pins.items())))
        target = folder / "pylock.toml"
        compile_(python, TIERS["conformance"], constraints, "--format", "pylock.toml", "-o", target)
        packages = [
            package
            for package in tomllib.loads(target.read_text(encoding="utf-8"))["packages"]
            if any(fits(package, python, *machine) for machine in MACHINES)
        ]
        constraints.write_text("".join(f"{p['name']}=={p['version']}\n" for p in packages))
        tier_of = dict.fromkeys(map(canonicalize_name, BUILD), "build")
        for tier in ("base", "dev"):
            text = compile_(python, TIERS[tier], constraints, "--format", "requirements.txt")
            for found, _ in PIN.findall(text):
                tier_of.setdefault(canonicalize_name(found), tier)
    entries: dict[str, list[str]] = {tier: [] for tier in ("build", *TIERS)}
    for package in sorted(packages, key=lambda p: canonicalize_name(p["name"])):
        tier = tier_of.get(canonicalize_name(package["name"]), "conformance")
        entries[tier].append(entry(package, python))
    head = f"# Python {python}. Written by scripts/lock, never by hand.\n"
    return {tier: head + "".join(lines) for tier, lines in entries.items()}


def compile_(python: str, extras: tuple[str, ...], constraints: Path, *options: str | Path) -> str:
    """Run uv's resolver and return what it printed."""
    command: list[str | Path] = ["uv", "pip", "compile", "--quiet", "--universal", "--no-header"]
    command += ["--python-version", python, "--no-annotate", "--constraints", constraints]
    for extra in extras:
        command += ["--extra", extra]
    command += [*options, ROOT / "pyproject.toml"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def fits(package: dict[str, Any], python: str, system: str, machine: str) -> bool:
    """Whether the package is wanted on such a machine."""
    environment = {
        "implementation_name": "cpython",
        "implementation_version": f"{python}.0",
        "os_name": "posix",
        "platform_machine": machine,
        "platform_python_implementation": "CPython",
        "platform_system": system.capitalize(),
        "python_full_version": f"{python}.0",
        "python_version": python,
        "sys_platform": system,
    }
    marker = package.get("marker")
    return marker is None or Marker(marker).evaluate(environment)


def entry(package: dict[str, Any], python: str) -> str:
    """One requirement with its hashes."""
    wanted = [machine for machine in MACHINES if fits(package, python, *machine)]
    marker = ""
    if len(wanted) < len(MACHINES):
        systems = " or ".join(
            f'(sys_platform == "{system}" and platform_machine == "{machine}")'
            for system, machine in wanted
        )
        marker = f" ; {systems}"
    hashes: set[str] = set()
    covered: set[tuple[str, str]] = set()
    for wheel in package.get("wheels", ()):
        tags = parse_wheel_filename(wheel["url"].rsplit("/", 1)[-1])[3]
        machines = {m for m in wanted if any(installs(tag, python, *m) for tag in tags)}
        if machines:
            hashes.add(wheel["hashes"]["sha256"])
            covered |= machines
    if any(machine not in covered for machine in wanted if machine[0] == "linux"):
        hashes.add(package["sdist"]["hashes"]["sha256"])
    lines = [f"{package['name']}=={package['version']}{marker}"]
    lines += [f"    --hash=sha256:{value}" for value in sorted(hashes)]
    return " \\\n".join(lines) + "\n"


def installs(tag: Tag, python: str, system: str, machine: str) -> bool:
    """Whether CPython of that version installs wheels of that tag on such a machine."""
    minor = int(python.split(".")[1])
    if tag.abi == f"cp3{minor}":
        language = tag.interpreter == tag.abi
    elif tag.abi == "abi3":
        language = tag.interpreter.startswith("cp3") and int(tag.interpreter[3:]) <= minor
    else:
        language = tag.abi == "none" and (
            tag.interpreter in {"py3", f"cp3{minor}"}
            or (tag.interpreter.startswith("py3") and int(tag.interpreter[3:]) <= minor)
        )
    if not language:
        return False
    if tag.platform == "any":
        return True
    if system == "linux":
        return "linux" in tag.platform and tag.platform.endswith(f"_{machine}")
    return tag.platform.startswith("macosx") and tag.platform.endswith((machine, "universal2"))


if __name__ == "__main__":
    raise SystemExit(main())
