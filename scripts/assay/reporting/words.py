"""Text for a person: made safe to print, counted, wrapped and aligned by what the eye sees."""

from __future__ import annotations

import re
import unicodedata

WIDTH = 80
"""Columns that are assumed where no terminal says otherwise."""

_UNSAFE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff"
    r"\ud800-\udfff]"
)
"""Controls, line separators, direction overrides, invisible blanks, halves of surrogates."""

_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\x1b": "\\e"}


def _escaped(match: re.Match[str]) -> str:
    char = match.group()
    code = ord(char)
    return _NAMED.get(char) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")


def safe(text: str) -> str:
    """The text on one line, with everything that could act on a terminal shown as an escape.

    Controls, ANSI sequences, line ends, direction overrides and lone surrogates become
    ``\\n``, ``\\e``, ``\\x07``, ``\\u202e``; every other character stays.
    """
    return _UNSAFE.sub(_escaped, text)


def safe_lines(text: str) -> list[str]:
    """The text in lines (they end at LF, CRLF counts as one), each of them safe; tabs are blanks.

    The empty text has no line; a final line end makes none.
    """
    lines = text.replace("\r\n", "\n").split("\n")
    if lines[-1] == "":
        lines.pop()
    return [safe(line.expandtabs(4)) for line in lines]


def count(number: int, one: str, many: str = "") -> str:
    """``1 case``, ``2,961 cases``; `many` where the plural is not formed with *s*."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(items: list[str], word: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return f" {word} ".join([*([", ".join(items[:-1])] if items[:-1] else []), *items[-1:]])


def width_of(text: str) -> int:
    """Columns that the text takes: wide characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(
        0
        if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf")
        else 2
        if unicodedata.east_asian_width(char) in "WF"
        else 1
        for char in text
    )


def left(text: str, width: int) -> str:
    """The text padded on the right."""
    return text + " " * (width - width_of(text))


def right(text: str, width: int) -> str:
    """The text padded on the left."""
    return " " * (width - width_of(text)) + text


def wrap(text: str, width: int, *, indent: str = "", first: str | None = None) -> list[str]:
    """The text in lines of at most `width` columns, broken at blanks only.

    A word that is longer than a line stays whole: paths and commands can then be copied.

    Args:
        text: one paragraph; runs of blanks become one.
        width: columns of a line, indentation included.
        indent: what every line but the first begins with.
        first: what the first line begins with; `indent` where absent.
    """
    lines: list[str] = []
    line = indent if first is None else first
    room = max(width, width_of(indent) + 24)
    empty = True
    for word in text.split():
        if not empty and width_of(line) + 1 + width_of(word) > room:
            lines.append(line)
            line, empty = indent, True
        line += word if empty else f" {word}"
        empty = False
    lines.append(line)
    return [entry.rstrip() for entry in lines]


def shortened(text: str, width: int) -> str:
    """The text, cut at `width` columns with an ellipsis where it is longer."""
    if width_of(text) <= width:
        return text
    kept = ""
    for char in text:
        if width_of(kept + char) > width - 1:
            break
        kept += char
    return kept.rstrip() + "…"


def clipped(text: str, limit: int) -> str:
    """At most `limit` characters, and how many more there are."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}… ({len(text) - limit:,} more characters)"


_COMMANDS = ("assay ", "./assay ", "git ", "dvc ", "./scripts/", "ls ", "pip ", "uv ")
_GAP = re.compile(r"\s{2,}|\n")


def command_and_remark(hint: str) -> tuple[str, str]:
    """The command that a hint begins with, and what is said about it behind a wide gap.

    A hint that begins with no command is all remark.
    """
    head, *rest = _GAP.split(hint.strip(), maxsplit=1)
    remark = " ".join(rest[0].split()) if rest else ""
    if head.startswith(_COMMANDS):
        return head, remark
    return "", f"{head} {remark}".strip()


class Paint:
    """Colours a text where a terminal shows colours, else leaves it alone."""

    def __init__(self, enabled: bool) -> None:
        self.enabled = enabled

    def _sgr(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.enabled and text else text

    def bold(self, text: str) -> str:
        """Headings and names."""
        return self._sgr(text, "1")

    def dim(self, text: str) -> str:
        """What is read second."""
        return self._sgr(text, "2")

    def good(self, text: str) -> str:
        """Passed. Cyan, since red and green look alike to many."""
        return self._sgr(text, "36")

    def bad(self, text: str) -> str:
        """Failed, errors."""
        return self._sgr(text, "31")

    def warn(self, text: str) -> str:
        """Warnings, exclusions, what has no verdict."""
        return self._sgr(text, "33")
