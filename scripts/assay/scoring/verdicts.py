"""Recorded verdicts, found by case, run, trial and criterion."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from assay.files.canonical import digest
from assay.models.verdict import Verdict

Key = tuple[str, str, int]
"""Case id, run name, trial."""


@dataclass(frozen=True)
class VerdictIndex:
    """All recorded verdicts of a suite. Immutable."""

    by_run: Mapping[Key, Mapping[str, tuple[Verdict, ...]]] = field(default_factory=dict)
    """Case, run and trial to criterion to its verdicts, in a defined order."""

    @classmethod
    def of(cls, verdicts: Iterable[Verdict]) -> VerdictIndex:
        """The index; a line that occurs twice counts once."""
        table: dict[Key, dict[str, dict[str, Verdict]]] = {}
        for verdict in verdicts:
            key = (verdict.case_id, verdict.run, verdict.trial)
            of_criterion = table.setdefault(key, {}).setdefault(verdict.criterion, {})
            of_criterion[verdict.model_dump_json()] = verdict
        return cls(
            {
                key: {
                    criterion: tuple(lines[text] for text in sorted(lines))
                    for criterion, lines in sorted(criteria.items())
                }
                for key, criteria in sorted(table.items())
            }
        )

    def of_run(self, case_id: str, run: str, trial: int) -> Mapping[str, tuple[Verdict, ...]]:
        """Criterion to verdicts for one trial of one case."""
        return self.by_run.get((case_id, run, trial), {})

    def digest(self) -> str:
        """SHA-256 of all verdicts, whatever order they were recorded in."""
        lines: Sequence[str] = [
            verdict.model_dump_json()
            for criteria in self.by_run.values()
            for verdicts in criteria.values()
            for verdict in verdicts
        ]
        return digest(sorted(lines))
