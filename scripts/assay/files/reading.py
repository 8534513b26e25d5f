"""Reading files that people and other programs wrote: strict about bytes, clear about faults.

A byte order mark and CRLF are read as if they were absent. Records of a JSONL file are
separated by LF only, so that U+2028 or U+0085 inside a text never cut a record. Numbers are
exact (``int`` or ``Decimal``), doubled keys are refused, NaN and Infinity are no JSON.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import stat
from collections.abc import Iterator
from pathlib import Path

import jiter

from assay.errors import InputError
from assay.models.base import JsonValue

MAX_BYTES = 256 * 1024 * 1024
"""Largest file that is read whole."""

MAX_LINE_BYTES = 64 * 1024 * 1024
"""Longest line of a JSONL file; a longer one is a broken file, not a record."""

BOMS: tuple[tuple[bytes, str], ...] = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)

_NO_NUMBER = re.compile(rb"-?(?:NaN|Infinity)")
_PLACE = re.compile(r" at line (\d+) column (\d+)$")


def shown(path: Path | str, root: Path | None = None) -> str:
    """The path as messages show it: relative to `root` where possible, forward slashes."""
    p = Path(path)
    if root is not None:
        with contextlib.suppress(ValueError):
            p = p.resolve().relative_to(root.resolve())
    return p.as_posix()


def read_bytes(path: Path | str, *, name: str | None = None) -> bytes:
    """All bytes of a regular file.

    Raises:
        InputError: missing, no regular file, not permitted, too large.
    """
    label = name or Path(path).as_posix()
    with readable(path, label):
        size = _size(path, label)
        if size > MAX_BYTES:
            raise InputError(
                f"The file has {size:,} bytes; at most {MAX_BYTES:,} are read.",
                path=label,
                hint="split the file into smaller ones",
            )
        with open(path, "rb") as stream:  # noqa: PTH123  (twice as fast as through Path)
            return stream.read()


def open_binary(path: Path, *, name: str) -> tuple[io.FileIO, int | None]:
    """A regular file, or what the shell hands over, and its size where it has one.

    Raises:
        InputError: missing, no regular file, not permitted.
    """
    with readable(path, name):
        size = _size(path, name)
        stream = io.FileIO(path)
        return stream, size if stat.S_ISREG(os.fstat(stream.fileno()).st_mode) else None


def _size(path: Path | str, label: str) -> int:
    """Size of a regular file. A pipe is taken from the shell, and never from a folder: there
    reading it would wait for a writer for ever.
    """
    status = os.stat(path)
    if stat.S_ISDIR(status.st_mode):
        raise InputError(
            "This is a folder; a file belongs here.", path=label, hint=f"ls {shlex.quote(label)}"
        )
    given = str(path).startswith(("/dev/stdin", "/dev/fd/", "/proc/self/fd/"))
    if not stat.S_ISREG(status.st_mode) and not given:
        raise InputError(
            "This is a pipe, socket or device; a file belongs here.",
            path=label,
            hint=f"ls -l {shlex.quote(label)}",
        )
    return status.st_size


@contextlib.contextmanager
def readable(path: Path | str, label: str) -> Iterator[None]:
    """Turn what the system says of a file into what a person can act on."""
    try:
        yield
    except FileNotFoundError:
        raise InputError(
            "There is no such file.",
            path=label,
            hint=f"ls {shlex.quote(Path(label).parent.as_posix())}",
        ) from None
    except PermissionError:
        raise InputError(
            "The file may not be read by you.", path=label, hint=f"chmod u+r {shlex.quote(label)}"
        ) from None
    except OSError as error:
        raise InputError(
            f"The file cannot be read: {error.strerror}.",
            path=label,
            hint=f"ls -ld {shlex.quote(label)}",
        ) from None
    except ValueError as error:  # A name with a NUL in it.
        raise InputError(f"The file cannot be read: {error}.", path=label) from None


def decode(data: bytes, *, name: str) -> str:
    """Text of UTF-8 bytes, without a byte order mark and with LF for CRLF.

    Raises:
        InputError: another encoding, or bytes that are not UTF-8, with the line.
    """
    for mark, encoding in BOMS:
        if data.startswith(mark):
            path = shlex.quote(name)
            raise InputError(
                f"The file is {encoding}, not UTF-8.",
                path=name,
                line=1,
                hint=f"iconv -f {encoding} -t UTF-8 {path} > fixed && mv fixed {path}",
            )
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"Byte 0x{data[error.start]:02x} is not UTF-8.",
            path=name,
            line=line,
            hint="save the file as UTF-8",
        ) from None
    text = text.removeprefix("\ufeff")
    return text.replace("\r\n", "\n") if "\r\n" in text else text


def read_text(path: Path, *, name: str | None = None) -> str:
    """Text of a UTF-8 file; see `decode`."""
    return decode(read_bytes(path, name=name), name=name or path.as_posix())


def parse_json(
    text: str | bytes, *, name: str, first_line: int = 1, no_numbers: bool = False
) -> JsonValue:
    """The JSON value of a text, numbers exact, doubled keys refused.

    Args:
        text: the JSON text.
        name: file name for messages.
        first_line: line of the file on which the text begins.
        no_numbers: read NaN and Infinity as decimals; else they are no JSON.

    Raises:
        InputError: not JSON, with line and column; a doubled key, with its name.
    """
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    try:
        value: JsonValue = jiter.from_json(
            data,
            float_mode="decimal",
            catch_duplicate_keys=True,
            allow_inf_nan=no_numbers,
            cache_mode="keys",
        )
    except ValueError as error:
        _require_utf8(data, name, first_line)
        message = str(error)
        place = _PLACE.search(message)
        line = column = None
        if place:
            message = message[: place.start()]
            line, column = int(place[1]) + first_line - 1, max(int(place[2]), 1)
        if not data.strip():
            message, line = (
                "the file is empty" if first_line == 1 else "the line is empty",
                first_line,
            )
        if "InvalidOperation" in message:
            message = "a number's exponent has too many digits"
        hint = look_at_json(name, line if first_line > 1 else None)
        if message.startswith("recursion limit"):  # Where json.tool ends in a traceback.
            hint = "nest it less: at most 200 lists and objects inside one another are read"
        if message.startswith("expected value") and place:
            lines = data.split(b"\n")[int(place[1]) - 1 : int(place[1])]
            odd = _NO_NUMBER.match(lines[0], max(int(place[2]) - 1, 0)) if lines else None
            if odd:  # json.tool lets these pass.
                message = f"{odd[0].decode()} is no number in JSON"
                hint = "write null, or leave the field out"
        raise InputError(
            f"Not valid JSON: {message}.",
            path=name,
            line=line,
            column=column,
            hint=hint,
        ) from None
    return value


def look_at_json(name: str, line: int | None = None) -> str:
    """The command that shows what is wrong with a text that is no JSON: a file, or a line of it."""
    if line is None:
        return f"python -m json.tool {shlex.quote(name)}"
    return f"sed -n {line}p {shlex.quote(name)} | python -m json.tool"


def _require_utf8(data: bytes, name: str, first_line: int) -> None:
    """Not UTF-8 is the better message, where it is the reason that a text is no JSON."""
    try:
        data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise InputError(
            f"Byte 0x{data[error.start]:02x} is not UTF-8.",
            path=name,
            line=first_line + data.count(b"\n", 0, error.start),
            hint="save the file as UTF-8",
        ) from None


def read_json(path: Path, *, name: str | None = None) -> JsonValue:
    """The JSON value in a file; see `parse_json`."""
    label = name or path.as_posix()
    return parse_json(read_text(path, name=label), name=label)


def json_lines(path: Path, *, name: str | None = None) -> Iterator[tuple[int, JsonValue]]:
    """One-based line number and value of every line of a JSONL file that is not blank.

    Raises:
        InputError: as `raw_lines`; and a line that is not JSON.
    """
    label = name or path.as_posix()
    for number, raw in raw_lines(path, name=label):
        yield number, parse_json(raw, name=label, first_line=number)


def raw_lines(path: Path, *, name: str | None = None) -> Iterator[tuple[int, bytes]]:
    """One-based line number and bytes of every line of a JSONL file that is not blank.

    Lines end at LF, with an optional CR before it, and at nothing else. The file is streamed:
    memory is bounded by the longest line. The bytes have no blanks at
    either end; `parse_json` says where they are not UTF-8.

    Raises:
        InputError: unreadable, UTF-16, a line over `MAX_LINE_BYTES`.
    """
    label = name or path.as_posix()
    with readable(path, label):
        _size(path, label)
        opened = path.open("rb")
    with opened as stream:
        number = 0
        while True:
            with readable(path, label):
                raw = stream.readline(MAX_LINE_BYTES + 1)
            if not raw:
                return
            number += 1
            if len(raw) > MAX_LINE_BYTES:
                raise InputError(
                    f"The line has more than {MAX_LINE_BYTES:,} bytes.",
                    path=label,
                    line=number,
                    hint="one record a line; is a line feed missing?",
                )
            if number == 1:
                decode(raw[:4], name=label) if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else None
                raw = raw.removeprefix(b"\xef\xbb\xbf")
            raw = raw.strip(b" \t\r\n")
            if not raw:
                continue
            yield number, raw
