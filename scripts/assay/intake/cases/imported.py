"""What an import of cases gives back."""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.models.base import JsonValue
from assay.models.case import CaseAttributes, EvalSet
from assay.models.finding import Finding


@dataclass(frozen=True)
class CaseImport:
    """Cases in canonical form, and everything that was done to bring them there."""

    eval_sets: tuple[EvalSet, ...]
    """The sets, in the order of the file."""
    attributes: dict[str, CaseAttributes]
    """Case id to what eval sets cannot carry: the source id and further fields."""
    shape: str
    """The shape that the file has."""
    read: int
    """Number of cases."""
    dropped: dict[str, int]
    """What was left out, by rule."""
    unknown: tuple[str, ...]
    """Fields of a case that this shape has no place for. They are unknown, not empty."""
    findings: tuple[Finding, ...]
    """Every deviation from the canonical form."""


@dataclass
class RawCase:
    """A case while it is read, before it has its final id."""

    source_id: str | None
    """The id in the file; none where there is none."""
    fields: dict[str, JsonValue]
    """The canonical fields, without the id."""
    extra: dict[str, JsonValue] = field(default_factory=dict)
    """JSON pointer below the case to fields that eval sets do not have."""
    pointer: str = ""
    """Where the case stands."""
    line: int | None = None
    """Line of the JSONL file."""
    place: str = ""
    """What tells a case without an id from others in the file: empty, or its position."""


@dataclass
class RawSet:
    """An eval set while it is read."""

    set_id: str
    """Id of the set."""
    cases: list[RawCase]
    """Its cases."""
    fields: dict[str, JsonValue] = field(default_factory=dict)
    """Name, description, creation timestamp."""
