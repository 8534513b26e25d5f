"""What a session asked for and what came of it: results that add up, and files of runs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from assay.files.model_text import model_line
from assay.files.writing import write_text
from assay.models.result import Result
from assay.models.run import ObservedRun
from assay.models.truth import Status
from assay.testing.bench import Bench

Entry = tuple[str, str, str, int]
"""Suite, run, case and trial."""


@dataclass
class Asked:
    """What was asked of one run on one suite."""

    cases: set[str] = field(default_factory=set)
    """Ids of the cases, those that cannot be scored today included."""
    statuses: set[Status] = field(default_factory=set)
    """Statuses that are scored."""


@dataclass
class Recorder:
    """Everything that was asked for, and every observed run, whatever order it came in."""

    asked: dict[tuple[str, str], Asked] = field(default_factory=dict)
    """Suite and run to what was asked."""
    entries: dict[Entry, ObservedRun] = field(default_factory=dict)
    """What was observed."""

    def ask(self, suite: str, run: str, case_id: str, statuses: Iterable[Status]) -> None:
        """Expect a case of a run."""
        found = self.asked.setdefault((suite, run), Asked())
        found.cases.add(case_id)
        found.statuses.update(statuses)

    def keep(self, suite: str, observed: ObservedRun) -> None:
        """Keep what was observed.

        The first verdict on a trial counts, so that running a failure again until it passes helps
        nobody; only a trial in which the harness failed is replaced by a later one.
        """
        key = (suite, observed.run, observed.case_id, observed.trial)
        before = self.entries.get(key)
        if before is None or (before.infrastructure_errors and not before.turns):
            self.entries[key] = observed

    def of(self, suite: str, run: str) -> list[ObservedRun]:
        """Entries of one run on one suite, by case and trial."""
        return [self.entries[key] for key in sorted(self.entries) if key[:2] == (suite, run)]

    def results(self, bench: Bench) -> list[Result]:
        """What each run came to on each suite, by suite and run."""
        return [
            bench.result(
                suite,
                run,
                frozenset(self.asked[suite, run].cases),
                self.of(suite, run),
                tuple(sorted(self.asked[suite, run].statuses)),
            )
            for suite, run in sorted(self.asked)
        ]

    def write(self, folder: Path) -> list[Path]:
        """Write ``<folder>/<suite>/<run>.jsonl`` for every run with an entry; returns the paths.

        Canonical lines by case and trial, each file whole or not at all.

        Raises:
            InputError: the folder cannot be written.
        """
        paths: list[Path] = []
        for suite, run in sorted({key[:2] for key in self.entries}):
            path = folder / suite / f"{run}.jsonl"
            write_text(path, "".join(map(model_line, self.of(suite, run))))
            paths.append(path)
        return paths
