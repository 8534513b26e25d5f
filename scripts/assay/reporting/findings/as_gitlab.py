"""Findings as a GitLab Code Quality report, which becomes marks at the lines of a merge request."""

from __future__ import annotations

from typing import Any

from assay.models.finding import Finding, FindingReport, Severity
from assay.reporting.findings.fingerprints import ANCHOR, fingerprints, message_and_hint
from assay.reporting.json_out import json_document
from assay.reporting.words import safe

_SEVERITIES: dict[Severity, str] = {
    "error": "critical",
    "excludes": "major",
    "warning": "minor",
    "note": "info",
}


def gitlab(report: FindingReport) -> str:
    """A JSON array; each finding has a fingerprint that survives moved lines.

    GitLab demands a file and a line: where a finding has none, line 1 of it, or of
    ``params.yaml``, stands for it.
    """
    names = fingerprints(report.findings)
    return json_document(
        [_entry(finding, name) for finding, name in zip(report.findings, names, strict=True)]
    )


def _entry(finding: Finding, name: str) -> dict[str, Any]:
    return {
        "description": safe(message_and_hint(finding)),
        "check_name": finding.code,
        "fingerprint": name,
        "severity": _SEVERITIES[finding.severity],
        "location": {
            "path": safe(finding.path) or ANCHOR,
            "lines": {"begin": finding.line or 1},
        },
    }
