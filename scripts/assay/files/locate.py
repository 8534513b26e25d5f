"""Where in a JSON text a value stands. Slow and exact; only used to write a message."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import TypeAlias

_Wanted: TypeAlias = "dict[str, _Wanted]"

_BLANK = re.compile(r"[ \t\r\n]*")
_SCALAR = re.compile(r"[^,\]}\s]+")
_MARK = re.compile(r'["{}\[\]]')
_scan: Callable[[str, int], tuple[str, int]] = json.decoder.scanstring  # type: ignore[attr-defined]


def escape(token: str) -> str:
    """One reference token of a JSON pointer (RFC 6901)."""
    if "~" in token or "/" in token:
        return token.replace("~", "~0").replace("/", "~1")
    return token


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


def _find(text: str, steps: list[str]) -> int:
    at = _skip(text, 0)
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


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


def locate_all(text: str, pointers: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Places of many values, found in one pass over the text; see `locate`.

    Args:
        text: JSON text that has been parsed before.
        pointers: JSON pointers.

    Returns:
        Pointer to one-based line and column of its value, or of the deepest parent found.
    """
    wanted: _Wanted = {}
    for pointer in pointers:
        node = wanted
        for step in pointer.split("/")[1:]:
            node = node.setdefault(unescape(step), {})
    offsets: dict[int, int] = {}
    _walk(text, wanted, offsets)
    places = _places(text, offsets.values())
    result: dict[str, tuple[int, int]] = {}
    for pointer in pointers:
        node, offset = wanted, offsets.get(id(wanted))
        for step in pointer.split("/")[1:]:
            node = node[unescape(step)]
            offset = offsets.get(id(node), offset)
        if offset is not None:
            result[pointer] = places[offset]
    return result


def _walk(text: str, wanted: _Wanted, offsets: dict[int, int]) -> None:
    """Note the offset of every value that stands at a wanted path or above one."""
    # Of every open container: what is wanted in it, and its next index; None for an object.
    stack: list[tuple[_Wanted, int | None]] = []
    key: str | None = None
    here: _Wanted | None = wanted
    for match in _TOKEN.finditer(text):
        token = match[0]
        mark = token[0]
        if mark in ",:":
            inside, index = stack[-1]
            if mark == "," and index is not None:
                stack[-1] = (inside, index + 1)
                here = inside.get(str(index + 1))
            continue
        if mark in "}]":
            stack.pop()
            continue
        if stack and stack[-1][1] is None and key is None:
            key = _scan(text, match.start() + 1)[0]
            here = stack[-1][0].get(key)
            continue
        key = None
        if here is not None:
            offsets[id(here)] = match.start()
        if mark in "{[":
            stack.append((here or {}, 0 if mark == "[" else None))
            here = here.get("0") if here is not None and mark == "[" else None


def _places(text: str, offsets: Iterable[int]) -> dict[int, tuple[int, int]]:
    places: dict[int, tuple[int, int]] = {}
    line, before, feed = 1, 0, -1
    for offset in sorted(set(offsets)):
        line += text.count("\n", before, offset)
        feed = max(feed, text.rfind("\n", before, offset))
        before = offset
        places[offset] = (line, offset - feed)
    return places
