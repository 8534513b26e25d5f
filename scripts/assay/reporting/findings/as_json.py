"""Findings for programs."""

from __future__ import annotations

from assay.models.finding import FindingReport
from assay.reporting.json_out import all_fields, json_document


def json_text(report: FindingReport) -> str:
    """``{"schema_version": 1, "findings": […], "checked": {…}}``.

    Every finding has all fields of `Finding`: ``code``, ``severity``, ``path``, ``line``,
    ``column``, ``pointer``, ``case_id``, ``suite``, ``message``, ``hint``, ``count``; what is
    unknown is null or the empty text. ``checked`` maps a kind of thing to how many were looked
    at. Fields are only ever added; anything else raises ``schema_version``.
    """
    return json_document(all_fields(report))
