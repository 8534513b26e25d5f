"""Bring the data behind the pointers: already here, else pulled, else rebuilt, else a message.

Whatever way it came, it is compared with its pointer before it takes its place. A rebuild
happens in ``NAME.partial`` and is moved into place whole, so that a kill leaves nothing that
DVC would accept.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from assay.errors import AssayError, InputError
from assay.models.finding import Finding
from assay.telemetry.digests import digest_of
from assay.telemetry.manifest import CORPORA, Manifest, manifests
from assay.telemetry.pointers import Pointer, pointers, write_pointer
from assay.telemetry.proving import absent, compare, missing, unreadable
from assay.telemetry.recordings import record
from assay.telemetry.simulate import simulate

Say = Callable[[str], None]


def bring(root: Path, say: Say) -> list[Finding]:
    """Make every pointer's data be there and be proved.

    Args:
        root: the repository.
        say: told in one line about anything that takes time.

    Returns:
        What prevents it; empty when all data is there and proved. Stops at the first fault of
        a pointer, since others may be made from it.
    """
    # Asked once, and only where something is missing: it costs a start of dvc.
    remote = functools.cache(lambda: has_remote(root))
    try:
        found, known = pointers(root), manifests(root)
        for pointer in found:
            finding = _bring_one(root, pointer, known, say, remote)
            if finding is not None:
                return [finding]
    except AssayError as error:
        return [unreadable(error)]
    return []


def _bring_one(
    root: Path, pointer: Pointer, known: list[Manifest], say: Say, remote: Callable[[], bool]
) -> Finding | None:
    if not absent(root, pointer):
        return compare(root, pointer)
    why = ", and no remote is configured"
    if remote():
        say(f"Pulling {pointer.name} …")
        why = f", and dvc pull failed: {_pull(root, pointer)}"
        if not absent(root, pointer):
            return compare(root, pointer)
    sources = [m for m in known if declaration(m, pointer.name)]
    if not sources or not all(m.simulated for m in sources):
        return missing(pointer, why + ", and no corpus that is simulated makes it")
    say(f"Rebuilding {pointer.name} …")
    partial = rebuild(root, pointer.name, sources)
    actual = digest_of(partial)
    if actual.md5 != pointer.digest.md5:
        names = ", ".join(f"{CORPORA}/{m.corpus}/{declaration(m, pointer.name)}" for m in sources)
        return Finding(
            code="DAT003",
            severity="error",
            path=pointer.file,
            message=f"{names} and {pointer.file} disagree: rebuilt, it has md5"
            f" {actual.md5[:8]} and not {pointer.digest.md5[:8]}.",
            hint=f"git log --oneline -3 -- {pointer.file} {CORPORA} scripts/assay/telemetry"
            f"     the rebuilt data lies in {partial.name}",
        )
    put(root, pointer.name)
    return None


def declaration(manifest: Manifest, name: str) -> str | None:
    """The file of a corpus that declares how a folder is made; none where it does not."""
    declared = {"telemetry": manifest.telemetry, "cassettes": manifest.cassettes}
    return declared.get(name)


def rebuild(root: Path, name: str, sources: list[Manifest]) -> Path:
    """Make a folder anew as ``NAME.partial``.

    Raises:
        InputError: a declaration is wrong, or the folder cannot be written.
    """
    partial = root / f"{name}.partial"
    try:
        if partial.exists():
            shutil.rmtree(partial)
        partial.mkdir()
    except OSError as error:
        raise InputError(
            f"Cannot be written: {error.strerror}.", path=partial.name, hint=f"ls -ld {root}"
        ) from None
    for manifest in sources:
        label = f"{CORPORA}/{manifest.corpus}/{declaration(manifest, name)}"
        target = partial / manifest.corpus
        if name == "telemetry":
            simulate(root / label, label, target)
        else:
            record(root / label, label, root / "telemetry" / manifest.corpus, target)
    return partial


def put(root: Path, name: str) -> None:
    """Move the rebuilt folder into place; only an empty folder may stand there."""
    os.replace(root / f"{name}.partial", root / name)


def accept(root: Path, say: Say) -> None:
    """Rebuild all simulated data and write its pointers. Only on a person's request.

    Raises:
        InputError: a declaration is wrong.
    """
    known = manifests(root)
    for name in ("telemetry", "cassettes"):
        sources = [m for m in known if declaration(m, name)]
        if sources and all(m.simulated for m in sources):
            digest = digest_of(rebuild(root, name, sources))
            if (root / name).exists():
                shutil.rmtree(root / name)
            put(root, name)
            write_pointer(root, name, digest)
            say(f"{name}.dvc")


def has_remote(root: Path) -> bool:
    """Whether a default remote is configured, for this clone, this person or this machine."""
    done = _dvc(root, "config", "core.remote")
    return done.returncode == 0 and bool(done.stdout.strip())


def _pull(root: Path, pointer: Pointer) -> str:
    done = _dvc(root, "pull", pointer.file)
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    return lines[-1].removeprefix("ERROR: ") if done.returncode and lines else "nothing came"


def _dvc(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "dvc", *arguments],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
