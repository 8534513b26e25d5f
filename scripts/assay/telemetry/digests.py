"""The digests that DVC writes into its pointer files, computed without DVC.

DVC silently takes a changed folder for the new truth and rewrites its pointer, so data must be
proved before DVC sees it. A file's digest is the MD5 of its bytes. A folder's is the MD5 of a
JSON list of ``{"md5", "relpath"}``, sorted by relpath as plain text, written as Python's
``json.dumps`` does it; empty folders do not count.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from assay.errors import InputError

_CHUNK = 1 << 20


@dataclass(frozen=True)
class Digest:
    """What a pointer says of the data, or what was found on the disk."""

    md5: str
    """Hexadecimal MD5, with ``.dir`` appended for a folder."""
    size: int
    """Bytes of all files."""
    nfiles: int | None = None
    """Number of files of a folder; none for a file."""


def file_md5(path: Path) -> tuple[str, int]:
    """MD5 and size of a file, read in pieces.

    Raises:
        InputError: it cannot be read.
    """
    total, size = hashlib.md5(usedforsecurity=False), 0
    try:
        with path.open("rb") as stream:
            while piece := stream.read(_CHUNK):
                total.update(piece)
                size += len(piece)
    except OSError as error:
        raise InputError(
            f"Cannot be read: {error.strerror}.", path=path.as_posix(), hint=f"ls -l {path}"
        ) from None
    return total.hexdigest(), size


def folder_rows(folder: Path) -> tuple[dict[str, str], int]:
    """Relative path to MD5 of all files below a folder, sorted, and their total size."""
    rows: dict[str, str] = {}
    size = 0
    for path in folder.rglob("*"):
        if path.is_file():
            rows[path.relative_to(folder).as_posix()], bytes_ = file_md5(path)
            size += bytes_
    return dict(sorted(rows.items())), size


def digest_of(path: Path) -> Digest:
    """Digest of a file or folder.

    Raises:
        InputError: something in it cannot be read.
    """
    if not path.is_dir():
        md5, size = file_md5(path)
        return Digest(md5, size)
    rows, size = folder_rows(path)
    return Digest(rows_md5(rows), size, len(rows))


def rows_md5(rows: dict[str, str]) -> str:
    """DVC's digest of a folder with these files."""
    listing = [{"md5": rows[name], "relpath": name} for name in sorted(rows)]
    text = json.dumps(listing, sort_keys=True)
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest() + ".dir"
