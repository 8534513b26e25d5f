"""Bulk writes that are all there or not there at all, whenever they are killed.

All new files are staged below ``.assay/journal/`` with one fsync a batch; a marker then says
that the stage is complete; only after that are the files moved into place. Without the marker
the stage is rubbish and is thrown away; with it the move is finished by the next writing
command.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Iterable
from pathlib import Path

from assay.errors import AssayError, InputError, RefusedError
from assay.files.reading import read_json
from assay.files.writing import locked, write_text

FOLDER = ".assay/journal"
_MARK = "complete.json"
_BEFORE = ".before"


def pending(root: Path) -> bool:
    """Whether an interrupted bulk write is waiting to be finished or rolled back."""
    return (root / FOLDER / _MARK).exists()


def write_all(
    root: Path, files: Iterable[tuple[str, bytes]], *, replacing: Collection[str] = ()
) -> int:
    """Write files, all or none.

    Args:
        root: the repository.
        files: path relative to `root` and content; no path may exist yet.
        replacing: paths that may; what stands there is kept until all is done.

    Returns:
        How many files were written.

    Raises:
        RefusedError: another command is writing, or a target exists.
        InputError: the repository cannot be written.
    """
    with locked(root):
        finish(root)
        stage = root / FOLDER
        shutil.rmtree(stage, ignore_errors=True)
        targets: list[str] = []
        try:
            stage.mkdir(parents=True)
            for path, data in files:
                name = f"{len(targets):08d}"
                if (root / path).exists():
                    if path not in replacing:
                        words = "The file exists already; nothing was written."
                        raise RefusedError(words, path=path)
                    shutil.copyfile(root / path, stage / f"{name}{_BEFORE}")
                (stage / name).write_bytes(data)
                targets.append(path)
            os.sync()
            rows = ",\n".join(f"  {_json(path)}" for path in targets)
            write_text(stage / _MARK, "[\n" + rows + "\n]\n")
        except OSError as error:
            shutil.rmtree(stage, ignore_errors=True)
            raise InputError(
                f"Cannot be written: {error.strerror}; nothing was written.",
                path=stage.as_posix(),
                hint=f"ls -ld {root.as_posix()}",
            ) from None
        except AssayError:
            shutil.rmtree(stage, ignore_errors=True)
            raise
        finish(root)
    return len(targets)


def _json(text: str) -> str:
    import json

    return json.dumps(text, ensure_ascii=False)


def finish(root: Path) -> int:
    """Finish an interrupted bulk write; the caller holds the lock.

    Returns:
        How many files were moved into place.
    """
    stage = root / FOLDER
    if not pending(root):
        return 0
    targets = read_json(stage / _MARK)
    assert isinstance(targets, list)
    moved = 0
    for index, path in enumerate(targets):
        source = stage / f"{index:08d}"
        if source.exists():
            target = root / str(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            os.replace(source, target)
            moved += 1
    os.sync()
    shutil.rmtree(stage)
    return moved


def roll_back(root: Path) -> int:
    """Throw an interrupted bulk write away: files already moved are removed again, and what they
    replaced is put back.

    Returns:
        How many files were taken from their place.
    """
    stage = root / FOLDER
    removed = 0
    with locked(root):
        if pending(root):
            targets = read_json(stage / _MARK)
            assert isinstance(targets, list)
            for index, path in enumerate(targets):
                if not (stage / f"{index:08d}").exists() and (root / str(path)).exists():
                    before = stage / f"{index:08d}{_BEFORE}"
                    if before.exists():
                        os.replace(before, root / str(path))
                    else:
                        (root / str(path)).unlink()
                    removed += 1
        shutil.rmtree(stage, ignore_errors=True)
    return removed
