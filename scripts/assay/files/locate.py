"""Where in a JSON text a value stands. Slow and exact; only used to write a message."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

_BLANK = re.compile(r"[ \t\r\n]*")
_SCALAR = re.compile(r"[^,\]}\s]+")
_MARK = re.compile(r'["{}\[\]]')
_scan: Callable[[str, int], tuple[str, int]] = json.decoder.scanstring  # type: ignore[attr-defined]


def escape(token: str) -> str:
    """One reference token of a JSON pointer (RFC 6901)."""
    return token.replace("~", "~0").replace("/", "~1")


def unescape(token: str) -> str:
    """The key that a reference token of a JSON pointer stands for."""
    return token.replace("~1", "/").replace("~0", "~")


def pointer_of(path: tuple[str | int, ...]) -> str:
    """JSON pointer of a path of keys and indexes."""
    return "".join(f"/{escape(str(step))}" for step in path)


def locate(text: str, pointer: str, *, first_line: int = 1) -> tuple[int, int] | None:
    """One-based line and column of the value at `pointer`, or of the deepest parent found.

    Args:
        text: JSON text that has been parsed before.
        pointer: JSON pointer; the empty text is the whole document.
        first_line: line of the file on which the text begins.

    Returns:
        None where the text is not JSON.
    """
    steps = [unescape(step) for step in pointer.split("/")[1:]]
    try:
        offset = _find(text, steps)
    except (ValueError, IndexError):
        return None
    line = text.count("\n", 0, offset)
    return line + first_line, offset - (text.rfind("\n", 0, offset) + 1) + 1


def locate_items(text: str, pointer: str, below: str = "") -> list[tuple[int, int]]:
    """One-based line and column of each item of the list at `pointer`, in one pass.

    Args:
        text: JSON text that has been parsed before.
        pointer: JSON pointer to the list.
        below: JSON pointer into each item; the place of the value there, or of the deepest
            parent found.

    Returns:
        As many places as the list has items; empty where there is no list.
    """
    steps = [unescape(step) for step in below.split("/")[1:]]
    places: list[tuple[int, int]] = []
    line, last = 1, 0
    try:
        at = _find(text, [unescape(step) for step in pointer.split("/")[1:]])
        if text[at] != "[":
            return []
        at = _skip(text, at + 1)
        while text[at] != "]":
            found = _find(text, steps, at)
            line += text.count("\n", last, found)
            places.append((line, found - (text.rfind("\n", 0, found) + 1) + 1))
            last = found
            at = _skip(text, _end(text, at))
            if text[at] == ",":
                at = _skip(text, at + 1)
    except (ValueError, IndexError):
        return []
    return places


def _find(text: str, steps: list[str], start: int = 0) -> int:
    at = _skip(text, start)
    for step in steps:
        found = _child(text, at, step)
        if found is None:
            return at
        at = found
    return at


def _skip(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    assert match is not None
    return match.end()


def _child(text: str, at: int, step: str) -> int | None:
    if text[at] == "{":
        at = _skip(text, at + 1)
        while text[at] != "}":
            key, at = _scan(text, at + 1)
            at = _skip(text, _skip(text, at) + 1)
            if key == step:
                return at
            at = _skip(text, _end(text, at))
            if text[at] == ",":
                at = _skip(text, at + 1)
    elif text[at] == "[":
        index = 0
        at = _skip(text, at + 1)
        while text[at] != "]":
            if str(index) == step:
                return at
            index += 1
            at = _skip(text, _end(text, at))
            if text[at] == ",":
                at = _skip(text, at + 1)
    return None


def _end(text: str, at: int) -> int:
    """Offset just behind the value that begins at `at`."""
    if text[at] == '"':
        return _scan(text, at + 1)[1]
    if text[at] not in "{[":
        match = _SCALAR.match(text, at)
        if match is None:
            raise ValueError("not JSON")
        return match.end()
    depth = 0
    while True:
        match = _MARK.search(text, at)
        if match is None:
            raise ValueError("not JSON")
        at = match.start()
        char = match[0]
        if char == '"':
            at = _scan(text, at + 1)[1]
            continue
        at += 1
        if char in "{[":
            depth += 1
        else:
            depth -= 1
            if not depth:
                return at
