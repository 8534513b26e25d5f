"""Whether the data on the disk is what the pointers say. Runs before anything else may.

Codes of the findings:

DAT001  The data is here and differs from its pointer. Nothing is run and nothing is rewritten.
DAT002  The data is not here and cannot be had from a remote, nor rebuilt.
DAT003  What was rebuilt differs from the pointer: the declaration and the pointer disagree.
DAT004  A pointer or manifest cannot be read.
"""

from __future__ import annotations

import json
from pathlib import Path

from assay.errors import AssayError
from assay.models.finding import Finding
from assay.telemetry.digests import Digest, digest_of, folder_rows
from assay.telemetry.pointers import Pointer, pointers


def verify(root: Path) -> list[Finding]:
    """One finding for each pointer whose data is missing or differs; none when all is proved.

    Only reads. An empty list is the proof that every tracked file has the promised bytes.
    """
    try:
        found = pointers(root)
    except AssayError as error:
        return [unreadable(error)]
    findings: list[Finding] = []
    for pointer in found:
        try:
            finding = missing(pointer) if absent(root, pointer) else compare(root, pointer)
        except AssayError as error:
            finding = unreadable(error)
        findings += [finding] if finding else []
    return findings


def absent(root: Path, pointer: Pointer) -> bool:
    """Whether there is nothing where the data should be; an empty folder is nothing."""
    path = root / pointer.name
    return not path.exists() or (path.is_dir() and not any(path.iterdir()))


def compare(root: Path, pointer: Pointer) -> Finding | None:
    """The finding about data that is there, or none."""
    actual = digest_of(root / pointer.name)
    if actual.md5 == pointer.digest.md5:
        return None
    return Finding(
        code="DAT001",
        severity="error",
        path=pointer.file,
        message=f"{pointer.name} is here but differs from {pointer.file}: "
        f"{difference(root, pointer, actual)}.",
        hint=f"mv {pointer.name} {pointer.name}.changed && ./scripts/repro"
        f"     or, if the change is meant: dvc add {pointer.name}",
    )


def difference(root: Path, pointer: Pointer, actual: Digest) -> str:
    """What is different, by file name where DVC's cache still knows the old list."""
    listing = in_cache(root, pointer)
    if pointer.digest.nfiles is not None and listing.is_file() and (root / pointer.name).is_dir():
        try:
            old = {row["relpath"]: row["md5"] for row in json.loads(listing.read_bytes())}
        except (ValueError, KeyError, TypeError, OSError):
            old = {}
        new, _ = folder_rows(root / pointer.name)
        parts = {
            "changed": sorted(name for name in old if name in new and old[name] != new[name]),
            "missing": sorted(set(old) - set(new)),
            "added": sorted(set(new) - set(old)),
        }
        words = [f"{word} {_some(names)}" for word, names in parts.items() if names]
        if old and words:
            return "; ".join(words)
    return f"{_size(actual)} here, {_size(pointer.digest)} there"


def in_cache(root: Path, pointer: Pointer) -> Path:
    """Where dvc's cache keeps the file, or the list of a folder's files."""
    md5 = pointer.digest.md5
    return root / ".dvc" / "cache" / "files" / "md5" / md5[:2] / md5[2:]


def cached(root: Path, pointer: Pointer) -> bool:
    """Whether dvc's cache has it."""
    return in_cache(root, pointer).is_file()


def missing(pointer: Pointer, why: str = "") -> Finding:
    """The finding about data that is not there."""
    return Finding(
        code="DAT002",
        severity="error",
        path=pointer.file,
        message=f"{pointer.name} is not here{why}.",
        hint="./scripts/repro"
        if not why
        else f"dvc remote add --local -d store URL && ./scripts/repro     or copy {pointer.name}/"
        " from a clone that has it",
    )


def unreadable(error: AssayError) -> Finding:
    """A file that could not be read, as a finding."""
    return Finding(
        code="DAT004",
        severity="error",
        path=error.path,
        line=error.line,
        column=error.column,
        pointer=error.pointer,
        message=error.message,
        hint=error.hint,
    )


def _some(names: list[str]) -> str:
    shown = ", ".join(names[:3])
    return shown if len(names) <= 3 else f"{shown} and {len(names) - 3} more"


def _size(digest: Digest) -> str:
    files = "" if digest.nfiles is None else f"{digest.nfiles} files, "
    return f"{files}{digest.size} bytes, md5 {digest.md5[:8]}"
