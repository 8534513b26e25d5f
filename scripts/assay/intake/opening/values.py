"""JSON values one after another, over several lines each, as ``jq .`` writes them; or the elements
of a list that is too large to be held.

Where a value ends is found by the standard reader; what it is, by ours.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterator

from assay.errors import InputError
from assay.files import reading

_BLANK = re.compile(r"[ \t\r\n]*")
_CUT = 16
"""Characters before the end in which a value that is cut off shows as something else."""


def texts_of(data: bytes, name: str) -> Iterator[tuple[int, str]]:
    """Line and text of every JSON value in some bytes.

    Raises:
        InputError: something in them is no JSON.
    """
    return Values(lambda: b"", data, name).texts()


class Values:
    """The texts of values that follow one another."""

    def __init__(self, more: Callable[[], bytes], data: bytes, name: str) -> None:
        """Begin.

        Args:
            more: gives further bytes; none at the end.
            data: the first bytes.
            name: file name for messages.
        """
        self._more = more
        self._name = name
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._text = ""
        self._at = 0
        self._line = 1
        self._counted = 0
        self._ended = False
        self._pending = data
        keep: Callable[[str], str] = str
        self._scan = json.JSONDecoder(parse_float=keep, parse_int=keep).raw_decode

    def texts(self) -> Iterator[tuple[int, str]]:
        """Line and text of every value.

        Raises:
            InputError: something is no JSON, a value is too long, or the file cannot be read on.
        """
        while self.goes_on():
            yield self._value()

    def elements(self) -> Iterator[tuple[int, str]]:
        """Line and text of every element of the list that stands there alone.

        Raises:
            InputError: as `texts`; something stands behind the list.
        """
        self.goes_on()
        self._at += 1
        first = True
        while True:
            if not self.goes_on():
                raise self._error("EOF while parsing a list")
            mark = self._text[self._at]
            if mark == "]":
                self._at += 1
                break
            if not first:
                if mark != ",":
                    raise self._error("expected `,` or `]`")
                self._at += 1
                if not self.goes_on():
                    raise self._error("EOF while parsing a list")
            first = False
            yield self._value()
        if self.goes_on():
            raise self._error("trailing characters")

    def _value(self) -> tuple[int, str]:
        while True:
            try:
                _, end = self._scan(self._text, self._at)
            except json.JSONDecodeError as error:
                size = len(self._text)
                cut = error.msg.startswith("Unterminated string") or error.pos >= size - _CUT
                if cut and not self._ended:
                    self._grow()
                    continue
                raise self._error(error.msg, error.pos) from None
            except RecursionError:
                raise self._error("recursion limit exceeded") from None
            if end == len(self._text) and not self._ended and self._text[self._at] not in '{["':
                self._grow()
                continue
            line, text = self._lines_to(self._at), self._text[self._at : end]
            self._at = end
            return line, text

    def goes_on(self) -> bool:
        """Whether anything but blanks is left."""
        while True:
            match = _BLANK.match(self._text, self._at)
            assert match is not None
            self._at = match.end()
            if self._at < len(self._text):
                return True
            if self._ended:
                return False
            self._fill()

    def _grow(self) -> None:
        size = len(self._text) - self._at
        if size > reading.MAX_LINE_BYTES:
            raise InputError(
                f"The value that begins here has more than {reading.MAX_LINE_BYTES:,} bytes.",
                path=self._name,
                line=self._lines_to(self._at),
                hint=f"jq -c '.[]' {self._name} > {self._name}.jsonl",
            )
        self._fill()
        while not self._ended and len(self._text) - self._at < 2 * size:
            self._fill()

    def _fill(self) -> None:
        """Read on, and forget what was handed out."""
        data, self._pending = self._pending, b""
        if not data:
            try:
                data = self._more()
            except InputError as error:
                error.line = self._lines_to(len(self._text))
                raise
        try:
            text = self._decoder.decode(data, final=not data)
        except UnicodeDecodeError as error:
            broken = error.object[error.start]
            before = error.object[: error.start].count(b"\n")
            raise InputError(
                f"Byte 0x{broken:02x} is not UTF-8.",
                path=self._name,
                line=self._lines_to(len(self._text)) + before,
                hint="save the file as UTF-8",
            ) from None
        self._ended = not data
        self._lines_to(self._at)
        self._text = self._text[self._at :] + text
        self._at = self._counted = 0

    def _lines_to(self, offset: int) -> int:
        """The line of an offset that lies behind all that were asked for before."""
        if offset >= self._counted:
            self._line += self._text.count("\n", self._counted, offset)
            self._counted = offset
            return self._line
        return self._line - self._text.count("\n", offset, self._counted)

    def _error(self, message: str, offset: int | None = None) -> InputError:
        return InputError(
            f"Not valid JSON: {message}.",
            path=self._name,
            line=self._lines_to(self._at if offset is None else offset),
            hint=f"python -m json.tool {self._name}",
        )
