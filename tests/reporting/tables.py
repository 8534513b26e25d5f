"""Parts of a page as plain text, for tests: a line a row, cells between bars."""

from __future__ import annotations

import html
import re

_ROW = re.compile(r"<tr\b.*?</tr>", re.DOTALL)
_CELL = re.compile(r"<t[hd]\b.*?</t[hd]>", re.DOTALL)
_TAG = re.compile(r"<[^>]+>")


def plain(text: str) -> str:
    """The words of some markup on one line."""
    return " ".join(html.unescape(_TAG.sub(" ", text)).split())


def rows(table: str) -> list[list[str]]:
    """The cells of a table."""
    return [[plain(cell) for cell in _CELL.findall(row)] for row in _ROW.findall(table)]


def tables(page: str, kind: str) -> list[list[list[str]]]:
    """All tables of a page with such a class."""
    found = re.findall(r'<table class="([^"]*)".*?</table>', page, re.DOTALL)
    whole = [match.group() for match in re.finditer(r"<table .*?</table>", page, re.DOTALL)]
    assert len(found) == len(whole)
    return [rows(t) for t in whole if kind in re.search(r'class="([^"]*)"', t)[1].split()]  # type: ignore[index]


def sections(page: str) -> dict[str, str]:
    """Id of a section to its text."""
    found = {}
    for match in re.finditer(r'<section id="([^"]+)".*?</section>', page, re.DOTALL):
        body = _ROW.sub(
            lambda row: "\n" + " | ".join(plain(c) for c in _CELL.findall(row.group())) + "\n",
            match.group(),
        )
        body = re.sub(r"</?(p|h\d|div|li|ul|table|summary|details)\b[^>]*>", "\n", body)
        lines = [plain(line) for line in body.split("\n")]
        found[match[1]] = "\n".join(line for line in lines if line) + "\n"
    return found
