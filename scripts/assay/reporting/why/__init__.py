"""``assay why CASE --run RUN``: what was asked, expected and observed, and what decided."""

from __future__ import annotations

from assay.reporting.why.as_json import json_text
from assay.reporting.why.as_text import text
from assay.reporting.why.inputs import WhyInput, trial_to_explain

__all__ = ["WhyInput", "json_text", "text", "trial_to_explain"]
