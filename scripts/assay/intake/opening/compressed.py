"""Compressed files, read as they come: gzip, bzip2 and xz, known by their first bytes.

A file may swell to `SWELL` times its size once it has given `SWELL_FROM` bytes; one that swells
more is taken for a trap. Traces come to five to fifty times.
"""

from __future__ import annotations

import bz2
import lzma
import zlib
from pathlib import PurePosixPath
from shlex import quote
from typing import Any, Protocol

from assay.errors import InputError

SWELL = 300
"""How many times its size a compressed file may give."""

SWELL_FROM = 64 * 1024 * 1024
"""Bytes that a compressed file may give whatever its size."""

_BLOCK = 256 * 1024
_XZ_MEMORY = 128 * 1024 * 1024

SUFFIXES = (".gz", ".bz2", ".xz")
"""Suffixes of files that are read although they are compressed."""

_MAGIC = ((b"\x1f\x8b", "gzip"), (b"BZh", "bzip2"), (b"\xfd7zXZ\x00", "xz"))

_OTHERS = (
    (b"\x28\xb5\x2f\xfd", "compressed by zstd", "zstd -dc {0} | assay runs import /dev/stdin"),
    (b"\x04\x22\x4d\x18", "compressed by lz4", "lz4 -dc {0} | assay runs import /dev/stdin"),
    (b"PK\x03\x04", "a zip archive", "unzip {0}"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "7z x {0}"),
    (b"PAR1", "a Parquet file", "write its rows as JSON lines"),
    (b"SQLite format 3\x00", "a SQLite database", "write its rows as JSON lines"),
)


class Readable(Protocol):
    """Something that gives bytes."""

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes; none at the end."""
        ...


def kind_of(head: bytes, name: str) -> str:
    """How a file is compressed, by its first bytes; empty where it is not.

    Raises:
        InputError: it is compressed or packed in a way that is not read here.
    """
    for magic, what, hint in _OTHERS:
        if head.startswith(magic):
            if name.endswith(".eval"):
                hint = "inspect log dump {0} > {1}.json"
            raise InputError(
                f"The file is {what}, which is not read here.",
                path=name,
                hint=hint.format(quote(name), quote(PurePosixPath(name).stem)),
            )
    return next((kind for magic, kind in _MAGIC if head.startswith(magic)), "")


def _new(kind: str) -> Any:
    if kind == "gzip":
        return zlib.decompressobj(wbits=31)
    if kind == "bzip2":
        return bz2.BZ2Decompressor()
    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)


class Inflated:
    """The bytes that a compressed stream stands for; several members in a row are one."""

    def __init__(self, raw: Readable, kind: str, name: str) -> None:
        self._raw, self._kind, self._name = raw, kind, name
        self._member = _new(kind)
        self._input = b""
        self._taken = self._given = 0

    def read(self, size: int) -> bytes:
        """Some bytes, at most `size`; none at the end.

        Raises:
            InputError: the file ends in the middle, is damaged, or swells too much.
        """
        try:
            data = self._read(size)
        except (zlib.error, OSError, lzma.LZMAError) as error:
            raise self._error(
                f"The {self._kind} data is damaged: {error}.", "{} -t {}; bring the file again"
            ) from None
        self._given += len(data)
        if self._given > SWELL_FROM and self._given > SWELL * self._taken:
            raise self._error(
                f"The file gives more than {SWELL} times its size; it is taken for a trap.",
                "if it is none, unpack it first: {} -dk {}",
            )
        return data

    def _read(self, size: int) -> bytes:
        while True:
            member = self._member
            if member.eof:
                if not self._next_member(member):
                    return b""
                continue
            if not self._input and (self._kind == "gzip" or member.needs_input):
                self._input = self._more()
            ended = not self._input
            data: bytes = member.decompress(self._input, size)
            # zlib hands back what it did not look at; the others keep it.
            self._input = member.unconsumed_tail if self._kind == "gzip" else b""
            if data:
                return data
            if ended and not member.eof:
                raise self._error(
                    f"The {self._kind} data ends in the middle.", "{} -t {}; bring the file again"
                )

    def _next_member(self, member: Any) -> bool:
        rest: bytes = member.unused_data or self._more()
        while rest and not rest.strip(b"\0"):  # Padding.
            rest = self._more()
        rest = rest.lstrip(b"\0")
        if not rest:
            return False
        if len(rest) < 6:
            rest += self._more()
        if not any(rest.startswith(magic) for magic, kind in _MAGIC if kind == self._kind):
            raise self._error(
                f"Other bytes follow the {self._kind} data.", "{} -t {}; bring the file again"
            )
        self._member, self._input = _new(self._kind), rest
        return True

    def _more(self) -> bytes:
        block = self._raw.read(_BLOCK)
        self._taken += len(block)
        return block

    def _error(self, message: str, hint: str) -> InputError:
        return InputError(message, path=self._name, hint=hint.format(self._kind, quote(self._name)))
