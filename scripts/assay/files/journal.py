"""Bulk writes that are all there or not there at all, whenever they are killed.

All new files are staged below ``.assay/journal/`` with one fsync a batch; a marker then says
that the stage is complete; only after that are the files moved into place. Without the marker
the stage is rubbish and is thrown away; with it the move is finished by the next writing
command.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from assay.errors import AssayError, InputError, RefusedError
from assay.files.reading import read_json
from assay.files.writing import locked, write_bytes, write_text

FOLDER = ".assay/journal"
_MARK = "complete.json"
_BEFORE = ".before"
_UNDO = "undo.json"
"""The mark under another name: what was moved is removed again. It is renamed and never written,
so that a bulk write is to be finished or to be undone, and not both.
"""


def pending(root: Path) -> bool:
    """Whether an interrupted bulk write is waiting to be finished or rolled back."""
    stage = root / FOLDER
    return (stage / _MARK).exists() or (stage / _UNDO).exists()


def left_over(root: Path) -> bool:
    """Whether a killed command left anything, be it only what the next one throws away."""
    return (root / FOLDER).exists()


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
        InputError: the repository cannot be written; what the message says of the rest is so.
    """
    with locked(root):
        finish(root)
        stage = root / FOLDER
        targets: list[str] = []
        try:
            stage.mkdir(parents=True)
            for path, data in files:
                # Not `exists`: a link that leads nowhere would be replaced.
                if os.path.lexists(f"{root}/{path}"):
                    if path not in replacing:
                        words = "The file exists already; nothing was written."
                        raise RefusedError(words, path=path)
                    shutil.copyfile(f"{root}/{path}", f"{stage}/{len(targets):08d}{_BEFORE}")
                with open(f"{stage}/{len(targets):08d}", "wb") as stream:  # noqa: PTH123
                    stream.write(data)
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
    """Finish an interrupted bulk write, or an interrupted roll back; the caller holds the lock.

    Returns:
        How many files were moved into place.

    Raises:
        InputError: the repository cannot be written; the bulk write is still pending.
    """
    stage = root / FOLDER
    if (stage / _UNDO).exists():
        _undo(root)
    try:
        if not (stage / _MARK).exists():
            if stage.exists():  # Of a command that was killed before it had staged all.
                shutil.rmtree(stage)
            return 0
        moved = _move(root)
        _throw_away(stage, _MARK)
    except OSError as error:
        raise InputError(
            f"Cannot be written: {error.strerror}; the bulk write waits for the rest.",
            path=error.filename2 or error.filename or stage.as_posix(),
            hint="df -h . && ls -ld .; then assay doctor --roll-forward, or --rollback",
        ) from None
    return moved


def _move(root: Path) -> int:
    moved = 0
    made: set[str] = set()
    for source, target in _moves(root, _MARK):
        folder = os.path.dirname(target)  # noqa: PTH120
        if folder not in made:
            os.makedirs(folder, exist_ok=True)  # noqa: PTH103
            made.add(folder)
        try:
            os.replace(source, target)
        except FileNotFoundError:
            continue  # It was moved before the command was killed.
        moved += 1
    return moved


def roll_back(root: Path) -> int:
    """Throw an interrupted bulk write away: files already moved are removed again, and what they
    replaced is put back.

    Returns:
        How many files were taken from their place.
    """
    stage = root / FOLDER
    with locked(root):
        if (stage / _MARK).exists():
            os.replace(stage / _MARK, stage / _UNDO)
        removed = _undo(root)
        shutil.rmtree(stage, ignore_errors=True)
    return removed


def _undo(root: Path) -> int:
    if not (root / FOLDER / _UNDO).exists():
        return 0
    removed = 0
    for source, target in _moves(root, _UNDO):
        if not os.path.lexists(source) and os.path.lexists(target):
            before = f"{source}{_BEFORE}"
            if os.path.lexists(before):
                # A copy, so that an undo that is killed as well can be done again.
                write_bytes(Path(target), Path(before).read_bytes())
            else:
                os.unlink(target)
            removed += 1
    _throw_away(root / FOLDER, _UNDO)
    return removed


def _moves(root: Path, mark: str) -> Iterator[tuple[str, str]]:
    stage = root / FOLDER
    targets = read_json(stage / mark)
    assert isinstance(targets, list)
    for index, path in enumerate(targets):
        yield f"{stage}/{index:08d}", f"{root}/{path}"


def _throw_away(stage: Path, mark: str) -> None:
    # The mark goes first: a stage that is half gone must not be taken for one that is whole.
    os.sync()
    (stage / mark).unlink()
    shutil.rmtree(stage)
