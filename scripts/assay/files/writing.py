"""Writing files so that a kill at any moment leaves the old file or the new one, whole."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from shlex import quote

from assay.errors import InputError, RefusedError


def write_text(path: Path, text: str) -> None:
    """Write UTF-8 with LF through a temporary file in the same folder, fsync and rename.

    Raises:
        InputError: the folder cannot be written.
    """
    write_bytes(path, text.encode("utf-8", "surrogatepass"))


def write_bytes(path: Path, data: bytes) -> None:
    """Write bytes through a temporary file in the same folder, fsync and rename.

    Raises:
        InputError: the folder cannot be written.
    """
    write_blocks(path, (data,))


def write_blocks(path: Path, blocks: Iterable[bytes]) -> None:
    """Write bytes block by block, as `write_bytes` writes them at once.

    Raises:
        InputError: the folder cannot be written.
    """
    if path.is_symlink():
        path = Path(os.path.realpath(path))  # The link stays; what it points to is written.
    if path.exists() and not path.is_file():
        # Renaming over a device or a pipe would put a file in its place.
        raise InputError(
            "This is no regular file; nothing was written.",
            path=path.as_posix(),
            hint=f"ls -ld {quote(path.as_posix())}",
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(
            prefix=f".{path.name}.", suffix=".tmp", dir=path.parent
        )
        try:
            with os.fdopen(handle, "wb") as stream:
                for block in blocks:
                    stream.write(block)
                stream.flush()
                os.fsync(stream.fileno())
            os.chmod(temporary, 0o644)
            os.replace(temporary, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
    except OSError as error:
        raise InputError(
            f"Cannot be written: {error.strerror}.",
            path=path.as_posix(),
            hint=_look_at(error, path.parent),
        ) from None


def _look_at(error: OSError, folder: Path) -> str:
    """The command that shows why a folder cannot be written."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    return f"{'df -h' if full else 'ls -ld'} {quote(folder.as_posix())}"


def is_leftover(name: str) -> bool:
    """Whether a file's name is one that only a killed command can have left behind."""
    return name.startswith(".") and name.endswith(".tmp")


def sweep(folder: Path, suffix: str) -> None:
    """Remove what killed commands left of files with this suffix; the caller holds the lock."""
    for path in sorted(folder.glob(f".*{suffix}.*.tmp")):
        with contextlib.suppress(OSError):
            path.unlink()


def write_new(path: Path, data: bytes, *, name: str | None = None) -> None:
    """Write a file that must not exist yet: complete and synced before it gets its name.

    Raises:
        RefusedError: the file exists.
        InputError: the folder cannot be written.
    """
    label = name or path.as_posix()
    if path.exists():
        raise RefusedError("The file exists already; nothing was written.", path=label)
    temporary = path.with_name(f".{path.name}.new.tmp")
    write_bytes(temporary, data)
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise RefusedError("The file exists already; nothing was written.", path=label) from None
    except OSError:
        # A file system without hard links: the lock is held, so nobody else is writing.
        os.replace(temporary, path)
        return
    finally:
        with contextlib.suppress(FileNotFoundError):
            temporary.unlink()


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the writers' lock of a repository; a second writer is refused, never queued.

    The lock is released by the kernel when the process ends, so a kill leaves nothing behind.

    Raises:
        RefusedError: another command is writing.
        InputError: the folder cannot be written.
    """
    import fcntl

    target = folder / ".assay" / "lock"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        stream = target.open("a+b")
    except OSError as error:
        raise InputError(
            f"Cannot be written: {error.strerror}.",
            path=target.as_posix(),
            hint=_look_at(error, folder),
        ) from None
    with stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RefusedError(
                "Another command is writing to this repository.",
                path=folder.as_posix(),
                hint="wait until it has ended, then type the command again",
            ) from None
        yield
