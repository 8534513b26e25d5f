"""The shipped repository, loaded once for all tests of its content."""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from assay.checks.runner import run_checks
from assay.files.reading import json_lines
from assay.ledger.effective import record_that_counts
from assay.ledger.repository import Repository
from assay.models.finding import FindingReport
from assay.models.run import ObservedRun
from assay.models.truth import TruthRecord
from assay.models.verdict import Verdict

ROOT = Path(__file__).resolve().parents[2]
SUITE = ROOT / "cases" / "refunds"
RUNS = ROOT / "runs" / "refunds"
TODAY = "2026-11-30"


@functools.cache
def repository() -> Repository:
    """The repository that this file lies in."""
    return Repository.load(ROOT)


@functools.cache
def findings(today: str = TODAY, policy: str | None = None) -> FindingReport:
    """What the check finds on a day."""
    return run_checks(repository(), today=today, policies=[policy] if policy else [])


@functools.cache
def counting() -> dict[str, TruthRecord]:
    """Case id to the record that counts on the shipped day."""
    loaded = repository()
    found: dict[str, TruthRecord] = {}
    for case_id, revisions in loaded.revisions.items():
        stored = record_that_counts(revisions, loaded.policies.model, TODAY)
        if stored is not None and stored.suite == "refunds":
            found[case_id] = stored.record
    return found


def runs(agent: str) -> Iterator[ObservedRun]:
    """The committed runs of an agent."""
    for _, line in json_lines(RUNS / f"{agent}.jsonl"):
        yield ObservedRun.model_validate(line)


def verdicts() -> Iterator[Verdict]:
    """All recorded verdicts."""
    for path in sorted((SUITE / "verdicts").glob("*.jsonl")):
        for _, line in json_lines(path):
            yield Verdict.model_validate(line)


def program(name: str) -> ModuleType:
    """A module of the program that made the runs."""
    folder = str(SUITE / "agents")
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return importlib.import_module(name)
