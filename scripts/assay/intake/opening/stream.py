"""The bytes of one file, in blocks: unpacked, without a mark, and counted as they go by."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from shlex import quote
from types import TracebackType

from assay.errors import InputError
from assay.files.reading import decode, open_binary, readable
from assay.intake.opening.compressed import SUFFIXES, Inflated, Readable, kind_of

BLOCK = 1024 * 1024
"""Bytes that are asked for at once."""

Watch = Callable[[int], None]
"""Told how many bytes of a file were taken since it was told the last time."""

_WIDE = {
    b"{\0": "UTF-16LE",
    b"[\0": "UTF-16LE",
    b'"\0': "UTF-16LE",
    b"\0{": "UTF-16BE",
    b"\0[": "UTF-16BE",
    b'\0"': "UTF-16BE",
}


class Stream:
    """One file while it is read."""

    def __init__(self, path: Path, name: str, watch: Watch | None = None) -> None:
        """Open it.

        Raises:
            InputError: missing, no regular file, not permitted, no UTF-8, packed in a way that
                is not read here.
        """
        self.name = name
        self._path = path
        self._watch = watch
        self._file, self.size = open_binary(path, name=name)
        try:
            self._before = self._state()
            self._front = self._raw(16)
            self.compression = kind_of(self._front, name)
            self._inner: Readable = _Raw(self)
            if self.compression:
                self._inner = Inflated(self._inner, self.compression, name)
            head = self._start()
        except BaseException:
            self._file.close()
            raise
        self._pushed = [head] if head else []
        self._given = len(head)

    def __enter__(self) -> Stream:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    @property
    def suffix(self) -> str:
        """The suffix that tells the layout: that of what is compressed."""
        path = Path(self.name)
        if path.suffix.lower() in SUFFIXES:
            path = path.with_suffix("")
        return path.suffix.lower()

    def read(self, size: int = BLOCK) -> bytes:
        """At most `size` bytes, fewer where that is quicker; none at the end.

        Raises:
            InputError: the file cannot be read on.
        """
        if self._pushed:
            data = self._pushed.pop()
            if len(data) > size:
                self._pushed.append(data[size:])
                data = data[:size]
            return data
        data = self._inner.read(size)
        self._given += len(data)
        return data

    @property
    def given(self) -> int:
        """How many bytes came out of it so far, unpacked."""
        return self._given - sum(map(len, self._pushed))

    def unread(self, data: bytes) -> None:
        """Hand bytes back: the next `read` gives them."""
        if data:
            self._pushed.append(data)

    def peek(self, enough: Callable[[bytearray], bool], limit: int) -> bytes:
        """What comes next: until it is enough, the limit is reached, or the file ends."""
        parts = bytearray()
        while not enough(parts) and len(parts) <= limit:
            block = self.read(BLOCK)
            if not block:
                break
            parts += block
        data = bytes(parts)
        self.unread(data)
        return data

    def read_all(self, limit: int) -> bytes:
        """The rest, or a little more than `limit` bytes of it."""
        parts: list[bytes] = []
        length = 0
        while length <= limit:
            block = self.read(max(BLOCK, min(limit - length + 1, 16 * BLOCK)))
            if not block:
                break
            parts.append(block)
            length += len(block)
        return b"".join(parts)

    @property
    def changed(self) -> bool:
        """Whether somebody wrote to the file since it was opened."""
        return self.size is not None and self._state() != self._before

    def _state(self) -> tuple[int, int, int]:
        status = os.fstat(self._file.fileno())
        return status.st_size, status.st_mtime_ns, status.st_ctime_ns

    def _raw(self, size: int) -> bytes:
        """Bytes of the file itself."""
        with readable(self._path, self.name):
            data = self._file.read(size)
        if self._watch is not None and data:
            self._watch(len(data))
        return data

    def _start(self) -> bytes:
        """The first bytes, once it is known that they are UTF-8; a mark is taken off."""
        head = b""
        while len(head) < 4:
            block = self._inner.read(BLOCK)
            if not block:
                break
            head += block
        if head[:2] in (b"\xff\xfe", b"\xfe\xff") or head[:4] == b"\0\0\xfe\xff":
            decode(head[:4], name=self.name)
        wide = _WIDE.get(head[:2])
        if wide and len(head) > 3:
            raise InputError(
                f"The file is {wide}, not UTF-8.",
                path=self.name,
                line=1,
                hint=f"iconv -f {wide} -t UTF-8 {quote(self.name)} > fixed"
                f" && mv fixed {quote(self.name)}",
            )
        return head.removeprefix(b"\xef\xbb\xbf")


class _Raw:
    """The file itself, beginning with what was read to look at it."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def read(self, size: int, /) -> bytes:
        front, self._stream._front = self._stream._front, b""
        return front or self._stream._raw(size)
