"""Final ids of imported cases: safe, stable, unique, and with the foreign id kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from assay.files.canonical import digest
from assay.intake.cases.imported import RawCase
from assay.intake.ids import derived, is_safe, safe_id
from assay.intake.node import Node, Source, shorten
from assay.models.base import JsonValue
from assay.redaction import Redaction


@dataclass
class Identities:
    """Hands out ids; shared by all files of one import, so that they are unique over them."""

    taken: set[str] = field(default_factory=set)
    """Ids that are in use."""
    contents: dict[str, set[str]] = field(default_factory=dict)
    """Foreign id to the digests of the cases that had it."""
    clean: Callable[[str], str] = field(default=lambda text: Redaction().of_id(text)[0])
    """Gives a foreign id without addresses and secrets."""

    def assign(self, raw: RawCase, set_id: str, source: Source) -> tuple[str, str | None] | None:
        """Id of a case, and the foreign id where it could not be kept.

        Returns:
            None for an exact repetition of a case, which is left out.
        """
        foreign = self.clean(raw.source_id if raw.source_id is not None else _stand_in(raw, set_id))
        content = _content(raw)
        known = self.contents.setdefault(foreign, set())
        if content in known:
            source.drop("exact repetition of a case")
            self._note(
                source,
                raw,
                "ICA006",
                f"The case {_show(foreign)} stands there twice"
                " with the same content; once is enough.",
                foreign,
            )
            return None
        repeats = bool(known)
        known.add(content)
        case_id = safe_id(foreign)
        if repeats or case_id in self.taken:
            case_id = derived(foreign, content)
            self._note(
                source,
                raw,
                "ICA004",
                f"The id {_show(foreign)} repeats; this case became {case_id}.",
                case_id,
            )
        elif raw.source_id is None:
            self._note(source, raw, "ICA005", f"The case has no id; it became {case_id}.", case_id)
        elif not is_safe(foreign):
            self._note(
                source,
                raw,
                "ICA003",
                f"The id {_show(foreign)} cannot name a case; it became {case_id}.",
                case_id,
            )
        self.taken.add(case_id)
        kept = case_id == foreign or raw.source_id is None
        return case_id, None if kept else foreign

    @staticmethod
    def _note(source: Source, raw: RawCase, code: str, message: str, case_id: str) -> None:
        node = Node(None, source, raw.pointer, raw.line)
        source.note(code, message, node=node, case_id=case_id)


def _stand_in(raw: RawCase, set_id: str) -> str:
    """What an id is made of where there is none: the set, and the place where several are."""
    return f"{set_id}-{raw.place}" if raw.place else set_id


def _content(raw: RawCase) -> str:
    """Digest of the case without timestamps, so that a later export is the same case."""
    return digest(_timeless({**raw.fields, **raw.extra}))


def _timeless(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {k: _timeless(v) for k, v in value.items() if k != "creation_timestamp"}
    if isinstance(value, list | tuple):
        return [_timeless(item) for item in value]
    return value


def _show(text: str) -> str:
    return f"`{shorten(text.replace(chr(0), '␀'))}`"
