"""Eval cases of every shape to canonical eval sets."""

from assay.intake.cases.imported import CaseImport
from assay.intake.cases.read import read_cases
from assay.intake.cases.text import eval_set_text

__all__ = ["CaseImport", "eval_set_text", "read_cases"]
