"""JSON lines: one value a line; a line that holds several in a row holds several records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from assay.errors import InputError
from assay.files import reading
from assay.intake.opening.numbers import Parse
from assay.intake.opening.stream import Stream
from assay.intake.opening.values import texts_of
from assay.models.base import JsonValue

_BLANKS = b" \t\r\n"


@dataclass(frozen=True)
class Read:
    """One value of a file, or why there is none."""

    line: int
    """Line on which it begins."""
    size: int
    """Bytes that it takes, about."""
    value: JsonValue = None
    """The value."""
    pointer: str = ""
    """Where it stands in the value that begins on this line."""
    error: InputError | None = None
    """What is wrong with it: it then has no value, and the next one may be sound."""
    nulled: int = 0
    """Numbers in it that were none and stand as null."""


def read_lines(stream: Stream, parse: Parse) -> Iterator[Read]:
    """Every value of a file of JSON lines.

    Raises:
        InputError: the file cannot be read on, with the line that was reached.
    """
    number = 0
    for number, raw, error in _raw_lines(stream):
        if error is not None:
            yield Read(number, 0, error=error)
            continue
        try:
            value, nulled = parse(raw, stream.name, number)
        except InputError as problem:
            if "trailing characters" not in problem.message:
                yield Read(number, len(raw), error=problem)
                continue
            yield from _several(raw, number, stream.name, problem, parse)
        else:
            yield Read(number, len(raw), value, nulled=nulled)


def _several(
    raw: bytes, number: int, name: str, problem: InputError, parse: Parse
) -> Iterator[Read]:
    """The values of a line that holds several; none of them where one of them is broken."""
    try:
        found = [parse(text, name, line) for line, text in texts_of(raw, name)]
    except InputError:
        yield Read(number, len(raw), error=problem)
        return
    for value, nulled in found:
        yield Read(number, len(raw) // len(found), value, nulled=nulled)


def _raw_lines(stream: Stream) -> Iterator[tuple[int, bytes, InputError | None]]:
    """Number and bytes of every line that is not blank, without blanks at either end."""
    number = 0
    parts: list[bytes] = []
    length = 0
    limit = reading.MAX_LINE_BYTES
    while True:
        try:
            block = stream.read()
        except InputError as error:
            error.line = number + 1
            raise
        if block and not length and not block.strip(_BLANKS):
            number += block.count(b"\n")  # Millions of empty lines cost nothing.
            continue
        lines = block.split(b"\n") if block else [b"", b""]
        for index, piece in enumerate(lines):
            if not piece and not length and index < len(lines) - 1:
                number += 1
                continue
            length += len(piece)
            if length <= limit:
                parts.append(piece)
            else:
                parts.clear()
            if index == len(lines) - 1:
                break
            number += 1
            raw = parts[0] if len(parts) == 1 else b"".join(parts)
            if length > limit:
                yield (
                    number,
                    b"",
                    InputError(
                        f"The line has more than {limit:,} bytes.",
                        path=stream.name,
                        line=number,
                        hint="one record a line; is a line feed missing?",
                    ),
                )
            else:
                raw = raw.strip(_BLANKS)
                if raw:
                    yield number, raw, None
            parts, length = [], 0
        if not block:
            return
