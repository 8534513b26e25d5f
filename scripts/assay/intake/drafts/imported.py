"""What drafting gives back."""

from __future__ import annotations

from dataclasses import dataclass

from assay.intake.codes import finding
from assay.intake.drafts.effects import Effect
from assay.models.base import JsonValue
from assay.models.case import CaseAttributes, EvalSet
from assay.models.catalog import ToolCatalog
from assay.models.finding import Finding
from assay.models.truth import TruthRecord


@dataclass(frozen=True)
class DraftImport:
    """Drafted records, and the cases and tools that they are about."""

    records: tuple[TruthRecord, ...]
    """One draft for every case that anything could be drafted for, by case id."""
    eval_sets: tuple[EvalSet, ...]
    """The cases."""
    attributes: dict[str, CaseAttributes]
    """Case id to what ``suite.yaml`` says of it; the foreign id above all."""
    tools: ToolCatalog
    """Every tool that is mentioned, with its effect as far as it is known."""
    findings: tuple[Finding, ...]
    """What a person must look at."""


def is_literal(value: JsonValue) -> bool:
    """Whether a value means itself in a record: no key in it begins with ``$``."""
    if isinstance(value, dict):
        return all(not key.startswith("$") and is_literal(item) for key, item in value.items())
    if isinstance(value, list | tuple):
        return all(map(is_literal, value))
    return True


def guessed(found: dict[str, Effect], path: str) -> list[Finding]:
    """A warning for every tool of which nobody knows whether it writes."""
    return [
        finding(
            "IDR001",
            f"Nothing tells whether `{name}` writes; it is taken to write.",
            path=path,
            hint=f"--writes {name}, or say `effect` in a tools.yaml beside the file",
        )
        for name, effect in found.items()
        if effect.ground == "guess"
    ]
