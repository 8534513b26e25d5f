"""A file whose format is not known yet: held as a whole, or given record by record.

The layout follows from the suffix (``.jsonl``, ``.csv`` …, also before ``.gz``) and otherwise
from the content. JSON up to `WHOLE` bytes is one document; beyond it a list is given element by
element, and values that follow one another are given one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote

from assay.errors import InputError
from assay.files import reading
from assay.files.reading import decode, parse_json
from assay.intake.document import Document
from assay.intake.node import Node, Source
from assay.intake.opening import table
from assay.intake.opening.lines import Read, read_lines
from assay.intake.opening.numbers import Parse, strict
from assay.intake.opening.stream import Stream
from assay.intake.opening.values import Values

NULLED = "number that is none (NaN, Infinity)"

WHOLE = 64 * 1024 * 1024
"""Bytes up to which a JSON file is one document, whatever stands in it."""

LINES = (".jsonl", ".ndjson")


@dataclass
class Feed:
    """A file, as far as it has been read."""

    source: Source
    """The file."""
    whole: Document | None = None
    """The document, where the file was read as a whole."""
    records: Iterator[Read] = field(default_factory=lambda: iter(()))
    """Else its values, in order; reading on may raise `InputError`."""

    def node(self, read: Read) -> Node:
        """One of the values as a node."""
        self.source.drop(NULLED, read.nulled)
        return Node(read.value, self.source, read.pointer, read.line)


def open_document(path: Path, *, name: str | None = None) -> Document:
    """Read a file whose format is not known yet, all of it.

    Raises:
        InputError: unreadable, empty, not UTF-8, neither JSON nor JSON lines nor a table.
    """
    with Stream(path, name or path.as_posix()) as stream:
        feed = open_feed(stream)
        if feed.whole is not None:
            return feed.whole
        nodes: list[Node] = []
        for read in feed.records:
            if read.error is not None:
                raise read.error
            nodes.append(feed.node(read))
    if not nodes:
        raise empty(feed.source)
    return Document(feed.source, "lines", tuple(nodes))


def empty(source: Source) -> InputError:
    """The error that a file holds nothing."""
    return InputError(
        "Not valid JSON lines: the file is empty.",
        path=source.name,
        line=1,
        hint="one record a line",
    )


def open_feed(stream: Stream, parse: Parse = strict) -> Feed:
    """Find out how a file is laid out, and read it where it is held as a whole.

    Args:
        stream: the file.
        parse: how a value is read.

    Raises:
        InputError: empty, not UTF-8, neither JSON nor JSON lines nor a table, too large.
    """
    source = Source(stream.name)
    start = stream.peek(_has_two_lines, reading.MAX_LINE_BYTES)
    if stream.suffix in table.SUFFIXES or (
        stream.suffix != ".json" and table.has_header(_beginning(start))
    ):
        return Feed(source, table.read_table(decode(_all(stream), name=stream.name), source))
    if _is_lines(start, stream.suffix):
        return Feed(source, records=read_lines(stream, parse))
    return _json(stream, source, parse)


def _has_two_lines(data: bytearray) -> bool:
    return bool(data.lstrip().partition(b"\n")[2].lstrip())


def _beginning(data: bytes) -> str:
    return data[:4096].decode("utf-8", "replace")


def _is_lines(start: bytes, suffix: str) -> bool:
    """Whether every line is a record: so the first one says, or else the suffix."""
    head, _, tail = start.lstrip().partition(b"\n")
    more = bool(tail.strip())
    if suffix not in LINES and not (more and head[:1] in (b"{", b"[")):
        return False
    try:
        parse_json(head, name="", no_numbers=True)
    except InputError as error:
        # What is cut within a text is a broken line; else the value goes on in the next one.
        goes_on = more and "EOF while parsing" in error.message and "string" not in error.message
        return suffix in LINES and not goes_on
    return True


def _all(stream: Stream) -> bytes:
    data = stream.read_all(reading.MAX_BYTES)
    if len(data) > reading.MAX_BYTES:
        raise InputError(
            f"The file has more than {reading.MAX_BYTES:,} bytes, and has to be held as a whole.",
            path=stream.name,
            hint="split it into smaller files, or write one record a line:"
            f" jq -c '.[]' {quote(stream.name)} > {quote(stream.name + '.jsonl')}",
        )
    return data


def _json(stream: Stream, source: Source, parse: Parse) -> Feed:
    most = min(WHOLE, reading.MAX_BYTES)
    data = stream.read_all(most)
    if len(data) > most:
        return _large(stream, source, data, parse)
    text = decode(data, name=source.name)
    try:
        value, nulled = parse(text, source.name, 1)
    except InputError as error:
        several = _several(data, source, parse)
        if several is None:
            raise (error if _means_json(text, stream.suffix) else _no_data(source)) from None
        return Feed(source, records=several)
    source.text = text
    source.drop(NULLED, nulled)
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        inner, nulled = parse(value, f"{source.name} (JSON inside a JSON text)", 1)
        source.drop(NULLED, nulled)
        source.text = ""
        return Feed(source, Document(source, "json", (Node(inner, source),), encoded=True))
    return Feed(source, Document(source, "json", (Node(value, source),)))


def _means_json(text: str, suffix: str) -> bool:
    """Whether text that is no JSON was meant to be: so its suffix says, or its beginning."""
    start = text.lstrip()[:2]
    return (
        suffix in (".json", *LINES, "")
        or not start
        or start.startswith(("{", "[", '"{', '"[', '"\\'))
    )


def _no_data(source: Source) -> InputError:
    return InputError(
        "The file is neither JSON, nor JSON lines, nor a table.",
        path=source.name,
        line=1,
        hint="docs/formats/README.md lists what is read",
    )


def _large(stream: Stream, source: Source, data: bytes, parse: Parse) -> Feed:
    """A list element by element; values one by one where the first one is no whole file."""
    values = Values(stream.read, data, source.name)
    if data.lstrip()[:1] == b"[":
        return Feed(source, records=_reads(values.elements, source.name, parse, indexed=True))
    if _several(data, source, parse) is not None:
        return Feed(source, records=_reads(values.texts, source.name, parse))
    stream.unread(data)
    text = decode(_all(stream), name=source.name)
    source.text = text
    value, nulled = parse(text, source.name, 1)
    source.drop(NULLED, nulled)
    return Feed(source, Document(source, "json", (Node(value, source),)))


def _several(data: bytes, source: Source, parse: Parse) -> Iterator[Read] | None:
    """The values in some bytes, where the first one ends and something follows it."""
    values = Values(lambda: b"", data, source.name)
    try:
        if next(values.texts(), None) is None or not values.goes_on():
            return None
    except InputError:
        return None
    return _reads(Values(lambda: b"", data, source.name).texts, source.name, parse)


def _reads(
    texts: Callable[[], Iterator[tuple[int, str]]],
    name: str,
    parse: Parse,
    *,
    indexed: bool = False,
) -> Iterator[Read]:
    for index, (line, text) in enumerate(texts()):
        pointer = f"/{index}" if indexed else ""
        try:
            value, nulled = parse(text, name, line)
        except InputError as error:
            yield Read(line, len(text), pointer=pointer, error=error)
        else:
            yield Read(line, len(text), value, pointer, nulled=nulled)
