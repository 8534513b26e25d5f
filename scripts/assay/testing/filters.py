"""Which cases are asked for: by suite, slice, status, category, case and whether they gate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from fnmatch import fnmatchcase
from typing import Any, get_args

from assay.errors import UsageError
from assay.models.result import ExcludedCase
from assay.models.truth import SCORABLE, Status
from assay.scoring.selection import nearest


@dataclass(frozen=True)
class Row:
    """What selecting and reporting need to know of a case."""

    suite: str
    case_id: str
    slice: str
    category: str
    status: str
    """Status of the record that counts; ``none`` without one."""
    gates: bool
    not_gating: tuple[str, ...]
    """Why it does not gate though it is scored."""
    held_out: bool


@dataclass(frozen=True)
class Filter:
    """What is asked for. An empty part asks for nothing in particular."""

    suite: tuple[str, ...] = ()
    slice: tuple[str, ...] = ()
    status: tuple[str, ...] = ()
    category: tuple[str, ...] = ()
    case: tuple[str, ...] = ()
    """Ids, or patterns with ``*`` and ``?``."""
    gating: bool | None = None

    @classmethod
    def of(cls, given: Mapping[str, Any], where: str) -> Filter:
        """A filter as a person writes it: each part a text or several.

        Raises:
            UsageError: no such part, or a value of another type.
        """
        parts: dict[str, Any] = {}
        known = [item.name for item in fields(cls)]
        for name, value in given.items():
            if name not in known:
                near = nearest(name, known, 1)
                meant = f" Did you mean `{near[0]}`?" if near else ""
                raise UsageError(
                    f"{where} takes no `{name}`.{meant}", hint=f"it takes {', '.join(known)}"
                )
            if name == "gating":
                if value is not None and not isinstance(value, bool):
                    raise UsageError(f"{where}: `gating` is True, False or None.")
                parts[name] = value
                continue
            listed = [value] if isinstance(value, str) else list(value or ())
            if not all(isinstance(item, str) for item in listed):
                raise UsageError(f"{where}: `{name}` is a text, or a list of texts.")
            parts[name] = tuple(listed)
        found = cls(**parts)
        strange = [name for name in found.status if name not in get_args(Status)]
        if strange:
            raise UsageError(
                f"{where}: there is no status `{strange[0]}`.",
                hint=f"one of {', '.join(get_args(Status))}",
            )
        return found

    def fits(self, row: Row) -> bool:
        """Whether a case is asked for."""
        return (
            (self.gating is None or row.gates == self.gating)
            and all(_fits(name, getattr(self, name), row) for name in _PARTS)
        )  # fmt: skip

    @property
    def words(self) -> str:
        """``suite=refunds, status=gold``; ``everything`` where nothing is asked for."""
        parts = [f"{n}={'|'.join(getattr(self, n))}" for n in _PARTS if getattr(self, n)]
        if self.gating is not None:
            parts.append(f"gating={self.gating}")
        return ", ".join(parts) or "everything"


_PARTS = ("suite", "slice", "status", "category", "case")


def _fits(part: str, wanted: Sequence[str], row: Row) -> bool:
    if not wanted:
        return True
    if part == "case":
        return any(row.case_id == name or fnmatchcase(row.case_id, name) for name in wanted)
    return getattr(row, part) in wanted


def statuses(filters: Iterable[Filter]) -> tuple[Status, ...]:
    """Statuses that are scored: the reviewed ones, and those that were asked for by name."""
    named = {name for item in filters for name in item.status}
    return tuple(name for name in get_args(Status) if name in SCORABLE or name in named)


def why_nothing(filters: Sequence[Filter], rows: Sequence[Row]) -> UsageError:
    """The error that says which part of which filter fits no case."""
    for item in filters:
        for part in _PARTS:
            known = sorted({_value(part, row) for row in rows})
            for name in getattr(item, part):
                if not any(_fits(part, (name,), row) for row in rows):
                    near = nearest(name, known)
                    return UsageError(
                        f"No case has the {part} `{name}`."
                        if part != "case"
                        else f"No case is called `{name}`.",
                        hint=f"did you mean {', '.join(near)}?"
                        if near
                        else f"known: {', '.join(known[:8])}{' …' if len(known) > 8 else ''}",
                    )
    words = " and ".join(item.words for item in filters if item != Filter())
    return UsageError(f"No case fits {words or 'anything: the benchmark is empty'}.")


def _value(part: str, row: Row) -> str:
    return row.case_id if part == "case" else str(getattr(row, part))


def told(excluded: ExcludedCase) -> str:
    """Why a case cannot be scored, on one line."""
    return " ".join(
        f"{code} {reason}" if code.isupper() else reason
        for code, reason in zip(excluded.codes, excluded.reasons, strict=True)
    )
