"""What a result rests on, for a terminal and for programs."""

from __future__ import annotations

from assay.reporting.trace.as_json import json_text
from assay.reporting.trace.as_text import text
from assay.reporting.trace.inputs import (
    CaseTrace,
    Clause,
    Made,
    Part,
    Revision,
    Signature,
    Trace,
)

__all__ = [
    "CaseTrace",
    "Clause",
    "Made",
    "Part",
    "Revision",
    "Signature",
    "Trace",
    "json_text",
    "text",
]
