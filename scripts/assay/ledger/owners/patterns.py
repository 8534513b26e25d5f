"""Patterns of CODEOWNERS, matched as the forge matches them.

GitHub takes the patterns of gitignore without negation, ranges and escaped ``#``: a pattern
without a slash inside matches at any depth, a name at its end matches a folder with all below it,
``folder/*`` matches no deeper file. GitLab takes those of Ruby's ``fnmatch`` with its path flag: a
pattern without a leading slash matches at any depth, slash inside or not, and a folder is meant
only where the pattern ends in a slash.

Sources: "About code owners" (GitHub), "Syntax of CODEOWNERS file" and "Advanced CODEOWNERS
configuration" (GitLab).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from assay.models.forge import ForgeKind

Matches = Callable[[str], bool]
"""Whether a path, relative to the root with forward slashes, is one that is meant."""

_WILD = re.compile(r"[*?\[\]\\]")


@lru_cache(maxsize=4096)
def matcher(pattern: str, kind: ForgeKind) -> Matches:
    """What a pattern matches; nothing where it is only slashes."""
    text = pattern.strip()
    if not text.strip("/"):
        return _nothing
    if pattern.startswith("/") and not _WILD.search(pattern):
        return _literal(pattern[1:], kind)
    source = _github(text) if kind == "github" else _gitlab(text)
    found = re.compile(source, re.DOTALL)
    return lambda path: found.fullmatch(path) is not None


def _nothing(path: str) -> bool:
    return False


def _literal(path: str, kind: ForgeKind) -> Matches:
    """An anchored pattern without wildcards, which nearly all of them are."""
    if path.endswith("/"):
        return lambda found: found.startswith(path)
    if kind == "gitlab":
        return lambda found: found == path
    below = f"{path}/"
    return lambda found: found == path or found.startswith(below)


def _github(pattern: str) -> str:
    anchored = "/" in pattern.rstrip("/")
    parts = pattern.strip("/").split("/")
    if not anchored and parts[0] != "**":
        parts = ["**", *parts]
    if pattern.endswith("/"):
        parts.append("**")
    text = _joined(parts, _github_name)
    # A name at the end may be that of a folder; a lone star stands for direct entries alone.
    return text if parts[-1] in ("*", "**") else f"{text}(?:/.*)?"


def _gitlab(pattern: str) -> str:
    parts = (pattern if pattern.startswith("/") else f"**/{pattern}").strip("/").split("/")
    if pattern.endswith("/"):
        parts += ["**", "*"]
    elif parts[-1] == "**":
        parts[-1] = "*"  # Two stars that are no whole folder's name mean one.
    return _joined(parts, _gitlab_name)


def _joined(parts: list[str], name: Callable[[str], str]) -> str:
    text = ""
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        if part == "**":
            text += ".*" if last else "(?:[^/]+/)*"
        else:
            text += name(part) + ("" if last else "/")
    return text


def _github_name(part: str) -> str:
    return _name(part, ranges=False)


def _gitlab_name(part: str) -> str:
    return _name(part, ranges=True)


def _name(part: str, *, ranges: bool) -> str:
    """One name between slashes as a regular expression."""
    if part == "*":
        return "[^/]+"
    text, index = "", 0
    while index < len(part):
        char = part[index]
        index += 1
        if char == "\\" and index < len(part):
            text += re.escape(part[index])
            index += 1
        elif char == "*":
            text += "[^/]*"
        elif char == "?":
            text += "[^/]"
        elif char == "[" and ranges and "]" in part[index + 1 :]:
            end = part.index("]", index + 1)
            text += _range(part[index:end])
            index = end + 1
        else:
            text += re.escape(char)
    return text


def _range(inner: str) -> str:
    negated = inner[:1] in ("^", "!")
    body = inner[1:] if negated else inner
    written = re.sub(r"[\\\[\]^&~|]", lambda match: f"\\{match[0]}", body)
    try:
        re.compile(f"[{written}]")
    except re.error:
        return r"(?!)"  # A range that runs backwards matches nothing.
    return f"[{'^/' if negated else ''}{written}]"
