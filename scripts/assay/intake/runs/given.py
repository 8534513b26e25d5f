"""The files that an import was given: folders are looked through, doubled ones are left out."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote

from assay.errors import InputError
from assay.intake.opening import table
from assay.intake.opening.compressed import SUFFIXES as COMPRESSED
from assay.intake.opening.feed import LINES

SUFFIXES = (".json", *LINES, *table.SUFFIXES, ".eval")
"""Suffixes of files that are looked at in a folder, also before that of a compressed file."""


@dataclass(frozen=True)
class Given:
    """One file to read."""

    path: Path
    """The file."""
    found: bool = False
    """Whether it was found in a folder: then it need hold no runs."""


@dataclass
class GivenFiles:
    """All files to read, in order."""

    files: list[Given] = field(default_factory=list)
    """Files as they were given; those of a folder by path."""
    others: int = 0
    """Files in folders that have another suffix."""
    doubled: int = 0
    """Files that were given before, under this name or another one."""
    errors: list[InputError] = field(default_factory=list)
    """Folders that hold nothing to read."""

    @property
    def size(self) -> int | None:
        """Bytes of all files; None where one of them does not say."""
        total = 0
        for given in self.files:
            try:
                status = os.stat(given.path)
            except (OSError, ValueError):
                continue
            if not given.path.is_file():
                return None
            total += status.st_size
        return total


def given_files(paths: Sequence[Path], out: Path) -> GivenFiles:
    """The files that some paths name.

    Args:
        paths: files and folders. Hidden files, links to folders, and what lies below `out` are
            left out of a folder.
        out: folder that is written to.
    """
    result = GivenFiles()
    seen: set[tuple[int, int]] = set()
    for path in paths:
        if not path.is_dir():
            _add(Given(path), result, seen)
            continue
        before = len(result.files) + result.doubled
        for file in sorted(_below(path, out), key=lambda file: file.as_posix()):
            if _suffix(file) in SUFFIXES:
                _add(Given(file, found=True), result, seen)
            else:
                result.others += 1
        if len(result.files) + result.doubled == before:
            result.errors.append(
                InputError(
                    "The folder holds no JSON, JSON lines or table.",
                    path=path.as_posix(),
                    hint=f"ls {quote(path.as_posix())}",
                )
            )
    return result


def _add(given: Given, result: GivenFiles, seen: set[tuple[int, int]]) -> None:
    try:
        status = os.stat(given.path)
    except (OSError, ValueError):
        result.files.append(given)  # Reading it says what is wrong.
        return
    key = (status.st_dev, status.st_ino)
    if key in seen:
        result.doubled += 1
        return
    seen.add(key)
    result.files.append(given)


def _suffix(path: Path) -> str:
    if path.suffix.lower() in COMPRESSED:
        path = path.with_suffix("")
    return path.suffix.lower()


def _below(folder: Path, out: Path) -> Iterator[Path]:
    away = os.path.realpath(out)
    for base, folders, names in os.walk(folder):
        folders[:] = [
            name
            for name in folders
            if not name.startswith(".") and os.path.realpath(Path(base, name)) != away
        ]
        for name in names:
            path = Path(base, name)
            if not name.startswith(".") and path.is_file():
                yield path
