"""The HTML report: one page that needs no network, and one page for every case.

`render` gives all files as text; writing them is the caller's business.
"""

from __future__ import annotations

from assay.reporting.html.inputs import ReportInput, SuiteInput
from assay.reporting.html.pages import render

__all__ = ["ReportInput", "SuiteInput", "render"]
