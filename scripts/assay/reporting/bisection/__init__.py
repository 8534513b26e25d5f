"""Which commits moved a score, for a terminal and for programs."""

from __future__ import annotations

from assay.reporting.bisection.as_json import json_text
from assay.reporting.bisection.as_text import text
from assay.reporting.bisection.inputs import Bisection, Blind, Change, Flip, Move, Standing

__all__ = ["Bisection", "Blind", "Change", "Flip", "Move", "Standing", "json_text", "text"]
