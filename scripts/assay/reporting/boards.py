"""The scoreboard of runs that were scored just now."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from assay import __version__
from assay.checks.compiling import CompiledRepository
from assay.checks.runner import rules
from assay.checks.world import World
from assay.errors import AssayError
from assay.ledger.layout import RUNS
from assay.ledger.results import published_paths, read_published
from assay.models.result import CaseResult, Result
from assay.reporting.scoreboard import Board, BoardInput, board


class ScoredRun(Protocol):
    """One run scored on one suite."""

    @property
    def suite(self) -> str:
        """The suite."""

    @property
    def result(self) -> Result:
        """What it came to."""

    @property
    def lines(self) -> Sequence[CaseResult]:
        """A line a case and trial."""

    @property
    def files(self) -> Sequence[Path]:
        """The files that it was read from."""


def board_of_scored(
    world: World, compiled: CompiledRepository, scored: Sequence[ScoredRun]
) -> Board:
    """The scoreboard of some scored runs."""
    suites = sorted({item.suite for item in scored})
    params = world.repository.params.model
    lines: dict[str, list[CaseResult]] = {name: [] for name in suites}
    for item in scored:
        lines[item.suite] += item.lines
    return board(
        BoardInput(
            today=world.today,
            engine=__version__,
            results=[item.result for item in scored],
            policies=world.in_force,
            suites=suites,
            truths=[entry for name in suites for entry in compiled.suites.get(name, ())],
            floors={
                name: params.gate.floors[name] for name in suites if name in params.gate.floors
            },
            case_results=lines,
            titles={code: rule.title() for code, rule in rules().items()},
            published=_published(world.repository.root, scored),
            sources=_sources(world.repository.root, scored),
        )
    )


def _sources(root: Path, scored: Sequence[ScoredRun]) -> dict[str, str]:
    """What names a run in a command: itself below ``runs/``, else its file, if it is one."""
    found: dict[str, str] = {}
    for item in scored:
        run = item.result.subject.run
        stored = root / RUNS / item.suite / f"{run}.jsonl"
        if all(file.resolve() == stored.resolve() for file in item.files):
            found.setdefault(run, run)
        else:
            found[run] = item.files[0].as_posix() if len(item.files) == 1 else ""
    return found


def _published(root: Path, scored: Sequence[ScoredRun]) -> list[Result]:
    """Published results of the same ids; the others are not read, there may be many."""
    paths = published_paths(root)
    ids = sorted({item.result.id for item in scored} & paths.keys())
    found: list[Result] = []
    for name in ids:
        with contextlib.suppress(AssayError):  # The check reports it.
            found.append(read_published(root, paths[name]).result)
    return found
