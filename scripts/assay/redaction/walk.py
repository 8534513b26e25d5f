"""Walk a JSON value, or a text, and put placeholders where secrets stand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from assay.models.base import JsonValue
from assay.redaction.addresses import addresses
from assay.redaction.hints import may_hold_secrets
from assay.redaction.names import kind_of, secret_under
from assay.redaction.pairs import pairs
from assay.redaction.placeholders import Kind, Placeholders
from assay.redaction.shapes import Span, shapes

_ORDER: tuple[Kind, ...] = ("private-key", "login")
"""What goes before anything that begins at the same place."""


@dataclass(frozen=True, order=True)
class Found:
    """A secret, told by place: what it is stands nowhere."""

    pointer: str
    """JSON pointer of the text that holds it; of the value whose key it is in."""
    kind: Kind
    """What kind of secret."""


def redact(
    value: JsonValue,
    placeholders: Placeholders | None = None,
    *,
    keep: Callable[[str], bool] | None = None,
    keep_addresses: bool = False,
) -> tuple[JsonValue, tuple[Found, ...]]:
    """The value with placeholders for all secrets, and what was found.

    Texts are looked at, keys too; numbers and truth values never are. A value without secrets
    comes back equal. Doing it again finds nothing.

    Args:
        value: a JSON value; a text is one.
        placeholders: those of other values, where one secret shall get one placeholder in all.
        keep: whether a secret is none here, such as an address that a case names.
        keep_addresses: whether e-mail addresses stay.
    """
    walk = _Walk(placeholders or Placeholders(), keep, keep_addresses)
    made = walk.value(value, "")
    spread = walk.placeholders.spread
    if spread:
        ordered = {key: spread[key] for key in sorted(spread, key=_longest)}
        made = walk.again(made, "", ordered)
        walk.found = [Found(_without(item.pointer, ordered), item.kind) for item in walk.found]
    return made, tuple(sorted(walk.found))


def find_secrets(value: JsonValue, *, keep_addresses: bool = False) -> tuple[Found, ...]:
    """Where secrets stand in a value: kind and JSON pointer, never the secret."""
    return redact(value, keep_addresses=keep_addresses)[1]


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def _without(pointer: str, spread: Mapping[str, str]) -> str:
    for secret, made in spread.items():
        pointer = pointer.replace(_escaped(secret), made)
    return pointer


def _longest(secret: str) -> tuple[int, str]:
    return -len(secret), secret


class _Walk:
    def __init__(
        self,
        placeholders: Placeholders,
        keep: Callable[[str], bool] | None,
        keep_addresses: bool,
    ) -> None:
        self.placeholders = placeholders
        self.keep = keep
        self.keep_addresses = keep_addresses
        self.found: list[Found] = []

    def value(self, value: JsonValue, pointer: str, name: str = "") -> JsonValue:
        """A value with placeholders; `name` is what it stands under."""
        if isinstance(value, str):
            return self.under(name, value, pointer) if value else value
        if isinstance(value, Mapping):
            return self.object(value, pointer, name)
        if isinstance(value, list | tuple):
            # ["authorization", "Bearer …"], as lists of headers have it.
            pair = len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], str)
            names = [name, value[0] if pair and kind_of(value[0])[0] else name]
            items = [
                self.value(item, f"{pointer}/{index}", names[1] if index else name)
                for index, item in enumerate(value)
            ]
            return tuple(items) if isinstance(value, tuple) else items
        return value

    def object(self, value: Mapping[str, JsonValue], pointer: str, name: str) -> JsonValue:
        # Cookies may stand there as an object; then every one of them is a cookie.
        inner = name if name and kind_of(name) == ("cookie", True) else ""
        # {"name": "authorization", "value": "…"}, as recorded requests have it.
        titled = value.get("name", value.get("key")) if "value" in value else None
        made: dict[str, JsonValue] = {}
        for key, item in value.items():
            new, before = key, len(self.found)
            if may_hold_secrets(key):
                new = self.text(key, pointer)
            while new in made:
                new += "'"
            place = f"{pointer}/{_escaped(new)}"
            self.found[before:] = [Found(place, item.kind) for item in self.found[before:]]
            under = key
            if isinstance(titled, str):
                under = inner or titled if key == "value" else key
            elif inner and kind_of(key)[0] is None:
                under = inner
            made[new] = self.value(item, place, under)
        return made

    def under(self, name: str, text: str, pointer: str) -> str:
        """A text that stands under a name."""
        kind = secret_under(name, text) if name else None
        if kind is not None and not self.kept(text):
            begin = 0
            if kind == "authorization":
                # The scheme is no secret: "Basic …" stays one.
                scheme, blank, _ = text.partition(" ")
                begin = len(scheme) + 1 if blank and scheme.isalpha() else 0
            self.placeholders.reserve(text)
            return text[:begin] + self.made(kind, text[begin:], pointer)
        return self.text(text, pointer) if may_hold_secrets(text) else text

    def text(self, text: str, pointer: str) -> str:
        """A text with placeholders for the secrets in it."""
        spans = [*shapes(text), *pairs(text)]
        if not self.keep_addresses and "@" in text:
            spans += [Span(begin, end, "address") for begin, end in addresses(text)]
        if "redacted-" in text:
            self.placeholders.reserve(text)
        if not spans:
            return text
        spans.sort(key=lambda span: (span.begin, span.kind not in _ORDER, -span.end))
        parts: list[str] = []
        done = 0
        for span in spans:
            secret = text[span.begin : span.end]
            if span.begin < done or self.kept(secret):
                continue
            parts += (text[done : span.begin], self.made(span.kind, secret, pointer))
            done = span.end
        return "".join((*parts, text[done:]))

    def kept(self, secret: str) -> bool:
        return self.keep is not None and self.keep(secret)

    def made(self, kind: Kind, secret: str, pointer: str) -> str:
        self.found.append(Found(pointer, kind))
        return self.placeholders.of(kind, secret)

    def again(self, value: JsonValue, pointer: str, spread: dict[str, str]) -> JsonValue:
        """Replace what was told by its name wherever else it stands."""
        if isinstance(value, str):
            for secret, made in spread.items():
                if secret in value:
                    self.found.append(Found(pointer, _kind(made)))
                    value = value.replace(secret, made)
            return value
        if isinstance(value, Mapping):
            result: dict[str, JsonValue] = {}
            for key, item in value.items():
                new = self.again(key, pointer, spread)
                assert isinstance(new, str)
                while new in result:
                    new += "'"
                place = f"{pointer}/{_escaped(new)}"
                result[new] = self.again(item, place, spread)
            return result
        if isinstance(value, list | tuple):
            items = [self.again(item, f"{pointer}/{i}", spread) for i, item in enumerate(value)]
            return tuple(items) if isinstance(value, tuple) else items
        return value


def _kind(placeholder: str) -> Kind:
    return placeholder.removeprefix("redacted-").rpartition("-")[0]  # type: ignore[return-value]
