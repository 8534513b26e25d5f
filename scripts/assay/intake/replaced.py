"""What an import replaced by placeholders, by kind: how often, and where the first ones stood."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from assay.intake.codes import finding
from assay.models.finding import Finding
from assay.redaction import ADDRESS, Found, Kind

_SHOWN = 3
_MANY: dict[Kind, str] = {
    "e-mail address": "e-mail addresses",
}


@dataclass
class Replaced:
    """What was replaced in one file. Holds places and never what stood there."""

    counts: Counter[Kind] = field(default_factory=Counter)
    """Kind to how many places."""
    first: dict[Kind, list[tuple[str, str]]] = field(default_factory=dict)
    """Kind to case id and JSON pointer of the first places."""

    def add(self, case_id: str, found: Iterable[Found]) -> None:
        """Count what was found in a case or in a run of it."""
        for item in found:
            self.counts[item.kind] += 1
            places = self.first.setdefault(item.kind, [])
            if len(places) < _SHOWN:
                places.append((case_id, item.pointer))

    def findings(self, path: str, secret: str, address: str) -> list[Finding]:
        """One finding a kind.

        Args:
            path: the file that was read.
            secret: code of the finding about secrets.
            address: code of the finding about addresses.
        """
        return [
            self._finding(kind, path, address if kind == ADDRESS else secret)
            for kind in sorted(self.counts)
        ]

    def _finding(self, kind: Kind, path: str, code: str) -> Finding:
        number = self.counts[kind]
        many = _MANY.get(kind, f"{kind}s")
        places = ", ".join(f"{case_id} {pointer}" for case_id, pointer in self.first[kind])
        more = number - len(self.first[kind])
        case_id, pointer = self.first[kind][0]
        return finding(
            code,
            f"{many[0].upper()}{many[1:]} in {number:,} {'place' if number == 1 else 'places'}"
            f" became placeholders: {places}{f' and {more:,} more' if more else ''}.",
            path=path,
            pointer=pointer,
            case_id=case_id,
            count=number,
            hint="--keep-addresses keeps them all, `redaction` in params.yaml some"
            if kind == ADDRESS
            else "revoke them, for the file that was read holds them still",
        )
