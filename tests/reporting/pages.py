"""A page taken apart, for tests of what it holds."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset({"meta", "rect", "circle", "input", "br", "img", "link"})


@dataclass
class Page(HTMLParser):
    """Tags, attributes, links, ids and text of a page; raises where tags do not close."""

    source: str
    tags: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    text: str = ""

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._open: list[str] = []
        self.feed(self.source)
        self.close()
        assert self._open == [], self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), (tag, names)
        self.attributes.update(names)
        values = dict(attrs)
        if values.get("href"):
            self.links.append(str(values["href"]))
        if values.get("id"):
            self.ids.append(str(values["id"]))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self._open, f"</{tag}> closes nothing"
        assert self._open[-1] == tag, f"</{tag}> closes <{self._open[-1]}>"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        if not self._open or self._open[-1] not in ("script", "style"):
            self.text += data
