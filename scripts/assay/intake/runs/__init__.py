"""Recorded runs of every format to observed runs.

The names are imported when they are asked for: who reads a plain table does not wait for the
readers of every trace format.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.intake.runs.case_ids import CaseIds, KnownCases, known_cases, resolve_cases
    from assay.intake.runs.formats.records.native import run_line
    from assay.intake.runs.imported import RunImport
    from assay.intake.runs.read import RunOptions, read_runs
    from assay.intake.runs.registry import FORMATS
    from assay.intake.runs.trials import Trials

_HOMES = {
    "FORMATS": "registry",
    "CaseIds": "case_ids",
    "KnownCases": "case_ids",
    "RunImport": "imported",
    "RunOptions": "read",
    "Trials": "trials",
    "known_cases": "case_ids",
    "read_runs": "read",
    "resolve_cases": "case_ids",
    "run_line": "formats.records.native",
}

__all__ = [
    "FORMATS",
    "CaseIds",
    "KnownCases",
    "RunImport",
    "RunOptions",
    "Trials",
    "known_cases",
    "read_runs",
    "resolve_cases",
    "run_line",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
