"""One foreign file while it is read: what was noticed in it, bounded, and what was left out."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assay.errors import InputError
from assay.files.locate import locate, locate_all
from assay.intake.codes import finding, finding_of
from assay.models.finding import Finding

if TYPE_CHECKING:
    from assay.intake.node import Node

PLACES = 10
"""Findings of one cause that are kept with their place; further ones are only counted."""

CAUSES = 100
"""Causes of one code that are told apart in one file; further ones are counted together."""

RULES = 200
"""Rules by which one file leaves things out that are told apart."""


class _Cause:
    """Findings that say the same of several places: the first few, and how many there are."""

    __slots__ = ("count", "kept")

    def __init__(self) -> None:
        self.kept: list[tuple[Finding, bool]] = []
        self.count = 0

    def add(self, item: Finding, is_open: bool) -> None:
        if len(self.kept) < PLACES:
            self.kept.append((item, is_open))
        else:
            self.count += item.count

    def findings(self) -> Iterator[tuple[Finding, bool]]:
        """The first ones; the last of them stands for all that are not kept."""
        yield from self.kept[:-1]
        last, is_open = self.kept[-1]
        if self.count:
            last = last.model_copy(update={"count": last.count + self.count})
        yield last, is_open


@dataclass
class Source:
    """One foreign file while it is read: its name, and what was noticed in it.

    Lines and columns are looked up at the end, for all findings in one pass over the text. What
    is kept does not grow with the file: see `PLACES`, `CAUSES` and `RULES`.
    """

    name: str
    """File name for messages."""
    text: str = ""
    """The JSON text, to find lines; empty where it was read line by line."""
    dropped: Counter[str] = field(default_factory=Counter)
    """What was left out, by rule."""
    camel: set[tuple[int | None, str]] = field(default_factory=set)
    """Fields that were written in camelCase: line and pointer."""
    nulls: set[tuple[int | None, str]] = field(default_factory=set)
    """Fields that held null: line and pointer."""
    spelling: bool = True
    """Whether `camel` and `nulls` are filled; runs need neither, and have many records."""
    _causes: dict[tuple[str, str], _Cause] = field(default_factory=dict)
    """Code and what is said, to the findings that say it; and whether their line is unknown."""
    _per_code: Counter[str] = field(default_factory=Counter)

    def note(
        self,
        code: str,
        message: str,
        *,
        node: Node | None = None,
        hint: str = "",
        case_id: str | None = None,
        count: int = 1,
    ) -> None:
        """Add a finding about this file, or about a value in it.

        The same finding about the file as a whole is kept once.
        """
        if node is None and (code, message) in self._causes:
            return
        shape = message.replace(case_id, "\n") if case_id else message
        cause = self._cause(code, shape)
        if len(cause.kept) >= PLACES:
            cause.count += count
            return
        made = finding(
            code,
            message,
            hint=hint,
            path=self.name,
            line=node.line if node is not None else None,
            pointer=node.pointer if node is not None else "",
            case_id=case_id,
            count=count,
        )
        cause.add(made, node is not None and node.line is None)

    def failed(self, error: InputError, code: str) -> None:
        """Add a finding that says what an error about a part of this file says."""
        self._cause(code, error.message).add(finding_of(error, code), error.line is None)

    def _cause(self, code: str, shape: str) -> _Cause:
        key = (code, shape)
        cause = self._causes.get(key)
        if cause is None:
            if self._per_code[code] >= CAUSES:
                key = (code, "")
                if key in self._causes:
                    return self._causes[key]
            self._per_code[code] += 1
            cause = self._causes[key] = _Cause()
        return cause

    def drop(self, rule: str, count: int = 1) -> None:
        """Count something that is left out."""
        if count:
            if rule not in self.dropped and len(self.dropped) >= RULES:
                rule = "left out by further rules"
            self.dropped[rule] += count

    def findings(self) -> list[Finding]:
        """What was noticed, with lines and columns as far as they are known."""
        found = [pair for cause in self._causes.values() for pair in cause.findings()]
        open_ones = [item.pointer for item, is_open in found if is_open]
        places = locate_all(self.text, open_ones) if self.text and open_ones else {}
        result: list[Finding] = []
        for item, is_open in found:
            place = places.get(item.pointer) if is_open else None
            if place is not None:
                item = item.model_copy(update={"line": place[0], "column": place[1]})
            result.append(item)
        return result

    @contextlib.contextmanager
    def placed(self) -> Iterator[None]:
        """Give an error about this file, which ends the import, its line and column."""
        try:
            yield
        except InputError as error:
            if error.line is None and error.path == self.name and self.text:
                place = locate(self.text, error.pointer)
                error.line, error.column = place if place is not None else (None, None)
            raise
