"""Values with placeholders where secrets and addresses stood.

Two passes. `Redaction.look` finds what must go and numbers it by kind, in the order in which it is
looked at; keys of objects are looked at in sorted order, so that their order means nothing.
`Redaction.rewrite` puts the placeholders in. What a name gave away as a secret is replaced
wherever else it stands, in texts and in keys.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from urllib.parse import quote

from assay.files.canonical import digest_text
from assay.files.locate import escape
from assay.models.base import JsonValue
from assay.redaction.addresses import same_address
from assay.redaction.hit import ADDRESS, Found, Hit, Kind, placeholder, placeholders_in
from assay.redaction.looks import looks_issued
from assay.redaction.names import kind_of
from assay.redaction.quick import might_hold
from assay.redaction.sparing import NOTHING, Spared
from assay.redaction.texts import hits_in, named_hits, united
from assay.redaction.walk import NOTHING_AROUND, Around, children, texts

_SHORTEST_CHASED = 6
"""Shorter secrets are replaced where they were found and nowhere else: they could be any word."""
_MOST_CHASED = 256
"""So many secrets are looked for in every text; more of them only as whole words."""

_DIGEST = 8

_WORD = re.compile(r"[^\s\"'\\,;&<>(){}\[\]|]{6,}")


class Redaction:
    """One thing that is cleaned as a whole: a placeholder means the same all over it."""

    def __init__(self, spared: Spared = NOTHING) -> None:
        """Begin; `spared` says what stays."""
        self.spared = spared
        self._given: dict[str, str] = {}
        self._numbers: Counter[Kind] = Counter()
        self._taken: set[str] = set()
        self._waiting: list[tuple[Kind, str]] = []
        self._chased: dict[str, tuple[Kind, str]] = {}

    def look(self, value: JsonValue, around: Around = NOTHING_AROUND) -> None:
        """Find what must go. Everything is to be looked at before anything is rewritten."""
        for text, inner in texts(value, around):
            self._taken.update(placeholders_in(text))
            for hit in self._hits(text, inner):
                held = text[hit.start : hit.end]
                self._waiting.append((hit.kind, held))
                if hit.name:
                    self._chase(hit.kind, held)

    def expect(self, known: Mapping[str, Kind]) -> None:
        """Look for secrets, too, that something else gave away: text to kind."""
        for held, kind in known.items():
            self._chase(kind, held)

    @property
    def given_away(self) -> dict[str, Kind]:
        """Secrets that the name of a field gave away, and what they are, as far as they look like
        something that a program gave out: others could be any word in another place.
        """
        return {held: kind for kind, held in self._chased.values() if looks_issued(held)}

    @property
    def is_clean(self) -> bool:
        """Whether nothing was found in what was looked at."""
        return not self._waiting and not self._given and not self._chased

    def rewrite(
        self,
        value: JsonValue,
        found: list[Found],
        pointer: str = "",
        around: Around = NOTHING_AROUND,
    ) -> JsonValue:
        """A value with placeholders; the same object where nothing was found in it.

        Args:
            value: what was looked at.
            found: takes what was replaced, in the order of the pointers' keys.
            pointer: JSON pointer to the value.
            around: as it was looked at.
        """
        for kind, held in self._waiting:
            self._placeholder(kind, held)
        self._waiting = []
        return self._value(value, found, pointer, around)

    def of_id(self, text: str) -> tuple[str, tuple[Kind, ...]]:
        """An id, and what was found in it.

        What must go becomes a digest of itself and no number: a run and its case, imported apart,
        are to have the same id, and two cases never.
        """
        hits = united(self._hits(text, NOTHING_AROUND)) if might_hold(text) else []
        for hit in reversed(hits):
            digest = digest_text(same_address(text[hit.start : hit.end]))
            text = f"{text[: hit.start]}redacted-{digest[:_DIGEST]}{text[hit.end :]}"
        return text, tuple(hit.kind for hit in hits)

    # -- what must go ------------------------------------------------------------------------

    def _hits(self, text: str, around: Around) -> list[Hit]:
        kind = None if around.name in self.spared.fields else kind_of(around.name)
        if kind is None:
            found = hits_in(text)
        else:
            found = named_hits(kind, around.name, text, header=around.header, whole=around.whole)
        return [hit for hit in found if not self._stays(text[hit.start : hit.end], hit)]

    def _stays(self, held: str, hit: Hit) -> bool:
        if hit.kind == ADDRESS:
            return self.spared.keeps_address(held)
        return bool(hit.name) and self.spared.keeps_value(hit.name, held)

    def _chase(self, kind: Kind, held: str) -> None:
        if len(held) < _SHORTEST_CHASED:
            return
        for form in (held, json.dumps(held)[1:-1], json.dumps(held, ensure_ascii=False)[1:-1]):
            self._chased.setdefault(form, (kind, held))
        if len(held) < 4096:
            encoded = quote(held, safe="", errors="replace")
            self._chased.setdefault(encoded, (kind, held))

    def _placeholder(self, kind: Kind, held: str) -> str:
        key = same_address(held) if kind == ADDRESS else held
        while key not in self._given:
            self._numbers[kind] += 1
            made = placeholder(kind, self._numbers[kind])
            if made not in self._taken:
                self._given[key] = made
        return self._given[key]

    # -- rewriting ---------------------------------------------------------------------------

    def _value(
        self, value: JsonValue, found: list[Found], pointer: str, around: Around
    ) -> JsonValue:
        if isinstance(value, str):
            return self._text(value, found, pointer, around)
        if isinstance(value, dict):
            return self._object(value, found, pointer, around)
        if isinstance(value, list | tuple):
            items = [
                self._value(item, found, f"{pointer}/{key}", inner)
                for key, item, inner in children(value, around)
            ]
            same = all(new is old for new, old in zip(items, value, strict=True))
            return value if same else items
        return value

    def _object(
        self, value: dict[str, JsonValue], found: list[Found], pointer: str, around: Around
    ) -> JsonValue:
        names: dict[str, str] = {}
        items: dict[str, JsonValue] = {}
        for key, item, inner in children(value, around):
            assert isinstance(key, str)
            hidden: list[Found] = []
            name = self._text(key, hidden, "", NOTHING_AROUND)
            if hidden:
                # Two keys may have become one, and none may be lost.
                base, serial = name, 2
                while name in items or name in value:
                    name, serial = f"{base} ({serial})", serial + 1
            place = f"{pointer}/{escape(name)}"
            found += [Found(each.kind, place, each.name) for each in hidden]
            names[key] = name
            items[name] = self._value(item, found, place, inner)
        if all(name == key and items[name] is value[key] for key, name in names.items()):
            return value
        return {names[key]: items[names[key]] for key in value}

    def _text(self, text: str, found: list[Found], pointer: str, around: Around) -> str:
        hits = self._hits(text, around)
        if self._chased:
            hits = united([*hits, *self._elsewhere(text)])
        if not hits:
            return text
        parts: list[str] = []
        at = 0
        for hit in hits:
            held = text[hit.start : hit.end]
            kind, original = self._chased.get(held, (hit.kind, held))
            parts += [text[at : hit.start], self._placeholder(kind, original)]
            at = hit.end
            found.append(Found(kind, pointer, hit.name))
        return "".join([*parts, text[at:]])

    def _elsewhere(self, text: str) -> Iterator[Hit]:
        """Where in a text secrets stand that a name gave away, here or elsewhere."""
        if len(self._chased) > _MOST_CHASED:
            for match in _WORD.finditer(text):
                known = self._chased.get(match[0])
                if known is not None:
                    yield Hit(match.start(), match.end(), known[0])
            return
        for held, (kind, _) in self._chased.items():
            at = text.find(held)
            while at >= 0:
                end = at + len(held)
                if not held.isalpha() or _stands_alone(text, at, end):
                    yield Hit(at, end, kind)
                at = text.find(held, end)


def _stands_alone(text: str, begin: int, end: int) -> bool:
    before, after = text[begin - 1 : begin] if begin else "", text[end : end + 1]
    return not (before.isalnum() or before == "_" or after.isalnum() or after == "_")


def redact(value: JsonValue, spared: Spared = NOTHING) -> tuple[JsonValue, tuple[Found, ...]]:
    """A JSON value, or a text, without secrets and addresses, and where they stood.

    The value is not changed; what holds nothing is returned as it is. Numbers are never touched.
    """
    redaction = Redaction(spared)
    redaction.look(value)
    found: list[Found] = []
    if not redaction.is_clean:
        value = redaction.rewrite(value, found)
    return value, tuple(found)


def find_secrets(value: JsonValue, spared: Spared = NOTHING) -> tuple[Found, ...]:
    """Where in a JSON value or a text secrets and addresses stand; empty where it is clean."""
    return redact(value, spared)[1]
