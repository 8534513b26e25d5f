"""Secrets that one run gives away by a name, and another one holds without it.

A run is cleaned as it is read, before anybody knows what later ones name. So lines are looked at
once more when they are written, for exactly the secrets that were named in the same import.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from assay.files.reading import parse_json
from assay.files.validation import validate
from assay.intake.replaced import Replaced
from assay.intake.runs.cleaning import clean_run
from assay.models.run import ObservedRun
from assay.redaction import NOTHING, Kind, Spared

MOST = 10_000
"""Secrets that are looked for in other runs; more of them only where they were named."""
_LONGEST = 4096
_ONE_BY_ONE = 64
"""So many are looked for wherever they stand; more of them only as whole words."""
_WORD = re.compile(rb"[^\s\"'\\\\,;&<>(){}\[\]|]{6,}")


@dataclass
class Leaks:
    """What names gave away in one import."""

    spared: Spared = NOTHING
    """What stays."""
    _kinds: dict[str, Kind] = field(default_factory=dict)
    _replaced: dict[str, Replaced] = field(default_factory=dict)

    def add(self, given_away: Mapping[str, Kind]) -> None:
        """Add what one run gave away."""
        for held, kind in given_away.items():
            if len(self._kinds) < MOST and len(held) <= _LONGEST:
                self._kinds.setdefault(held, kind)

    def replaced(self, name: str) -> Replaced:
        """What was replaced in a run when its lines were last looked at."""
        return self._replaced.get(name, Replaced())

    def cleaned(self, name: str, lines: Callable[[str], Iterator[bytes]]) -> Iterator[bytes]:
        """The lines of a run without secrets that other runs gave away.

        Args:
            name: the run.
            lines: gives its lines, in blocks of whole ones.
        """
        if not self._kinds:
            yield from lines(name)
            return
        replaced = self._replaced[name] = Replaced()
        forms = {_written(held): held for held in sorted(self._kinds)}
        for block in lines(name):
            if _those_in(block, forms):
                yield b"".join(
                    self._line(line, _those_in(line, forms), replaced)
                    for line in block.splitlines(keepends=True)
                )
            else:
                yield block

    def _line(self, line: bytes, held: list[str], replaced: Replaced) -> bytes:
        if not held:
            return line
        run, _ = validate(ObservedRun, parse_json(line.decode("utf-8", "surrogatepass"), name=""))
        assert run is not None, "a line that was written here"
        cleaned = clean_run(run, self.spared, {text: self._kinds[text] for text in held})
        replaced.add(run.case_id, cleaned.found)
        return cleaned.line.encode("utf-8", "surrogatepass") + b"\n"


def _written(held: str) -> bytes:
    """A text as a line holds it."""
    return json.dumps(held, ensure_ascii=False)[1:-1].encode("utf-8", "surrogatepass")


def _those_in(data: bytes, forms: Mapping[bytes, str]) -> list[str]:
    """Which secrets stand in lines."""
    if len(forms) <= _ONE_BY_ONE:
        return [held for form, held in forms.items() if form in data]
    return sorted({forms[word] for word in _WORD.findall(data) if word in forms})
