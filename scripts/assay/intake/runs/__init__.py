"""Recorded runs of every format to observed runs."""

from assay.intake.runs.case_ids import CaseIds, KnownCases, known_cases, resolve_cases
from assay.intake.runs.formats.records.native import run_line
from assay.intake.runs.imported import RunImport
from assay.intake.runs.read import RunOptions, read_runs
from assay.intake.runs.registry import FORMATS
from assay.intake.runs.trials import Trials

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
