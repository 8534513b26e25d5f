"""A file of traces in parts that can be held: the format is found out from the first one.

A format that *streams* is read part by part; any other one as a whole, for its runs are spread
over the file. A line that is broken, or has another format, costs itself alone where the format
streams; else the file is refused, since nobody knows which run lost something.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from assay.errors import InputError
from assay.files import reading
from assay.intake.document import Document
from assay.intake.node import Node, Source
from assay.intake.opening.feed import Feed, empty, open_feed
from assay.intake.opening.numbers import tolerant
from assay.intake.opening.stream import Stream
from assay.intake.runs.format import Format
from assay.intake.runs.registry import (
    FORMATS,
    NoFormatError,
    detect,
    fits,
    format_named,
    takes,
)

RECORDS = 100
"""Records that are looked at, and read, at once."""

BYTES = 4 * 1024 * 1024
"""Bytes of records that are read at once; one larger record stands alone."""

_LOOKED_AT = 16 * 1024 * 1024
_HOPELESS = 1000


@dataclass
class Parts:
    """The parts of one file."""

    stream: Stream
    """The file."""
    wanted: Format | None = None
    """Its format; found out where absent."""
    lenient: bool = False
    """Whether what is broken costs itself alone; else it is an error."""
    used: Format | None = None
    """The format that was found."""
    source: Source = field(init=False)
    """What is noticed in the file."""
    _feed: Feed = field(init=False)
    _broken: list[InputError] = field(default_factory=list)
    _ended: InputError | None = None
    _others: Counter[str] = field(default_factory=Counter)
    _first: dict[str, Node] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Open the file.

        Raises:
            InputError: see `open_feed`.
        """
        self._feed = open_feed(self.stream, tolerant)
        self.source = self._feed.source
        self.source.spelling = False

    def documents(self) -> Iterator[Document]:
        """The parts, in order; `used` is set before the first one.

        Raises:
            InputError: no format that is known, or what cannot be passed over.
        """
        if self._feed.whole is not None:
            self.used = self.wanted or detect(self._feed.whole)
            yield self._feed.whole
            return
        chunks = self._chunks()
        first = next(chunks, None)
        if first is None:
            raise self._ended or (self._broken[0] if self._broken else empty(self.source))
        used, first = self._found_out(first, chunks)
        self.used = used
        if not used.streams:
            yield self._document(self._gathered(first, chunks))
            return
        yield from self._with_format(used, first)
        for chunk in chunks:
            yield from self._with_format(used, chunk)
        self._report(used)

    # -- records ---------------------------------------------------------------------------

    def _chunks(self) -> Iterator[list[Node]]:
        """Sound records; what is broken is put aside, or raised where nothing may be."""
        nodes: list[Node] = []
        size = 0
        given = False
        try:
            for read in self._feed.records:
                if read.error is not None:
                    if not self.lenient:
                        raise read.error
                    self._put_aside(read.error)
                    if not given and not nodes and len(self._broken) >= _HOPELESS:
                        return
                    continue
                nodes.append(self._feed.node(read))
                size += read.size
                if len(nodes) >= RECORDS or size >= BYTES:
                    yield nodes
                    given, nodes, size = True, [], 0
        except InputError as error:
            if not self.lenient:
                raise
            self._ended = error
        if nodes:
            yield nodes

    def _put_aside(self, error: InputError) -> None:
        if len(self._broken) < _HOPELESS:
            self._broken.append(error)
        self.source.drop("record that cannot be read")
        self.source.failed(error, "IRU002")

    def _gathered(self, nodes: list[Node], chunks: Iterator[list[Node]]) -> list[Node]:
        """All records of a file whose runs are spread over it."""
        for chunk in chunks:
            nodes += chunk
            self._bounded()
        if self._ended or self._broken:
            raise self._ended or self._broken[0]
        return nodes

    def _bounded(self) -> None:
        assert self.used is not None
        if self.stream.given > reading.MAX_BYTES:
            raise InputError(
                f"A run in {self.used.name} is spread over the file, which has more than"
                f" {reading.MAX_BYTES:,} bytes; at most that many are held.",
                path=self.stream.name,
                hint="split it so that every trace lies in one file, and give all of them with"
                " --run NAME",
            )

    def _document(self, nodes: list[Node]) -> Document:
        return Document(self.source, "lines", tuple(nodes))

    # -- formats ---------------------------------------------------------------------------

    def _found_out(
        self, first: list[Node], chunks: Iterator[list[Node]]
    ) -> tuple[Format, list[Node]]:
        """The format, and the records that were read to find it out."""
        if self.wanted is not None:
            return self.wanted, first
        try:
            return detect(self._document(first)), first
        except NoFormatError as error:
            refusal = error
        if self.lenient:
            usual = self._usual(first)
            if usual is not None:
                return usual, first
        # Some formats are known by a record that may come late.
        nodes = list(first)
        for chunk in chunks:
            nodes += chunk
            if self.stream.given > _LOOKED_AT:
                break
        if len(nodes) > len(first):
            try:
                return detect(self._document(nodes)), nodes
            except NoFormatError:
                pass
        raise refusal

    def _usual(self, nodes: list[Node]) -> Format | None:
        """The format that more than half of the records have, one by one.

        Raises:
            InputError: several formats, and none of them has the majority.
        """
        kinds = Counter(kind for node in nodes if (kind := self._kind(node)) is not None)
        for name, count in kinds.most_common(1):
            if 2 * count > len(nodes):
                known = format_named(name)
                return known if known.streams else None
        if len(kinds) > 1:
            shown = ", ".join(f"{kinds[name]} {name}" for name in sorted(kinds))
            raise InputError(
                f"The lines have several formats, and none has most of them: {shown}.",
                path=self.source.name,
                line=nodes[0].line,
                hint="write each format to a file of its own",
            )
        return None

    def _kind(self, node: Node) -> str | None:
        document = self._document([node])
        return next((known.name for known in FORMATS if fits(known, document)), None)

    def _with_format(self, used: Format, nodes: list[Node]) -> Iterator[Document]:
        """The records as one document, without those that have another format."""
        document = self._document(nodes)
        if self.wanted is None and not takes(used, document):
            kept = [node for node in nodes if not self._is_other(used, node)]
            if not kept:
                return
            document = self._document(kept)
        yield document

    def _is_other(self, used: Format, node: Node) -> bool:
        if takes(used, self._document([node])):
            return False
        kind = self._kind(node)
        if kind is None:
            return False  # The format itself says best what is wrong with it.
        if not self.lenient:
            raise node.error(
                f"The line has the format {kind}, and those before it {used.name}.",
                "write each format to a file of its own",
            )
        self._others[kind] += 1
        self._first.setdefault(kind, node)
        return True

    def _report(self, used: Format) -> None:
        """Say what was passed over."""
        for kind in sorted(self._others):
            count = self._others[kind]
            self.source.drop("record of another format", count)
            self.source.note(
                "IRU002",
                f"{'A line has' if count == 1 else f'{count:,} lines have'} the format {kind} in a"
                f" file of {used.name}; left out.",
                node=self._first[kind],
                hint=f"write them to a file of their own and import it with --from {kind}",
                count=count,
            )
        if self._ended is not None:
            self.source.failed(self._ended, "IRU001")

    def check_unchanged(self) -> None:
        """Note where somebody wrote to the file while it was read."""
        if self.stream.changed:
            self.source.note(
                "IRU001",
                "The file changed while it was read: what was read of it may be incomplete.",
                hint="import it again, with --replace, once nobody writes to it",
            )
